import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AskedKind, Meaning } from '../../../test/dialogue-agents.ts'
import { Talk } from '../../../test/dialogue-talk.ts'
import { times } from '../../../test/thorough.ts'
import type { Answer } from './ask.ts'
import type { DialogueCall, DialogueInput, DialogueLimits, DialogueResult, SentBy } from './dialogue.ts'

const names = ['claude', 'codex', 'gemini'] as const

/** What may happen, with numbers that choose among what is there. */
const happening = fc.record({
  what: fc.constantFrom(
    ...([
      'ask',
      'ask',
      'ask',
      'answer',
      'answer',
      'answer',
      'prompt',
      'prompt',
      'queue',
      'queue',
      'time',
      'end-turn'
    ] as const),
    ...([
      'end-turn',
      'withdraw',
      'interrupt',
      'mode',
      'spend',
      'start-turn',
      'ask-host',
      'garbage',
      'deaf',
      'limits'
    ] as const),
    ...(['finish', 'stop', 'ended', 'lost'] as const)
  ),
  n: fc.nat(1000),
  m: fc.nat(1000)
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

const limits = fc.record({
  runMs: fc.constantFrom(null, 100_000, 10_000_000),
  askMs: fc.constantFrom(null, 60_000, 3_600_000),
  usd: fc.constantFrom(null, 1),
  tokens: fc.constantFrom(null, 1000),
  idleMs: fc.constantFrom(null, 60_000)
}) satisfies fc.Arbitrary<DialogueLimits>

const answers: readonly Answer[] = [
  { allow: 'once' },
  { allow: 'run' },
  { allow: 'once', mode: 'acceptEdits' },
  { allow: 'once', mode: 'bypassPermissions' },
  { refuse: '', endTurn: false },
  { refuse: 'Use dist', endTurn: false },
  { refuse: '', endTurn: true },
  { answers: [{ id: 'Which one?', choices: ['a'], text: null }] },
  { answers: [{ id: 'q', choices: [], text: 'mine' }] },
  { answers: [] }
]
const kinds: readonly AskedKind[] = ['tool', 'tool', 'tool', 'plan', 'question', 'secret', 'unknown']
const garbage = [
  null,
  0,
  'text',
  [],
  {},
  { type: 'control_request' },
  { id: 1 },
  { method: 'turn/completed' },
  { type: 'result' }
]

/** Does what may happen, and sees that nothing is sent, lost or answered twice. */
class Chaos extends Talk {
  #prompts = 0
  /** Accepted prompts. The last is the message of a refusal. */
  readonly #given = new Set(['First.', 'Use dist'])
  readonly #out = new Set<string>()
  readonly #dropped = new Set<string>()
  /** How often each ask was told, decided, and answered on the wire. */
  readonly #told = new Map<string, number>()
  readonly #decided = new Map<string, number>()
  readonly #answered = new Map<string, number>()
  #inputIsClosed = false

  override watch = (input: DialogueInput, { steps, refused }: DialogueResult): void => {
    const call = input.kind === 'call' ? input.call : null
    if (refused !== null) expect(steps).toEqual([])
    const { asks, queue } = this.machine.state
    expect(asks.length).toBeLessThanOrEqual(64)
    expect(queue.length).toBeLessThanOrEqual(51)
    // The agent gave it back.
    for (const { text } of queue) if (call === null) this.#out.delete(text)
    for (const step of steps) {
      if (step.do === 'close-input') this.#inputIsClosed = true
      if (step.do === 'tell' && step.change.kind === 'asked') count(this.#told, step.change.ask.id)
      if (step.do === 'tell' && step.change.kind === 'decided') {
        const { ask, decision, by } = step.change
        count(this.#decided, ask.id)
        const mine = call?.do === 'answer' && call.ask === ask.id
        if (decision !== 'withdrawn' && by === 'person') expect(mine).toBe(true)
        if (decision.startsWith('allowed') || decision === 'answered') expect([mine, by]).toEqual([true, 'person'])
      }
      if (step.do !== 'send') continue
      expect(this.#inputIsClosed).toBe(false)
      expect(JSON.stringify(step.line)).not.toContain('\n')
      this.#sent(this.agent.meaning(step.line), step.by, call, input)
    }
  }

  #sent(meaning: Meaning, by: SentBy, call: DialogueCall | null, input: DialogueInput): void {
    const answered = call?.do === 'answer' ? call : null
    const isLimit = by === 'limit' && (input.kind === 'time' || input.kind === 'record' || call?.do === 'set-limits')
    switch (meaning.kind) {
      case 'handshake':
      case 'error':
      case 'clean':
        expect(by).toBe('protocol')
        break
      case 'prompt': {
        expect(by).toBe('person')
        expect(this.#given).toContain(meaning.text)
        if (meaning.text === 'Use dist') break
        expect(this.#out).not.toContain(meaning.text)
        this.#out.add(meaning.text)
        const { limits: most, spent } = this.machine.state
        expect((spent.usd ?? 0) < (most.usd ?? Infinity) && (spent.tokens ?? 0) < (most.tokens ?? Infinity)).toBe(true)
        break
      }
      case 'mode':
        expect([by, call?.do]).toEqual(['person', 'set-mode'])
        break
      case 'interrupt': {
        const isCall =
          call?.do === 'interrupt' || call?.do === 'stop' || (answered !== null && endsTurn(answered.answer))
        // The wish of before, once more or as soon as it can be said.
        const isAgain = by === 'protocol' && input.kind === 'record'
        expect((by === 'person' && isCall) || isLimit || isAgain).toBe(true)
        break
      }
      case 'allow':
      case 'allow-run':
      case 'answers': {
        expect([by, answered?.ask]).toEqual(['person', meaning.ask])
        const given = answered?.answer ?? { answers: [] }
        const wanted = 'allow' in given ? (given.allow === 'run' ? 'allow-run' : 'allow') : 'answers'
        expect(meaning.kind).toBe(wanted)
        count(this.#answered, meaning.ask)
        break
      }
      case 'refuse':
      case 'refuse-turn':
      case 'cancelled': {
        const isRefusal = answered !== null && answered.ask === meaning.ask && 'refuse' in answered.answer
        const isEnd =
          call?.do === 'interrupt' || call?.do === 'stop' || (answered !== null && endsTurn(answered.answer))
        expect(
          (by === 'person' && (isRefusal || isEnd)) || isLimit || (by === 'protocol' && input.kind === 'record')
        ).toBe(true)
        // The agent used one id twice: it gets an error for the second.
        if (by !== 'protocol') count(this.#answered, meaning.ask)
        break
      }
    }
  }

  happen({ what, n, m }: Happening): void {
    const { agent } = this
    switch (what) {
      case 'ask': {
        const kind = kinds[m % kinds.length] ?? 'tool'
        // Mostly new ids, some that were used.
        if (agent.canAsk(kind)) this.ask(n % 10 === 0 ? m % 20 : 1000 + this.#told.size, kind)
        break
      }
      case 'answer': {
        const open = this.machine.state.asks
        const ask = n % 5 === 0 ? agent.askId(m % 20) : (open[n % Math.max(1, open.length)]?.id ?? agent.askId(n))
        this.call({ do: 'answer', ask, answer: answers[m % answers.length] ?? { allow: 'once' } })
        break
      }
      case 'prompt': {
        const text = `Prompt ${this.#prompts++}`
        const refused = this.#giving(text, (['queue', 'now', 'if-idle'] as const)[n % 3] ?? 'queue')
        if (refused) this.#given.delete(text)
        break
      }
      case 'queue':
        this.#arrange(n, m)
        break
      case 'time':
        this.pass(n % 3 === 0 ? Math.max(0, (this.machine.wakeAtMs ?? this.nowMs) - this.nowMs) : n * 100)
        break
      case 'end-turn':
        agent.endTurn((['done', 'interrupted', 'failed', 'over-budget'] as const)[n % 4] ?? 'done')
        this.hear()
        break
      case 'withdraw': {
        agent.withdraw(1000 + (m % Math.max(1, this.#told.size)))
        this.hear()
        break
      }
      case 'interrupt':
      case 'finish':
      case 'stop':
        // The ends are rare, or nothing else would happen.
        if (what === 'interrupt' || n % 4 === 0) this.call({ do: what })
        break
      case 'mode': {
        const modes = [...agent.dialogue.modes.map(({ id }) => id), 'nonsense']
        this.call({ do: 'set-mode', mode: modes[n % modes.length] ?? '', confirmed: m % 2 === 0 })
        break
      }
      case 'spend':
        agent.spend(n / 4000, n / 4)
        this.hear()
        break
      case 'start-turn':
        agent.startTurn()
        this.hear()
        break
      case 'ask-host':
        agent.askHost(n)
        this.hear()
        break
      case 'garbage':
        this.take({ kind: 'record', record: garbage[n % garbage.length] ?? null })
        break
      case 'deaf':
        this.deaf = n % 3 === 0
        break
      case 'limits':
        this.call({ do: 'set-limits', limits: { ...this.machine.state.limits, tokens: m % 2 === 0 ? null : n + 1 } })
        break
      case 'ended':
      case 'lost':
        if (n % 4 === 0) this.take({ kind: what })
        break
    }
  }

  #giving(text: string, when: 'queue' | 'now' | 'if-idle'): boolean {
    this.#given.add(text)
    return this.call({ do: 'prompt', text, when }) !== null
  }

  #arrange(n: number, m: number): void {
    const { queue } = this.machine.state
    const prompt = queue[n % Math.max(1, queue.length)]?.id ?? 'none'
    const calls: DialogueCall[] = [
      { do: 'drop', prompt },
      { do: 'move', prompt, to: m % 5 },
      { do: 'hold' },
      { do: 'release' },
      { do: 'release' }
    ]
    const call = calls[m % calls.length] ?? { do: 'release' }
    const text = queue.find(({ id }) => id === prompt)?.text
    if (this.call(call) === null && call.do === 'drop') this.#dropped.add(text ?? '')
  }

  /** Whatever happened: a person can end it, and so can the limits. */
  end(byPerson: boolean): void {
    const places = [...this.#out, ...this.#dropped, ...this.machine.state.queue.map(({ text }) => text)]
    const isPrompt = (text: string): boolean => text.startsWith('Prompt')
    expect(places.filter(isPrompt).toSorted()).toEqual([...this.#given].filter(isPrompt).toSorted())
    this.deaf = true
    if (byPerson) this.call({ do: 'stop' })
    for (let i = 0; i < 10 && !this.done.includes('end-process') && this.isAlive; i++) {
      const { wakeAtMs } = this.machine
      expect(wakeAtMs).not.toBeNull()
      this.pass(Math.max(0, (wakeAtMs ?? 0) - this.nowMs))
    }
    expect(this.isAlive && !this.done.includes('end-process')).toBe(false)
    this.take({ kind: 'ended' })
    expect(this.turn).toMatch(/^(?:ended|lost)$/)
    expect(this.machine.state.asks).toEqual([])
    for (const [ask, told] of this.#told) expect([ask, told, this.#decided.get(ask)]).toEqual([ask, 1, 1])
    expect(this.#decided.size).toBe(this.#told.size)
    for (const [ask, lines] of this.#answered) expect([ask, lines]).toEqual([ask, 1])
    expect(this.done.filter((step) => step === 'end-process').length).toBeLessThanOrEqual(1)
    expect(this.done.filter((step) => step === 'close-input').length).toBeLessThanOrEqual(1)
  }

  get isAlive(): boolean {
    return this.turn !== 'ended' && this.turn !== 'lost'
  }
}

function endsTurn(answer: Answer): boolean {
  return 'refuse' in answer && answer.endTurn
}

function count(counts: Map<string, number>, key: string): number {
  const next = (counts.get(key) ?? 0) + 1
  counts.set(key, next)
  return next
}

test.each(names)('%s: in any order, nothing is lost, answered twice, sent unasked or stuck', (name) => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), limits, fc.boolean(), (happenings, given, byPerson) => {
      const chaos = new Chaos(name, { limits: byPerson ? given : { ...given, runMs: 100_000, askMs: 60_000 } })
      chaos.take({ kind: 'started' })
      for (const each of happenings) chaos.happen(each)
      chaos.end(byPerson)
    }),
    { numRuns: times(60, 10_000) }
  )
})
