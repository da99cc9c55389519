import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { environment, file, folder, good, playhead, sink } from '../../test/command-line.ts'
import type { Environment } from './environment.ts'
import { run } from './run.ts'

describe('serve and open', () => {
  test('print the address and nothing else, and end when they are asked to', async () => {
    const path = file('served.jsonl', good)
    const { code, out, err } = await playhead('serve', path, '--no-open')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]+\n$/)
  })

  test('open says on one line which host it is, why, and where', async () => {
    const { code, out } = await playhead(file('opened.jsonl', good))
    expect(code).toBe(0)
    expect(out).toMatch(
      /^Playhead runs in the browser, because there is no display for Electron: http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]+\n$/
    )
  })

  test('open starts Electron where it can run', async () => {
    const root = join(folder, 'app')
    mkdirSync(join(root, 'node_modules', 'electron', 'dist'), { recursive: true })
    writeFileSync(join(root, 'node_modules', 'electron', 'path.txt'), 'electron')
    const binary = join(root, 'node_modules', 'electron', 'dist', 'electron')
    const seen = join(folder, 'seen')
    const app = (end: string) =>
      writeFileSync(binary, `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}'\n${end}\n`, { mode: 0o755 })
    const log = file('for electron.jsonl', good)
    const host = { root, variables: { DISPLAY: ':0' } }
    app('exit 3')
    const untilStopped = () => new Promise<void>(() => {})
    expect(await run(['open', log], environment({ ...host, untilStopped }))).toBe(3)
    expect(readFileSync(seen, 'utf8')).toBe(`${root}\n${log}\n`)
    // Ends with the command: this one is asked to stop at once.
    app('exec sleep 1000')
    expect(await run(['open', log], environment(host))).toBe(0)

    const why = async (over: Partial<Environment>) => {
      const out = sink()
      await run(['open', log, '--no-open'], environment({ ...host, stdout: out.stream, ...over }))
      return out.text()
    }
    expect(await why({ isRoot: true })).toMatch(/does not run as root/)
    expect(await why({ variables: {} })).toMatch(/no display/)
    expect(await why({ variables: { DISPLAY: ':0', PLAYHEAD_HOST: 'browser' } })).toMatch(/PLAYHEAD_HOST is browser/)
    expect(await why({ root: folder })).toMatch(/Electron's program is not installed/)
  })

  test('a log that is not there is said before anything is opened', async () => {
    for (const command of ['open', 'serve']) {
      expect(await playhead(command, join(folder, 'nope'))).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/does not exist/)
      })
    }
    expect(await playhead('serve', '--port', '99999')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/0 .* to 65535/)
    })
  })
})
