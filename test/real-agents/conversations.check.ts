import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AgentId, LiveRun, OpenAsk, RunRequest } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Answer } from '#core/dialogue/ask.ts'
import type { JsonObject } from '#core/json.ts'
import { contentOf } from '../run-host.ts'
import { readEvents } from '../server-sent-events.ts'
import { commandsOf, installed, note, programOf, RealHost, untilRuns } from './real-host.ts'
import type { ScriptedAgent, StoryTurn } from './scripted-agent.ts'

/** Conversations with the real agents, as a person has them with the page: over the contract. */

interface Ways {
  /** Its model runs a command that must be asked about. */
  command(command: string): StoryTurn
  /** The mode in which edits are not asked about. */
  readonly edits: string
  /** How the model hears the words of a refusal. */
  readonly words: 'the answer' | 'a prompt into the turn' | 'the next prompt'
}

const shell = (command: string): StoryTurn => ({ ops: [{ op: 'shell', command }] })
const escalated = { sandbox_permissions: 'require_escalated', justification: 'May I run this?' }
const ways: Readonly<Record<AgentId, Ways>> = {
  claude: { command: shell, edits: 'acceptEdits', words: 'the answer' },
  codex: {
    command: (cmd) => ({ calls: [{ name: 'exec_command', input: { cmd, yield_time_ms: 30_000, ...escalated } }] }),
    ...{ edits: 'workspace-write', words: 'a prompt into the turn' }
  },
  gemini: { command: shell, edits: 'auto_edit', words: 'the next prompt' }
}

let host: RealHost
beforeEach(() => {
  host = new RealHost()
})
afterEach(async () => await host.close())

/** One run, as its person sees it. */
class Conversation {
  readonly #run: string

  constructor({ run }: LiveRun) {
    this.#run = run
  }

  async until(wanted: (run: LiveRun) => boolean): Promise<LiveRun> {
    const isOver = ({ endedAt }: LiveRun): boolean => endedAt !== null
    const found = host.run(this.#run, (now) => wanted(now) || isOver(now))
    const run = await Promise.race([found, setTimeout(60_000, null, { ref: false })])
    if (run !== null && wanted(run)) return run
    const { state, message, dialogue } = host.runs.findLast((one) => one.run === this.#run) ?? {}
    const stderr = await host.handlers['run.stderr']({ run: this.#run, from: 0, count: 10_000 })
    throw new Error(`${JSON.stringify({ state, message, dialogue })}\n${Buffer.from(stderr.bytes).toString()}`)
  }

  async asked(): Promise<OpenAsk> {
    const { dialogue } = await this.until((run) => run.dialogue?.turn === 'asking')
    const [ask] = dialogue?.asks ?? []
    if (ask === undefined) throw new Error('It waits for nothing.')
    return ask
  }

  async answer(answer: Answer): Promise<OpenAsk> {
    const ask = await this.asked()
    await host.handlers['run.answer']({ run: this.#run, ask: ask.id, answer })
    return ask
  }

  async idle(): Promise<LiveRun> {
    return await this.until((run) => run.dialogue?.turn === 'idle')
  }

  async prompt(text: string, when: 'queue' | 'now' | 'if-idle' = 'if-idle'): Promise<void> {
    await host.handlers['run.prompt']({ run: this.#run, text, when })
  }

  async finish(): Promise<LiveRun> {
    await host.handlers['run.finish']({ run: this.#run })
    const end = await host.ended(this.#run)
    expect(end).toMatchObject({ state: 'ended', signal: null, message: null, dialogue: { turn: 'ended', asks: [] } })
    expect(commandsOf(this.#run)).toEqual([])
    return end
  }

  async stream(): Promise<{ readonly type: string; readonly data: JsonObject }[]> {
    const events = readEvents(await host.stream(this.#run)).map(({ event }) => event)
    return events.map(({ type, data }) => ({ type, data: data as JsonObject }))
  }

  /** What was asked, with what became of it, by the stream. */
  async decisions(): Promise<string[]> {
    const events = await this.stream()
    const asks = events.filter(({ type, data }) => type === 'permission_request' && data['denied'] === false)
    const answers = events.filter(({ data }) => data['kind'] === 'answer')
    expect(answers.map(({ data }) => data['request_id'])).toEqual(asks.map(({ data }) => data['request_id']))
    return answers.map(({ data }) => `${String(data['decision'])} by ${String(data['by'])}`)
  }
}

async function begin(
  agent: AgentId,
  { project, args }: ScriptedAgent,
  over: Partial<RunRequest> = {}
): Promise<Conversation> {
  const prompt = { prompt: 'Begin.', cwd: project, extraArguments: [...args], interactive: true }
  return new Conversation(await host.start(agent, programOf(agent), { ...prompt, ...over }))
}

/** Gemini CLI must not go on with a session in the minute it began. */
function ignoreSoon(error: unknown): null {
  if (error instanceof HostError && /Gemini CLI would lose this session/.test(error.message)) return null
  throw error
}

/** What the agent was sent by a person. */
function sent({ recording }: LiveRun): string[] {
  const lines = readFileSync(join(dirname(recording), 'dialogue.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return lines.flatMap((line) => {
    const { by, sent: text } = JSON.parse(line) as { by: string; sent: string | null }
    return by === 'person' && text !== null ? [text] : []
  })
}

/** All rows of the recording, read as a file; the same as those that are read as it grows. */
async function rows({ recording, format }: LiveRun): Promise<string> {
  // What was sent is read beside it.
  const folder = mkdtempSync(join(host.state, 'copy-'))
  cpSync(dirname(recording), folder, { recursive: true })
  const path = join(folder, basename(recording))
  const open = async (file: string): Promise<string> => (await host.handlers['log.open']({ path: file, format })).log
  const offline = await host.log(await open(path), ({ phase }) => phase === 'done')
  expect(offline.issues.malformed).toBe(0)
  const followed = await host.log(await open(recording), ({ phase }) => phase === 'done')
  const [read, seen] = [await contentOf(host.handlers, offline), await contentOf(host.handlers, followed)]
  // Not with `toEqual`, which would print all of it.
  expect(isDeepStrictEqual(seen, read)).toBe(true)
  return JSON.stringify(read)
}

function textsOf(requests: readonly string[]): string {
  return requests.join('\n')
}

const versionOf = ({ version }: LiveRun): string => String(version)

describe.each(installed)('%s', (agent) => {
  const { command, edits, words } = ways[agent]
  const write = (path: string): StoryTurn => ({ ops: [{ op: 'write', path, content: 'Hello.\n' }] })

  test('asks, is answered, prompted again, set to another mode, finished, and gone on with', async () => {
    const story = await host.play(agent, [
      ...[write('one.txt'), command('touch two.txt'), command('touch two.txt'), command('node -e 1')],
      ...[{ text: 'The first turn is over.' }, ...(words === 'the next prompt' ? [{ text: 'So be it.' }] : [])],
      { text: 'The second turn is over.' },
      ...[write('three.txt'), { text: 'The third turn is over.' }],
      ...[command('touch four.txt'), { text: 'The fourth turn is over.' }]
    ])
    const made = (name: string): boolean => existsSync(join(story.project, name))
    const talk = await begin(agent, story)
    const first = await talk.asked()
    expect(first).toMatchObject({ kind: 'tool', cut: false })
    expect(JSON.stringify(first.input)).toContain('one.txt')
    expect(made('one.txt')).toBe(false)
    await talk.answer({ allow: 'once' })
    const second = await talk.until(({ dialogue }) => dialogue?.asks.some(({ id }) => id !== first.id) === true)
    expect(made('one.txt')).toBe(true)
    const [ask] = second.dialogue?.asks ?? []
    expect(ask?.scopes.join()).toContain('touch')
    await talk.answer({ allow: 'run' })
    // The same again is not asked: the next one is another.
    const third = await talk.until(({ dialogue }) => JSON.stringify(dialogue?.asks).includes('node -e 1'))
    expect(made('two.txt')).toBe(true)
    expect(third.dialogue?.asks).toHaveLength(1)
    await talk.answer({ refuse: 'Without that command.', endTurn: false })
    await talk.idle()
    expect(textsOf(story.requests).includes('Without that command.')).toBe(true)

    await talk.prompt('And now?')
    const again = await talk.until(({ dialogue }) => dialogue?.turn === 'working')
    await talk.idle()
    expect(textsOf(story.requests).includes('And now?')).toBe(true)

    const { run } = again
    await host.handlers['run.setMode']({ run, mode: edits, confirmed: false })
    await talk.prompt('Write.')
    await talk.until(({ dialogue }) => dialogue?.turn === 'working')
    await talk.idle()
    expect(made('three.txt')).toBe(true)
    const end = await talk.finish()
    expect(end).toMatchObject({ finishReason: 'done', exitCode: 0, dialogue: { mode: edits } })
    expect(await talk.decisions()).toEqual(['allowed by person', 'allowed-for-run by person', 'refused by person'])
    const modes = (await talk.stream()).filter(({ type }) => type === 'mode_changed').map(({ data }) => data['mode'])
    expect(modes).toContain(edits)
    const shown = await rows(end)
    const said = ['Begin.', 'And now?', 'Write.', 'one.txt', 'two.txt', 'The third turn is over.']
    expect(said.filter((text) => !shown.includes(text))).toEqual([])
    note(agent, `${versionOf(end)}: ${end.commandLine.slice(1).join(' ')}`)
    note(agent, `asked ${JSON.stringify(first.input).slice(0, 80)}; "for this run": ${ask?.scopes.join('; ')}`)
    note(agent, `refused with words, as ${words}; prompted again; mode ${edits}; finished`)

    const { request, title } = await host.handlers['run.resumable']({ path: end.recording })
    expect(request).toMatchObject({ agent, cwd: story.project, interactive: true })
    const goOn = { ...request, mode: null, prompt: 'Go on.' }
    const later = await vi.waitUntil(async () => await begin(agent, story, goOn).catch(ignoreSoon), {
      ...{ timeout: 70_000, interval: 1000 }
    })
    const touch = await later.answer({ allow: 'once' })
    expect(JSON.stringify(touch.input)).toContain('touch four.txt')
    await later.idle()
    expect(made('four.txt')).toBe(true)
    const last = await later.finish()
    expect(last).toMatchObject({
      sessionId: end.sessionId,
      resumes: { session: end.sessionId, run },
      finishReason: 'done'
    })
    expect(await later.decisions()).toEqual(['allowed by person'])
    expect((await rows(last)).includes('The fourth turn is over.')).toBe(true)
    expect(textsOf(story.requests.slice(-1)).includes('And now?')).toBe(true)
    note(agent, `went on with "${String(title)}", asked again, finished`)
  })

  test('is interrupted while a command runs; two prompts wait, and are taken in order', async () => {
    const story = await host.play(agent, [
      ...[
        command('touch begun.txt && sleep 47'),
        { text: 'The second prompt is answered.' },
        { text: 'The third prompt is answered.' }
      ]
    ])
    const talk = await begin(agent, story)
    await talk.answer({ allow: 'once' })
    const { run } = await talk.until(({ dialogue }) => dialogue?.turn === 'working')
    await untilRuns(run, 'sleep 47')
    for (const text of ['The second prompt.', 'The third prompt.']) await talk.prompt(text, 'queue')
    const asked = Date.now()
    await host.handlers['run.interrupt']({ run })
    const { dialogue } = await talk.idle()
    const ms = Date.now() - asked
    expect(dialogue).toMatchObject({
      held: true,
      queue: [{ text: 'The second prompt.' }, { text: 'The third prompt.' }]
    })
    await vi.waitUntil(() => !commandsOf(run).some((line) => line.startsWith('sleep 47')), { timeout: 20_000 })
    const goneMs = Date.now() - asked
    expect(textsOf(story.requests).includes('The second prompt.')).toBe(false)
    await host.handlers['run.queue']({ run, change: { release: true } })
    await talk.until(({ dialogue: now }) => now?.queue.length === 0 && now.turn === 'idle')
    const end = await talk.finish()
    expect(end).toMatchObject({ finishReason: 'done' })
    const shown = await rows(end)
    for (const text of ['second', 'third']) expect(shown.includes(`The ${text} prompt is answered.`)).toBe(true)
    const prompts = sent(end).flatMap((line) => /The (?:second|third) prompt\./.exec(line)?.[0] ?? [])
    expect(prompts).toEqual(['The second prompt.', 'The third prompt.'])
    const turns = (await talk.stream()).flatMap(({ data }) => (data['kind'] === 'turn' ? [String(data['turn'])] : []))
    expect(turns.filter((turn) => turn === 'interrupting')).toHaveLength(1)
    note(agent, `interrupted: idle after ${ms} ms, the command gone after ${goneMs} ms, then two queued prompts`)
  })

  test('is interrupted while it asks, and answers the next prompt', async () => {
    const story = await host.play(agent, [command('touch one.txt'), { text: 'The next prompt is answered.' }])
    const talk = await begin(agent, story)
    await talk.asked()
    const { run } = await talk.until(({ dialogue }) => dialogue?.turn === 'asking')
    await host.handlers['run.interrupt']({ run })
    expect((await talk.idle()).dialogue?.asks).toEqual([])
    await talk.prompt('The next prompt.')
    await talk.until(({ dialogue }) => dialogue?.turn === 'working')
    await talk.idle()
    const end = await talk.finish()
    expect(existsSync(join(story.project, 'one.txt'))).toBe(false)
    expect(await talk.decisions()).toEqual(['withdrawn by person'])
    expect((await rows(end)).includes('The next prompt is answered.')).toBe(true)
    note(agent, `interrupted while it asked: exit ${end.exitCode}`)
  })

  test('asks questions, if it can', async () => {
    const options = [
      { label: 'vitest', description: 'Fast' },
      { label: 'jest', description: 'Known' }
    ]
    const question = { question: 'Which runner?', header: 'Runner', options }
    const call = {
      claude: { name: 'AskUserQuestion', input: { questions: [{ ...question, multiSelect: false }] } },
      codex: { name: 'request_user_input', input: { questions: [{ ...question, id: 'runner' }] } },
      gemini: { name: 'ask_user', input: { questions: [{ ...question, type: 'choice' }] } }
    }[agent]
    const story = await host.play(agent, [{ calls: [call] }, { text: 'The answer is known.' }])
    // Codex asks in its plan mode, which Playhead does not offer, and with this setting.
    const setting = agent === 'codex' ? ['-c', 'features.default_mode_request_user_input=true'] : []
    const talk = await begin(agent, story, { extraArguments: [...story.args, ...setting] })
    if (agent === 'gemini') await talk.idle()
    else {
      const { kind, questions } = await talk.asked()
      expect(kind).toBe('question')
      expect(questions).toMatchObject([
        { question: 'Which runner?', choices: [{ label: 'vitest' }, { label: 'jest' }] }
      ])
      const [{ id = '' } = {}] = questions
      await talk.answer({ answers: [{ id, choices: ['jest'], text: null }] })
      await talk.idle()
      // Among the choices it stands once.
      expect(story.requests.at(-1)?.match(/jest/g)?.length).toBeGreaterThan(1)
    }
    const end = await talk.finish()
    expect(await talk.decisions()).toEqual(agent === 'gemini' ? [] : ['answered by person'])
    expect((await rows(end)).includes('The answer is known.')).toBe(true)
    note(agent, agent === 'gemini' ? 'asks no question' : 'asked a question, and read the answer')
  })

  test.runIf(agent === 'claude')('shows its plan, which is refused with words, then accepted with a mode', async () => {
    const plan = (text: string): StoryTurn => ({ calls: [{ name: 'ExitPlanMode', input: { plan: text } }] })
    const story = await host.play(agent, [
      ...[plan('1. Write one.txt'), plan('1. Write one.txt\n2. Test it'), write('one.txt'), { text: 'It is written.' }]
    ])
    const talk = await begin(agent, story, { mode: 'plan' })
    const first = await talk.answer({ refuse: 'Add a test.', endTurn: false })
    expect(first).toMatchObject({ kind: 'plan', modes: ['default', 'acceptEdits'] })
    await talk.until(({ dialogue }) => dialogue?.asks.some(({ id }) => id !== first.id) === true)
    expect(textsOf(story.requests).includes('Add a test.')).toBe(true)
    await talk.answer({ allow: 'once', mode: 'acceptEdits' })
    await talk.idle()
    expect(existsSync(join(story.project, 'one.txt'))).toBe(true)
    const end = await talk.finish()
    expect(end).toMatchObject({ finishReason: 'done', dialogue: { mode: 'acceptEdits' } })
    expect(await talk.decisions()).toEqual(['refused by person', 'allowed by person'])
    note(agent, `plan: refused with words, then accepted; then in mode ${String(end.dialogue?.mode)}`)
  })

  test('refuses and ends the turn, if it can; stopped while it asks, it leaves nothing', async () => {
    const story = await host.play(agent, [command('touch one.txt'), command('touch two.txt')])
    const talk = await begin(agent, story)
    const ask = await talk.answer({ refuse: '', endTurn: agent !== 'gemini' })
    if (agent !== 'gemini') {
      await talk.idle()
      await talk.prompt('Another.')
    }
    const { run } = await talk.until(({ dialogue }) => dialogue?.asks.some(({ id }) => id !== ask.id) === true)
    await host.handlers['run.stop']({ run })
    const end = await host.ended(run)
    expect(end).toMatchObject({ state: 'ended', finishReason: 'cancelled', dialogue: { turn: 'ended', asks: [] } })
    expect(commandsOf(run)).toEqual([])
    for (const name of ['one.txt', 'two.txt']) expect(existsSync(join(story.project, name))).toBe(false)
    expect(await talk.decisions()).toEqual(['refused by person', 'withdrawn by person'])
    note(agent, `stopped while it asked: exit ${end.exitCode ?? end.signal}, nothing left`)
  })
})
