import { HostError } from '#contract/host-error.ts'
import {
  type DialogueLimits,
  type OpenAsk,
  promptProblem,
  type QueueChange,
  type RunDialogue
} from '#contract/live-runs.ts'
import { dialogueNoteOf } from '#core/bridge/dialogue-note.ts'
import type { AgentProtocol } from '#core/dialogue/agent-protocol.ts'
import type { Answer } from '#core/dialogue/ask.ts'
import { DialogueMachine } from '#core/dialogue/dialogue-machine.ts'
import type { DialogueCall, DialogueInput, DialogueState, DialogueStep } from '#core/dialogue/dialogue.ts'
import type { AgentDialogue } from '#core/formats/agent-program.ts'
import type { AgentProcess } from './agent-process.ts'
import { DialogueNotes, type DialogueNotesOptions, type SentLine } from './dialogue-notes.ts'
import { RecordingTail } from './recording-tail.ts'
import { ShownAsks } from './shown-asks.ts'

/** Characters of a queued prompt in a `LiveRun`. */
const maxQueuedText = 4000
/** Of a mode, and of a notice, which may be a text of the model. */
const maxNotice = 1000
/** Nothing more is sent to an agent that has not read this much. */
const maxUnreadBytes = 1 << 24
/** The longest wait of `setTimeout`. */
const maxTimerMs = 2 ** 31 - 1

export interface DialogueHostOptions extends Omit<DialogueNotesOptions, 'failed'> {
  readonly agent: AgentDialogue
  readonly protocol: AgentProtocol
  readonly prompt: string
  readonly mode: string
  readonly mayBecomeDangerous: boolean
  readonly limits: DialogueLimits
  readonly timeLimitMs: number | null
  /** Something of `state` is different. */
  readonly changed: () => void
  /** The process must end, with the waits of the agent. */
  readonly endProcess: () => void
  /** What would be sent cannot be noted, so nothing is sent. The end of a sentence. */
  readonly cannotNote: (why: string) => void
  /** It reads nothing of what it makes Playhead send: the process must end. */
  readonly doesNotRead: () => void
}

/**
 * Lets a person talk to an agent: reads what it prints, and writes to its standard input what the state machine
 * (`DialogueMachine`) sends. Each line is noted (`DialogueNotes`) before it is sent.
 */
export class DialogueHost {
  readonly #options: DialogueHostOptions
  readonly #machine: DialogueMachine
  readonly #notes: DialogueNotes
  readonly #asks = new ShownAsks()
  #limits: DialogueLimits
  #process: AgentProcess | null = null
  #tail: RecordingTail | null = null
  readonly #began = performance.now()
  #timer: NodeJS.Timeout | null = null
  #isChanged = false
  /** Standard input cannot be used any more. */
  #isOver = false
  /** What would be sent cannot be noted, or is not read. */
  #cannotSend = false
  #notice: string | null = null
  #noticeAt: number | null = null
  #waitedMs = 0
  #waitingSince: number | null = null
  #printedAt: number | null = null

  /** Creates `dialogue.jsonl`. Throws a `HostError`. */
  constructor(options: DialogueHostOptions) {
    this.#options = options
    this.#limits = options.limits
    const { protocol, agent, mode, mayBecomeDangerous, prompt } = options
    const limits = this.#coreLimits(options.limits)
    this.#machine = new DialogueMachine({ protocol, agent, mode, mayBecomeDangerous, prompt, limits })
    const failed = (why: string): void => {
      this.#cannotSend = true
      if (this.#isOver) options.problem(`${why}.`)
      else options.cannotNote(why)
    }
    this.#notes = new DialogueNotes({ ...options, failed })
  }

  /** The process runs: begins to talk to it. */
  begin(process: AgentProcess): void {
    this.#process = process
    this.#notes.changes([{ kind: 'mode', mode: this.#machine.state.mode }])
    this.#take({ kind: 'started' })
    this.#tail = new RecordingTail(this.#options.printed, {
      record: async (record, end) => {
        // What follows is noted with its place in that log.
        await this.#notes.findLog(this.#machine.state.session)
        this.#notes.readBytes = end
        this.#printedAt = this.#options.now()
        this.#isChanged = true
        this.#take({ kind: 'record', record })
      },
      caughtUp: () => this.#report(),
      problem: (message) => this.#options.problem(message)
    })
    this.#report()
  }

  /** The process never started, or its start failed. */
  discard(): void {
    this.#isOver = true
    this.#notes.close()
  }

  /** No process is left: reads the rest of the recording. Never rejects. */
  async end(): Promise<void> {
    this.#isOver = true
    clearTimeout(this.#timer ?? undefined)
    // What is queued stays queued: nobody is there to read it.
    if (this.#machine.state.queue.length > 0) this.#take({ kind: 'call', call: { do: 'hold' } })
    await this.#tail?.end()
    this.#take({ kind: 'ended' })
    this.#report()
    clearTimeout(this.#timer ?? undefined)
    this.#notes.close()
  }

  get facts(): Pick<DialogueState, 'turn' | 'session' | 'outcome' | 'failure' | 'failedBy' | 'finished'> {
    return this.#machine.state
  }

  get limits(): DialogueLimits {
    return this.#limits
  }

  get state(): RunDialogue {
    const { turn, mode, wantedMode, asks, queue, held, spent } = this.#machine.state
    return {
      turn,
      mode: mode.slice(0, maxNotice),
      wantedMode,
      asks: this.#asks.of(asks),
      queue: queue.map(({ id, text }) => {
        return { id, text: text.slice(0, maxQueuedText), cut: text.length > maxQueuedText }
      }),
      held,
      spent,
      waitedMs: Math.round(this.#waitedMs),
      waitingSince: this.#waitingSince,
      printedAt: this.#printedAt,
      notice: this.#notice,
      noticeAt: this.#noticeAt
    }
  }

  // Calls of a person. All throw a `HostError` for a refusal; then nothing was sent.

  answer(id: string, answer: Answer): void {
    if (!('refuse' in answer) && this.#asks.isCut(id, this.#machine.state.asks)) {
      const message = 'This request is too long to be shown at once. Show all of it before you allow it.'
      throw new HostError('unavailable', message)
    }
    this.#call({ do: 'answer', ask: id, answer })
  }

  /** An open ask with all that it states. */
  ask(id: string): OpenAsk {
    const ask = this.#machine.state.asks.find((open) => open.id === id)
    if (ask === undefined) throw new HostError('already-answered', 'This request is answered or withdrawn.')
    return this.#asks.whole(ask)
  }

  prompt(text: string, when: 'queue' | 'now' | 'if-idle'): void {
    const problem = promptProblem(text)
    if (problem !== null) throw new HostError('bad-params', problem)
    this.#call({ do: 'prompt', text, when })
  }

  changeQueue(change: QueueChange): void {
    if ('move' in change) this.#call({ do: 'move', prompt: change.move, to: change.to })
    else if ('drop' in change) this.#call({ do: 'drop', prompt: change.drop })
    else if ('edit' in change) {
      const problem = promptProblem(change.text)
      if (problem !== null) throw new HostError('bad-params', problem)
      this.#call({ do: 'edit', prompt: change.edit, text: change.text })
    } else this.#call({ do: 'hold' in change ? 'hold' : 'release' })
  }

  /** The whole text of a queued prompt. */
  queued(id: string): string {
    const prompt = this.#machine.state.queue.find((one) => one.id === id)
    if (prompt === undefined) throw new HostError('gone', 'This prompt waits no longer.')
    return prompt.text
  }

  interrupt(): void {
    this.#call({ do: 'interrupt' })
  }

  finish(): void {
    this.#call({ do: 'finish' })
  }

  setMode(mode: string, confirmed: boolean): void {
    this.#call({ do: 'set-mode', mode, confirmed })
  }

  setLimits(limits: DialogueLimits): void {
    if (limits.toolMs !== this.#limits.toolMs)
      this.#notes.changes([{ kind: 'tool-limit', ms: limits.toolMs ?? this.#options.timeLimitMs }])
    this.#limits = limits
    this.#isChanged = true
    this.#call({ do: 'set-limits', limits: this.#coreLimits(limits) })
  }

  // What the host does by itself.

  /** Interrupts the turn, then ends the process. */
  stop(): void {
    this.#take({ kind: 'call', call: { do: 'stop' } })
    this.#report()
  }

  /** Interrupts the turn, which holds what is queued. `why`: a sentence for people. */
  pause(why: string): void {
    if (this.#isOver) return
    this.#say(why)
    this.#notes.changes([{ kind: 'message', message: why }])
    this.#take({ kind: 'call', call: { do: 'interrupt' } })
    this.#report()
  }

  #say(notice: string): void {
    this.#notice = notice
    this.#noticeAt = this.#options.now()
    this.#isChanged = true
  }

  #call(call: DialogueCall): void {
    if (this.#isOver || this.#process?.hasExited === true) throw new HostError('unavailable', 'This run is over.')
    if (this.#process === null) throw new HostError('unavailable', 'The agent is starting. Try again in a moment.')
    const isSent = call.do === 'answer' || call.do === 'prompt' || call.do === 'set-mode'
    if (isSent && this.#process.unreadBytes > maxUnreadBytes)
      throw new HostError('unavailable', 'The agent does not read what it is sent. Interrupt it, or stop the run.')
    const { refused } = this.#take({ kind: 'call', call })
    this.#report()
    if (refused !== null) throw new HostError(refused.code, refused.message)
  }

  #take(input: DialogueInput): ReturnType<DialogueMachine['take']> {
    const elapsedMs = performance.now() - this.#began
    const result = this.#machine.take(input, { at: this.#options.now(), elapsedMs })
    this.#do(result.steps)
    this.#measureWait()
    this.#wakeLater()
    return result
  }

  /** Notes all lines before it sends the first. */
  #do(steps: readonly DialogueStep[]): void {
    if (!this.#cannotSend) this.#notes.asks(steps)
    const sent = steps
      .filter((step) => step.do === 'send')
      .map(({ line, by, secret }) => {
        return { line: JSON.stringify(line), by, secret }
      })
    const canSend = sent.length === 0 || (!this.#isOver && this.#mayBeSent(sent) && this.#notes.sent(sent))
    const notes = steps.map((step) =>
      step.do === 'tell' ? dialogueNoteOf(step.change, this.#options.ownLog === null) : null
    )
    this.#notes.changes(notes.filter((note) => note !== null))
    let next = 0
    for (const step of steps) {
      if (step.do === 'send') {
        const line = sent[next++]?.line
        if (canSend && line !== undefined) this.#process?.write(`${line}\n`)
      } else if (step.do === 'tell') {
        this.#isChanged = true
        if (step.change.kind === 'message') this.#say(step.change.message.slice(0, maxNotice))
        if (step.change.kind === 'decided') this.#asks.forget(step.change.ask.id)
      } else if (step.do === 'close-input') this.#process?.closeInput()
      else this.#options.endProcess()
    }
  }

  #mayBeSent(lines: readonly SentLine[]): boolean {
    if (this.#cannotSend) return false
    // Calls of a person are refused before (`#call`). What the agent itself demands would never end.
    if ((this.#process?.unreadBytes ?? 0) <= maxUnreadBytes || lines.every(({ by }) => by === 'person')) return true
    this.#cannotSend = true
    this.#options.doesNotRead()
    return false
  }

  #measureWait(): void {
    const isAsking = this.#machine.state.turn === 'asking'
    if (isAsking === (this.#waitingSince !== null)) return
    const now = this.#options.now()
    if (this.#waitingSince !== null) this.#waitedMs += Math.max(0, now - this.#waitingSince)
    this.#waitingSince = isAsking ? now : null
  }

  #wakeLater(): void {
    clearTimeout(this.#timer ?? undefined)
    const { wakeAtMs } = this.#machine
    if (wakeAtMs === null || this.#isOver) return
    const inMs = Math.min(maxTimerMs, Math.max(0, wakeAtMs - (performance.now() - this.#began)))
    this.#timer = setTimeout(() => {
      this.#take({ kind: 'time' })
      this.#report()
    }, Math.ceil(inMs))
  }

  #report(): void {
    if (!this.#isChanged) return
    this.#isChanged = false
    this.#options.changed()
  }

  #coreLimits({ askMs, usd, tokens, idleMs }: DialogueLimits): DialogueState['limits'] {
    return { runMs: this.#options.timeLimitMs, askMs, usd, tokens, idleMs }
  }
}
