import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { keepSession, keptPrompt } from '../../test/kept-session.ts'
import { environment, folder, playhead, repository, sink } from '../../test/command-line.ts'
import { fixturePlays } from '../../test/stand-in/play.ts'
import { program, standIn, type StandIn } from '../../test/stand-in/stand-in.ts'
import type { AgentId } from '#contract/live-runs.ts'
import { readManifest } from '#backend/live-runs/run-manifest.ts'
import type { Environment } from './environment.ts'
import { run } from './run.ts'

/** Asks a command to end, as Ctrl-C does, as often as it is pressed. */
class Keys {
  #waiting: (() => void)[] = []
  readonly untilStopped = async (): Promise<void> => await new Promise((resolve) => this.#waiting.push(resolve))

  press(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

/** A person's machine: what is on PATH, and where Playhead keeps its runs. */
class Machine {
  readonly folder = mkdtempSync(join(folder, 'machine-'))
  readonly keys = new Keys()
  readonly out = sink()
  readonly err = sink()

  /** Runs a command line here. */
  async run(argv: readonly string[], over: Partial<Environment> = {}): Promise<number> {
    const variables = {
      ...process.env,
      PATH: `${this.folder}:${process.env['PATH'] ?? ''}`,
      PLAYHEAD_STATE_DIR: join(this.folder, 'state')
    }
    const { untilStopped } = this.keys
    const streams = { stdout: this.out.stream, stderr: this.err.stream }
    return await run(['run', ...argv], environment({ variables, ...streams, now: Date.now, untilStopped, ...over }))
  }

  get events(): Record<string, unknown>[] {
    const lines = this.out.text().split('\n')
    expect(lines.pop()).toBe('')
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  /** The path of the recording, as the person was told. */
  get recording(): string {
    return /recorded in (\S+)$/m.exec(this.err.text())?.[1] ?? ''
  }

  standIn(name: string): StandIn & { readonly session: string } {
    const play = fixturePlays().find((one) => one.name === name)
    if (play === undefined) throw new Error(`${name} is no fixture that is played`)
    return { ...standIn(this.folder, { ...play, speed: 10 }), session: play.session ?? '' }
  }

  /** A program of the shell in place of Claude Code. */
  claude(script: string): void {
    program(this.folder, 'claude', script)
  }
}

const line = (text: string): string => {
  const message = { role: 'assistant', id: text, model: 'm', content: [{ type: 'text', text }] }
  return `printf '%s\\n' '${JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, session_id: 's' })}'`
}

/** The end of its turn, without which it is not done. */
const result = `printf '%s\\n' '${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, session_id: 's' })}'`

/** Calls `act` with what was written so far, whenever more is. */
function watched(act: (text: string) => void): { stream: Writable; text: () => string } {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      act(text)
      done()
    }
  })
  return { stream, text: () => text }
}

describe('playhead run', () => {
  test.each(['claude-stream-json/tasks-2.1.330', 'codex-exec-json/plan-0.77', 'gemini-stream-json/todos-0.61'])(
    'prints the events of %s, as an export of the recording has them',
    async (name) => {
      const machine = new Machine()
      const { seen } = machine.standIn(name)
      const before = Date.now()
      const agent = name.split('-')[0] ?? ''
      const asked = ['--cwd', folder, '--model', 'm-1', '--arg=--extra', '--', 'Count', 'the "sheep"', '--help']
      const code = await machine.run([agent, ...asked])
      expect([code, machine.err.text()]).toEqual([0, expect.stringMatching(/is done: .* events/)])
      expect(seen()).toMatchObject({ prompt: 'Count the "sheep" --help', cwd: folder })
      expect(seen().args.join(' ')).toMatch(/--model m-1 .*--extra/)
      const exported = await playhead('export', machine.recording)
      const wanted = exported.out.trimEnd().split('\n')
      const printed = machine.events
      expect(printed).toHaveLength(wanted.length)
      for (const [i, { timestamp, timestampFrom, ...event }] of printed.entries()) {
        const { timestamp: stated, timestampFrom: from, ...other } = JSON.parse(wanted[i] ?? '') as typeof event
        expect(event).toEqual(other)
        // What states no time has that of its line's arrival.
        if (from === undefined) expect([timestamp, timestampFrom]).toEqual([stated, undefined])
        else expect([timestampFrom, Number(timestamp) >= before]).toEqual(['observed', true])
      }
    }
  )

  test('writes each event as soon as its line is there', async () => {
    const machine = new Machine()
    const go = join(machine.folder, 'go')
    machine.claude(`${line('first')}; while [ ! -e '${go}' ]; do sleep 0.05; done; ${line('second')}; ${result}`)
    const out = watched((text) => text.includes('"first"') && writeFileSync(go, ''))
    expect(await machine.run(['claude', 'wait'], { stdout: out.stream })).toBe(0)
    expect(out.text().split('\n')).toHaveLength(4)
  })

  test.each([[['claude']], [['claude', '-']], [['claude', '--', '-']]])(
    '%j: the prompt is standard input',
    async (argv) => {
      const machine = new Machine()
      machine.claude(`cat > '${machine.folder}/prompt'; ${line('read')}; ${result}`)
      const stdin = Readable.from([Buffer.from('Zähle\n'), Buffer.from('die Schafe 🐑')])
      expect(await machine.run(argv, { stdin })).toBe(0)
      expect(readFileSync(join(machine.folder, 'prompt'), 'utf8')).toBe('Zähle\ndie Schafe 🐑')
    }
  )

  test('-o puts the recording where it was asked for, and never over another file', async () => {
    const machine = new Machine()
    machine.claude(`${line('one')}; ${result}`)
    const log = join(machine.folder, 'my log.jsonl')
    expect(await machine.run(['claude', '-o', log, 'go'])).toBe(0)
    const bytes = readFileSync(log)
    expect(bytes.toString()).toContain('"one"')
    expect(machine.err.text()).toContain(`recorded in ${log}`)
    expect(await machine.run(['claude', '-o', log, 'go'])).toBe(2)
    expect(machine.err.text()).toMatch(/my log\.jsonl already exists and is not overwritten/)
    expect(readFileSync(log).equals(bytes)).toBe(true)
  })

  test('is listed with the runs of the app', async () => {
    const machine = new Machine()
    machine.claude(`${line('one')}; ${result}`)
    expect(await machine.run(['claude', 'Count the sheep.'])).toBe(0)
    const manifest = await readManifest(join(machine.recording, '../run.json'))
    expect(manifest).toMatchObject({
      agent: 'claude',
      state: 'ended',
      finishReason: 'done',
      recording: machine.recording
    })
  })
})

describe('playhead run --resume', () => {
  const session = 'a1b2c3d4-0000-4000-8000-000000000001'
  /** A home folder with a session, and a folder that it is of. */
  const kept = (agent: AgentId, id = session) => {
    const home = mkdtempSync(join(folder, 'home-'))
    const cwd = join(home, 'project')
    mkdirSync(cwd)
    return { home, cwd, log: keepSession(home, agent, { id, cwd }) }
  }

  test.each<[name: string, agent: AgentId, words: (id: string, log: string) => string[]]>([
    ['claude-stream-json/tasks-2.1.330', 'claude', (id) => ['--resume', id.slice(0, 12)]],
    ['codex-exec-json/plan-0.77', 'codex', (_, log) => ['codex', '--resume', log]],
    ['gemini-stream-json/todos-0.61', 'gemini', (_, log) => [`--resume=${log}`]]
  ])('goes on with the session of %s, in its folder', async (name, agent, words) => {
    const machine = new Machine()
    const { seen, session: id } = machine.standIn(name)
    const { home, cwd, log } = kept(agent, id)
    const code = await machine.run([...words(id, log), '--', 'And', 'now?'], { home })
    expect([code, machine.err.text()]).toEqual([0, expect.stringMatching(/ is done: .* events/)])
    expect(machine.err.text()).toContain(`goes on with the session ${id} (${keptPrompt}) in ${cwd}\n`)
    expect(seen()).toMatchObject({ cwd, prompt: 'And now?' })
    expect(seen().args.join(' ')).toContain(`resume ${id}`)
    expect(await readManifest(join(machine.recording, '../run.json'))).toMatchObject({ resumes: { session: id } })
  })

  test('tells what to write instead', async () => {
    const machine = new Machine()
    machine.claude(result)
    const { home, log } = kept('claude')
    const said = async (...argv: string[]) => [await machine.run(argv, { home }), machine.err.text().split('\n').at(-3)]
    expect(await said('codex', '--resume', log, '--', 'x')).toEqual([
      2,
      'playhead: the session is one of claude, not of codex; leave AGENT out'
    ])
    expect((await machine.run(['--resume', 'b1b2c3d4', '--', 'x'], { home })) + machine.err.text()).toMatch(
      /^2[^]*no session id begins with "b1b2c3d4"/
    )
    expect(await machine.run(['--resume', log, '--cwd', home, '--', 'x'], { home })).toBe(2)
    expect(machine.err.text()).toMatch(/The session belongs to the folder .*project\. It can only go on there\.\n$/)
    expect(await machine.run(['claude', '--arg=--resume', `--arg=${session}`, 'x'], { home })).toBe(2)
    expect(machine.err.text()).toMatch(/Remove the argument --resume\. /)
  })
})

test('what was denied is said at the end', async () => {
  const machine = new Machine()
  const denials = ['Write', 'Bash', 'Bash'].map((tool_name, i) => ({ tool_name, tool_use_id: `t${i}`, tool_input: {} }))
  machine.claude(
    `${line('one')}; ${result.replace('"is_error"', `"permission_denials":${JSON.stringify(denials)},"is_error"`)}`
  )
  expect(await machine.run(['claude', 'go'])).toBe(0)
  expect(machine.err.text()).toMatch(
    /\nplayhead: Claude Code is done · 3 calls denied \(Write, Bash\): .*, 2 events; recorded in \S+\n$/
  )
  const manifest = await readManifest(join(machine.recording, '../run.json'))
  expect(manifest.denied).toEqual({ calls: 3, tools: ['Write', 'Bash'] })
})

test('how long it took does not depend on the time of day, which may be set while it runs', async () => {
  const machine = new Machine()
  machine.claude(`${line('one')}; sleep 0.2; ${result}`)
  let isSet = false
  const now = (): number => Date.now() - (isSet ? 3_600_000 : 0)
  const out = watched(() => (isSet = true))
  expect(await machine.run(['claude', 'go'], { now, stdout: out.stream })).toBe(0)
  expect(machine.err.text()).toMatch(/is done: (\d{3} ms|\d+\.\d s), 2 events/)
  const { startedAt, endedAt, elapsedMs } = await readManifest(join(machine.recording, '../run.json'))
  expect(endedAt).toBeLessThan(startedAt)
  expect(elapsedMs).toBeGreaterThan(200)
  expect(elapsedMs).toBeLessThan(60_000)
})

describe('a run that does not go well', () => {
  test.each([
    ['exit 3', 1, /ended with exit code 3 and printed nothing/],
    [`${line('one')}; echo "no quota" >&2; exit 1`, 1, /It said: no quota/],
    [`${line('one')}; kill -9 $$`, 1, /ended by another program \(SIGKILL\)/],
    [
      line('one'),
      1,
      /The agent exited without a final turn. .*\nplayhead: Claude Code ended without a final turn: .*, 1 event; /
    ]
  ])('%s', async (script, wanted, said) => {
    const machine = new Machine()
    machine.claude(script)
    expect(await machine.run(['claude', 'go'])).toBe(wanted)
    expect(machine.err.text()).toMatch(said)
  })

  test('has a time limit', async () => {
    const machine = new Machine()
    machine.claude(`${line('one')}; while :; do sleep 0.1; done`)
    expect(await machine.run(['claude', '--time-limit', '1s', 'go'])).toBe(1)
    expect(machine.err.text()).toMatch(/time limit .* ran out of time: /s)
    expect(machine.events).toHaveLength(1)
  })

  test('ends with Ctrl-C, when the agent has said its last', async () => {
    const machine = new Machine()
    machine.claude(
      `trap '${line('bye').replaceAll("'", `'\\''`)}; exit 0' INT; ${line('one')}; while :; do sleep 0.1; done`
    )
    const out = watched((text) => text.includes('"one"') && !text.includes('"bye"') && machine.keys.press())
    expect(await machine.run(['claude', 'go'], { stdout: out.stream })).toBe(130)
    expect(out.text()).toContain('"bye"')
    expect(machine.err.text()).toMatch(/was stopped: /)
  })

  test('ends at once with a second Ctrl-C', async () => {
    const machine = new Machine()
    machine.claude(
      `trap 'touch "${machine.folder}/asked"' INT; trap '' TERM; ${line('one')}; while :; do sleep 0.1; done`
    )
    const out = watched(() => machine.keys.press())
    const ended = machine.run(['claude', 'go'], { stdout: out.stream })
    await expect.poll(() => existsSync(join(machine.folder, 'asked'))).toBe(true)
    machine.keys.press()
    expect(await ended).toBe(130)
    const manifest = await readManifest(join(machine.recording, '../run.json'))
    expect(manifest).toMatchObject({ finishReason: 'cancelled', signal: 'SIGKILL' })
  })

  test('ends with Ctrl-C, which ends also whoever reads it', async () => {
    const machine = new Machine()
    machine.claude(
      `trap '${line('bye').replaceAll("'", `'\\''`)}; exit 0' INT; ${line('one')}; while :; do sleep 0.1; done`
    )
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        const isLast = chunk.includes('bye')
        if (!isLast) machine.keys.press()
        done(isLast ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) : null)
      }
    })
    expect(await machine.run(['claude', 'go'], { stdout })).toBe(130)
  })

  test('ends with whoever reads it', async () => {
    const machine = new Machine()
    machine.claude(`${line('one')}; while :; do sleep 0.1; ${line('more')}; done`)
    let lines = 0
    const stdout = new Writable({
      write(_chunk, _encoding, done) {
        done(++lines > 3 ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) : null)
      }
    })
    expect(await machine.run(['claude', 'go'], { stdout })).toBe(0)
    const manifest = await readManifest(join(machine.recording, '../run.json'))
    expect(manifest).toMatchObject({ state: 'ended', finishReason: 'cancelled' })
  })
})

describe('a run that cannot begin', () => {
  test.each<[what: string, stdin: Buffer[], said: RegExp]>([
    ['a prompt in Latin-1', [Buffer.from('Z\xe4hle', 'latin1')], /on standard input is not UTF-8\. .* iconv -f/],
    ['a prompt in UTF-16', [Buffer.from('\ufeffCount', 'utf16le')], /is not UTF-8\./],
    ['a prompt that is cut in a character', [Buffer.from('🐑').subarray(0, 3)], /is not UTF-8\./],
    [
      'a prompt that is too long',
      [Buffer.alloc(1_000_001, 'x')],
      /The limit is 1,000,000 characters\. Move the long part/
    ],
    [
      'a prompt without an end',
      Array.from({ length: 9 }, () => Buffer.alloc(500_000, 'ä')),
      /The limit is [\d,]+ characters/
    ]
  ])('%s', async (_what, stdin, said) => {
    const machine = new Machine()
    machine.claude(`${line('one')}; ${result}`)
    expect([await machine.run(['claude'], { stdin: Readable.from(stdin) }), machine.out.text()]).toEqual([2, ''])
    expect(machine.err.text()).toMatch(said)
    expect(machine.err.text()).not.toMatch(/usage:|Too big|�/)
  })

  test('a prompt of a million characters is handed over, whatever they take', async () => {
    const machine = new Machine()
    machine.claude(`wc -c > '${machine.folder}/length'; ${result}`)
    const stdin = Readable.from([Buffer.from('世'.repeat(1_000_000))])
    expect(await machine.run(['claude'], { stdin })).toBe(0)
    expect(Number(readFileSync(join(machine.folder, 'length'), 'utf8'))).toBe(3_000_000)
  })

  test.each([
    [[], /no agent given; use one of claude, codex, gemini/],
    [['cursor', 'x'], /unknown agent "cursor"/],
    [['claude'], /no prompt; give a PROMPT/],
    [['claude', '--', ' '], /no prompt/],
    [['claude', '--time-limit', '10', 'x'], /--time-limit 10: write it like 90s, 10m or 1h30m/],
    [['claude', '--time-limit', '0s', 'x'], /at least a second/],
    [['claude', '--model', '', 'x'], /--model: /],
    [['claude', '--arg', '--model', 'x'], /write --arg=VALUE if VALUE begins with a dash/],
    [['claude', '--mode', 'wild', 'x'], /wild/],
    [['claude', '--cwd', '/no/such/folder', 'x'], /The folder \/no\/such\/folder does not exist/],
    [['claude', '--mode', 'bypassPermissions', 'x'], /could do anything.*--allow-dangerous/],
    [['claude', '--arg=--dangerously-skip-permissions', 'x'], /--allow-dangerous/],
    [
      ['claude', '--arg=--mcp-config', '--arg=a.json', 'x'],
      /of the argument --mcp-config a\.json\. .*--allow-dangerous/
    ],
    [
      ['claude', '--arg=--add-dir=/', '--interactive', '--', 'x'],
      /more without asking .* --add-dir=\/\. .*--allow-dangerous/
    ],
    [['codex', '--arg=-c', '--arg=notify=["sh"]', 'x'], /--allow-dangerous/],
    [['gemini', '--arg=--policy=p.toml', 'x'], /--allow-dangerous/],
    [['gemini', '--model=--yolo', '--allow-dangerous', 'x'], /"--yolo" begins with a dash/],
    [['gemini', '--arg=extensions', '--allow-dangerous', 'x'], /Remove the word "extensions"/],
    [['gemini', 'x'], /npm install -g @google\/gemini-cli/],
    [['claude', '-o', '/no/such/folder/log', 'x'], /its folder does not exist/]
  ])('%j', async (argv, said) => {
    const machine = new Machine()
    machine.claude(line('one'))
    expect([await machine.run(argv, onlyHere(machine)), machine.out.text()]).toEqual([2, ''])
    expect(machine.err.text()).toMatch(said)
  })

  test('does what is dangerous only where a person allows it', async () => {
    const machine = new Machine()
    const { seen } = machine.standIn('claude-stream-json/tasks-2.1.330')
    expect(await machine.run(['claude', '--mode', 'bypassPermissions', '--allow-dangerous', 'x'])).toBe(0)
    expect(seen().args).toContain('bypassPermissions')
  })

  test('says that its hook is not in force', async () => {
    const machine = new Machine()
    machine.claude(`${line('one')}; ${result}`)
    expect(await machine.run(['claude', '--arg=--bare', '--allow-dangerous', 'x'])).toBe(0)
    expect(machine.err.text()).toContain(
      "playhead: tool results come with the agent's own lines, not at once: --bare turns hooks off.\n"
    )
  })

  /** Nothing but what the test installed. */
  function onlyHere(machine: Machine): Partial<Environment> {
    const state = join(machine.folder, 'state')
    mkdirSync(state)
    return { variables: { PATH: machine.folder, PLAYHEAD_STATE_DIR: state } }
  }
})

const built = join(repository, 'out', 'main', 'cli.js')
describe.skipIf(!existsSync(built))('the built program (skipped where there is no build)', () => {
  /** A shell's command line in which `playhead` is the program. */
  function shell(machine: Machine, commandLine: string) {
    const state = join(machine.folder, 'state')
    const path = `${machine.folder}:${process.env['PATH'] ?? ''}`
    const text = commandLine.replace('playhead', `exec '${process.execPath}' '${built}'`)
    const child = spawn('sh', ['-c', text], { env: { ...process.env, PATH: path, PLAYHEAD_STATE_DIR: state } })
    return { child, out: textOf(child.stdout), err: textOf(child.stderr), closed: once(child, 'close') }
  }

  function textOf(stream: Readable): () => string {
    let text = ''
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    return () => text
  }

  /** The agent's own number, which it says in a file; it is there once it runs. */
  const saysPid = (machine: Machine): string => `echo $$ > '${machine.folder}/pid'`
  function hasEnded(machine: Machine): boolean {
    const pid = Number(readFileSync(join(machine.folder, 'pid'), 'utf8'))
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  }

  test('in a pipe whose reader goes: the agent is gone too', async () => {
    const machine = new Machine()
    machine.claude(`${saysPid(machine)}; while :; do ${line('more')}; sleep 0.1; done`)
    const { out, err, closed } = shell(machine, 'playhead run claude go | head -n 2')
    await closed
    expect(out().split('\n')).toHaveLength(3)
    expect(err()).toMatch(/^playhead: Claude Code runs in .*\n$/)
    expect(hasEnded(machine)).toBe(true)
  })

  test('SIGINT: the agent ends, and with it what it started', async () => {
    const machine = new Machine()
    machine.claude(`${saysPid(machine)}; ${line('one')}; setsid sleep 600 & while :; do sleep 0.1; done`)
    const { child, out, err, closed } = shell(machine, 'playhead run claude go')
    await expect.poll(out).toContain('"one"')
    child.kill('SIGINT')
    expect(await closed).toEqual([130, null])
    expect(err()).toMatch(/stopping the agent.*\n.*was stopped: .*, 1 event; recorded in /)
    expect(hasEnded(machine)).toBe(true)
  })
})

test('with -o LOG a state folder that cannot be written is no hindrance, and what is not kept is said once', async () => {
  const machine = new Machine()
  machine.claude(`${line('hello')}; echo words >&2; ${result}`)
  const log = join(machine.folder, 'mine.jsonl')
  writeFileSync(join(machine.folder, 'file'), '')
  const state = {
    PLAYHEAD_STATE_DIR: join(machine.folder, 'file', 'state'),
    PATH: `${machine.folder}:${process.env['PATH'] ?? ''}`
  }
  expect(await machine.run(['claude', '-o', log, 'go'], { variables: state })).toBe(0)
  expect(readFileSync(log, 'utf8')).toContain('hello')
  expect(machine.events.length).toBeGreaterThan(0)
  expect(machine.err.text().match(/Only the recording of this run is kept/g)).toHaveLength(1)
  expect(machine.err.text()).toContain('is done')
  const other = new Machine()
  other.claude(line('hello'))
  expect(await other.run(['claude', 'go'], { variables: state })).toBe(2)
  expect(other.err.text()).toContain('The run cannot be recorded')
})
