import { describe, expect, test } from 'vitest'
import { type machineFor, noLimits, type TestAgentName } from '../../../test/dialogue-agents.ts'
import { Talk } from '../../../test/dialogue-talk.ts'
import type { Answer } from './ask.ts'
import type { DialogueCall, SentBy } from './dialogue.ts'
import { type TurnEvent, turnRow, turnTable } from './turn-table.ts'

const names = ['claude', 'codex', 'gemini'] as const

function talk(name: TestAgentName, options: Parameters<typeof machineFor>[1] = {}): Talk {
  const started = new Talk(name, options)
  started.take({ kind: 'started' })
  started.lines()
  return started
}

const once: Answer = { allow: 'once' }
const refuse: Answer = { refuse: 'No', endTurn: false }
const queue = (text: string): DialogueCall => ({ do: 'prompt', text, when: 'queue' })

/** What is sent to end a turn in which `asks` are open. */
function interruptLines(name: TestAgentName, asks: number, by: SentBy): string[] {
  const cancelled = Array.from({ length: name === 'gemini' ? asks : 0 }, () => `cancelled by ${by}`)
  return [`interrupt by ${by}`, ...cancelled]
}

describe.each(names)('%s: the rows of the table', (name) => {
  test('the handshake is answered: the first prompt is sent', () => {
    const t = new Talk(name)
    t.deaf = true
    t.take({ kind: 'started' })
    expect(t.turn).toBe('starting')
    expect(t.lines()).toEqual(['handshake by protocol'])
    const heard = talk(name)
    expect(heard.turn).toBe('working')
    const started = new Talk(name)
    started.take({ kind: 'started' })
    const prompts = started.sent.filter(({ kind }) => kind === 'prompt')
    expect(prompts).toEqual([{ kind: 'prompt', text: 'First.', by: 'person' }])
    expect(
      started.sent
        .filter(({ kind }) => kind !== 'prompt')
        .every(({ kind, by }) => `${kind} ${by}` === 'handshake protocol')
    ).toBe(true)
  })

  test('no answer in 30 s: the run fails', () => {
    const t = new Talk(name)
    t.deaf = true
    t.take({ kind: 'started' })
    t.pass(29_999)
    expect(t.turn).toBe('starting')
    expect(t.machine.wakeAtMs).toBe(30_000)
    t.pass(1)
    expect([t.turn, t.done, t.machine.state.failedBy]).toEqual(['stopping', ['end-process'], 'handshake'])
    t.take({ kind: 'ended' })
    expect(t.turn).toBe('ended')
  })

  test('a process that ends before it answers has failed', () => {
    const t = new Talk(name)
    t.deaf = true
    t.take({ kind: 'started' })
    t.take({ kind: 'ended' })
    expect([t.turn, t.machine.state.failedBy]).toEqual(['ended', 'handshake'])
  })

  test('an ask, another one, and their answers', () => {
    const t = talk(name)
    t.ask(1)
    expect(t.turn).toBe('asking')
    t.ask(2)
    expect(t.answer(2, once)).toBeNull()
    expect(t.turn).toBe('asking')
    expect(t.lines()).toEqual(['allow by person'])
    expect(t.answer(1, refuse)).toBeNull()
    expect(t.turn).toBe('working')
    expect(t.decisions).toEqual(['allowed by person', 'refused by person: No'])
  })

  test('the agent withdraws an ask', () => {
    const t = talk(name)
    t.ask(1)
    t.agent.withdraw(1)
    t.hear()
    // One protocol has no word for it: the end of its turn is the end of its asks.
    if (name === 'gemini') {
      t.endTurn()
      expect(t.turn).toBe('idle')
    } else expect(t.turn).toBe('working')
    expect(t.decisions).toEqual(['withdrawn by agent'])
    expect(t.answer(1, once)).toMatchObject({ code: 'already-answered' })
    expect(t.lines()).toEqual([])
  })

  test('nobody answers in time: refused, interrupted, held', () => {
    const t = talk(name, { limits: { ...noLimits, askMs: 600_000 } })
    t.call(queue('Later.'))
    t.ask(1)
    t.nowMs = 300_000
    t.ask(2)
    t.pass(299_999)
    expect(t.turn).toBe('asking')
    t.deaf = true
    t.pass(1)
    expect(t.turn).toBe('interrupting')
    expect(t.lines()).toEqual(['refuse by limit', ...interruptLines(name, 1, 'limit')])
    expect(t.decisions).toEqual(['refused by limit: Nobody answered within 10 min.', 'withdrawn by limit'])
    expect(t.machine.state.held).toBe(true)
  })

  test('interrupt while it works, while it asks and while a command runs: idle, held, and the next prompt is answered', () => {
    for (const [asks, commands] of [
      [0, 0],
      [2, 0],
      [0, 1]
    ] as const) {
      const t = talk(name)
      t.call(queue('Queued.'))
      for (let id = 0; id < asks; id++) t.ask(id)
      for (let i = 0; i < commands; i++) t.agent.runCommand()
      t.hear()
      expect(t.call({ do: 'interrupt' })).toBeNull()
      // In one agent commands outlive their turn.
      const cleans = commands > 0 && name === 'codex' ? ['clean by protocol'] : []
      expect(t.lines()).toEqual([...interruptLines(name, asks, 'person'), ...cleans])
      expect(t.agent.commands).toBe(0)
      expect([t.turn, t.machine.state.held, t.machine.state.outcome]).toEqual(['idle', true, 'interrupted'])
      expect(t.decisions).toEqual(Array.from({ length: asks }, () => 'withdrawn by person'))
      expect(t.call({ do: 'prompt', text: 'Still there?', when: 'now' })).toBeNull()
      expect([t.turn, t.lines()]).toEqual(['working', ['prompt by person']])
      t.endTurn()
      expect([t.turn, t.lines(), t.machine.state.queue.length]).toEqual(['idle', [], 1])
      t.call({ do: 'release' })
      expect([t.turn, t.lines()]).toEqual(['working', ['prompt by person']])
    }
  })

  test('an interrupt that is not heard ends the process after 10 s', () => {
    const t = talk(name)
    t.deaf = true
    t.call({ do: 'interrupt' })
    t.pass(9999)
    expect([t.turn, t.done]).toEqual(['interrupting', []])
    t.pass(1)
    expect([t.turn, t.done]).toEqual(['stopping', ['end-process']])
  })

  test('what is asked while the turn is being interrupted is turned away', () => {
    const t = talk(name)
    t.deaf = true
    t.call({ do: 'interrupt' })
    t.lines()
    t.ask(1)
    expect([t.turn, t.lines()]).toEqual([
      'interrupting',
      [name === 'gemini' ? 'cancelled by protocol' : 'refuse by protocol']
    ])
    expect(t.decisions).toEqual(['withdrawn by agent'])
  })

  test('the turn is over: idle, or the next prompt', () => {
    const t = talk(name)
    t.call(queue('Second.'))
    t.call(queue('Third.'))
    expect(t.lines()).toEqual([])
    t.endTurn()
    expect([t.turn, t.lines()]).toEqual(['working', ['prompt by person']])
    t.endTurn()
    t.endTurn()
    expect([t.turn, t.machine.state.outcome, t.machine.state.queue]).toEqual(['idle', 'done', []])
    t.call(queue('Fourth.'))
    expect(t.turn).toBe('working')
    t.endTurn()
    t.call({ do: 'prompt', text: 'Fifth.', when: 'if-idle' })
    expect(t.turn).toBe('working')
  })

  test('a limit of cost or tokens: interrupted where a turn runs, held, and no prompt before it is raised', () => {
    const t = talk(name, { limits: { ...noLimits, tokens: 1000, usd: 1 } })
    t.call(queue('Second.'))
    t.agent.spend(0.1, 999)
    t.endTurn()
    expect([t.turn, t.lines()]).toEqual(['working', ['prompt by person']])
    t.call(queue('Third.'))
    t.agent.spend(0.1, 1)
    t.hear()
    if (t.agent.dialogue.states.tokens === 'in-turns') {
      expect(t.lines()).toEqual(interruptLines(name, 0, 'limit'))
    } else t.endTurn()
    expect([t.turn, t.machine.state.held, t.machine.state.spent.tokens]).toEqual(['idle', true, 1000])
    expect(t.call({ do: 'release' })).toMatchObject({ code: 'held' })
    expect(t.call(queue('Fourth.'))).toMatchObject({ code: 'held' })
    expect(t.lines()).toEqual([])
    t.call({ do: 'set-limits', limits: { ...noLimits, tokens: 2000 } })
    expect(t.lines()).toEqual([])
    expect(t.call({ do: 'release' })).toBeNull()
    expect(t.lines()).toEqual(['prompt by person'])
  })

  test('finish: standard input is closed; what does not end in 20 s is ended', () => {
    for (const asks of [0, 1]) {
      const t = talk(name)
      for (let id = 0; id < asks; id++) t.ask(id)
      expect(t.call({ do: 'finish' })).toBeNull()
      expect([t.turn, t.done, t.lines()]).toEqual(['stopping', ['close-input'], []])
      expect(t.decisions).toEqual(Array.from({ length: asks }, () => 'withdrawn by person'))
      expect(t.machine.state.finished).toBe(true)
      t.pass(20_000)
      expect(t.done).toEqual(['close-input', 'end-process'])
      t.take({ kind: 'ended' })
      expect(t.turn).toBe('ended')
    }
  })

  test('stop: an interrupt, 2 s, and the process is ended; at once where no turn runs or the turn ends', () => {
    const t = talk(name)
    t.ask(1)
    t.deaf = true
    t.call({ do: 'stop' })
    expect([t.turn, t.lines(), t.done]).toEqual(['stopping', interruptLines(name, 1, 'person'), []])
    expect(t.call({ do: 'stop' })).toMatchObject({ code: 'unavailable' })
    t.pass(2000)
    expect(t.done).toEqual(['end-process'])
    const heard = talk(name)
    heard.call({ do: 'stop' })
    expect(heard.done).toEqual(['end-process'])
    expect(heard.call({ do: 'stop' })).toMatchObject({ code: 'unavailable' })
    expect(t.call({ do: 'stop' })).toMatchObject({ code: 'unavailable' })
    const idle = talk(name)
    idle.endTurn()
    idle.call({ do: 'stop' })
    expect([idle.turn, idle.done]).toEqual(['stopping', ['end-process']])
  })

  test('the time limit of a run stands while somebody is asked', () => {
    const t = talk(name, { limits: { ...noLimits, runMs: 60_000 } })
    t.pass(30_000)
    t.ask(1)
    t.pass(3_600_000)
    expect([t.turn, t.machine.wakeAtMs]).toEqual(['asking', null])
    t.answer(1, once)
    expect(t.machine.wakeAtMs).toBe(t.nowMs + 30_000)
    t.pass(30_000)
    expect([t.turn, t.machine.state.failedBy]).toEqual(['stopping', 'run-limit'])
  })

  test('it starts once', () => {
    const t = talk(name)
    t.take({ kind: 'started' })
    expect(t.lines()).toEqual([])
  })

  test('nothing happens for an hour: finished', () => {
    const t = talk(name, { limits: { ...noLimits, idleMs: 3_600_000 } })
    t.pass(7_200_000)
    expect(t.turn).toBe('working')
    t.endTurn()
    t.pass(3_599_999)
    expect(t.turn).toBe('idle')
    t.pass(1)
    expect([t.turn, t.done]).toEqual(['stopping', ['close-input']])
  })

  test('the process ends, or the host dies: what was asked is withdrawn', () => {
    for (const [kind, turn] of [
      ['ended', 'ended'],
      ['lost', 'lost']
    ] as const) {
      const t = talk(name)
      t.ask(1)
      t.take({ kind })
      expect([t.turn, t.decisions, t.lines()]).toEqual([turn, ['withdrawn by agent'], []])
      expect(t.answer(1, once)).toMatchObject({ code: 'unavailable' })
      expect(t.call(queue('More.'))).toMatchObject({ code: 'unavailable' })
      expect(t.lines()).toEqual([])
    }
  })

  test('an agent that begins a turn by itself', () => {
    const t = talk(name)
    t.endTurn()
    t.agent.startTurn()
    t.hear()
    // In one protocol a turn is the answer to a prompt.
    expect(t.turn).toBe(name === 'gemini' ? 'idle' : 'working')
  })
})

describe.each(names)('%s: answers', (name) => {
  test('twice, late, unknown and unfit: 0 lines', () => {
    const t = talk(name)
    t.ask(1)
    expect(t.answer(1, { answers: [] })).toMatchObject({ code: 'bad-params' })
    expect(t.answer(1, { allow: 'once', mode: 'bypassPermissions' })).toMatchObject({ code: 'bad-params' })
    expect(t.answer(2, once)).toMatchObject({ code: 'unavailable' })
    expect(t.lines()).toEqual([])
    t.answer(1, { allow: 'run' })
    expect(t.lines()).toEqual(['allow-run by person'])
    expect(t.answer(1, refuse)).toMatchObject({ code: 'already-answered' })
    expect(t.answer(1, once)).toMatchObject({ code: 'already-answered' })
    t.call({ do: 'interrupt' })
    t.lines()
    expect(t.answer(1, once)).toMatchObject({ code: 'already-answered' })
    expect([t.lines(), t.decisions]).toEqual([[], ['allowed-for-run by person']])
  })

  test('an id that was answered is not asked again', () => {
    const t = talk(name)
    t.ask(1)
    t.ask(1)
    expect(t.machine.state.asks).toHaveLength(1)
    t.answer(1, once)
    t.lines()
    t.ask(1)
    expect([t.machine.state.asks, t.turn]).toEqual([[], 'working'])
    expect(t.lines()).toEqual([name === 'gemini' ? 'cancelled by protocol' : 'refuse by protocol'])
  })

  test('what is not understood is shown raw, and can only be refused', () => {
    const t = talk(name)
    t.ask(1, 'unknown')
    const [ask] = t.machine.state.asks
    expect(ask).toMatchObject({ kind: 'unknown', scopes: [], needsCare: true })
    expect(ask?.input).not.toEqual({})
    expect(t.answer(1, once)).toMatchObject({ code: 'bad-params' })
    expect(t.answer(1, { answers: [] })).toMatchObject({ code: 'bad-params' })
    expect(t.answer(1, refuse)).toBeNull()
    expect(t.lines().slice(0, 1)).toEqual(['refuse by person'])
  })

  test('a request for a host gets the error of the protocol', () => {
    const t = talk(name)
    t.agent.askHost(1)
    t.hear()
    expect([t.lines(), t.changes.filter(({ kind }) => kind === 'asked')]).toEqual([['error by protocol'], []])
  })

  test('the 65th open ask is refused, and the person is told once until there is room', () => {
    const t = talk(name)
    const told = (): number =>
      t.changes.filter(
        (one) => one.kind === 'message' && /^Playhead refused a request: 64 are open already/.test(one.message)
      ).length
    for (let id = 0; id < 66; id++) t.ask(id)
    expect(told()).toBe(1)
    t.answer(1, refuse)
    t.ask(67)
    t.ask(68)
    expect(told()).toBe(2)
  })

  test('the 65th open ask is refused', () => {
    const t = talk(name)
    for (let id = 0; id < 65; id++) t.ask(id)
    expect(t.machine.state.asks).toHaveLength(64)
    expect(t.lines()).toEqual([name === 'gemini' ? 'cancelled by limit' : 'refuse by limit'])
    expect(t.decisions).toEqual(['refused by limit: More than 64 requests were open.'])
  })

  test('a refusal that ends the turn', () => {
    const t = talk(name)
    t.call(queue('Later.'))
    t.ask(1)
    t.answer(1, { refuse: '', endTurn: true })
    const lines = name === 'gemini' ? ['refuse by person', 'interrupt by person'] : ['refuse-turn by person']
    expect([t.lines(), t.turn, t.machine.state.held]).toEqual([lines, 'idle', true])
    expect(t.decisions).toEqual(['refused by person'])
  })

  test('an unknown ask, refused with the end of the turn', () => {
    const t = talk(name)
    t.ask(1, 'unknown')
    t.answer(1, { refuse: '', endTurn: true })
    expect([t.lines(), t.turn]).toEqual([['refuse by person', 'interrupt by person'], 'idle'])
  })

  test('the words of a refusal reach the model', () => {
    const t = talk(name)
    t.ask(1)
    t.answer(1, { refuse: 'Use dist', endTurn: false })
    const told = {
      claude: ['refuse by person'],
      codex: ['refuse by person', 'prompt by person'],
      gemini: ['refuse by person']
    }
    expect(t.lines()).toEqual(told[name])
    expect(t.machine.state.queue.map(({ text }) => text)).toEqual(name === 'gemini' ? ['Use dist'] : [])
    expect(t.machine.state.held).toBe(false)
  })

  test('a question is answered once for all its parts', () => {
    const t = talk(name)
    if (!t.agent.canAsk('question')) return
    t.ask(1, 'question')
    const id = name === 'claude' ? 'Which one?' : 'q'
    const answers = (choices: string[], text: string | null, question = id): Answer => ({
      answers: [{ id: question, choices, text }]
    })
    expect(t.answer(1, once)).toMatchObject({ code: 'bad-params' })
    expect(t.answer(1, answers(['a'], null, 'other'))).toMatchObject({ code: 'bad-params' })
    expect(t.answer(1, answers(['c'], null))).toMatchObject({ code: 'bad-params' })
    expect(t.answer(1, answers(['a'], 'mine'))).toMatchObject({ code: 'bad-params' })
    expect(t.answer(1, answers([], ''))).toMatchObject({ code: 'bad-params' })
    expect(t.answer(1, { answers: [] })).toMatchObject({ code: 'bad-params' })
    expect(t.lines()).toEqual([])
    expect(t.answer(1, answers([], 'mine'))).toBeNull()
    expect([t.lines(), t.decisions]).toEqual([['answers by person'], ['answered by person']])
  })
})

describe.each(names)('%s: prompts', (name) => {
  test('in the turn that runs, where the agent can', () => {
    const t = talk(name)
    const refused = t.call({ do: 'prompt', text: 'Now.', when: 'now' })
    if (name === 'gemini') {
      expect([refused, t.lines()]).toMatchObject([{ code: 'not-offered' }, []])
      return
    }
    expect([refused, t.lines(), t.turn]).toEqual([null, ['prompt by person'], 'working'])
    t.ask(1)
    t.call({ do: 'prompt', text: 'Now.', when: 'now' })
    expect([t.lines(), t.turn]).toEqual([['prompt by person'], 'asking'])
  })

  test('what waits can be edited, moved, dropped and held', () => {
    const t = talk(name)
    for (const text of ['a', 'b', 'c']) t.call(queue(text))
    const [a = '', b = '', c = ''] = t.machine.state.queue.map(({ id }) => id)
    t.call({ do: 'move', prompt: c, to: 0 })
    t.call({ do: 'edit', prompt: a, text: 'A' })
    t.call({ do: 'drop', prompt: b })
    expect(t.machine.state.queue.map(({ text }) => text)).toEqual(['c', 'A'])
    expect(t.call({ do: 'drop', prompt: b })).toMatchObject({ code: 'gone' })
    expect(t.call({ do: 'edit', prompt: a, text: ' ' })).toMatchObject({ code: 'bad-params' })
    t.call({ do: 'hold' })
    t.endTurn()
    expect([t.turn, t.lines()]).toEqual(['idle', []])
    expect(t.call({ do: 'prompt', text: 'd', when: 'if-idle' })).toMatchObject({ code: 'held' })
    t.call(queue('d'))
    t.call({ do: 'release' })
    expect(t.sent.map((line) => ('text' in line ? line.text : ''))).toEqual(['c'])
    expect(t.call({ do: 'prompt', text: 'e', when: 'if-idle' })).toMatchObject({ code: 'unavailable' })
  })

  test('a hold is for what waits, and for what comes while it is wanted', () => {
    const t = talk(name)
    t.call({ do: 'hold' })
    t.endTurn()
    t.call(queue('a'))
    expect([t.turn, t.lines()]).toEqual(['idle', []])
    t.call({ do: 'drop', prompt: t.machine.state.queue[0]?.id ?? '' })
    expect(t.machine.state.held).toBe(false)
    t.call(queue('b'))
    expect([t.turn, t.lines()]).toEqual(['working', ['prompt by person']])
  })

  test('50 wait, each of a million characters at most', () => {
    const t = talk(name)
    expect(t.call(queue('x'.repeat(1_000_001)))).toMatchObject({ code: 'bad-params' })
    expect(t.call(queue(''))).toMatchObject({ code: 'bad-params' })
    for (let i = 0; i < 50; i++) expect(t.call(queue(`Prompt ${i}`))).toBeNull()
    expect(t.call(queue('One more.'))).toMatchObject({ code: 'unavailable' })
    expect(t.machine.state.queue).toHaveLength(50)
  })
})

test('claude: a prompt that the agent has not read when the turn ends begins the next one', () => {
  const t = talk('claude')
  t.call(queue('Queued.'))
  t.call({ do: 'prompt', text: 'Now.', when: 'now' })
  t.lines()
  t.endTurn()
  expect([t.turn, t.lines()]).toEqual(['working', []])
  t.endTurn()
  expect([t.turn, t.lines()]).toEqual(['working', ['prompt by person']])
})

test('claude: a prompt that was not read before an interrupt comes back to the queue, which is held', () => {
  const t = talk('claude')
  t.call(queue('Queued.'))
  t.call({ do: 'prompt', text: 'Now.', when: 'now' })
  t.call({ do: 'interrupt' })
  expect(t.turn).toBe('idle')
  expect(t.machine.state.queue.map(({ text }) => text)).toEqual(['Now.', 'Queued.'])
  expect(t.machine.state.held).toBe(true)
})

test('claude: where the agent itself says that the money is spent, the queue is held', () => {
  const t = talk('claude')
  t.call(queue('Queued.'))
  t.agent.endTurn('over-budget')
  t.hear()
  expect([t.turn, t.machine.state.held, t.machine.state.outcome]).toEqual(['idle', true, 'over-budget'])
})

test('codex: an interrupt also ends the turn of a prompt that was on its way', () => {
  const t = talk('codex')
  t.deaf = true
  t.call({ do: 'prompt', text: 'Now.', when: 'now' })
  t.call({ do: 'interrupt' })
  t.lines()
  t.agent.endTurn('interrupted')
  t.hear()
  expect([t.turn, t.lines()]).toEqual(['interrupting', []])
  t.take({ kind: 'record', record: { id: 4, result: { turn: { id: 'turn2' } } } })
  expect([t.turn, t.lines()]).toEqual(['interrupting', ['interrupt by protocol']])
  const turn = { id: 'turn2', status: 'interrupted' }
  t.take({ kind: 'record', record: { method: 'turn/completed', params: { threadId: 's1', turn } } })
  expect(t.turn).toBe('idle')
})

test('codex: an answer that is a secret is kept nowhere', () => {
  const t = talk('codex')
  t.ask(1, 'question')
  t.answer(1, { answers: [{ id: 'q', choices: ['a'], text: null }] })
  expect(t.secrets).toBe(0)
  t.ask(2, 'secret')
  t.answer(2, { answers: [{ id: 'q', choices: [], text: 'hunter2' }] })
  expect(t.secrets).toBe(1)
})

test('codex: the end of a turn that does not run changes nothing', () => {
  const t = talk('codex')
  t.endTurn()
  t.call({ do: 'prompt', text: 'More.', when: 'now' })
  t.endTurn()
  const record = { method: 'turn/completed', params: { threadId: 's1', turn: { id: 'turn9', status: 'failed' } } }
  t.take({ kind: 'record', record })
  expect([t.turn, t.machine.state.outcome]).toEqual(['idle', 'done'])
})

describe.each(names)('%s: modes', (name) => {
  const dangerous = { claude: 'bypassPermissions', codex: 'danger-full-access', gemini: 'yolo' }[name]

  test('a dangerous one needs a yes, and where the agent wants it, one at the start', () => {
    const t = talk(name, { mayBecomeDangerous: true })
    expect(t.call({ do: 'set-mode', mode: dangerous, confirmed: false })).toMatchObject({ code: 'not-confirmed' })
    expect(t.call({ do: 'set-mode', mode: 'nonsense', confirmed: true })).toMatchObject({ code: 'not-offered' })
    expect([t.lines(), t.machine.state.wantedMode]).toEqual([[], null])
    expect(t.call({ do: 'set-mode', mode: dangerous, confirmed: true })).toBeNull()
    const { mode, wantedMode } = t.machine.state
    // One agent takes it with the next prompt.
    expect([t.lines(), mode, wantedMode]).toEqual(
      name === 'codex' ? [[], 'read-only', dangerous] : [['mode by person'], dangerous, null]
    )
    const unasked = talk(name)
    const refused = unasked.call({ do: 'set-mode', mode: dangerous, confirmed: true })
    expect(refused).toEqual(name === 'claude' ? expect.objectContaining({ code: 'not-offered' }) : null)
  })

  test('a plan is accepted with a mode that it names, and never with another', () => {
    const t = talk(name)
    if (!t.agent.canAsk('plan')) return
    for (let id = 0; id < 10; id++) {
      t.ask(id, 'plan')
      for (const mode of ['bypassPermissions', 'auto', 'dontAsk', ''])
        expect(t.answer(id, { allow: 'once', mode })).toMatchObject({ code: 'bad-params' })
      expect(t.answer(id, { allow: 'run' })).toMatchObject({ code: 'bad-params' })
      expect(t.lines()).toEqual([])
      expect(t.answer(id, { allow: 'once', ...(id % 2 === 0 ? {} : { mode: 'acceptEdits' }) })).toBeNull()
      expect(t.lines()).toEqual(['allow by person'])
    }
  })
})

test('a table of every state: each but the last two can end', () => {
  const ends: TurnEvent[] = ['process-ended', 'host-lost']
  for (const turn of ['starting', 'working', 'asking', 'interrupting', 'idle', 'stopping'] as const)
    for (const event of ends) expect(turnRow(turn, event)?.to).toMatch(/^(?:ended|lost)$/)
  for (const turn of ['ended', 'lost'] as const) expect(turnTable.filter(({ from }) => from.includes(turn))).toEqual([])
  // No pair has two rows.
  const pairs = turnTable.flatMap(({ from, on }) => from.map((turn) => `${turn} ${on}`))
  expect(new Set(pairs).size).toBe(pairs.length)
})
