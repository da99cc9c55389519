import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultDialogueLimits, type LiveRun, type RunRequest } from '#contract/live-runs.ts'
import type { ErrorCode } from '#contract/host-error.ts'
import type { Answer } from '#core/dialogue/ask.ts'
import type { DialogueCall } from '#core/dialogue/dialogue.ts'
import type { JsonObject } from '#core/json.ts'
import { drive } from '../../../test/dialogue-driver.ts'
import { firstPrompt } from '../../../test/recorded-play.ts'
import { RunHost } from '../../../test/run-host.ts'
import { builtModule, newFolder, processesOf } from '../../../test/run-processes.ts'
import { readEvents } from '../../../test/server-sent-events.ts'
import {
  type DialogueFaultKind,
  type DialoguePlay,
  type DialogueStandIn,
  type DialogueStep,
  dialogueStandIn,
  WrittenDialogue
} from '../../../test/stand-in/dialogue-play.ts'
import { times } from '../../../test/thorough.ts'

let host: RunHost
let folder = ''
beforeEach(() => {
  host = new RunHost()
  folder = newFolder()
})
afterEach(async () => await host.close())

interface Played {
  readonly run: LiveRun
  readonly standIn: DialogueStandIn
}

let plays = 0

async function begin(play: DialoguePlay, over: Partial<RunRequest> = {}): Promise<Played> {
  const home = join(folder, `play-${plays++}`)
  mkdirSync(home)
  const standIn = dialogueStandIn(home, play)
  const run = await host.start(play.agent, standIn.command, { prompt: firstPrompt(play), interactive: true, ...over })
  return { run, standIn }
}

/** The same once it is over; its person did all that the play has. */
async function had(play: DialoguePlay, over: Partial<RunRequest> = {}): Promise<Played> {
  const { run, standIn } = await begin(play, over)
  await drive(host, run, play, standIn)
  return { run: await host.ended(run.run), standIn }
}

const asking = async ({ run }: Played, asks = 1): Promise<LiveRun> =>
  await host.run(run.run, ({ dialogue }) => dialogue?.asks.length === asks)

/** Holds that what was printed is recorded, and what was noted was sent. */
function expectWhole({ run, standIn }: Played): void {
  expect(readFileSync(run.recording).equals(standIn.printed)).toBe(true)
  expect(sent(run)).toEqual(standIn.read)
  expect(processesOf(run.run)).toEqual([])
}

function notes({ recording }: LiveRun): { at: number; after: number; by: string; sent: string | null }[] {
  const lines = readFileSync(join(dirname(recording), 'dialogue.jsonl'), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as ReturnType<typeof notes>[number])
}

function sent(run: LiveRun): (string | null)[] {
  return notes(run).flatMap((note) => (note.by === 'agent' ? [] : [note.sent]))
}

async function streamOf(run: string): Promise<{ type: string; data: JsonObject }[]> {
  return readEvents(await host.stream(run)).map(({ event }) => ({ type: event.type, data: event.data as JsonObject }))
}

async function refusal(call: Promise<unknown>): Promise<ErrorCode | null> {
  return await call.then(
    () => null,
    (error: { code: ErrorCode }) => error.code
  )
}

const bash = (command: string): JsonObject => ({ command, description: 'Run a command' })
const rule: JsonObject = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'mkdir one' }],
  behavior: 'allow'
}
const question: JsonObject = {
  questions: [{ question: 'Which runner?', header: 'Runner', options: [{ label: 'vitest' }, { label: 'jest' }] }]
}
const answeredQuestion: JsonObject = { ...question, answers: { 'Which runner?': 'vitest' } }

/** All that a person can do with Claude Code. */
const wholeDialogue = (): WrittenDialogue =>
  new WrittenDialogue('Make folders.')
    .says('I make folders.')
    .asks('r-1', 'Bash', bash('mkdir one'), { permission_suggestions: [{ ...rule, destination: 'localSettings' }] })
    .answer('r-1', { allow: 'run' }, { behavior: 'allow', updatedInput: bash('mkdir one') })
    .asks('r-2', 'Write', { file_path: '/w/a', content: 'a\n' })
    .allow('r-2', { file_path: '/w/a', content: 'a\n' })
    .asks('r-3', 'Bash', bash('rm -r two'))
    .refuse('r-3', 'Not this folder.')
    .asks('r-4', 'AskUserQuestion', question)
    .answer('r-4', { answers: [{ id: 'Which runner?', choices: ['vitest'], text: null }] }, answeredQuestion)
    .endTurn()
    .prompt('And now?')
    .setMode('acceptEdits')
    .asks('r-5', 'Bash', bash('mkdir three'))
    .asks('r-6', 'Bash', bash('mkdir four'))
    .interrupt()
    .finish()

describe('an interactive run', () => {
  test('is had through the contract: what is printed is recorded, and each line that is sent is noted first', async () => {
    const played = await had(wholeDialogue().play())
    expectWhole(played)
    const { run, standIn } = played
    expect(run).toMatchObject({
      ...{ state: 'ended', finishReason: 'cancelled', exitCode: 0, sessionId: 'w-1', format: 'claude-stream-json' },
      dialogue: { turn: 'ended', mode: 'acceptEdits', asks: [], queue: [], spent: { usd: 1 } }
    })
    const lines = notes(run)
    expect(lines.map(({ by }) => by)).toEqual(['protocol', ...Array<string>(lines.length - 1).fill('person')])
    const size = standIn.printed.length
    for (const { after } of lines) expect(after >= 0 && after <= size).toBe(true)
    // No answer writes a lasting setting.
    expect(standIn.read.join('\n')).not.toMatch(/(?:local|user|project)Settings/)
    expect(standIn.args).toEqual(
      expect.arrayContaining(['--permission-prompt-tool', 'stdio', '--replay-user-messages'])
    )
  })

  test('has a stream that says what was asked, decided and changed, and that can be made again', async () => {
    const { run } = await had(wholeDialogue().play())
    await expect.poll(() => existsSync(join(dirname(run.recording), 'order.json.gz'))).toBe(true)
    const events = await streamOf(run.run)
    const of = (type: string): JsonObject[] => events.filter((event) => event.type === type).map(({ data }) => data)
    const asked = of('permission_request')
    expect(asked.map(({ request_id, denied }) => [request_id, denied])).toEqual(
      ['r-1', 'r-2', 'r-3', 'r-4', 'r-5', 'r-6'].map((id) => [id, false])
    )
    expect(asked[0]).toMatchObject({
      tool_name: 'Bash',
      input: bash('mkdir one'),
      scopes: ['Bash(mkdir one)'],
      questions: []
    })
    expect(asked[3]).toMatchObject({
      questions: [{ id: 'Which runner?', choices: [{ label: 'vitest' }, { label: 'jest' }] }]
    })
    const status = of('status')
    const answers = status.filter(({ kind }) => kind === 'answer')
    expect(answers.map(({ request_id, decision, by }) => [request_id, decision, by])).toEqual([
      ['r-1', 'allowed-for-run', 'person'],
      ['r-2', 'allowed', 'person'],
      ['r-3', 'refused', 'person'],
      ['r-4', 'answered', 'person'],
      ['r-5', 'withdrawn', 'person'],
      ['r-6', 'withdrawn', 'person']
    ])
    expect(answers[2]).toMatchObject({ message: 'Not this folder.' })
    const turns = status.filter(({ kind }) => kind === 'turn').map(({ turn }) => turn)
    expect(turns.filter((turn) => turn !== 'working' && turn !== 'asking')).toEqual([
      'idle',
      'interrupting',
      'idle',
      'stopping',
      'ended'
    ])
    expect(of('mode_changed')).toMatchObject([{ mode: 'acceptEdits', previous: 'default' }])
    expect(events.at(-1)?.type).toBe('done')
    // A request comes before its answer, and after what was said before.
    const places = events.map(({ type, data }) => `${type} ${String(data['request_id'] ?? '')}`)
    expect(places.indexOf('status r-1')).toBeGreaterThan(places.indexOf('permission_request r-1'))
    expect(places.indexOf('status r-1')).toBeLessThan(places.indexOf('permission_request r-2'))
  })

  test('reports tools that take longer than the run lets them', async () => {
    const progress = { tool_use_id: 'call-0', tool_name: 'Bash', parent_tool_use_id: null }
    const play = new WrittenDialogue()
      .asks('r-1', 'Bash', bash('make'))
      .allow('r-1', bash('make'))
      .prints({ type: 'tool_progress', ...progress, elapsed_time_seconds: 1 })
      .prints({ type: 'tool_progress', ...progress, elapsed_time_seconds: 31 })
      .endTurn()
      .finish()
      .play()
    const { run } = await had(play, { limits: { ...defaultDialogueLimits, toolMs: 30_000 } })
    const late = (await streamOf(run.run)).filter(({ type }) => type === 'tool_timeout')
    expect(late.map(({ data }) => data)).toMatchObject([{ tool_use_id: 'call-0', elapsed_seconds: 31 }])
  })

  test('queues prompts, which are edited, moved, dropped, held and sent when a turn is over', async () => {
    const play = new WrittenDialogue('First.')
      .asks('r-1', 'Bash', bash('ls'))
      .allow('r-1', bash('ls'))
      .endTurn()
      .waits()
      .endTurn()
      .waits()
      .play()
    const played = await begin(play)
    await asking(played)
    const { run } = played.run
    const { handlers } = host
    for (const text of ['two', 'three', `four ${'x'.repeat(5000)}`])
      await handlers['run.prompt']({ run, text, when: 'queue' })
    expect(await refusal(handlers['run.prompt']({ run, text: 'x', when: 'if-idle' }))).toBe('unavailable')
    const queue = (await handlers['run.queue']({ run, change: { hold: true } })).dialogue?.queue ?? []
    expect(queue.map(({ text, cut }) => [text.slice(0, 5), cut])).toEqual([
      ['two', false],
      ['three', false],
      ['four ', true]
    ])
    const [two = '', three = '', four = ''] = queue.map(({ id }) => id)
    expect((await handlers['run.queued']({ run, id: four })).text).toHaveLength(5005)
    await handlers['run.queue']({ run, change: { edit: three, text: 'THREE' } })
    await handlers['run.queue']({ run, change: { move: three, to: 0 } })
    const { dialogue } = await handlers['run.queue']({ run, change: { drop: two } })
    expect(dialogue).toMatchObject({ held: true, queue: [{ id: three, text: 'THREE' }, { id: four }] })
    expect(await refusal(handlers['run.queue']({ run, change: { drop: two } }))).toBe('gone')
    expect(await refusal(handlers['run.queued']({ run, id: two }))).toBe('gone')
    await handlers['run.answer']({ run, ask: '"r-1"', answer: { allow: 'once' } })
    await host.run(run, ({ dialogue: now }) => now?.turn === 'idle')
    await handlers['run.queue']({ run, change: { release: true } })
    await host.run(run, ({ dialogue: now }) => now?.turn === 'working' && now.queue.length === 1)
    await handlers['run.finish']({ run })
    const ended = await host.ended(run)
    expect(
      sent(ended).map((line) => (JSON.parse(line ?? '') as { message?: { content: string } }).message?.content)
    ).toEqual([...[undefined, 'First.', undefined, 'THREE']])
    expect(ended.dialogue?.queue).toMatchObject([{ id: four }])
    const queues = (await streamOf(run)).filter(({ data }) => data['kind'] === 'queue')
    expect(queues.map(({ data }) => [data['length'], data['held']])).toEqual(
      expect.arrayContaining([
        [3, true],
        [2, true],
        [1, false],
        [1, true]
      ])
    )
  })

  test('takes prompts; a run that is not interactive takes none', async () => {
    const plain = dialogueStandIn(join(folder, 'plain'), { ...new WrittenDialogue().play(), steps: [{ in: null }] })
    const { run } = await host.start('claude', plain.command)
    expect(await refusal(host.handlers['run.prompt']({ run, text: 'x', when: 'queue' }))).toBe('unavailable')
    expect((await host.ended(run)).dialogue).toBeNull()
  })
})

describe('an answer', () => {
  test('counts once, and only for the ask of its run; nothing else writes a line', async () => {
    const play = new WrittenDialogue().asks('r-1', 'Bash', bash('ls')).allow('r-1', bash('ls')).endTurn().waits().play()
    const [one, other] = [await begin(play), await begin(play)]
    await Promise.all([asking(one), asking(other)])
    const { handlers } = host
    const answer = async (run: string, ask = '"r-1"', given: unknown = { allow: 'once' }): Promise<ErrorCode | null> =>
      await refusal(handlers['run.answer']({ run, ask, answer: given as { allow: 'once' } }))
    const before = notes(other.run).length

    const both = await Promise.all([answer(one.run.run), answer(one.run.run)])
    expect(both).toEqual([null, 'already-answered'])
    expect(await answer(other.run.run, '"r-9"')).not.toBeNull()
    expect(await answer(other.run.run, 'r-1')).not.toBeNull()
    expect(await answer(other.run.run, '"r-1"', { answers: [] })).toBe('bad-params')
    expect(await answer(other.run.run, '"r-1"', { allow: 'run' })).toBe('bad-params')
    expect(await answer('20260101-000000-000-none')).toBe('not-found')
    await host.run(one.run.run, ({ dialogue }) => dialogue?.turn === 'idle')
    await handlers['run.finish']({ run: one.run.run })
    await host.ended(one.run.run)
    expect(await answer(one.run.run)).toBe('unavailable')
    expect(notes(other.run)).toHaveLength(before)
    expect(sent(one.run).filter((line) => line?.includes('control_response'))).toHaveLength(1)
    await handlers['run.stop']({ run: other.run.run })
    expect(await host.ended(other.run.run)).toMatchObject({ finishReason: 'cancelled', dialogue: { asks: [] } })
  })

  test('of another host is refused there, which lists what is asked', async () => {
    const played = await begin(new WrittenDialogue().asks('r-1', 'Bash', bash('ls')).waits().play())
    await asking(played)
    const { run } = played.run
    const { LiveRuns } = await import('./live-runs.ts')
    const { createWorker } = await import('../indexer/create-worker.ts')
    const other = new LiveRuns({ state: host.state, createWorker, hook: null, tasks: null, notify: () => {} })
    try {
      await expect
        .poll(async () => (await other.list())[0]?.dialogue?.asks)
        .toMatchObject([{ id: '"r-1"', tool: 'Bash', input: bash('ls') }])
      const before = notes(played.run).length
      const calls: Parameters<typeof other.talk>[1][] = [
        (dialogue) => dialogue.answer('"r-1"', { allow: 'once' }),
        (dialogue) => dialogue.prompt('x', 'queue'),
        (dialogue) => dialogue.interrupt(),
        (dialogue) => dialogue.finish()
      ]
      for (const call of calls) expect(await refusal(other.talk(run, call))).toBe('not-own')
      expect(await refusal(other.ask(run, '"r-1"'))).toBe('not-own')
      expect(notes(played.run)).toHaveLength(before)
    } finally {
      await other.close()
    }
  })

  test('that allows a long input needs all of it to have been fetched', async () => {
    const content = 'long '.repeat(20_000)
    const play = new WrittenDialogue()
      .asks('r-1', 'Write', { file_path: '/w/a', content })
      .allow('r-1', { file_path: '/w/a', content })
      .endTurn()
      .waits()
      .play()
    const played = await begin(play)
    const shown = (await asking(played)).dialogue?.asks[0]
    expect(shown).toMatchObject({ cut: true, tool: 'Write' })
    expect(JSON.stringify(shown).length).toBeLessThan(80_000)
    const { handlers } = host
    const { run } = played.run
    const allow = async (): Promise<LiveRun> =>
      await handlers['run.answer']({ run, ask: '"r-1"', answer: { allow: 'once' } })
    expect(await refusal(allow())).toBe('unavailable')
    expect(sent(played.run)).toHaveLength(2)
    const { ask } = await handlers['run.ask']({ run, ask: '"r-1"' })
    expect(ask).toMatchObject({ cut: false, input: { content } })
    await allow()
    expect(await refusal(handlers['run.ask']({ run, ask: '"r-1"' }))).toBe('already-answered')
    await handlers['run.finish']({ run })
    expect(sent(await host.ended(run))[2]).toContain(content)
  })
})

describe('a dangerous mode', () => {
  test('is confirmed at the start and when it is set; a plan cannot raise it', async () => {
    const { handlers } = host
    const play = new WrittenDialogue('Plan.', 'plan')
      .asks('r-1', 'ExitPlanMode', { plan: 'All of it.' })
      .allow('r-1', { plan: 'All of it.' })
      .endTurn()
      .waits()
      .play()
    const { command } = dialogueStandIn(join(folder, 'unconfirmed'), play)
    await handlers['agent.setCommand']({ agent: 'claude', command })
    const request = {
      agent: 'claude',
      prompt: 'x',
      cwd: folder,
      model: null,
      extraArguments: [],
      timeLimitMs: null,
      resumes: null
    } as const
    for (const over of [{ mode: 'bypassPermissions' }, { mode: 'default', mayBecomeDangerous: true }]) {
      const asked = { ...request, extraArguments: [], interactive: true, ...over }
      expect(await refusal(handlers['run.start']({ request: asked, confirmed: false }))).toBe('not-confirmed')
    }
    expect((await handlers['run.list']({})).total).toBe(0)

    const played = await begin(play, { mode: 'plan' })
    await asking(played)
    const { run } = played.run
    const before = notes(played.run).length
    for (let i = 0; i < 10; i++) {
      const answer = { allow: 'once', mode: 'bypassPermissions' } as const
      expect(await refusal(handlers['run.answer']({ run, ask: '"r-1"', answer }))).toBe('bad-params')
    }
    expect(await refusal(handlers['run.setMode']({ run, mode: 'bypassPermissions', confirmed: true }))).toBe(
      'not-offered'
    )
    expect(notes(played.run)).toHaveLength(before)
    await handlers['run.stop']({ run })
    await host.ended(run)

    const allowed = await begin(play, { mode: 'plan', mayBecomeDangerous: true })
    await asking(allowed)
    const set = { run: allowed.run.run, mode: 'bypassPermissions' }
    expect(await refusal(handlers['run.setMode']({ ...set, confirmed: false }))).toBe('not-confirmed')
    expect((await handlers['run.setMode']({ ...set, confirmed: true })).dialogue?.wantedMode).toBe('bypassPermissions')
    await handlers['run.stop']({ run: allowed.run.run })
    await host.ended(allowed.run.run)
  })
})

describe('an agent that', () => {
  /** It asks once; the step after its request is number 6. */
  const faulty = (kind: DialogueFaultKind, before: number): DialoguePlay =>
    new WrittenDialogue()
      .asks('r-1', 'Bash', bash('ls'))
      .allow('r-1', bash('ls'))
      .asks('r-2', 'Bash', bash('pwd'))
      .allow('r-2', bash('pwd'))
      .endTurn()
      .waits()
      .play({ fault: { kind, before } })
  const allow = async (run: string, id: string): Promise<unknown> =>
    await host.handlers['run.answer']({ run, ask: JSON.stringify(id), answer: { allow: 'once' } })

  test.each<[DialogueFaultKind, string | null]>([
    ['die', 'SIGKILL'],
    ['half', 'SIGKILL']
  ])('dies (%s) leaves a whole recording, and no ask', async (kind, signal) => {
    const played = await begin(faulty(kind, 9))
    await asking(played)
    await allow(played.run.run, 'r-1')
    const run = await host.ended(played.run.run)
    expect(run).toMatchObject({ state: 'ended', finishReason: 'error', signal, dialogue: { turn: 'ended', asks: [] } })
    expectWhole({ ...played, run })
    expect(await refusal(allow(run.run, 'r-1'))).toBe('unavailable')
    const answers = (await streamOf(run.run)).filter(({ data }) => data['kind'] === 'answer')
    expect(answers.map(({ data }) => data['decision'])).toEqual(['allowed'])
  })

  test('prints a broken line is answered all the same', async () => {
    const played = await begin(faulty('break', 9))
    await asking(played)
    await allow(played.run.run, 'r-1')
    await host.run(played.run.run, ({ dialogue }) => dialogue?.asks[0]?.id === '"r-2"')
    await allow(played.run.run, 'r-2')
    await host.run(played.run.run, ({ dialogue }) => dialogue?.turn === 'idle')
    await host.handlers['run.finish']({ run: played.run.run })
    const run = await host.ended(played.run.run)
    expect(run).toMatchObject({ finishReason: 'done', exitCode: 0 })
    expectWhole({ ...played, run })
  })

  test.each<DialogueFaultKind>(['stall', 'deaf', 'close'])('says nothing more (%s) can be stopped', async (kind) => {
    const played = await begin(faulty(kind, 9))
    await asking(played)
    await allow(played.run.run, 'r-1')
    await host.handlers['run.prompt']({ run: played.run.run, text: 'Are you there?', when: 'queue' })
    await host.handlers['run.stop']({ run: played.run.run })
    const run = await host.ended(played.run.run)
    expect(run).toMatchObject({
      state: 'ended',
      finishReason: 'cancelled',
      dialogue: { queue: [{ text: 'Are you there?' }] }
    })
    expect(readFileSync(run.recording).equals(played.standIn.printed)).toBe(true)
    expect(processesOf(run.run)).toEqual([])
  })

  test('fails before it can be talked to says why', async () => {
    const { command } = dialogueStandIn(join(folder, 'dead'), {
      ...new WrittenDialogue().play({ exitCode: 3 }),
      steps: []
    })
    const { run } = await host.start('claude', command, { interactive: true })
    expect(await host.ended(run)).toMatchObject({ finishReason: 'error', exitCode: 3, dialogue: { turn: 'ended' } })
  })
})

test('an exit code 1 after the end of a finished run is no error: the last turn decides', async () => {
  const { run } = await had(new WrittenDialogue().endTurn().finish().play({ exitCode: 1 }))
  expect(run).toMatchObject({ finishReason: 'done', exitCode: 1, message: null })
  const other = await had(new WrittenDialogue().endTurn().play({ exitCode: 1 }))
  expect(other.run).toMatchObject({ finishReason: 'error', exitCode: 1 })
})

test('a cost limit ends the turn and holds what is queued, until it is raised', async () => {
  const play = new WrittenDialogue().asks('r-1', 'Bash', bash('ls')).allow('r-1', bash('ls')).endTurn().waits().play()
  const played = await begin(play, { limits: { ...defaultDialogueLimits, usd: 0.5 } })
  await asking(played)
  const { handlers } = host
  const { run } = played.run
  await handlers['run.prompt']({ run, text: 'Next.', when: 'queue' })
  await handlers['run.answer']({ run, ask: '"r-1"', answer: { allow: 'once' } })
  const held = await host.run(run, ({ dialogue }) => dialogue?.held === true && dialogue.turn === 'idle')
  expect(held.dialogue).toMatchObject({ spent: { usd: 0.5 }, queue: [{ text: 'Next.' }] })
  expect(await refusal(handlers['run.queue']({ run, change: { release: true } }))).toBe('held')
  const raised = await handlers['run.setLimits']({ run, limits: { ...defaultDialogueLimits, usd: 5 } })
  expect(raised.limits?.usd).toBe(5)
  const { dialogue } = await handlers['run.queue']({ run, change: { release: true } })
  expect(dialogue).toMatchObject({ held: false, queue: [], turn: 'working' })
  await handlers['run.finish']({ run })
  await host.ended(run)
})

test('scarce disk space interrupts the turn first, and holds what is queued', async () => {
  let free = 2 ** 40
  host = new RunHost({ lookAtDisk: async () => ({ free, total: 2 ** 41 }) })
  const played = await begin(new WrittenDialogue().asks('r-1', 'Bash', bash('ls')).interrupt().waits().play())
  await asking(played)
  const { run } = played.run
  await host.handlers['run.prompt']({ run, text: 'Next.', when: 'queue' })
  free = 200 << 20
  const held = await host.run(run, ({ dialogue }) => dialogue?.held === true && dialogue.turn === 'idle')
  expect(held).toMatchObject({ state: 'running', dialogue: { asks: [], queue: [{ text: 'Next.' }] } })
  expect(held.dialogue?.notice).toMatch(/has only 200 MB left/)
  await host.handlers['run.finish']({ run })
  await host.ended(run)
})

test('20 interactive runs at once are each had to their end', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, async () => await had(wholeDialogue().play())))
  for (const played of all) {
    expectWhole(played)
    expect(played.run.dialogue).toMatchObject({ turn: 'ended', asks: [] })
  }
})

test('a Playhead that is killed while somebody is asked leaves a lost run: whole, with nothing asked and nothing running', async () => {
  const hostModule = await builtModule(join(import.meta.dirname, '../../../test/live-run-host.ts'))
  const count = times(2, 50)
  const steps = wholeDialogue().play().steps.length
  for (let i = 0; i < count; i++) {
    const home = join(folder, `killed-${i}`)
    mkdirSync(home)
    const standIn = dialogueStandIn(home, wholeDialogue().waits().play())
    // It allows whatever it is asked. Killed after a number of steps: asked, in a turn, or between.
    const playhead = spawn(process.execPath, [hostModule, host.state, standIn.command, home, 'interactive'], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [id] = (await once(playhead.stdout, 'data')) as [Buffer]
    const run = id.toString().trim()
    const at = i === 0 ? 7 : Math.floor((i * steps) / count / 2)
    await expect.poll(() => standIn.steps, { interval: 2 }).toBeGreaterThan(at)
    const killed = once(playhead, 'exit')
    playhead.kill('SIGKILL')
    await killed
    const lost = await host.run(run, ({ state, endedAt }) => state === 'lost' && endedAt !== null)
    expect(lost).toMatchObject({ dialogue: { turn: 'lost', asks: [] }, own: false })
    // The watchdog looks twice before it goes.
    await expect.poll(() => processesOf(run)).toEqual([])
    expect(standIn.endedAfter(readFileSync(lost.recording))).toBe(true)
    // A line may be noted and not be read any more, never the other way round.
    expect(sent(lost).slice(0, standIn.read.length)).toEqual(standIn.read)
    const events = await streamOf(run)
    const ids = (kind: (data: JsonObject, type: string) => boolean): unknown[] =>
      events.filter(({ type, data }) => kind(data, type)).map(({ data }) => data['request_id'])
    expect(ids((data) => data['kind'] === 'answer')).toEqual(ids((_data, type) => type === 'permission_request'))
    expect(events.at(-1)?.type).toBe('done')
  }
})

describe('an agent that prints too little for a timeline, as Gemini CLI', () => {
  const session = '0e7ecc99-26b4-49b0-abb1-767b20aa5bf2'
  const chat = `project/chats/session-2026-11-22T15-45-${session.slice(0, 8)}.jsonl`
  let home = ''
  beforeEach(() => {
    home = join(folder, `home-${plays++}`)
    vi.stubEnv('GEMINI_CLI_HOME', home)
  })
  afterEach(() => void vi.unstubAllEnvs())

  const saved = (): Buffer => readFileSync(join(home, '.gemini/tmp', chat))
  const printedBy = ({ recording }: LiveRun): Buffer => readFileSync(join(dirname(recording), 'stdout.jsonl'))

  const out = (record: JsonObject): DialogueStep => ({ out: JSON.stringify({ jsonrpc: '2.0', ...record }) })
  const read = (record: JsonObject): DialogueStep => ({ in: JSON.stringify({ jsonrpc: '2.0', ...record }) })
  const saves = (record: JsonObject): DialogueStep => ({ saves: { file: chat, line: JSON.stringify(record) } })
  const at = (second: number): string => new Date(Date.UTC(2026, 10, 22, 15, 45, second)).toISOString()
  const message = (second: number, type: string, content: unknown, more: JsonObject = {}): DialogueStep =>
    saves({ id: `m-${second}`, timestamp: at(second), type, content: content as string, ...more })
  const idOf = (name: string, number: number): string => `${name}__${name}_${number}_0`
  const call = (second: number, name: string, args: JsonObject, output: string): JsonObject => {
    const result = [{ functionResponse: { id: idOf(name, second), name, response: { output } } }]
    return { id: idOf(name, second), name, args, result, status: 'success', timestamp: at(second) }
  }
  const options = ['proceed_always', 'proceed_once', 'cancel'].map((optionId) => ({ optionId, name: '', kind: '' }))
  const asks = (id: number, title: string): DialogueStep =>
    out({
      ...{ id, method: 'session/request_permission' },
      params: {
        sessionId: session,
        options,
        toolCall: { toolCallId: idOf('run_shell_command', id + 10), title, kind: 'execute' }
      }
    })
  const calls = (turn: string, id: string[], does: DialogueCall): DialogueStep => {
    return { call: does, known: { turn, asks: id, mode: 'default', queued: 0, usd: null }, refused: null }
  }
  const answers = (id: number, answer: Answer, optionId: string): DialogueStep[] => [
    calls('asking', [String(id)], { do: 'answer', ask: String(id), answer }),
    read({ id, result: { outcome: { outcome: 'selected', optionId } } })
  ]
  const tokens = { input: 100, output: 20, cached: 0, thoughts: 0, tool: 0, total: 120 }
  const header = { sessionId: session, projectHash: 'h', startTime: at(0), lastUpdated: at(0), kind: 'main' }

  const opens = (method: string): DialogueStep[] => [
    read({ id: 1, method: 'initialize' }),
    out({ id: 1, result: { protocolVersion: 1 } }),
    read({ id: 2, method }),
    saves(header),
    out({ id: 2, result: { sessionId: session, modes: { currentModeId: 'default' } } })
  ]
  const endsTurn = out({
    id: 3,
    result: { stopReason: 'end_turn', _meta: { quota: { token_count: { input_tokens: 100, output_tokens: 20 } } } }
  })
  const steps = (): DialogueStep[] => [
    ...opens('session/new'),
    read({ id: 3, method: 'session/prompt', params: { prompt: [{ type: 'text', text: 'Make folders.' }] } }),
    message(1, 'user', [{ text: 'Make folders.' }]),
    message(2, 'gemini', '', {
      ...{ model: 'gemini-2.5-pro', tokens },
      toolCalls: [call(2, 'write_todos', { todos: [{ description: 'Make one', status: 'in_progress' }] }, 'Updated.')]
    }),
    asks(0, 'mkdir one'),
    ...answers(0, { allow: 'run' }, 'proceed_always'),
    message(3, 'gemini', 'One is there.', {
      toolCalls: [call(10, 'run_shell_command', { command: 'mkdir one' }, 'made')]
    }),
    asks(1, 'rm -r two'),
    ...answers(1, { refuse: '', endTurn: false }, 'cancel'),
    message(4, 'gemini', 'Then not.'),
    endsTurn
  ]
  const play = (all: readonly DialogueStep[], more: Partial<DialoguePlay> = {}): DialoguePlay => {
    return { name: 'gemini', agent: 'gemini', steps: all, exitCode: 0, fault: null, ...more }
  }
  const finishes: DialogueStep[] = [calls('idle', [], { do: 'finish' }), { in: null }]

  test('is shown by a copy of its own log, beside what it prints', async () => {
    const { run, standIn } = await had(play([...steps(), ...finishes]))
    expect(run).toMatchObject({
      ...{ state: 'ended', finishReason: 'done', message: null, sessionId: session, format: 'gemini-chat' },
      ...{ tokens: { sent: 100, received: 20 }, todo: { completed: 0, total: 1 } },
      dialogue: { turn: 'ended', asks: [], spent: { tokens: 120 } }
    })
    expect(readFileSync(run.recording).equals(saved())).toBe(true)
    expect(run.stdoutBytes).toBe(saved().length)
    expect(printedBy(run).equals(standIn.printed)).toBe(true)
    expect(sent(run)).toEqual(standIn.read)
    expect(standIn.args[0]).toBe('--acp')
    expect(processesOf(run.run)).toEqual([])

    await expect.poll(() => existsSync(join(dirname(run.recording), 'order.json.gz'))).toBe(true)
    const events = await streamOf(run.run)
    const places = events.map(
      ({ type, data }) => `${type} ${String(data['request_id'] ?? data['id'] ?? data['kind'] ?? '')}`
    )
    const order = [
      'permission_request 0',
      'status 0',
      `tool_use ${idOf('run_shell_command', 10)}`,
      'permission_request 1',
      'status 1'
    ]
    expect(places.filter((place) => order.includes(place))).toEqual(order)
    expect(events.filter(({ type }) => type === 'permission_request').map(({ data }) => data)).toMatchObject([
      {
        session_id: session,
        tool_name: 'run_shell_command',
        input: { command: 'mkdir one' },
        scopes: ['all mkdir commands']
      },
      { input: { command: 'rm -r two' }, denied: false }
    ])
    expect(
      events.find(({ type, data }) => type === 'tool_result' && data['tool_use_id'] === idOf('run_shell_command', 10))
        ?.data
    ).toMatchObject({ content: 'made' })
    expect(events.some(({ type, data }) => type === 'task_update' && JSON.stringify(data).includes('Make one'))).toBe(
      true
    )
    expect(events.at(-1)?.type).toBe('done')
  })

  test('has rows of what was asked and decided, also when its stream is shrunk', async () => {
    const { run } = await had(play([...steps(), ...finishes]))
    const beside = (name: string): boolean => existsSync(join(dirname(run.recording), name))
    await expect.poll(() => [beside('order.json.gz'), beside('hooks.jsonl')]).toEqual([true, false])
    const { log } = await host.handlers['log.open']({ path: run.recording })
    const { rows } = await host.log(log, ({ phase }) => phase === 'done')
    const shown = await host.handlers['log.rows']({ log, rows: Array.from({ length: rows }, (_, row) => row) })
    const texts = shown.rows.map(({ text }) => text)
    expect(texts.filter((text) => /^(?:Asked|Allowed|Refused)/.test(text))).toEqual([
      ...['Asked: run_shell_command mkdir one', 'Allowed for this run'],
      ...['Asked: run_shell_command rm -r two', 'Refused']
    ])
    const ask = texts.indexOf('Asked: run_shell_command mkdir one')
    const { pair } = await host.handlers['log.event']({ log, row: ask, limit: 1000 })
    expect(pair?.event).toMatchObject({ type: 'tool.started', toolId: idOf('run_shell_command', 10) })
  })

  test('is shown while it runs', async () => {
    const played = await begin(play([...steps(), { in: null }]))
    const { recording, run } = await asking(played)
    const { log } = await host.handlers['log.open']({ path: recording })
    await host.log(log, ({ rows }) => rows >= 3)
    await host.handlers['run.answer']({ run, ask: '0', answer: { allow: 'once' } })
    await host.run(run, ({ dialogue }) => dialogue?.asks[0]?.id === '1')
    await host.handlers['run.stop']({ run })
    await host.ended(run)
    expect(readFileSync(recording).equals(saved())).toBe(true)
    const status = await host.log(log, ({ bytesRead }) => bytesRead === saved().length)
    expect(status.format).toBe('gemini-chat')
  })

  test('goes on with a session, whose log is copied whole', async () => {
    await had(play([...steps(), ...finishes]))
    const before = saved()
    const all = [
      ...opens('session/load'),
      read({ id: 3, method: 'session/prompt', params: { prompt: [{ type: 'text', text: 'And now?' }] } }),
      message(5, 'user', [{ text: 'And now?' }]),
      message(6, 'gemini', 'Nothing.'),
      endsTurn,
      ...finishes
    ]
    const { run, standIn } = await had(play(all), { resumes: { session, run: null } })
    expect(run).toMatchObject({ finishReason: 'done', sessionId: session })
    expect(standIn.read[1]).toContain('"session/load"')
    expect(saved().length).toBeGreaterThan(before.length)
    expect(readFileSync(run.recording).equals(saved())).toBe(true)
  })

  test('says that its log was not found, and keeps what it printed', async () => {
    const without = [...steps(), ...finishes].filter((step) => !('saves' in step))
    const { run, standIn } = await had(play(without))
    expect(run).toMatchObject({ finishReason: 'error', sessionId: session, stdoutBytes: 0 })
    expect(run.message).toMatch(/own log of this session was not found.*stdout\.jsonl/)
    expect(printedBy(run).equals(standIn.printed)).toBe(true)
  })

  test('needs a yes for its dangerous mode, at the start and when it is set', async () => {
    const played = await begin(play([...steps(), { in: null }]))
    const { run } = await asking(played)
    const before = notes(played.run).length
    const set = { run, mode: 'yolo' }
    expect(await refusal(host.handlers['run.setMode']({ ...set, confirmed: false }))).toBe('not-confirmed')
    expect(notes(played.run)).toHaveLength(before)
    await host.handlers['run.stop']({ run })
    await host.ended(run)
    const { extraArguments, prompt, cwd, timeLimitMs } = played.run
    const request = { agent: 'gemini', mode: 'yolo', model: null, resumes: null, interactive: true } as const
    const start = { request: { ...request, extraArguments, prompt, cwd, timeLimitMs }, confirmed: false }
    expect(await refusal(host.handlers['run.start'](start))).toBe('not-confirmed')
  })

  test('whose Playhead is killed has its whole log in the lost run', async () => {
    const hostModule = await builtModule(join(import.meta.dirname, '../../../test/live-run-host.ts'))
    const standIn = dialogueStandIn(join(folder, 'killed'), play([...steps(), { in: null }, { in: null }]))
    const playhead = spawn(
      process.execPath,
      [hostModule, host.state, standIn.command, folder, 'interactive', 'gemini'],
      {
        stdio: ['ignore', 'pipe', 'inherit']
      }
    )
    const [id] = (await once(playhead.stdout, 'data')) as [Buffer]
    const run = id.toString().trim()
    await expect.poll(() => standIn.steps, { interval: 2 }).toBeGreaterThan(12)
    const killed = once(playhead, 'exit')
    playhead.kill('SIGKILL')
    await killed
    const lost = await host.run(run, ({ state, endedAt }) => state === 'lost' && endedAt !== null)
    await expect.poll(() => processesOf(run)).toEqual([])
    expect(lost).toMatchObject({ dialogue: { turn: 'lost', asks: [] }, sessionId: session })
    expect(readFileSync(lost.recording).equals(saved())).toBe(true)
    expect(standIn.endedAfter(printedBy(lost))).toBe(true)
    expect((await streamOf(run)).some(({ type }) => type === 'permission_request')).toBe(true)
  })
})
