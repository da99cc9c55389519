import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, folder, init, sink } from '../../test/command-line.ts'
import { smallDisk } from '../../test/small-disk.ts'
import { program } from '../../test/stand-in/stand-in.ts'
import { run } from './run.ts'

/** A disk that nobody can write to, also as root. */
const disk = smallDisk(1 << 20)

describe.skipIf(disk === null)('a state folder on a read-only disk (skipped where none can be mounted)', () => {
  const root = disk?.folder ?? ''
  const bin = mkdtempSync(join(folder, 'bin-'))
  const log = join(folder, 'log.jsonl')
  const kept = '20260105-090807-123-k3f9x2ab'

  beforeAll(() => {
    program(bin, 'claude', 'exit 0')
    writeFileSync(log, `${JSON.stringify(init)}\n`)
    mkdirSync(join(root, 'state', 'runs', kept), { recursive: true })
    execFileSync('mount', ['-o', 'remount,ro', root])
  })
  afterAll(() => {
    disk?.remove()
    rmSync(bin, { recursive: true })
  })

  /** `serve` is asked to end once it has said something. */
  async function playhead(state: string, argv: readonly string[], stdin = '') {
    const [out, err] = [sink(), sink()]
    const untilStopped = async (): Promise<void> => {
      if (argv[0] === 'serve') await expect.poll(err.text, { timeout: 60_000 }).toMatch(/recent-logs/)
      else await new Promise(() => {})
    }
    const code = await run(
      argv,
      environment({
        variables: { PATH: `${bin}:${process.env['PATH']}`, PLAYHEAD_STATE_DIR: state },
        ...{ stdin: Readable.from([Buffer.from(stdin)]), stdout: out.stream, stderr: err.stream, untilStopped }
      })
    )
    return { code, err: err.text() }
  }

  const hook = { session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't' }
  const stdin = JSON.stringify({ ...hook, tool_response: { stdout: 'a', stderr: '' } })

  // One that is there, and one that would have to be made: of that Node says that the folder above it is not there.
  describe.each(['state', join('none', 'state')])('%s', (name) => {
    test.each<[argv: string[], code: number]>([
      [['run', 'claude', 'go'], 2],
      [['run', 'claude', '-o', join(bin, `${name.length}.jsonl`), 'go'], 1],
      [['serve', '--no-open', '--port', '0', log], 0],
      [['hook'], 0]
    ])('%j says which folder, why, and how to name another', async (argv, wanted) => {
      const state = join(root, name)
      const { code, err } = await playhead(state, argv, stdin)
      expect(code).toBe(wanted)
      expect(err).toMatch(/ cannot be written: its disk is read-only\./)
      expect(err).toContain(`Playhead keeps its state in ${state}; set PLAYHEAD_STATE_DIR to a writable folder.`)
      expect(err).not.toMatch(/is not there|EROFS|ENOENT|\n\s+at /)
    })
  })

  test('what only reads works, and a run that cannot be deleted says why', async () => {
    const state = join(root, 'state')
    expect(await playhead(state, ['runs'])).toMatchObject({ code: 0 })
    expect(await playhead(state, ['url'])).toMatchObject({ code: 2, err: expect.stringContaining('no running server') })
    expect(await playhead(state, ['runs', 'remove', kept])).toEqual({
      code: 2,
      err: expect.stringContaining(`${kept} was kept: it cannot be removed: its disk is read-only`)
    })
  })
})
