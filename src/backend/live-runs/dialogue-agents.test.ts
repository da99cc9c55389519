import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { agentIds, type LiveRun } from '#contract/live-runs.ts'
import type { JsonObject } from '#core/json.ts'
import { DialogueRuns, refusal } from '../../../test/dialogue-runs.ts'
import { keepSession } from '../../../test/kept-session.ts'
import { isAlive } from '../../../test/run-processes.ts'
import { AgentScript } from '../../../test/stand-in/agent-script.ts'
import { times } from '../../../test/thorough.ts'

/** What holds for each agent alike. */

const session = '0e7ecc99-26b4-49b0-abb1-767b20aa5bf2'

let host: DialogueRuns
beforeEach(() => {
  host = new DialogueRuns()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await host.close()
})

const fileOf = ({ recording }: LiveRun, name: string): string => join(dirname(recording), name)

describe.each(agentIds)('%s', (agent) => {
  test.each(['working', 'asking', 'running a command'])(
    'is interrupted while %s: it is idle, takes the next prompt, and no command is left',
    async (when) => {
      const asks = when === 'asking' ? [1, 2] : []
      const script = new AgentScript(agent, session).opens()
      // With the answer the host has read that a command runs.
      if (when === 'running a command') script.runsCommand().asks(9, 'ls').answered(9)
      for (const id of asks) script.asks(id, 'ls')
      script.interrupted(asks).prompted('And now?').says('Nothing.').endsTurn().waits()
      const { run, standIn } = await host.begin(script.play())
      const { handlers } = host
      if (when === 'running a command') {
        await host.allow(run)
        expect(isAlive(standIn.commandPid)).toBe(true)
      }
      await host.run(
        run,
        ({ dialogue }) =>
          dialogue?.turn === (asks.length > 0 ? 'asking' : 'working') && dialogue.asks.length === asks.length
      )
      const { pid } = standIn
      await handlers['run.interrupt']({ run })
      const idle = await host.turn(run, 'idle')
      expect(idle).toMatchObject({ state: 'running', dialogue: { asks: [], queue: [] } })
      if (when === 'running a command') await expect.poll(() => isAlive(standIn.commandPid)).toBe(false)
      await handlers['run.prompt']({ run, text: 'And now?', when: 'queue' })
      await host.turn(run, 'idle')
      expect(standIn.read.at(-1)).toContain('And now?')
      expect([standIn.pid, isAlive(pid)]).toEqual([pid, true])
      expect(await host.finished(run)).toMatchObject({ finishReason: 'done', exitCode: 0 })
    }
  )

  test('is stopped at its time limit, and the stream names the call that still ran', async () => {
    const script = new AgentScript(agent, session).opens().runsCommand().asks(9, 'ls').answered(9).waits()
    const { run } = await host.begin(script.play(), { timeLimitMs: 600_000 })
    // With the ask the host has read that a command runs.
    await host.allow(run)
    await host.turn(run, 'working')
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 600_000)
    await host.handlers['run.prompt']({ run, text: 'And now?', when: 'queue' })
    expect(await host.ended(run)).toMatchObject({ finishReason: 'timeout', dialogue: { turn: 'ended' } })
    const late = (await host.events(run)).filter(({ type }) => type === 'tool_timeout')
    expect(late.map(({ data }) => data['tool_use_id'])).toContain('long')
  })

  test('needs a yes for its dangerous mode: at the start, when it is set, and to go on with a session', async () => {
    const mode = { claude: 'bypassPermissions', codex: 'danger-full-access', gemini: 'yolo' }[agent]
    const { handlers } = host
    const { run } = await host.begin(new AgentScript(agent, session).opens().asks(1, 'ls').waits().play(), {
      mayBecomeDangerous: true
    })
    const { recording } = await host.turn(run, 'asking')
    const notes = (): number => readFileSync(join(dirname(recording), 'dialogue.jsonl'), 'utf8').split('\n').length
    const before = notes()
    const set = { run, mode }
    expect(await refusal(handlers['run.setMode']({ ...set, confirmed: false }))).toBe('not-confirmed')
    expect(notes()).toBe(before)
    const { dialogue } = await handlers['run.setMode']({ ...set, confirmed: true })
    expect(dialogue?.wantedMode).toBe(mode)
    await handlers['run.stop']({ run })
    await host.ended(run)
    keepSession(host.home, agent, { id: session, cwd: host.home })
    const { total } = await handlers['run.list']({})
    const { request } = await handlers['run.resumable']({ path: recording })
    expect(request.mode, 'a dangerous mode is not gone on with').not.toBe(mode)
    const asked = { ...request, prompt: 'And now?', cwd: host.home, interactive: true }
    for (const resumes of [null, { session, run: null }])
      expect(await refusal(handlers['run.start']({ request: { ...asked, mode, resumes }, confirmed: false }))).toBe(
        'not-confirmed'
      )
    expect((await handlers['run.list']({})).total).toBe(total)
  })

  test('tells its stream of requests, of another mode, and of what it prints on standard error', async () => {
    const [mode, sandbox] = {
      claude: ['acceptEdits', ''] as const,
      codex: ['workspace-write', 'workspaceWrite'] as const,
      gemini: ['auto_edit', ''] as const
    }[agent]
    const script = new AgentScript(agent, session).opens().complains('Slow today.').asks(1, 'ls').answered(1).endsTurn()
    const { run } = await host.begin(script.changesMode(mode, sandbox, 'And now?').endsTurn().waits().play())
    const { handlers } = host
    await host.allow(run)
    await host.turn(run, 'idle')
    await handlers['run.setMode']({ run, mode, confirmed: false })
    await handlers['run.prompt']({ run, text: 'And now?', when: 'queue' })
    await host.run(run, ({ dialogue }) => dialogue?.turn === 'idle' && dialogue.mode === mode)
    await host.finished(run)
    const of = (type: string, events: Awaited<ReturnType<DialogueRuns['events']>>): JsonObject[] =>
      events.filter((event) => event.type === type).map(({ data }) => data)
    const events = await host.events(run)
    expect(of('permission_request', events)).toMatchObject([
      { request_id: '1', denied: false, input: { command: 'ls' } }
    ])
    expect(of('mode_changed', events)).toMatchObject([{ mode }])
    expect(of('tool_output', events).map(({ text }) => text)).toEqual(['Slow today.\n'])
  })
})

test('many dialogues at once: nothing is lost, answered twice or left running', async () => {
  const all = Array.from({ length: times(6, 20) }, async (_, number) => {
    const agent = agentIds[number % agentIds.length] ?? 'claude'
    const id = `${number.toString(16).padStart(8, '0')}${session.slice(8)}`
    const script = new AgentScript(agent, id).opens()
    for (const ask of [1, 2, 3]) script.asks(ask, 'ls').answered(ask).says(`Done ${ask}.`)
    const { run, standIn } = await host.begin(script.endsTurn().waits().play())
    for (let answers = 0; answers < 3; answers++) {
      const [ask] = (await host.run(run, ({ dialogue }) => dialogue?.turn === 'asking')).dialogue?.asks ?? []
      // Two persons at once.
      const answer = { run, ask: ask?.id ?? '', answer: { allow: 'once' } as const }
      const both = [host.handlers['run.answer'](answer), host.handlers['run.answer'](answer)]
      expect(await Promise.all(both.map(refusal))).toEqual([null, 'already-answered'])
    }
    await host.turn(run, 'idle')
    const ended = await host.finished(run)
    expect(ended).toMatchObject({ finishReason: 'done', dialogue: { asks: [] } })
    expect(readFileSync(fileOf(ended, 'stdout.jsonl')).equals(standIn.printed)).toBe(true)
    const notes = readFileSync(fileOf(ended, 'dialogue.jsonl'), 'utf8').trim().split('\n')
    const sent = notes.map((note) => (JSON.parse(note) as { sent?: string }).sent).filter((line) => line !== undefined)
    expect(sent).toEqual(standIn.read)
    const decided = (await host.events(run))
      .filter(({ data }) => data['kind'] === 'answer')
      .map(({ data }) => data['decision'])
    expect(decided).toEqual(['allowed', 'allowed', 'allowed'])
  })
  await Promise.all(all)
})
