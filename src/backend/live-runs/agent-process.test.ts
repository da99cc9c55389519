import { spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync, existsSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HostError } from '#contract/host-error.ts'
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
import { AgentProcess, type ProcessStart } from './agent-process.ts'
import type { ProcessRow } from './process-table.ts'
import { RunProcesses } from './run-processes.ts'

const path = process.env['PATH'] ?? ''
/** No test waits for it to be over. */
const long = 600_000

let folder = ''
let run = ''
let started: AgentProcess[] = []
beforeEach(() => {
  folder = newFolder()
  run = newRun()
  started = []
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const agent of started) agent.stop()
  await Promise.all(started.map(({ ended }) => ended))
})

const grace = { interruptMs: 150, terminateMs: 150 }

function given(command: string, over: Partial<ProcessStart> = {}): ProcessStart {
  const [stdin, stdout, stderr] = ['prompt.txt', 'stdout.jsonl', 'stderr.txt'].map((name) => join(folder, name))
  writeFileSync(String(stdin), 'the prompt\n')
  return {
    ...{ run, command, arguments: [], cwd: folder, environment: { PATH: path }, grace },
    ...{ stdin: String(stdin), stdout: String(stdout), stderr: String(stderr), ...over }
  }
}

async function start(lines: readonly string[], over: Partial<ProcessStart> = {}): Promise<AgentProcess> {
  const agent = await AgentProcess.start(given(program(folder, lines), over))
  started.push(agent)
  return agent
}

const file = (name: string): string => join(folder, name)
const output = (): string => textOf(file('stdout.jsonl'))
/** Until the agent has said that it is so far. */
const says = async (word: string): Promise<void> => await expect.poll(output).toContain(word)
const notesSignals = ['trap "echo INT >> signals" INT', 'trap "echo TERM >> signals" TERM']
const forever = 'while :; do sleep 0.05; done'

describe('a process of an agent', () => {
  test('reads its prompt, writes its recording, and ends', async () => {
    const agent = await start(['cat', 'echo "$1|$2|$HOME|$PWD"', 'echo words >&2', 'exit 7'], {
      arguments: ['a  b', '$(c) "\''],
      environment: { PATH: path, HOME: '/nowhere' }
    })
    expect(await agent.ended).toEqual({ exitCode: 7, signal: null, leftBehind: 0, notSaved: null })
    expect(output()).toBe(`the prompt\na  b|$(c) "'|/nowhere|${folder}\n`)
    expect(textOf(file('stderr.txt'))).toBe('words\n')
    expect(statSync(file('stdout.jsonl')).mode & 0o777).toBe(0o600)
    expect(isAlive(agent.pid)).toBe(false)
  })

  test('says which signal ended it', async () => {
    const agent = await start(['kill -s SEGV $$'])
    expect(await agent.ended).toEqual({ exitCode: null, signal: 'SIGSEGV', leftBehind: 0, notSaved: null })
  })

  test('that prints nothing and fails has empty recordings', async () => {
    expect(await (await start(['exit 1'])).ended).toMatchObject({ exitCode: 1, signal: null })
    expect([output(), textOf(file('stderr.txt')), existsSync(file('stdout.jsonl'))]).toEqual(['', '', true])
  })

  test('that writes only to standard error is recorded there', async () => {
    await (
      await start(['echo no key >&2', 'exit 41'])
    ).ended
    expect([output(), textOf(file('stderr.txt'))]).toEqual(['', 'no key\n'])
  })

  test('may write 50 MB at once', async () => {
    const agent = await start(['head -c 50000000 /dev/zero | tr "\\0" x'])
    expect(await agent.ended).toMatchObject({ exitCode: 0, leftBehind: 0 })
    const bytes = readFileSync(file('stdout.jsonl'))
    expect([bytes.length, bytes.every((byte) => byte === 120)]).toEqual([50_000_000, true])
  })

  test('is not held up by what it left behind with its output open', async () => {
    const agent = await start(['sleep 1000 &', 'echo ready'])
    expect(await agent.ended).toEqual({ exitCode: 0, signal: null, leftBehind: 1, notSaved: null })
    expect(processesOf(run)).toEqual([])
  })

  test('may be asked to stop more than once, and when it has ended', async () => {
    const agent = await start([forever])
    agent.stop()
    agent.stop()
    expect(await agent.ended).toMatchObject({ signal: 'SIGINT' })
    agent.stop()
    agent.kill()
    expect(processesOf(run)).toEqual([])
  })

  test('survives that its recording is taken away', async () => {
    const agent = await start(['echo one', 'while [ -e stdout.jsonl ]; do sleep 0.05; done', 'echo two'])
    await says('one')
    rmSync(file('stdout.jsonl'))
    expect(await agent.ended).toEqual({ exitCode: 0, signal: null, leftBehind: 0, notSaved: null })
  })
})

describe('stopping', () => {
  test('is an interrupt where that is enough', async () => {
    const agent = await start(
      ['trap "echo INT >> signals; exit 3" INT', 'trap "echo TERM >> signals" TERM', 'echo ready', forever],
      {
        grace: { interruptMs: long, terminateMs: long }
      }
    )
    await says('ready')
    agent.stop()
    expect(await agent.ended).toMatchObject({ exitCode: 3, signal: null })
    expect(textOf(file('signals'))).toBe('INT\n')
  })

  test('then asks it to terminate', async () => {
    const agent = await start(
      ['trap "echo INT >> signals" INT', 'trap "echo TERM >> signals; exit 4" TERM', 'echo ready', forever],
      {
        grace: { interruptMs: 1, terminateMs: long }
      }
    )
    await says('ready')
    agent.stop()
    expect(await agent.ended).toMatchObject({ exitCode: 4, signal: null })
    expect(textOf(file('signals'))).toBe('INT\nTERM\n')
  })

  test('then kills it, each after the one before had its grace', async () => {
    const agent = await start([...notesSignals, 'echo ready', forever])
    await says('ready')
    const sent: { signal: unknown; at: number }[] = []
    const kill = process.kill.bind(process)
    vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      if (pid === -agent.pid) sent.push({ signal, at: performance.now() })
      return kill(pid, signal)
    })
    agent.stop()
    expect(await agent.ended).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
    expect(textOf(file('signals'))).toBe('INT\nTERM\n')
    expect(sent.map(({ signal }) => signal)).toEqual(['SIGINT', 'SIGTERM', 'SIGKILL'])
    const [interrupted, terminated, killed] = sent.map(({ at }) => at)
    // Timers count whole milliseconds.
    expect(Number(terminated) - Number(interrupted)).toBeGreaterThanOrEqual(grace.interruptMs - 2)
    expect(Number(killed) - Number(terminated)).toBeGreaterThanOrEqual(grace.terminateMs - 2)
  })

  test('asks all to terminate, once, those in its group and those in sessions of their own', async () => {
    const [child, tool] = ['child', 'tool'].map((name) =>
      program(folder, [`trap "echo TERM >> ${name}; exit" TERM`, `echo ${name}`, forever])
    )
    const agent = await start([`${child} &`, `setsid ${tool} &`, 'trap "" INT', 'trap "wait; exit 6" TERM', forever], {
      grace: { interruptMs: 1, terminateMs: long }
    })
    await says('child')
    await says('tool')
    agent.stop()
    expect(await agent.ended).toMatchObject({ exitCode: 6, leftBehind: 0 })
    expect([textOf(file('child')), textOf(file('tool'))]).toEqual(['TERM\n', 'TERM\n'])
  })
})

describe('ending at once', () => {
  test('waits for nothing, also where it was asked to stop before', async () => {
    const agent = await start([...notesSignals, 'echo ready', forever], {
      grace: { interruptMs: long, terminateMs: long }
    })
    await says('ready')
    agent.stop()
    await expect.poll(() => textOf(file('signals'))).toBe('INT\n')
    agent.kill()
    expect(await agent.ended).toMatchObject({ exitCode: null, signal: 'SIGKILL' })
  })

  test('is for what it left behind too', async () => {
    const child = program(folder, ['trap "" TERM', 'echo $$ >> pids', 'echo ready', 'exec sleep 1000'])
    const agent = await start([`${child} &`, 'while ! [ -s pids ]; do sleep 0.02; done'], {
      grace: { interruptMs: long, terminateMs: long }
    })
    await says('ready')
    agent.kill()
    await agent.ended
    expect(notedPids(file('pids')).filter(isAlive)).toEqual([])
  })
})

/** What ignores all that can be ignored, and notes its number. */
const stubborn = ['trap "" INT TERM HUP', 'echo $$ >> pids', 'echo ready', forever]

describe.runIf(process.platform === 'linux')('nothing is left', () => {
  const pids = (): number[] => notedPids(file('pids'))
  const noted = async (count: number): Promise<void> => await expect.poll(() => pids().length).toBe(count)

  async function expectNone(agent: AgentProcess): Promise<void> {
    await agent.ended
    expect([processesOf(run), pids().filter(isAlive)]).toEqual([[], []])
  }

  test('of an agent that leaves a child in a session of its own', async () => {
    const child = program(folder, ['trap "" INT TERM HUP', 'echo $$ >> pids', 'exec sleep 1000'])
    const agent = await start([`setsid ${child} &`, 'while ! [ -s pids ]; do sleep 0.02; done'])
    expect(await agent.ended).toMatchObject({ exitCode: 0, leftBehind: 1 })
    await expectNone(agent)
  })

  test('of one that never ends, ignores every signal, and whose children have left it in each way', async () => {
    const child = program(folder, stubborn)
    const agent = await start([
      `setsid ${child} &`,
      // Its parent ends at once, so it becomes a child of the first process of the system.
      `(setsid ${child} &)`,
      `(setsid sh -c "(setsid ${child} &)" &)`,
      // Without the run's id in its environment, it is known by its parent, or by its session.
      `env -i PATH="$PATH" setsid ${child} &`,
      `(env -i PATH="$PATH" ${child} &)`,
      `${child} &`,
      ...stubborn
    ])
    await noted(7)
    agent.stop()
    await expectNone(agent)
    expect(await agent.ended).toMatchObject({ signal: 'SIGKILL' })
  })

  test('of one that closes all its output, whose child does too', async () => {
    const child = program(folder, ['exec >&- 2>&- <&-', ...stubborn.filter((line) => line !== 'echo ready')])
    const agent = await start(['exec >&- 2>&- <&-', `setsid ${child} &`, 'while ! [ -s pids ]; do sleep 0.02; done'])
    await expectNone(agent)
  })

  test('of one that starts processes without a pause while it is ended', async () => {
    const child = program(folder, ['trap "" INT TERM HUP', 'echo $$ >> pids', 'exec sleep 1000'])
    const agent = await start([
      'trap "" INT TERM HUP',
      'i=0; while [ $i -lt 300 ]; do i=$((i + 1)); [ $i = 20 ] && echo ready; (setsid ' + child + ' &); done',
      forever
    ])
    await says('ready')
    agent.stop()
    await expectNone(agent)
  })

  test('of one whose children hand on to others and end', async () => {
    const chain = program(folder, [
      'trap "" INT TERM HUP',
      'echo $$ >> pids',
      '[ $1 = 0 ] || (setsid $0 $(($1 - 1)) &)',
      'sleep 0.05'
    ])
    const agent = await start([`setsid ${chain} 200 &`, 'while ! [ -s pids ]; do sleep 0.02; done'])
    await expectNone(agent)
  })

  test('of one whose child can be told by nothing any more, but was seen before', async () => {
    const child = program(folder, stubborn)
    const find = vi.spyOn(RunProcesses.prototype, 'find')
    const agent = await start([`env -i PATH="$PATH" setsid ${child} &`, 'while ! [ -e go ]; do sleep 0.02; done'])
    await noted(1)
    const [pid] = pids()
    const seen = (): boolean =>
      find.mock.results.some(({ value }) => (value as ProcessRow[]).some((row) => row.pid === pid && row.group === pid))
    await expect.poll(seen).toBe(true)
    writeFileSync(file('go'), '')
    expect(await agent.ended).toMatchObject({ exitCode: 0 })
    await expectNone(agent)
  })

  test('of one that was stopped in its tracks', async () => {
    const agent = await start([...notesSignals, 'echo ready', 'kill -s STOP $$', forever])
    await says('ready')
    agent.stop()
    await expectNone(agent)
  })

  test('and no descriptor is open, nor a zombie', async () => {
    const open = (): number => readdirSync('/proc/self/fd').length
    await (
      await start(['exit'])
    ).ended
    const before = open()
    const agents = [await start2(0), await start2(1), await start2(2)]
    await Promise.all(agents.map(({ ended }) => ended))
    expect(open()).toBe(before)
    expect(agents.filter(({ pid }) => existsSync(`/proc/${pid}`))).toEqual([])
  })

  const start2 = async (n: number): Promise<AgentProcess> =>
    await start(['exit'], { stdout: file(`out-${n}`), stderr: file(`err-${n}`) })

  test('and others are left alone', async () => {
    const other = await start(stubborn, { run: newRun(), stdout: file('other'), stderr: file('other-errors') })
    const agent = await start(['exit'])
    await agent.ended
    expect(isAlive(other.pid)).toBe(true)
  })
})

describe.runIf(process.platform === 'linux')('closed output', () => {
  test('is told while it runs, once nobody has it', async () => {
    const agent = await start(['echo one', 'while ! [ -e go ]; do sleep 0.02; done', 'exec >&-', forever])
    await says('one')
    expect(agent.hasClosedOutput).toBe(false)
    writeFileSync(file('go'), '')
    await expect.poll(() => agent.hasClosedOutput).toBe(true)
    expect(isAlive(agent.pid)).toBe(true)
    agent.stop()
    await agent.ended
    expect(agent.hasClosedOutput).toBe(false)
  })

  test('is not where a child still has it, though its recording was removed', async () => {
    const agent = await start(['setsid sleep 1000 &', 'echo $! >> pids', 'exec >&-', 'touch closed', forever])
    await expect.poll(() => existsSync(file('closed'))).toBe(true)
    rmSync(file('stdout.jsonl'))
    expect(agent.hasClosedOutput).toBe(false)
    process.kill(Number(notedPids(file('pids'))[0]), 'SIGKILL')
    await expect.poll(() => agent.hasClosedOutput).toBe(true)
  })
})

describe('what cannot be started', () => {
  const refused = async (start: ProcessStart): Promise<{ code: string; message: string }> => {
    const error = await AgentProcess.start(start).then(
      (agent) => started.push(agent),
      (reason: unknown) => reason
    )
    expect(error).toBeInstanceOf(HostError)
    const { code, message } = error as HostError
    return { code, message: message.replaceAll(folder, '.') }
  }
  /** Nothing is left of it. */
  const expectNothing = (): void => {
    expect([existsSync(file('stdout.jsonl')), existsSync(file('stderr.txt'))]).toEqual([false, false])
    if (process.platform === 'linux') expect(processesOf(run)).toEqual([])
  }

  test('is not installed', async () => {
    expect(await refused(given(file('none')))).toEqual({
      code: 'not-found',
      message: 'The program ./none was not found. Install the agent, or set its command.'
    })
    expectNothing()
  })

  test('has no folder to work in, or no such one', async () => {
    const command = program(folder, ['exit'])
    expect(await refused(given(command, { cwd: file('none') }))).toEqual({
      code: 'bad-params',
      message: 'The folder ./none does not exist. Create it, or choose another one.'
    })
    expect(await refused(given(command, { cwd: command }))).toMatchObject({
      code: 'bad-params',
      message: expect.stringContaining('is a file. Choose a folder')
    })
    expectNothing()
  })

  test('is not executable', async () => {
    expect(await refused(given(program(folder, ['exit'], { mode: 0o644 })))).toMatchObject({
      code: 'no-permission',
      message: expect.stringContaining('Make it executable (chmod +x)')
    })
    expectNothing()
  })

  test('is a folder', async () => {
    mkdirSync(file('folder'))
    expect(await refused(given(file('folder')))).toMatchObject({
      code: 'no-permission',
      message: "./folder is a folder. Set the program in it as the agent's command."
    })
    expectNothing()
  })

  test('is a text that says not what runs it: no shell does', async () => {
    expect(await refused(given(program(folder, ['touch ran'], { head: 'touch ran' })))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is not a program for this system')
    })
    expect(existsSync(file('ran'))).toBe(false)
    expectNothing()
  })

  test('is run by a program that is not there', async () => {
    expect(await refused(given(program(folder, ['1'], { head: '#!/nowhere/node --flag' })))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('exists, but /nowhere/node, which runs it, does not.')
    })
    expectNothing()
  })

  test('has more arguments than the system takes', async () => {
    const command = program(folder, ['exit'])
    expect(
      await refused(given(command, { arguments: Array.from({ length: 100 }, () => 'x'.repeat(130_000)) }))
    ).toMatchObject({
      code: 'bad-params',
      message: expect.stringContaining('Use fewer or shorter arguments')
    })
    expectNothing()
  })

  test('has an argument with the character 0', async () => {
    expect(await refused(given(program(folder, ['exit']), { arguments: ['a\0b'] }))).toMatchObject({
      code: 'bad-params'
    })
    expectNothing()
  })

  test('would write over a recording, which stays as it is', async () => {
    writeFileSync(file('stderr.txt'), 'of another')
    expect(await refused(given(program(folder, ['exit'])))).toEqual({
      code: 'bad-params',
      message: 'The file ./stderr.txt already exists and is not overwritten. Choose another name, or move it.'
    })
    expect([existsSync(file('stdout.jsonl')), textOf(file('stderr.txt'))]).toEqual([false, 'of another'])
  })

  test('has no place for its recording', async () => {
    expect(await refused(given(program(folder, ['exit']), { stdout: file('none/stdout') }))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('its folder does not exist')
    })
    expectNothing()
  })

  test.runIf(process.platform === 'linux')('finds too many files open, and leaves none', async () => {
    const module = await builtModule(join(import.meta.dirname, 'agent-process.ts'))
    // From no descriptor that is free to all that a start needs, one by one.
    const code = `
      import { closeSync, openSync, readdirSync } from 'node:fs'
      import { AgentProcess } from ${JSON.stringify(pathToFileURL(module).href)}
      const start = ${JSON.stringify(given(program(folder, ['sleep 0.1', 'echo ran'])))}
      const open = () => readdirSync('/proc/self/fd').length
      await (await AgentProcess.start({ ...start, stdout: start.stdout + '0', stderr: start.stderr + '0' })).ended
      const before = open()
      const held = []
      try {
        for (;;) held.push(openSync('/dev/null'))
      } catch {}
      const codes = []
      let agent = null
      while (agent === null && held.length > 0) {
        await AgentProcess.start(start).then((started) => (agent = started), (error) => codes.push(error.code + ' ' + error.message))
        closeSync(held.pop())
      }
      const end = await agent.ended
      for (const descriptor of held) closeSync(descriptor)
      console.log(JSON.stringify({ codes, end, lost: open() - before }))`
    const child = spawn(
      'sh',
      ['-c', 'ulimit -n 60 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', code],
      {
        stdio: ['ignore', 'pipe', 'inherit']
      }
    )
    const found = JSON.parse(await text(child.stdout)) as { codes: string[]; end: object; lost: number }
    expect(found.end).toEqual({ exitCode: 0, signal: null, leftBehind: 0, notSaved: null })
    expect(found.codes.length).toBeGreaterThan(3)
    for (const refusal of found.codes) expect(refusal).toMatch(/^unavailable .*Close logs or stop runs/)
    expect([found.lost, output(), processesOf(run)]).toEqual([0, 'ran\n', []])
  })
})
