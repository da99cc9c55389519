import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { constants as system } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  builtModule,
  isAlive,
  newFolder,
  newRun,
  notedPids,
  processesOf,
  program,
  textOf
} from '../../../test/run-processes.ts'
import { Watchdog } from './watchdog.ts'
import { watchdogScript } from './watchdog-script.ts'

const { SIGHUP, SIGINT, SIGTERM } = system.signals

let folder = ''
let run = ''
let children: ChildProcess[] = []
beforeEach(() => {
  folder = newFolder()
  run = newRun()
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
})

const file = (name: string): string => join(folder, name)
const pids = (): number[] => notedPids(file('pids'))
const noted = async (count: number): Promise<void> => await expect.poll(() => pids().length).toBe(count)
/** What ignores all that can be ignored, and notes its number. */
const stubborn = ['trap "" INT TERM HUP', 'echo $$ >> "$PIDS"', 'while :; do sleep 0.05; done']

/** An agent that ignores every signal, and whose children have left it in each way. */
function hostileAgent(): string {
  const child = program(folder, stubborn)
  return program(folder, [
    `export PIDS=${file('pids')}`,
    `setsid ${child} &`,
    `(setsid sh -c "(setsid ${child} &)" &)`,
    `env -i PATH="$PATH" PIDS="$PIDS" setsid ${child} &`,
    `(env -i PATH="$PATH" PIDS="$PIDS" ${child} >&- 2>&- &)`,
    `${child} &`,
    ...stubborn
  ])
}
const hostileCount = 6

async function expectNothing(): Promise<void> {
  await expect.poll(() => [processesOf(run), pids().filter(isAlive)]).toEqual([[], []])
}

describe.runIf(process.platform === 'linux')('when Playhead is killed', () => {
  let module = ''
  beforeAll(async () => {
    module = await builtModule(join(import.meta.dirname, 'agent-process.ts'))
  })

  interface Moments {
    readonly before: string
    readonly after?: string
  }

  /**
   * A process that starts an agent and is killed. `before` and `after`: what it does before the agent is started, and once it was; in both
   * `die()` kills it. `end`: how it ends then.
   */
  async function killed(
    { before, after = '' }: Moments,
    command: string,
    end: readonly unknown[] = [null, 'SIGKILL']
  ): Promise<void> {
    writeFileSync(file('prompt.txt'), '')
    const start = {
      ...{ run, command, arguments: [], cwd: folder, environment: { PATH: process.env['PATH'] } },
      ...{ stdin: file('prompt.txt'), stdout: file('stdout.jsonl'), stderr: file('stderr.txt') },
      grace: { interruptMs: 200, terminateMs: 400 }
    }
    const code = `
      import childProcess from 'node:child_process'
      import { existsSync, readFileSync } from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      import { setTimeout as pause } from 'node:timers/promises'
      const die = () => process.kill(process.pid, 'SIGKILL')
      const noted = async (count) => {
        while (!existsSync('pids') || readFileSync('pids', 'utf8').split('\\n').length <= count) await pause(5)
      }
      const { spawn } = childProcess
      const watchdogs = []
      childProcess.spawn = (command, ...rest) => {
        if (command !== ${JSON.stringify(command)}) {
          watchdogs.push(spawn(command, ...rest))
          return watchdogs.at(-1)
        }
        ${before}
      }
      syncBuiltinESMExports()
      const { AgentProcess } = await import(${JSON.stringify(pathToFileURL(module).href)})
      const agent = await AgentProcess.start(${JSON.stringify(start)})
      ${after}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit']
    })
    children.push(child)
    expect(await once(child, 'exit')).toEqual(end)
  }

  const starts = 'return spawn(command, ...rest)'
  test.each([
    ['before there is an agent', { before: 'die()' }],
    ['the moment there is one', { before: 'spawn(command, ...rest); die()' }],
    ['once it is started', { before: starts, after: 'die()' }],
    ['while it runs', { before: starts, after: `await noted(${hostileCount}); die()` }],
    [
      'while it is stopped',
      { before: starts, after: `await noted(${hostileCount}); agent.stop(); await pause(100); die()` }
    ],
    [
      'while it is asked to terminate',
      { before: starts, after: `await noted(${hostileCount}); agent.stop(); await pause(300); die()` }
    ]
  ])('%s, nothing is left', async (_, moments) => {
    await killed(moments, hostileAgent())
    await expectNothing()
  })

  test('after the agent, and before what it left behind, nothing is left', async () => {
    const child = program(folder, stubborn)
    const agent = [`export PIDS=${file('pids')}`, `setsid ${child} &`, `(setsid ${child} &)`, `${child} &`, ...stubborn]
    const after = `await noted(4); process.kill(agent.pid, 'SIGKILL'); while (existsSync('/proc/' + agent.pid)) await pause(5); die()`
    await killed({ before: starts, after }, program(folder, agent))
    await expectNothing()
  })

  test('the agent is asked to terminate first', async () => {
    const agent = program(folder, [
      `trap "echo TERM >> ${file('signals')}; exit" TERM`,
      `echo $$ >> ${file('pids')}`,
      'while :; do sleep 0.05; done'
    ])
    await killed({ before: starts, after: 'await noted(1); die()' }, agent)
    await expectNothing()
    expect(textOf(file('signals'))).toBe('TERM\n')
  })

  test.each([
    ['its terminal is closed', "process.kill(process.pid, 'SIGHUP')", [null, 'SIGHUP']],
    ['it is interrupted', "process.kill(process.pid, 'SIGINT')", [null, 'SIGINT']],
    ['it ends without waiting', 'process.exit(3)', [3, null]]
  ])('nor when %s', async (_, end, expected) => {
    await killed({ before: starts, after: `await noted(1); ${end}; await pause(60_000)` }, hostileAgent(), expected)
    await expectNothing()
  })

  test('nor when its watchdogs are killed before it', async () => {
    const kills = `
      for (const first of [...watchdogs]) {
        first.kill('SIGKILL')
        while (watchdogs.at(-1) === first) await pause(5)
      }
      die()`
    await killed({ before: starts, after: `await noted(1); ${kills}` }, hostileAgent())
    await expectNothing()
  })
})

describe.runIf(process.platform === 'linux')('a watchdog', () => {
  test('has a session of its own and nothing open but its pipe, ignores what can be ignored, and ends when it is told', async () => {
    const watchdog = await Watchdog.start(run, 60_000)
    const pid = Number(watchdog.pid)
    const ignored = (): bigint => BigInt(`0x${/^SigIgn:\s+(\w+)/m.exec(textOf(`/proc/${pid}/status`))?.[1]}`)
    const bits = [SIGHUP, SIGINT, SIGTERM].reduce((sum, n) => sum | (1n << BigInt(n - 1)), 0n)
    await expect.poll(() => ignored() & bits).toBe(bits)
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.kill(pid, signal)
    const stat = textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')
    expect([stat?.[2], stat?.[3]]).toEqual([String(pid), String(pid)])
    const open = readdirSync(`/proc/${pid}/fd`)
      // A shell can close no others; those whoever started the tests may have left open.
      .filter((fd) => Number(fd) < 10)
      .map((fd) => `${fd} ${readlinkSync(`/proc/${pid}/fd/${fd}`)}`)
    expect(open).toEqual([expect.stringMatching(/^0 socket:/), '1 /dev/null', '2 /dev/null'])
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe('/')
    expect(textOf(`/proc/${pid}/environ`)).not.toContain(run)
    expect(watchdog.pid).toBe(pid)
    await watchdog.dismiss()
    expect([watchdog.pid, existsSync(`/proc/${pid}`)]).toEqual([null, false])
  })

  test('ends also where somebody stopped it in its tracks', async () => {
    const watchdog = await Watchdog.start(run, 60_000)
    process.kill(Number(watchdog.pid), 'SIGSTOP')
    await watchdog.dismiss()
    expect(processesOf(run)).toEqual([])
  })

  test('does not keep its process alive', async () => {
    const module = await builtModule(join(import.meta.dirname, 'watchdog.ts'))
    const code = `
      const { Watchdog } = await import(${JSON.stringify(pathToFileURL(module).href)})
      await Watchdog.start(${JSON.stringify(run)}, 100)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
    children.push(child)
    expect(await once(child, 'exit')).toEqual([0, null])
    await expectNothing()
  })

  test('has another in its place when it is killed, but not without end, and none when it was told to end', async () => {
    const watchdog = await Watchdog.start(run, 60_000)
    const seen = new Set<number>()
    while (watchdog.pid !== null) {
      const { pid } = watchdog
      seen.add(pid)
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => watchdog.pid).not.toBe(pid)
    }
    expect(seen.size).toBe(5)
    await watchdog.dismiss()
    expect(processesOf(run)).toEqual([])
  })
})

/** Each behaves as /bin/sh under that name; which of them it is depends on the system. */
const shells = ['dash', 'bash', 'busybox', 'ksh', 'mksh', 'yash', 'zsh'].filter(
  (shell) => spawnSync(shell, ['-c', 'exit 0'], { argv0: 'sh' }).status === 0
)

describe.runIf(process.platform === 'linux').each(shells)('its script in %s', (shell) => {
  /** Says this to a watchdog and is gone; resolves when it has ended. */
  async function watched(lister: string, words: string): Promise<void> {
    const child = spawn(shell, ['-c', watchdogScript, 'playhead-watchdog', run, '2', lister], {
      argv0: 'sh',
      env: { PATH: process.env['PATH'] },
      detached: true,
      stdio: ['pipe', 'inherit', 'inherit']
    })
    children.push(child)
    const ended = once(child, 'exit')
    child.stdin.end(words)
    expect(await ended).toEqual([0, null])
  }

  function agent(lines: readonly string[]): number {
    const child = spawn(program(folder, lines), {
      cwd: folder,
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], PIDS: file('pids') }
    })
    children.push(child)
    return Number(child.pid)
  }

  test.each(['proc', 'ps'])(
    'finds the agent by its number, those of its group, and those that they started (%s)',
    async (lister) => {
      const child = program(folder, stubborn)
      const pid = agent([`${child} &`, `(${child} &)`, `setsid ${child} &`, ...stubborn])
      await noted(4)
      await watched(lister, `agent ${pid}\n`)
      expect(pids().filter(isAlive)).toEqual([])
    }
  )

  test('knows those that it was told of, as long as they are the same', async () => {
    const child = program(folder, stubborn)
    agent([
      `env -i PIDS="$PIDS" PATH="$PATH" setsid ${child} &`,
      `env -i PIDS="$PIDS" PATH="$PATH" setsid ${child} &`,
      'sleep 0.1'
    ])
    await noted(2)
    const [one = 0, other = 0] = pids()
    const start = (pid: number): string | undefined => textOf(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[19]
    await watched('proc', `known\nknown ${one}:${start(one)} ${other}:1\nknown ${other}:`)
    expect([isAlive(one), isAlive(other)]).toEqual([false, true])
    process.kill(other, 'SIGKILL')
  })

  test.each([
    ['there never was an agent', () => ''],
    ['its last word was cut off', (pid: number) => `agent ${pid}`],
    ['all of it had ended', (pid: number) => `agent ${pid}\ndone\n`],
    ['its number is that of a later process', (pid: number) => `agent ${pid} 12345\nknown ${pid}:12345\n`]
  ])('ends nothing where %s', async (_, words) => {
    const pid = agent(stubborn)
    await noted(1)
    await watched('proc', words(pid))
    expect(isAlive(pid)).toBe(true)
  })
})
