import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AgentId, agentIds, LiveRun, type RunRequest } from '#contract/live-runs.ts'
import type { HostError } from '#contract/host-error.ts'
import type { OptionRow } from '#core/formats/agent-options.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { makeFifo } from '../../../test/fifo.ts'
import { newFolder, textOf } from '../../../test/run-processes.ts'
import { program } from '../../../test/stand-in/stand-in.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { LiveRuns, type LiveRunsOptions } from './live-runs.ts'

let folder = ''
let all: LiveRuns[] = []
beforeEach(() => {
  folder = newFolder()
  all = []
})
afterEach(async () => {
  await Promise.all(all.map(async (each) => await each.close()))
})

/** A host with programs in place of the agents, which say with what they were started. */
async function host(options: Partial<LiveRunsOptions> = {}): Promise<LiveRuns> {
  const runs = new LiveRuns({
    ...{ state: join(folder, 'state'), createWorker, hook: null, tasks: null, notify: () => {}, ...options },
    variables: { PATH: process.env['PATH'], HOME: folder }
  })
  all.push(runs)
  for (const agent of agentIds) {
    const script = `printf '%s\\n' "$@" > '${join(folder, 'seen')}'; cat > /dev/null`
    await runs.agents.setCommand(agent, program(join(folder, 'bin'), agent, script))
  }
  return runs
}

const request = (agent: AgentId, over: Partial<RunRequest> = {}): RunRequest => ({
  ...{ agent, prompt: 'Count.', cwd: folder, model: null, mode: null, extraArguments: [], timeLimitMs: null },
  ...{ resumes: null, ...over }
})

const kinds = [{ interactive: false }, { interactive: true }]

/** The refusal of a start that nobody confirmed. */
async function refusal(runs: LiveRuns, asked: RunRequest, confirmed = false): Promise<HostError> {
  return await runs.start(asked, { confirmed }).then(
    ({ state }) => {
      throw new Error(`${asked.extraArguments.join(' ')} has started: ${state}`)
    },
    (error: unknown) => error as HostError
  )
}

/** A value that widens what the agent may do; null: none does. */
function wideningValue([, , widens]: OptionRow): string | null {
  if (typeof widens !== 'function') return widens === undefined ? null : 'x'
  return ['x', 'false'].find((value) => widens(value) !== null) ?? null
}

describe.each(agentIds)('%s', (agent) => {
  const { options, reserved, dialogue } = agentPrograms[agent]
  const dangerous = options.rows.filter((row) => wideningValue(row) !== null)

  test('each option that widens what it may do needs a yes, in every spelling, alone and in a conversation', async () => {
    const runs = await host()
    for (const row of dangerous) {
      const [names, takes] = row
      const value = wideningValue(row) ?? ''
      for (const name of names.split(' ')) {
        const isLong = name.startsWith('--')
        const takesNone = takes === 'nothing' || (takes === 'truth' && value === 'x')
        const spellings = takesNone ? [[name]] : [[name, value], [isLong ? `${name}=${value}` : `${name}${value}`]]
        for (const extraArguments of takes === 'maybe' ? [[name], ...spellings] : spellings) {
          for (const kind of kinds) {
            const { code, message } = await refusal(runs, request(agent, { extraArguments, ...kind }))
            const isReserved = [...reserved, ...(kind.interactive ? dialogue.reserved : [])].includes(name)
            expect([extraArguments, kind, code]).toEqual([
              extraArguments,
              kind,
              isReserved ? 'bad-params' : 'not-confirmed'
            ])
            expect(message).toContain(name)
          }
        }
      }
    }
    expect(await runs.list()).toEqual([])
  })

  test('what a person said yes to is started with the arguments as written', async () => {
    const runs = await host()
    const extraArguments = {
      claude: ['--mcp-config', 'a b.json', '--add-dir', '/a', '--allowedTools', 'Bash(git log:*)', 'Read'],
      codex: ['-c', 'notify=["sh"]', '--add-dir', '/a'],
      gemini: ['--include-directories', '/a', '--policy', 'p.toml']
    }[agent]
    for (const kind of kinds) {
      const { run } = await runs.start(request(agent, { extraArguments, ...kind }), { confirmed: true })
      await expect.poll(() => textOf(join(folder, 'seen'))).toContain(extraArguments.join('\n'))
      await runs.stop(run)
      await runs.ended(run)
    }
  })

  test.each<[what: string, Partial<RunRequest>, RegExp]>([
    ['a model', { model: '--yolo' }, /"--yolo" begins with a dash, and would be an option of/],
    ['a model behind a space', { model: ' -y' }, /begins with a dash/],
    ['a session', { resumes: { session: '--last', run: null } }, /"--last" begins with a dash/],
    ['a mode', { mode: '--yolo' }, /has no mode "--yolo"/],
    ['the end of options', { extraArguments: ['--'] }, /^Remove the (?:word|argument) /],
    ['a command', { extraArguments: ['mcp', 'add', 'x'] }, /^Remove the word "mcp" from the arguments/],
    ['a command behind an option', { extraArguments: ['--help', 'install'] }, /^Remove the word "install"/]
  ])('%s that would be an option or a command is refused, also with a yes', async (_what, over, message) => {
    const runs = await host()
    for (const kind of kinds)
      expect(await refusal(runs, request(agent, { ...over, ...kind }), true)).toMatchObject({
        code: 'bad-params',
        message: expect.stringMatching(message)
      })
    expect(await runs.list()).toEqual([])
  })
})

describe('the hook of Playhead and the settings of a person', () => {
  const hook = 'playhead hook'
  const own = { matcher: '*', hooks: [{ type: 'command', command: hook, timeout: 10 }] }
  const theirs = { matcher: 'Bash', hooks: [{ type: 'command', command: 'mine' }] }

  /** The run, and the settings that its agent got. */
  async function started(extraArguments: readonly string[], over: Partial<RunRequest> = {}) {
    const runs = await host({ hook })
    const asked = request('claude', { extraArguments: [...extraArguments], ...over })
    const { run } = LiveRun.parse(await runs.start(asked, { confirmed: true }))
    if (over.interactive === true) await runs.stop(run)
    const ended = LiveRun.parse(await runs.ended(run))
    const { commandLine } = ended
    const settings = commandLine.flatMap((word, i) => (commandLine[i - 1] === '--settings' ? [word] : []))
    return { ended, settings }
  }

  test.each(kinds)('are given as one, in which both hold: %o', async (kind) => {
    const settings = {
      model: 'opus',
      permissions: { deny: ['Read(/etc/**)'] },
      hooks: { PostToolUse: [theirs], Stop: [] }
    }
    for (const words of [['--settings', JSON.stringify(settings)], [`--settings=${JSON.stringify(settings)}`]]) {
      const seen = await started(['--add-dir', '/a', ...words, '--name', 'n'], kind)
      expect(seen.settings.map((text) => JSON.parse(text) as unknown)).toEqual([
        { ...settings, hooks: { PostToolUse: [theirs, own], Stop: [] } }
      ])
      expect(seen.ended.commandLine.slice(-4)).toEqual(['--add-dir', '/a', '--name', 'n'])
      expect([seen.ended.hookLost, seen.ended.extraArguments]).toEqual([
        null,
        ['--add-dir', '/a', ...words, '--name', 'n']
      ])
    }
  })

  test('are merged from a file too, which is only read', async () => {
    writeFileSync(join(folder, 'mine.json'), JSON.stringify({ effortLevel: 'high', hooks: { Stop: [theirs] } }))
    for (const path of ['mine.json', './mine.json', join(folder, 'mine.json')]) {
      const { ended, settings } = await started(['--settings', path])
      expect(settings.map((text) => JSON.parse(text) as unknown)).toEqual([
        { effortLevel: 'high', hooks: { Stop: [theirs], PostToolUse: [own] } }
      ])
      expect(ended.hookLost).toBeNull()
    }
  })

  test('without settings of a person there is only the hook', async () => {
    const { ended, settings } = await started([])
    expect(settings.map((text) => JSON.parse(text) as unknown)).toEqual([{ hooks: { PostToolUse: [own] } }])
    expect(ended.hookLost).toBeNull()
  })

  test.each<[why: RegExp, args: string[], file?: string]>([
    [/cannot be read/, ['--settings', 'nowhere.json']],
    [/cannot be read/, ['--settings', 'pipe']],
    [/cannot be read/, ['--settings', 'folder']],
    [/not JSON/, ['--settings', '{"model":']],
    [/not JSON/, ['--settings', '{"hooks":{"PostToolUse":7}}']],
    [/not JSON/, ['--settings', 'mine.json'], '[]'],
    [/several --settings/, ['--settings', '{}', '--settings={}']],
    [/variables, which may be secret/, ['--settings', 'mine.json'], '{"env":{"A":"b"}}'],
    [/has secrets/, ['--settings', 'mine.json'], `{"apiKeyHelper":"echo ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}"}`],
    [/paths that are relative/, ['--settings', 'mine.json'], '{"permissions":{"deny":["Edit(/secret/**)"]}}'],
    [/too long/, ['--settings', 'mine.json'], `{"a":"${'x'.repeat(70_000)}"}`],
    [/--bare turns hooks off/, ['--bare']],
    [/--safe-mode turns hooks off/, ['--safe-mode', '--settings', '{}']]
  ])(
    'where they cannot be merged, theirs are given as written, and the run says so: %s %j',
    async (why, args, file) => {
      mkdirSync(join(folder, 'folder'))
      makeFifo(join(folder, 'pipe'))
      if (file !== undefined) writeFileSync(join(folder, 'mine.json'), file)
      const { ended } = await started(args)
      expect(ended.hookLost).toMatch(why)
      expect(ended.commandLine.slice(-args.length)).toEqual(args)
      expect(ended.commandLine.join(' ')).not.toContain(hook)
    }
  )

  test('settings that turn hooks off hold, and the run says so', async () => {
    const { ended, settings } = await started(['--settings', '{"disableAllHooks":true}'])
    expect(JSON.parse(settings[0] ?? '')).toMatchObject({ disableAllHooks: true })
    expect(ended.hookLost).toBe('The given --settings turn hooks off.')
  })
})
