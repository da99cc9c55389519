import type { JsonObject, JsonValue } from '../json.ts'
import type { AgentNews, TurnOutcome } from './agent-protocol.ts'
import { unfitAnswer } from './answer-fit.ts'
import type { Answer, Ask } from './ask.ts'
import type {
  Decision,
  DialogueCall,
  DialogueChange,
  DialogueInput,
  DialogueLimits,
  DialogueOptions,
  DialogueResult,
  DialogueState,
  DialogueStep,
  Moment,
  QueuedPrompt,
  Refusal,
  SentBy,
  Turn
} from './dialogue.ts'
import { mostOpenAsks, OpenAsks } from './open-asks.ts'
import { mostPromptCharacters, mostQueuedPrompts, PromptQueue } from './prompt-queue.ts'
import { type TurnAct, type TurnEvent, turnRow } from './turn-table.ts'
import { groupedText } from '../measure-text.ts'

const tooManyAsks = `More than ${mostOpenAsks} requests were open.`
const handshakeMs = 30_000
const interruptMs = 10_000
const finishMs = 20_000
const stopMs = 2000

/** What ends the wait for the agent. */
interface Deadline {
  readonly event: 'handshake-failed' | 'interrupt-unheard' | 'finish-unheard' | 'stop-unheard'
  readonly atMs: number
}

/**
 * The dialogue of one run with its agent. It has no clock and writes nothing: it takes what happened, in order, and returns what
 * is to be done, in order. The moves between its states are `turnTable`.
 */
export class DialogueMachine {
  readonly #options: DialogueOptions
  readonly #asks = new OpenAsks()
  readonly #queue = new PromptQueue()
  /** Prompts sent into the turn that runs: an interrupt may make the agent give them back. */
  readonly #underway = new Map<string, QueuedPrompt>()
  #turn: Turn = 'starting'
  #turnRuns = false
  #session: string | null = null
  #mode: string
  #wantedMode: string | null = null
  #limits: DialogueLimits
  #usd: number | null = null
  #tokens: number | null = null
  #outcome: TurnOutcome | null = null
  #failure: string | null = null
  #failedBy: DialogueState['failedBy'] = null
  #finished = false
  #inputOpen = false
  #processIsEnded = false
  #nextPrompt = 1
  #deadline: Deadline | null = null
  /** Run time without the time in which somebody was asked. */
  #ranMs = 0
  #nowMs = 0
  #idleSinceMs: number | null = null
  /** The person was told that no more asks can wait. */
  #isFullTold = false

  // Of the input that is being taken:
  #at = 0
  #by: SentBy = 'protocol'
  #steps: DialogueStep[] = []
  /** What 'send-prompt' sends. */
  #prompt: QueuedPrompt | null = null

  constructor(options: DialogueOptions) {
    this.#options = options
    this.#mode = options.mode
    this.#limits = options.limits
    this.#prompt = { id: this.#promptId(), text: options.prompt }
  }

  get state(): DialogueState {
    return {
      turn: this.#turn,
      session: this.#session,
      mode: this.#mode,
      wantedMode: this.#wantedMode,
      asks: this.#asks.list,
      queue: this.#queue.prompts,
      held: this.#queue.held,
      limits: this.#limits,
      spent: { usd: this.#usd, tokens: this.#tokens },
      outcome: this.#outcome,
      failure: this.#failure,
      failedBy: this.#failedBy,
      finished: this.#finished
    }
  }

  /** `Moment.elapsedMs` at which it wants to be told of time; null: not. */
  get wakeAtMs(): number | null {
    const { runMs, askMs, idleMs } = this.#limits
    const isOver = this.#turn === 'stopping' || this.#turn === 'ended' || this.#turn === 'lost'
    const times = [
      this.#deadline?.atMs ?? null,
      runMs === null || isOver || this.#turn === 'asking' ? null : this.#nowMs + Math.max(0, runMs - this.#ranMs),
      askMs === null || this.#asks.oldestMs === null ? null : this.#asks.oldestMs + askMs,
      idleMs === null || this.#idleSinceMs === null ? null : this.#idleSinceMs + idleMs
    ].filter((time) => time !== null)
    return times.length === 0 ? null : Math.min(...times)
  }

  take(input: DialogueInput, now: Moment): DialogueResult {
    this.#steps = []
    this.#by = 'protocol'
    this.#at = now.at
    if (this.#turn !== 'asking') this.#ranMs += now.elapsedMs - this.#nowMs
    this.#nowMs = now.elapsedMs
    const refused = this.#dispatch(input)
    return { steps: this.#steps, refused }
  }

  #dispatch(input: DialogueInput): Refusal | null {
    if (this.#turn === 'ended' || this.#turn === 'lost')
      return input.kind === 'call' ? refusal('unavailable', 'This run is over.') : null
    if (input.kind === 'call') {
      this.#by = 'person'
      return this.#call(input.call)
    }
    if (input.kind === 'started') this.#start()
    else if (input.kind === 'record') this.#read(input.record)
    else if (input.kind === 'time') this.#watch()
    else if (input.kind === 'ended') this.#ended()
    else this.#move('host-lost')
    return null
  }

  #start(): void {
    if (this.#inputOpen) return
    this.#inputOpen = true
    this.#deadline = { event: 'handshake-failed', atMs: this.#nowMs + handshakeMs }
    this.#send(this.#options.protocol.start())
  }

  #ended(): void {
    if (this.#turn === 'starting') this.#fail('handshake', 'It ended before it answered.')
    this.#move('process-ended')
  }

  // What the agent printed.

  #read(record: JsonValue): void {
    const { news, replies } = this.#options.protocol.read(record)
    this.#send(replies)
    // Before the end of a turn, which would start the next one.
    for (const told of news) if (told.kind === 'spent') this.#spend(told.usd, told.tokens)
    for (const told of news) this.#hear(told)
    if (this.#overSpent !== null) this.#limitSpending()
  }

  #hear(news: AgentNews): void {
    switch (news.kind) {
      case 'ready':
        this.#move('ready')
        break
      case 'handshake-failed':
        if (this.#turn !== 'starting') break
        this.#fail(news.gone ? 'no-session' : 'handshake', news.message)
        this.#move('handshake-failed')
        break
      case 'session':
        if (this.#session === news.session) break
        this.#session = news.session
        this.#tell({ kind: 'session', session: news.session })
        break
      case 'call':
        this.#tell(news)
        break
      case 'asked':
        this.#asked({ ...news.ask, since: this.#at })
        break
      case 'settled':
        this.#decide(news.ask, 'withdrawn', 'agent', null)
        break
      case 'turn-started':
        this.#turnRuns = true
        this.#move('turn-started')
        break
      case 'turn-over':
        this.#turnOver(news.outcome, news.message, news.next)
        break
      case 'prompt-dropped':
        this.#giveBack(news.prompt)
        break
      case 'mode':
        if (this.#mode === news.mode && this.#wantedMode === null) break
        if (this.#wantedMode === news.mode) this.#wantedMode = null
        this.#mode = news.mode
        this.#tell({ kind: 'mode', mode: news.mode, wanted: this.#wantedMode })
        break
      case 'mode-refused':
        this.#wantedMode = null
        this.#tell({ kind: 'mode', mode: this.#mode, wanted: null })
        this.#tell({ kind: 'message', message: news.message })
        break
      case 'trouble':
        this.#tell({ kind: 'message', message: news.message })
        break
      case 'spent':
        break
    }
  }

  #asked(ask: Ask): void {
    if (this.#asks.isOver(ask.id) || this.#turn === 'starting') {
      this.#send(this.#options.protocol.turnAway(ask))
      this.#tell({ kind: 'message', message: 'Playhead refused a request that came at the wrong time.' })
      return
    }
    if (turnRow(this.#turn, 'asked') === undefined || this.#asks.isFull) {
      const isFull = this.#asks.isFull
      this.#asks.over(ask.id)
      this.#tell({ kind: 'asked', ask })
      this.#by = isFull ? 'limit' : 'protocol'
      this.#send(this.#options.protocol.turnAway(ask, isFull ? tooManyAsks : undefined))
      this.#by = 'protocol'
      if (isFull) this.#tellFull(ask)
      else this.#tellDecision(ask, 'withdrawn', 'agent', null)
      return
    }
    this.#isFullTold = false
    this.#asks.open(ask, this.#nowMs)
    this.#tell({ kind: 'asked', ask })
    this.#move('asked')
  }

  #tellFull(ask: Ask): void {
    this.#tellDecision(ask, 'refused', 'limit', tooManyAsks)
    // To the person once, until there is room again.
    if (!this.#isFullTold)
      this.#tell({
        kind: 'message',
        message: `Playhead refused a request: ${mostOpenAsks} are open already. Answer some of them.`
      })
    this.#isFullTold = true
  }

  #turnOver(outcome: TurnOutcome, message: string | null, next: boolean): void {
    if (!this.#turnRuns) return
    this.#outcome = outcome
    if (message !== null && outcome !== 'interrupted') this.#tell({ kind: 'message', message })
    if (outcome === 'over-budget') this.#hold()
    if (next) {
      this.#move('turn-over-next')
      return
    }
    this.#turnRuns = false
    this.#underway.clear()
    const isEnding = this.#turn === 'stopping' && this.#deadline?.event === 'stop-unheard'
    // What was waited for is there: the process need not be waited for.
    this.#move(isEnding ? 'stop-unheard' : 'turn-over')
  }

  #giveBack(id: string): void {
    const prompt = this.#underway.get(id)
    if (prompt === undefined) return
    this.#underway.delete(id)
    this.#queue.putFirst(prompt)
    this.#queue.hold()
    this.#tellQueue()
  }

  #spend(usd: number | null, tokens: number | null): void {
    this.#usd = usd ?? this.#usd
    this.#tokens = tokens ?? this.#tokens
    this.#tell({ kind: 'spent', usd: this.#usd, tokens: this.#tokens })
    if (this.#overSpent !== null) this.#hold()
  }

  /** Why no prompt is sent any more, a sentence; null: none of the limits is reached. */
  get #overSpent(): string | null {
    const { usd, tokens } = this.#limits
    if (usd !== null && this.#usd !== null && this.#usd >= usd)
      return `The limit of $${usd} is reached. Raise it to go on.`
    if (tokens !== null && this.#tokens !== null && this.#tokens >= tokens)
      return `The limit of ${groupedText(tokens)} tokens is reached. Raise it to go on.`
    return null
  }

  #limitSpending(): void {
    if (!this.#turnRuns || turnRow(this.#turn, 'spending-limit') === undefined) return
    this.#by = 'limit'
    this.#tell({ kind: 'message', message: this.#overSpent ?? '' })
    this.#move('spending-limit')
    this.#by = 'protocol'
  }

  // Time.

  #watch(): void {
    const { runMs, askMs, idleMs } = this.#limits
    if (this.#deadline !== null && this.#nowMs >= this.#deadline.atMs) {
      const { event } = this.#deadline
      this.#deadline = null
      if (event === 'handshake-failed') this.#fail('handshake', 'It did not answer within 30 seconds.')
      this.#move(event)
    }
    this.#by = 'limit'
    if (askMs !== null) this.#limitAsks(askMs)
    if (runMs !== null && this.#ranMs >= runMs && this.#turn !== 'stopping') {
      this.#fail('run-limit', 'The time limit of the run is reached.')
      this.#tell({ kind: 'time-up' })
      this.#move('stop')
    }
    if (idleMs !== null && this.#idleSinceMs !== null && this.#nowMs - this.#idleSinceMs >= idleMs) this.#move('finish')
  }

  #limitAsks(askMs: number): void {
    const late = this.#asks.openSince(this.#nowMs - askMs)
    if (late.length === 0) return
    const message = `Nobody answered within ${inWords(askMs)}.`
    for (const ask of late) {
      this.#send(this.#options.protocol.answer(ask, { refuse: message, endTurn: false }))
      this.#asks.take(ask.id)
      this.#tellDecision(ask, 'refused', 'limit', message)
    }
    // A task in the background asked: there is no turn to end.
    if (this.#turnRuns) this.#move('ask-limit')
    else this.#settled()
  }

  // Calls of a person.

  #call(call: DialogueCall): Refusal | null {
    switch (call.do) {
      case 'answer':
        return this.#answer(call.ask, call.answer)
      case 'prompt':
        return this.#prompted(call.text, call.when)
      case 'edit':
      case 'move':
      case 'drop':
        return this.#arrange(call)
      case 'hold':
        this.#queue.hold()
        this.#tellQueue()
        return null
      case 'release':
        return this.#release()
      case 'interrupt':
        if (!this.#turnRuns || turnRow(this.#turn, 'interrupt') === undefined)
          return refusal('unavailable', this.#turn === 'interrupting' ? 'The turn is ending.' : 'No turn runs.')
        this.#move('interrupt')
        return null
      case 'finish':
        if (this.#turn === 'stopping') return refusal('unavailable', 'The run is ending.')
        this.#move('finish')
        return null
      case 'stop':
        if (this.#processIsEnded || this.#deadline?.event === 'stop-unheard')
          return refusal('unavailable', 'The run is ending.')
        this.#move('stop')
        return null
      case 'set-mode':
        return this.#setMode(call.mode, call.confirmed)
      case 'set-limits':
        this.#limits = call.limits
        if (this.#overSpent === null) return null
        this.#hold()
        this.#limitSpending()
        return null
    }
  }

  #answer(id: string, answer: Answer): Refusal | null {
    const ask = this.#asks.list.find((open) => open.id === id)
    if (ask === undefined)
      return this.#asks.isOver(id)
        ? refusal('already-answered', 'This request is answered or withdrawn.')
        : refusal('unavailable', 'There is no such request.')
    const unfit = unfitAnswer(ask, answer)
    if (unfit !== null) return refusal('bad-params', unfit)
    const { protocol, agent } = this.#options
    const endsTurn = 'refuse' in answer && answer.endTurn
    const secret = 'answers' in answer && ask.questions.some(({ isSecret }) => isSecret)
    const told = endsTurn && !agent.refusal.endsTurn ? { refuse: answer.refuse, endTurn: false } : answer
    this.#send(protocol.answer(ask, told), secret)
    this.#asks.take(id)
    this.#tellDecision(ask, decisionOf(answer), 'person', 'refuse' in answer ? answer.refuse || null : null)
    if ('refuse' in answer) this.#sayWhy(answer.refuse, endsTurn)
    if (endsTurn && this.#turnRuns) this.#move(agent.refusal.endsTurn ? 'turn-refused' : 'interrupt')
    else this.#settled()
    return null
  }

  /** Words of a refusal reach the model as a prompt where the protocol has no place for them. */
  #sayWhy(text: string, endsTurn: boolean): void {
    const { agent } = this.#options
    if (text.trim() === '' || agent.refusal.tellsMessage) return
    const prompt = { id: this.#promptId(), text }
    if (agent.promptsDuringTurn && this.#turnRuns && !endsTurn) {
      this.#sendPrompt(prompt)
      return
    }
    this.#queue.putFirst(prompt)
    if (endsTurn) this.#queue.hold()
    this.#tellQueue()
  }

  #prompted(text: string, when: 'queue' | 'now' | 'if-idle'): Refusal | null {
    if (text.trim() === '') return refusal('bad-params', 'The prompt is empty.')
    if (text.length > mostPromptCharacters)
      return refusal('bad-params', 'The prompt is longer than 1,000,000 characters.')
    if (this.#turn === 'stopping') return refusal('unavailable', 'The run is ending.')
    const over = this.#overSpent
    if (over !== null) return refusal('held', over)
    const isIdle = this.#turn === 'idle'
    const waits = this.#queue.prompts.length > 0
    if (when === 'if-idle') {
      if (!isIdle) return refusal('unavailable', 'A turn runs. Queue the prompt.')
      if (waits) return refusal('held', 'Prompts are held. Release them, or send this one now.')
    }
    const joins = when === 'now' && !isIdle
    if (joins) {
      if (!this.#options.agent.promptsDuringTurn)
        return refusal('not-offered', 'A prompt would end the turn. Queue it, or interrupt the turn.')
      if (turnRow(this.#turn, 'prompted') === undefined)
        return refusal('unavailable', this.#turn === 'starting' ? 'The agent is starting.' : 'The turn is ending.')
      if (this.#underway.size >= mostQueuedPrompts) return refusal('unavailable', 'The agent has 50 prompts to read.')
    } else if (!isIdle || (when === 'queue' && (waits || this.#queue.held))) {
      if (this.#queue.isFull) return refusal('unavailable', `${mostQueuedPrompts} prompts wait. Drop one first.`)
      this.#queue.add({ id: this.#promptId(), text })
      this.#tellQueue()
      return null
    }
    this.#prompt = { id: this.#promptId(), text }
    this.#move('prompted')
    return null
  }

  #arrange(call: Extract<DialogueCall, { do: 'edit' | 'move' | 'drop' }>): Refusal | null {
    if (!this.#queue.has(call.prompt)) return refusal('gone', 'This prompt waits no longer.')
    if (call.do === 'drop') this.#queue.drop(call.prompt)
    else if (call.do === 'move') this.#queue.move(call.prompt, call.to)
    else if (call.text.trim() === '' || call.text.length > mostPromptCharacters)
      return refusal('bad-params', 'The prompt is empty, or longer than 1,000,000 characters.')
    else this.#queue.edit(call.prompt, call.text)
    this.#tellQueue()
    return null
  }

  #release(): Refusal | null {
    const over = this.#overSpent
    if (over !== null) return refusal('held', over)
    this.#queue.release()
    this.#tellQueue()
    if (this.#turn === 'idle') this.#act('send-next')
    return null
  }

  #setMode(mode: string, confirmed: boolean): Refusal | null {
    const { agent, protocol, mayBecomeDangerous } = this.#options
    const offered = agent.modes.find(({ id }) => id === mode)
    if (offered === undefined) return refusal('not-offered', 'This mode is not offered.')
    if (offered.dangerous && agent.dangerIsDecidedAtStart && !mayBecomeDangerous)
      return refusal('not-offered', 'This mode must be allowed when the run is started.')
    if (offered.dangerous && !confirmed) return refusal('not-confirmed', offered.note)
    if (this.#turn === 'starting' || this.#turn === 'stopping')
      return refusal('unavailable', this.#turn === 'starting' ? 'The agent is starting.' : 'The run is ending.')
    this.#wantedMode = mode
    this.#send(protocol.setMode(mode))
    this.#tell({ kind: 'mode', mode: this.#mode, wanted: mode })
    return null
  }

  // Moves.

  #move(event: TurnEvent): void {
    const row = turnRow(this.#turn, event)
    if (row === undefined) return
    const from = this.#turn
    this.#turn = row.to
    if (row.to !== from) this.#enter(row.to)
    // The interrupt is what the agent has to hear first.
    for (const act of row.acts) this.#act(act)
    if (event === 'stop' && row.to === 'stopping' && row.acts.includes('interrupt'))
      this.#deadline = { event: 'stop-unheard', atMs: this.#nowMs + stopMs }
    if (event === 'finish') this.#deadline = { event: 'finish-unheard', atMs: this.#nowMs + finishMs }
  }

  #enter(turn: Turn): void {
    this.#idleSinceMs = turn === 'idle' ? this.#nowMs : null
    this.#deadline = turn === 'interrupting' ? { event: 'interrupt-unheard', atMs: this.#nowMs + interruptMs } : null
    this.#tell({ kind: 'turn', turn })
  }

  #act(act: TurnAct): void {
    const { protocol } = this.#options
    switch (act) {
      case 'send-prompt':
        if (this.#prompt !== null) this.#sendPrompt(this.#prompt)
        this.#prompt = null
        break
      case 'send-next':
        this.#sendNext()
        break
      case 'interrupt':
        this.#send(protocol.interrupt(this.#asks.list))
        break
      case 'withdraw-asks':
        for (const ask of this.#asks.list) {
          this.#asks.take(ask.id)
          this.#tellDecision(ask, 'withdrawn', this.#by === 'protocol' ? 'agent' : this.#by, null)
        }
        break
      case 'hold':
        this.#hold()
        break
      case 'close-input':
        this.#finished = true
        this.#inputOpen = false
        this.#steps.push({ do: 'close-input' })
        break
      case 'end-process':
        this.#deadline = null
        this.#processIsEnded = true
        this.#steps.push({ do: 'end-process' })
        break
    }
  }

  #sendNext(): void {
    const next = this.#queue.next()
    if (next === undefined) return
    this.#tellQueue()
    // The person sent it when it was queued.
    this.#by = 'person'
    this.#prompt = next
    this.#move('prompted')
    this.#by = 'protocol'
  }

  #sendPrompt(prompt: QueuedPrompt): void {
    const by = this.#by
    this.#by = 'person'
    if (this.#turnRuns) this.#underway.set(prompt.id, prompt)
    this.#turnRuns = true
    this.#send(this.#options.protocol.prompt(prompt))
    this.#by = by
  }

  /** Holds what waits. Prompts that a person adds later to an empty queue are not held. */
  #hold(): void {
    if (this.#queue.held || this.#queue.prompts.length === 0) return
    this.#queue.hold()
    this.#tellQueue()
  }

  #decide(id: string, decision: Decision, by: 'person' | 'limit' | 'agent', message: string | null): void {
    const ask = this.#asks.take(id)
    if (ask === undefined) return
    this.#tellDecision(ask, decision, by, message)
    this.#settled()
  }

  #settled(): void {
    if (this.#asks.list.length > 0) this.#move('one-settled')
    else this.#move(this.#turnRuns ? 'all-settled' : 'all-settled-no-turn')
  }

  #tellDecision(ask: Ask, decision: Decision, by: 'person' | 'limit' | 'agent', message: string | null): void {
    this.#tell({ kind: 'decided', ask, decision, by, message })
  }

  #fail(by: NonNullable<DialogueState['failedBy']>, message: string): void {
    this.#failedBy = by
    this.#failure = message
    this.#tell({ kind: 'message', message })
  }

  #tellQueue(): void {
    this.#tell({ kind: 'queue', length: this.#queue.prompts.length, held: this.#queue.held })
  }

  #tell(change: DialogueChange): void {
    this.#steps.push({ do: 'tell', change })
  }

  #send(lines: readonly JsonObject[], secret = false): void {
    if (!this.#inputOpen) return
    for (const line of lines) this.#steps.push({ do: 'send', line, by: this.#by, secret })
  }

  #promptId(): string {
    return `p${this.#nextPrompt++}`
  }
}

function decisionOf(answer: Answer): Decision {
  if ('refuse' in answer) return 'refused'
  if ('answers' in answer) return 'answered'
  return answer.allow === 'run' ? 'allowed-for-run' : 'allowed'
}

function refusal(code: Refusal['code'], message: string): Refusal {
  return { code, message }
}

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return `${Math.round(ms / 1000)} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}
