import { mkdtempSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { file, folder, json, playhead } from '../../test/command-line.ts'
import { claudeBesideRun, claudeFolderRun, codexRun, geminiRun, write } from '../../test/invented-runs.ts'
import { inventedRollout } from '../../test/invented-rollout.ts'

/** What the commands make of runs in several files, and of compressed logs. */

let root: string
beforeEach(() => {
  root = mkdtempSync(join(folder, 'run-'))
})

const lines = (out: string) => out.trimEnd().split('\n')
const records = (out: string) => lines(out).map((line) => JSON.parse(line) as Record<string, unknown>)
const white = 'session-1/subagents/agent-aaa.jsonl'
const black = 'session-1/subagents/workflows/w1/agent-bbb.jsonl'

describe('a run in several files', () => {
  test('check counts the file itself, and names the others', async () => {
    const path = claudeFolderRun(root)
    const { bytes, lines, records, files, ...rest } = await json('check', path)
    const size = readFileSync(path).length
    expect([bytes, lines, records]).toEqual([size, 6, 6])
    const bytesOf = (name: string) => readFileSync(join(root, name)).length
    expect(files).toEqual([
      { name: white, bytes: bytesOf(white), lines: 3, records: 3 },
      { name: black, bytes: bytesOf(black), lines: 2, records: 2 }
    ])
    const alone = await json('check', path, '--single')
    expect(alone).toMatchObject({ bytes: size, lines: 6, records: 6, issues: [] })
    expect(alone).not.toHaveProperty('files')
    expect(Number(rest['events'])).toBeGreaterThan(Number(alone['events']))
    expect((await playhead('check', path)).err).toMatch(/6 lines, 6 records, with 2 files of its agents, \d+ events/)
  })

  test('check places an issue in the file it is in', async () => {
    const path = claudeFolderRun(root)
    write(root, black, `${readFileSync(join(root, black), 'utf8')}oops\n`)
    expect((await json('check', path))['issues']).toMatchObject([{ file: black, line: 3, code: 'JsonParse' }])
    const { code, out } = await playhead('check', path)
    expect([code, lines(out)]).toEqual([1, [expect.stringContaining(`${join(dirname(path), black)}:3: JsonParse`)]])
    expect((await playhead('check', path, '--single')).code).toBe(0)
  })

  test('what is not shown is said on stderr', async () => {
    const path = claudeBesideRun(root)
    for (const command of ['check', 'export', 'todos', 'stats'])
      expect((await playhead(command, path)).err).toContain('3 warm-up agents not shown')
    expect((await playhead('stats', path, '--single')).err).toBe('')
  })

  test('a number of an event is the same for every command', async () => {
    const path = claudeFolderRun(root)
    const events = records((await playhead('export', path)).out)
    const seq = events.findIndex(({ type }) => type === 'todo_list')
    expect(events[seq]).toMatchObject({ trackId: 'call-a', source: { file: white, line: 2 } })
    const [snapshot, ...more] = records((await playhead('todos', path, '--json')).out)
    expect(snapshot).toMatchObject({ seq, file: white, line: 2, trackId: 'call-a' })
    expect(more).toEqual([])
    expect((await playhead('todos', path)).out).toContain(`event ${seq}  ${white} line 2  call-a`)
    const list = (at: number) => playhead('todos', path, '--at', String(at)).then(({ out }) => out)
    expect(await list(seq)).toContain('[>] Count white')
    expect(await list(seq - 1)).toContain('no todo list yet')
    expect(await json('stats', path)).toMatchObject({ events: events.length, todoSnapshots: 1, lines: 6 })
    expect((await playhead('stats', path)).out).toContain(`files\n  ${white}  3\n  ${black}  2\n`)
  })

  test('export --raw gives the line of whichever file, and opens again as the same run', async () => {
    for (const layout of [claudeFolderRun, claudeBesideRun, codexRun, geminiRun]) {
      const path = layout(mkdtempSync(join(folder, 'raw-')))
      const { out } = await playhead('export', path, '--raw')
      for (const { source, raw } of records(out)) {
        const { file: name, offset, length } = source as { file?: string; offset: number; length: number }
        const bytes = readFileSync(name === undefined ? path : join(dirname(path), name))
        expect(raw).toBe(bytes.subarray(offset, offset + length).toString())
      }
      const exported = (await playhead('export', path)).out
      const again = await playhead('export', file('exported.jsonl', exported))
      expect(again.out).toBe(exported)
    }
  })
})

describe('a document', () => {
  test('has as many lines as it has, and as many records', async () => {
    const path = geminiRun(root)
    const found = await json('check', path, '--single')
    expect(found).toMatchObject({ lines: lines(readFileSync(path, 'utf8')).length, records: 3, issues: [] })
  })
})

describe('a compressed log', () => {
  const packed = readFileSync(join(import.meta.dirname, '../../test/fixtures/compressed/rollout.jsonl.zst'))

  test('is read by every command as its text is', async () => {
    const zst = write(root, 'rollout-1.jsonl.zst', packed)
    const plain = write(root, 'plain/rollout-1.jsonl', inventedRollout())
    const { file: _, ...found } = await json('check', zst)
    expect(found).toMatchObject({ format: 'codex-rollout', lines: 1602, records: 1602, issues: [] })
    expect(await json('check', plain)).toMatchObject(found)
    for (const command of [['export', '--raw'], ['export'], ['todos']] as const) {
      const [name = '', ...options] = command
      expect((await playhead(name, zst, ...options)).out).toBe((await playhead(name, plain, ...options)).out)
    }
  })

  test('that breaks off gives what there is of it, and exit code 2', async () => {
    const zst = write(root, 'rollout-1.jsonl.zst', packed.subarray(0, packed.length >> 1))
    const { code, out, err } = await playhead('export', zst)
    expect(code).toBe(2)
    expect(err).toMatch(/rollout-1\.jsonl\.zst cannot be unpacked further: it ends too early/)
    expect(lines(out).length).toBeGreaterThan(500)
    const plain = await playhead('export', write(root, 'plain/rollout-1.jsonl', inventedRollout()))
    expect(lines(plain.out).slice(0, 500)).toEqual(lines(out).slice(0, 500))
    expect((await playhead('check', zst)).code).toBe(2)
  })
})
