import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { file, folder, good, playhead, repository } from '../../test/command-line.ts'
import { bundleForNode } from '../../test/node-worker-plugin.ts'

const modeOf = (path: string): number => statSync(path).mode & 0o777
const draftsIn = (path: string): string[] => readdirSync(path).filter((name) => name.endsWith('.playhead'))

function newFolder(name: string): string {
  const path = join(folder, name)
  mkdirSync(path)
  return path
}

/** A file with the permissions `mode`, whatever the umask. */
function fileOf(mode: number, name: string, content = good): string {
  const path = file(name, content)
  chmodSync(path, mode)
  return path
}

describe.skipIf(process.platform === 'win32')('the permissions of an export', () => {
  test.each([[[]], [['--to', 'md']]])('%j: a new file has those that the owner of the log has', async (form) => {
    for (const [log, target] of [
      [0o600, 0o600],
      [0o644, 0o600],
      [0o666, 0o600],
      [0o400, 0o400]
    ] as const) {
      const name = `mode-${log.toString(8)}-${form.join('')}`
      const out = join(folder, `${name}.out`)
      const { code } = await playhead('export', fileOf(log, `${name}.jsonl`), ...form, '-o', out)
      expect([code, modeOf(out).toString(8)], name).toEqual([0, target.toString(8)])
    }
  })

  test('the umask makes them fewer still', async () => {
    const umask = process.umask(0o277)
    try {
      const out = join(folder, 'umask.out')
      await playhead('export', fileOf(0o600, 'umask.jsonl'), '-o', out)
      expect(modeOf(out)).toBe(0o400)
    } finally {
      process.umask(umask)
    }
  })

  test.each([
    [0o644, 0o600, 0o600],
    [0o640, 0o644, 0o640],
    [0o600, 0o644, 0o600]
  ])('a file of %o is replaced: of a log of %o it becomes %o', async (present, log, after) => {
    const out = fileOf(present, `present-${present}-${log}.out`, 'former')
    await playhead('export', fileOf(log, `present-${present}-${log}.jsonl`), '-o', out)
    expect([modeOf(out), readFileSync(out, 'utf8') === 'former']).toEqual([after, false])
  })
})

const bundle = bundleForNode(join(repository, 'src', 'backend', 'export', 'output-file.ts'), folder)
const running: ChildProcess[] = []
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** A process that writes a draft of `out`; `then` is what it does when it is told to go on, which else it waits for. */
async function writing(out: string, log: string, then = ''): Promise<ChildProcess> {
  const code = `
    const { outputFile } = await import(${JSON.stringify(pathToFileURL(await bundle).href)})
    const { output } = await outputFile(${JSON.stringify(out)}, ${JSON.stringify(log)})
    output.write('half of it')
    await output.flush()
    process.stdin.once('data', () => { ${then} })
    console.log('written')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'ignore'] })
  running.push(child)
  if (child.stdout !== null) await once(child.stdout, 'data')
  return child
}

describe.skipIf(process.platform === 'win32')('drafts', () => {
  const log = file('drafts.jsonl', good)

  test('of a killed export go at the next one into the folder, others stay', async () => {
    const into = newFolder('killed')
    const [killed, alive] = [await writing(join(into, 'a.html'), log), await writing(join(into, 'b.html'), log)]
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const own = hostname().replace(/[^\w]/g, '').slice(0, 40) || 'host'
    // Of another machine that shares the folder, and what only looks like a draft.
    const others = [`.c.html.${own}elsewhere-${killed.pid}-00000000.playhead`, `c.html.${own}-${killed.pid}.playhead`]
    for (const name of others) writeFileSync(join(into, name), '')
    expect(draftsIn(into)).toHaveLength(4)
    expect((await playhead('export', log, '-o', join(into, 'd.jsonl'))).code).toBe(0)
    expect(draftsIn(into).filter((name) => name.includes('.a.html.'))).toEqual([])
    expect(draftsIn(into).filter((name) => name.includes('.b.html.'))).toHaveLength(1)
    expect(draftsIn(into)).toEqual(expect.arrayContaining(others))
    alive.kill('SIGTERM')
    await once(alive, 'exit')
    expect(draftsIn(into).sort()).toEqual([...others].sort())
  })

  test('are as private as the log while they are written', async () => {
    const into = newFolder('private')
    const child = await writing(join(into, 'a.html'), fileOf(0o600, 'private.jsonl'))
    expect(draftsIn(into).map((name) => modeOf(join(into, name)))).toEqual([0o600])
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('go with %s, which still ends the process', async (signal) => {
    const into = newFolder(signal)
    const former = join(into, 'a.html')
    writeFileSync(former, 'former')
    const child = await writing(former, log)
    expect(draftsIn(into)).toHaveLength(1)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([null, signal])
    expect(readdirSync(into)).toEqual(['a.html'])
    expect(readFileSync(former, 'utf8')).toBe('former')
  })

  test.each(['process.exit(3)', "throw new Error('EPIPE of standard error, say')"])('go with %s', async (then) => {
    const into = newFolder(`exit-${then.length}`)
    const child = await writing(join(into, 'a.html'), log, then)
    child.stdin?.write('go on')
    await once(child, 'exit')
    expect(readdirSync(into)).toEqual([])
  })
})
