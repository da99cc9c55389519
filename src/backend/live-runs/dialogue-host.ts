import { appendFileSync, statSync } from 'node:fs'
import { HostError, messageOf } from '#contract/host-error.ts'
import {
  type DialogueLimits,
  maxAskJson,
  type OpenAsk,
  promptProblem,
  type QueueChange,
  type RunDialogue
} from '#contract/live-runs.ts'
import { dialogueNoteOf, type DialogueNote } from '#core/bridge/dialogue-note.ts'
import type { AgentProtocol } from '#core/dialogue/agent-protocol.ts'
import type { Answer, Ask } from '#core/dialogue/ask.ts'
import { type AskNote, noteOfAsk, noteOfWithdrawal } from '#core/dialogue/ask-note.ts'
import { DialogueMachine } from '#core/dialogue/dialogue-machine.ts'
import type { SentNote } from '#core/dialogue/sent-note.ts'
import type { DialogueCall, DialogueInput, DialogueState, DialogueStep } from '#core/dialogue/dialogue.ts'
import type { AgentDialogue } from '#core/formats/agent-program.ts'
import type { AgentProcess } from './agent-process.ts'
import { DialogueFile } from './dialogue-file.ts'
import { RecordingTail } from './recording-tail.ts'
import type { RunFiles } from './run-folder.ts'
import type { SessionLogFile } from './session-log-file.ts'

/** Characters of all asks, and of one queued prompt, in a `LiveRun`. */
const maxAsksJson = 1 << 20
const maxQueuedText = 4000
/** Of what else an ask states, if it is cut, and of a notice, which may be a text of the model. */
const maxCutText = 1000
/** Nothing more is sent to an agent that has not read this much. */
const maxUnreadBytes = 1 << 24
/** The longest wait of `setTimeout`. */
const maxTimerMs = 2 ** 31 - 1

export interface DialogueHostOptions {
  readonly agent: AgentDialogue
  readonly protocol: AgentProtocol
  readonly prompt: string
  readonly mode: string
  readonly mayBecomeDangerous: boolean
  readonly limits: DialogueLimits
  readonly timeLimitMs: number | null
  readonly files: Pick<RunFiles, 'dialogue' | 'hooks'>
  /** The file of standard output. */
  readonly printed: string
  /** Finds the agent's own log, of which the recording is a copy; null: the recording is what is printed. */
  readonly ownLog: SessionLogFile | null
  readonly now: () => number
  /** Something of `state` is different. */
  readonly changed: () => void
  /** The process must end, with the waits of the agent. */
  readonly endProcess: () => void
  /** What would be sent cannot be noted, so nothing is sent. The end of a sentence. */
  readonly cannotNote: (why: string) => void
  /** It reads nothing of what it makes Playhead send: the process must end. */
  readonly doesNotRead: () => void
  /** A sentence for the operator of the host. */
  readonly problem: (message: string) => void
}

/**
 * Lets a person talk to an agent: reads what it prints, and writes to its standard input what the state machine
 * (`DialogueMachine`) sends. Each line is noted in `dialogue.jsonl` before it is sent.
 */
export class DialogueHost {
  readonly #options: DialogueHostOptions
  readonly #machine: DialogueMachine
  readonly #file: DialogueFile
  #limits: DialogueLimits
  #process: AgentProcess | null = null
  #tail: RecordingTail | null = null
  readonly #began = performance.now()
  #timer: NodeJS.Timeout | null = null
  /** Bytes of what was printed up to the end of the last record. */
  #read = 0
  /** The agent's own log. */
  #log: string | null = null
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
  /** Ids of asks that were fetched whole. */
  readonly #fetched = new Set<string>()
  readonly #cut = new WeakMap<Ask, OpenAsk>()

  /** Creates `dialogue.jsonl`. Throws a `HostError`. */
  constructor(options: DialogueHostOptions) {
    this.#options = options
    this.#limits = options.limits
    const { protocol, agent, mode, mayBecomeDangerous, prompt } = options
    const limits = this.#coreLimits(options.limits)
    this.#machine = new DialogueMachine({ protocol, agent, mode, mayBecomeDangerous, prompt, limits })
    this.#file = new DialogueFile(options.files.dialogue)
  }

  /** The process runs: begins to talk to it. */
  begin(process: AgentProcess): void {
    this.#process = process
    this.#noteChanges([{ kind: 'mode', mode: this.#machine.state.mode }])
    this.#take({ kind: 'started' })
    this.#tail = new RecordingTail(this.#options.printed, {
      record: async (record, end) => {
        // What follows is noted with its place in that log.
        await this.#findLog()
        this.#read = end
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
    this.#file.close()
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
    this.#file.close()
  }

  get facts(): Pick<DialogueState, 'turn' | 'session' | 'outcome' | 'failure' | 'failedBy' | 'finished'> {
    return this.#machine.state
  }

  get limits(): DialogueLimits {
    return this.#limits
  }

  get state(): RunDialogue {
    const { turn, mode, wantedMode, asks, queue, held, spent } = this.#machine.state
    let room = maxAsksJson
    return {
      turn,
      mode: mode.slice(0, maxCutText),
      wantedMode,
      asks: asks.map((ask) => {
        const shown = this.#openAsk(ask, room)
        room -= shown.cut ? maxCutText : jsonLength(ask)
        return shown
      }),
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
    const ask = this.#machine.state.asks.find((open) => open.id === id)
    if (ask !== undefined && !('refuse' in answer) && !this.#fetched.has(id) && this.#isCut(id)) {
      const message = 'This request is too long to be shown at once. Show all of it before you allow it.'
      throw new HostError('unavailable', message)
    }
    this.#call({ do: 'answer', ask: id, answer })
  }

  /** An open ask with all that it states. */
  ask(id: string): OpenAsk {
    const ask = this.#machine.state.asks.find((open) => open.id === id)
    if (ask === undefined) throw new HostError('already-answered', 'This request is answered or withdrawn.')
    this.#fetched.add(id)
    return { ...ask, cut: false }
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
    this.#noteChanges([{ kind: 'message', message: why }])
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
    this.#noteAsks(steps)
    const sent = steps
      .filter((step) => step.do === 'send')
      .map(({ line, by, secret }) => {
        return { line: JSON.stringify(line), by, secret }
      })
    const canSend = sent.length === 0 || (!this.#isOver && this.#note(sent))
    const notes = steps.map((step) =>
      step.do === 'tell' ? dialogueNoteOf(step.change, this.#options.ownLog === null) : null
    )
    this.#noteChanges(notes.filter((note) => note !== null))
    let next = 0
    for (const step of steps) {
      if (step.do === 'send') {
        const line = sent[next++]?.line
        if (canSend && line !== undefined) this.#process?.write(`${line}\n`)
      } else if (step.do === 'tell') {
        this.#isChanged = true
        if (step.change.kind === 'message') this.#say(step.change.message.slice(0, maxCutText))
        if (step.change.kind === 'decided') this.#fetched.delete(step.change.ask.id)
      } else if (step.do === 'close-input') this.#process?.closeInput()
      else this.#options.endProcess()
    }
  }

  /** For the rows of a run whose recording does not have what the agent asks. */
  #noteAsks(steps: readonly DialogueStep[]): void {
    if (this.#options.ownLog === null || this.#cannotSend) return
    const at = this.#options.now()
    const notes = steps.flatMap((step): AskNote[] => {
      if (step.do !== 'tell') return []
      if (step.change.kind === 'asked') return [noteOfAsk(at, step.change.ask)]
      const isWithdrawn = step.change.kind === 'decided' && step.change.decision === 'withdrawn'
      return isWithdrawn ? [noteOfWithdrawal(at, step.change.ask)] : []
    })
    this.#append(notes)
  }

  /** False: nothing may be sent. */
  #note(
    sent: readonly { readonly line: string; readonly by: 'person' | 'limit' | 'protocol'; readonly secret: boolean }[]
  ): boolean {
    if (this.#cannotSend) return false
    // Calls of a person are refused before (`#call`). What the agent itself demands would never end.
    if ((this.#process?.unreadBytes ?? 0) > maxUnreadBytes && sent.some(({ by }) => by !== 'person')) {
      this.#cannotSend = true
      this.#options.doesNotRead()
      return false
    }
    const [at, after] = [this.#options.now(), lengthOf(this.#options.printed)]
    return this.#append(sent.map(({ line, by, secret }) => ({ at, after, by, sent: secret ? null : line })))
  }

  /** Writes to `dialogue.jsonl`. False: nothing more may be noted or sent. */
  #append(notes: readonly (AskNote | SentNote)[]): boolean {
    if (notes.length === 0) return true
    try {
      this.#file.add(notes)
      return true
    } catch (error) {
      this.#cannotSend = true
      const why = `${this.#options.files.dialogue} could not be written (${messageOf(error)})`
      if (this.#isOver) this.#options.problem(`${why}.`)
      else this.#options.cannotNote(why)
      return false
    }
  }

  /** Looks for the agent's own log until it is there. */
  async #findLog(): Promise<void> {
    const { ownLog } = this.#options
    const { session } = this.#machine.state
    if (ownLog === null || session === null || this.#log !== null) return
    // The feed says it if a log cannot be read.
    this.#log = await ownLog.find(session).catch(() => null)
  }

  /** Bytes of the recording that precede what happens now; 0: not known. */
  get #before(): number {
    if (this.#options.ownLog === null) return this.#read
    // The agent saves before it prints. The copy may be behind.
    return this.#log === null ? 0 : lengthOf(this.#log)
  }

  /** For the stream of the run, in order with what the agent printed before. */
  #noteChanges(notes: readonly DialogueNote[]): void {
    if (notes.length === 0) return
    const lines = notes.map((dialogue) => `${JSON.stringify({ stdoutBytes: this.#before, dialogue })}\n`)
    try {
      appendFileSync(this.#options.files.hooks, lines.join(''), { mode: 0o600 })
    } catch (error) {
      this.#options.problem(`The stream of an interactive run lacks answers and turns: ${messageOf(error)}`)
    }
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

  #isCut(id: string): boolean {
    return this.state.asks.some((ask) => ask.id === id && ask.cut)
  }

  #openAsk(ask: Ask, room: number): OpenAsk {
    const json = jsonLength(ask)
    if (json <= Math.min(maxAskJson, room)) return { ...ask, cut: false }
    const known = this.#cut.get(ask)
    if (known !== undefined) return known
    const cut: OpenAsk = {
      ...ask,
      trackId: ask.trackId?.slice(0, maxCutText) ?? null,
      toolId: ask.toolId?.slice(0, maxCutText) ?? null,
      tool: ask.tool?.slice(0, maxCutText) ?? null,
      input: JSON.stringify(ask.input).slice(0, Math.min(maxAskJson, Math.max(room, maxCutText))),
      folder: ask.folder?.slice(0, maxCutText) ?? null,
      reason: ask.reason?.slice(0, maxCutText) ?? null,
      scopes: [],
      questions: [],
      cut: true
    }
    this.#cut.set(ask, cut)
    return cut
  }

  #coreLimits({ askMs, usd, tokens, idleMs }: DialogueLimits): DialogueState['limits'] {
    return { runMs: this.#options.timeLimitMs, askMs, usd, tokens, idleMs }
  }
}

const lengths = new WeakMap<Ask, number>()

/** Characters of an ask as JSON. */
function jsonLength(ask: Ask): number {
  const length = lengths.get(ask) ?? JSON.stringify(ask).length
  lengths.set(ask, length)
  return length
}

function lengthOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
