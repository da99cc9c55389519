import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { OpenFile } from '../find/open-file.ts'
import { DescriptorPool } from './descriptor-pool.ts'
import { LogFile } from './log-file.ts'
import { LogWatch } from './log-watch.ts'
import { systemPath } from './system-path.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-names-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A path in the folder, of bytes. */
const named = (...names: string[]) => Buffer.from(`${folder}/${names.join('/')}`, 'latin1')

// macOS and Windows have no such names.
describe.runIf(process.platform === 'linux')('a name that is not UTF-8', () => {
  const session = 'b4b0c2a4-0000-4000-8000-000000000001'
  const line = (extra: object) =>
    `${JSON.stringify({ type: 'user', uuid: 'u1', sessionId: session, timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: 'hello' }, ...extra })}\n`

  test('is opened by what it reads as, in a folder of such a name too, and goes on being watched', async () => {
    mkdirSync(named('caf\xe9', 'b\xff'), { recursive: true })
    writeFileSync(named('caf\xe9', 'b\xff', 'r\xfcn.jsonl'), line({}))
    const path = join(folder, 'caf\ufffd', 'b\ufffd', 'r\ufffdn.jsonl')
    const source = await LogFile.open(path)
    const watch = new LogWatch(source, () => {})
    try {
      expect([source.path, source.name, (await source.read(0, 8)).toString()]).toEqual([
        path,
        'r\ufffdn.jsonl',
        '{"type":'
      ])
      expect(await watch.look(0)).toMatchObject({ state: 'there' })
      renameSync(named('caf\xe9', 'b\xff', 'r\xfcn.jsonl'), named('elsewhere'))
      expect(await watch.look(0)).toMatchObject({ state: 'gone' })
    } finally {
      watch.close()
      await source.close()
    }
    await expect(LogFile.open(path)).rejects.toMatchObject({
      code: 'not-found',
      message: `${path} does not exist; check the path`
    })
  })

  test('is searched by another thread, which opens it itself', async () => {
    writeFileSync(named('s\xe9.jsonl'), line({}))
    const source = await LogFile.open(join(folder, 's\ufffd.jsonl'), new DescriptorPool())
    const [opened, bytes] = [new OpenFile(structuredClone(source.shared())), new Uint8Array(8)]
    expect([opened.read(bytes, 0), Buffer.from(bytes).toString()]).toEqual([8, '{"type":'])
    opened.close()
    await source.close()
  })

  test('that reads as another one does is not guessed at', async () => {
    mkdirSync(named('two'))
    for (const name of ['a\xe9.jsonl', 'a\xff.jsonl']) writeFileSync(named('two', name), line({}))
    await expect(LogFile.open(join(folder, 'two', 'a\ufffd.jsonl'))).rejects.toMatchObject({
      code: 'not-found',
      message: expect.stringMatching(/2 names in .*two\/ are shown as a\ufffd\.jsonl.*rename/)
    })
  })

  test('is not looked for where a name has U+FFFD itself, or nothing of it is there', async () => {
    mkdirSync(join(folder, 'own'))
    writeFileSync(join(folder, 'own', 'a\ufffd.jsonl'), 'x')
    expect(await systemPath(join(folder, 'own', 'a\ufffd.jsonl'))).toEqual(
      Buffer.from(join(folder, 'own', 'a\ufffd.jsonl'))
    )
    expect(await systemPath(join(folder, 'no', 'a\ufffd'))).toEqual(Buffer.from(join(folder, 'no', 'a\ufffd')))
    expect(await systemPath('/plain')).toBe('/plain')
  })
})
