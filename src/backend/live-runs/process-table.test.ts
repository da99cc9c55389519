import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { newFolder, textOf } from '../../../test/run-processes.ts'
import { processStart } from './process-start.ts'
import { processRow, rowsOfProc, rowsOfPs } from './process-table.ts'

const hasPs = spawnSync('ps', ['-A', '-o', 'lstart=']).status === 0
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function started(command: string, words: readonly string[], argv0 = command): Promise<number> {
  const child = spawn(command, words, { argv0, detached: true, stdio: 'ignore' })
  children.push(child)
  await once(child, 'spawn')
  return Number(child.pid)
}

describe.runIf(process.platform === 'linux')('the processes of the system', () => {
  test('are told whatever their programs are called', async () => {
    const name = join(newFolder(), 'a) Z 1 (b\n9 (c) Z 1')
    // Its name is that of the link, cut to 15 bytes.
    symlinkSync(process.execPath, name)
    const pid = await started(name, ['-e', 'setTimeout(() => {}, 600_000)'])
    expect(textOf(`/proc/${pid}/stat`)).toContain('(a) Z 1 (b')
    expect(processRow(pid)).toEqual({
      ...{ pid, parent: process.pid, group: pid, session: pid, ended: false },
      started: expect.any(Number)
    })
  })

  test.runIf(hasPs)('are the same from /proc and from ps', async () => {
    const first = await started('sleep', ['1000'])
    const second = await started('sleep', ['1000'])
    const mine = [process.pid, first, second]
    const [proc = [], ps = []] = [rowsOfProc(), rowsOfPs()].map((rows) =>
      mine.map((pid) => rows.find((row) => row.pid === pid))
    )
    expect(ps.map((row) => ({ ...row, started: null }))).toEqual(
      proc.map((row) => ({ ...row, started: null, session: row?.group }))
    )
    for (const rows of [proc, ps]) {
      const times = rows.map((row) => Number(row?.started))
      expect(times).toEqual(times.toSorted((a, b) => a - b))
      expect(times.every((time) => time > 0)).toBe(true)
    }
  })

  test('that have ended, and were not collected, are told from others', async () => {
    // The child of a shell that became another program, which collects none.
    const pid = await started('sh', ['-c', 'sleep 0 & exec sleep 1000'])
    const child = (rows = rowsOfProc()) => rows.find(({ parent }) => parent === pid)
    await expect.poll(() => child()?.ended).toBe(true)
    if (hasPs) expect(child(rowsOfPs())?.ended).toBe(true)
    expect(processStart(Number(child()?.pid))).toBeNull()
  })
})

describe('when a process began', () => {
  test('is the same whenever it is asked, and nothing once it has ended', async () => {
    const pid = await started(process.execPath, ['-e', 'setTimeout(() => {}, 600_000)'])
    const start = processStart(pid)
    expect([start, processStart(pid)]).toEqual([expect.any(String), start])
    expect(processStart(process.pid)).toEqual(expect.any(String))
    const ended = once(children[0] as ChildProcess, 'exit')
    process.kill(pid, 'SIGKILL')
    await ended
    expect(processStart(pid)).toBeNull()
  })
})
