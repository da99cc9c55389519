import { type ChildProcess, spawn } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAlive, newFolder, newRun, notedPids, processesOf, program } from '../../../test/run-processes.ts'
import { endLeftovers } from './lost-run.ts'
import { processStart } from './process-start.ts'

let folder = ''
let run = ''
const children: ChildProcess[] = []
beforeEach(() => {
  folder = newFolder()
  run = newRun()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const pids = (): number[] => notedPids(`${folder}/pids`)
const noted = async (count: number): Promise<void> => await expect.poll(() => pids().length).toBe(count)
const waits = ['echo $$ >> pids', 'exec sleep 1000']

/** What a Playhead and its watchdog left, that were killed together. */
function left(lines: readonly string[], environment: Record<string, string> = { PLAYHEAD_RUN: run }): number {
  const child = spawn(program(folder, lines), {
    ...{ cwd: folder, detached: true, stdio: 'ignore' },
    env: { PATH: process.env['PATH'], ...environment }
  })
  children.push(child)
  return Number(child.pid)
}

describe.runIf(process.platform === 'linux')('leftovers', () => {
  test('are the agent and what it started, in whatever session', async () => {
    const child = program(folder, waits)
    const stubborn = program(folder, ['trap "" TERM', ...waits])
    const pid = left([`setsid ${stubborn} &`, `env -i PATH="$PATH" setsid ${child} &`, ...waits])
    await noted(3)
    expect(await endLeftovers(run, pid, String(processStart(pid)))).toBe(3)
    expect([processesOf(run), pids().filter(isAlive)]).toEqual([[], []])
  })

  test('are found by the run alone where the agent has ended, or was never known', async () => {
    const child = program(folder, waits)
    left([`(setsid ${child} &)`, 'exit'])
    await noted(1)
    expect(await endLeftovers(run, 0, 'never')).toBe(1)
    expect(pids().filter(isAlive)).toEqual([])
  })

  test('are none where the number of the agent is that of another process by now', async () => {
    const pid = left(waits, {})
    await noted(1)
    expect(await endLeftovers(run, pid, 'a time before')).toBe(0)
    expect(isAlive(pid)).toBe(true)
  })

  test('are none of another run, whose id begins alike', async () => {
    const pid = left(waits, { PLAYHEAD_RUN: `${run}-2`, OTHER: `PLAYHEAD_RUN=${run}` })
    await noted(1)
    expect(await endLeftovers(run, 0, '')).toBe(0)
    expect(isAlive(pid)).toBe(true)
  })
})
