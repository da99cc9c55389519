import type { Ask } from '../dialogue/ask.ts'
import { askIdOf } from '../dialogue/ask-id.ts'
import type { AgentEvent, TurnCompleted } from '../events/agent-event.ts'
import { dropOldest } from '../drop-oldest.ts'
import type { TodoItem } from '../events/todo.ts'
import type { DecodedLine } from '../formats/decode-line.ts'
import { IdSet } from '../formats/id-set.ts'
import { isTooDeep } from '../formats/json-depth.ts'
import { parseJson } from '../formats/json-text.ts'
import type { LiveCue } from '../formats/live-cue.ts'
import type { FoldedEvent, LogFormat } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { oneLine } from '../index/one-line.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { cutText, piecesOf } from './cut-text.ts'
import type { DialogueNote } from './dialogue-note.ts'
import { type DeniedCalls, DeniedCount } from './denied-calls.ts'
import type { HookResult } from '../formats/claude/hook-result.ts'
import { maxStreamJson, type StreamData, type StreamEvent, type StreamEventType } from './stream-events.ts'
import type { TokenNote } from '../requests/request-note.ts'
import { RequestList } from '../requests/request-list.ts'
import { sentOf, tokensOf } from '../requests/tokens.ts'
import { usageOf } from '../requests/usage.ts'
import { HeldHooks } from './held-hooks.ts'
import { type RunTokens, runTokens } from './run-tokens.ts'
import { StreamedText } from './streamed-text.ts'
import { StreamTodos } from './stream-todos.ts'
import type { CallChange } from './tool-clock.ts'

/** The whole todo list of a session, to be stored. */
export interface SessionTodos {
  readonly session: string
  /** Entries as the agent states them: `content`, `status`, `activeForm`. */
  readonly todos: readonly JsonValue[]
}

/** The result of a tool call, to be stored. */
export interface CallResult {
  readonly session: string
  readonly tool: string
  readonly content: string
  readonly isError: boolean
  readonly source: 'hook' | 'agent'
}

/** The output of the stream since the last call. */
export interface StreamOutput {
  readonly events: readonly StreamEvent[]
  /** The latest list of each session. */
  readonly todos: readonly SessionTodos[]
  readonly results: readonly CallResult[]
  /** For the clock of a live run (`ToolClock`). */
  readonly calls: readonly CallChange[]
}

/** The current facts of a run. */
export interface RunFacts {
  readonly sessionId: string | null
  readonly tokens: RunTokens | null
  /** The main agent's list. */
  readonly todo: { readonly completed: number; readonly total: number } | null
  /** The end of the main agent's last turn. */
  readonly lastTurn: TurnCompleted['finishReason'] | null
  /** The main agent's last turn has no end, though its log format has turn ends. */
  readonly isTurnOpen: boolean
  readonly denied: DeniedCalls | null
  /** The main agent's last error in one short line; null: none, or a later turn succeeded. */
  readonly lastError: string | null
  readonly events: number
}

export interface RunEnd {
  readonly finishReason: TurnCompleted['finishReason']
  readonly exitCode: number | null
  readonly signal: string | null
  /** Shown to the user; null: none. */
  readonly message: string | null
}

interface OpenCall {
  readonly name: string
  readonly trackId: string | null
}

/** Limits; the oldest entries are dropped. */
const maxOpenCalls = 10_000
const maxAsked = 10_000

/**
 * Makes a run's server-sent events from the lines of its recording, hooks and standard error. Independent of the
 * chunking; hooks and standard error are placed where they were read. Uses no clock, so reading again gives the same
 * stream.
 */
export class RunStream {
  readonly #format: LogFormat
  #toolLimitMs: number | null
  readonly #interactive: boolean
  /** Requests that nobody has answered, and the calls they are about. */
  readonly #asked = new Map<string, string | null>()
  #calls: CallChange[] = []
  #events: StreamEvent[] = []
  #todos = new Map<string, SessionTodos>()
  #results: CallResult[] = []
  readonly #text = new StreamedText()
  readonly #requests = new RequestList()
  #session: string | null = null
  #mode: string | null = null
  #lastTurn: RunFacts['lastTurn'] = null
  #isTurnOpen = true
  #tellsTurnEnds = true
  readonly #denied = new DeniedCount()
  #lastError: string | null = null
  #todo: RunFacts['todo'] = null
  #count = 0
  /** The final answer, for the record that ends the turn. */
  #answer: string | null = null
  readonly #openCalls = new Map<string, OpenCall>()
  readonly #started = new IdSet()
  readonly #answered = new IdSet()
  readonly #timedOut = new IdSet()
  readonly #list = new StreamTodos()
  readonly #heldHooks = new HeldHooks<HookResult>()

  /** `toolLimitMs`: a tool that takes longer is reported. `interactive`: somebody answers the agent (`dialogue`). */
  constructor(format: LogFormat, toolLimitMs: number | null, interactive = false) {
    this.#format = format
    this.#toolLimitMs = toolLimitMs
    this.#interactive = interactive
  }

  /** Returns and clears the output since the last call. */
  drain(): StreamOutput {
    const [events, todos, results, calls] = [this.#events, [...this.#todos.values()], this.#results, this.#calls]
    this.#events = []
    this.#todos = new Map()
    this.#results = []
    this.#calls = []
    return { events, todos, results, calls }
  }

  /** The limit now: a person may change it (`dialogue`). Null: none. */
  get toolLimitMs(): number | null {
    return this.#toolLimitMs
  }

  get facts(): RunFacts {
    return {
      sessionId: this.#session,
      tokens: runTokens(usageOf(this.#requests)),
      todo: this.#todo,
      lastTurn: this.#lastTurn,
      isTurnOpen: this.#isTurnOpen && this.#tellsTurnEnds,
      denied: this.#denied.total,
      lastError: this.#lastError,
      events: this.#count
    }
  }

  /** Reads a line. Its events follow in `addEvents`, possibly after a later line. */
  read({ decoded, value }: Pick<DecodedLine, 'decoded' | 'value'>): void {
    const draft = decoded?.joins === true ? decoded.drafts[0] : undefined
    if (draft?.type === 'text' && draft.category === 'assistant-message')
      this.#emitText(null, this.#text.piece('', draft.text))
    if (!isJsonObject(value)) return
    for (const cue of this.#format.liveCues?.(value) ?? []) this.#cue(cue)
  }

  /** Adds events in the order of the log. */
  addEvents(events: readonly FoldedEvent[]): void {
    for (const folded of events) this.#event(stamp(folded, this.#format))
  }

  /** Adds the token notes of a line. */
  addTokens(notes: readonly TokenNote[]): void {
    for (const note of notes) this.#requests.add(note, 0, 0)
  }

  /** Adds a hook's report of a completed call. */
  hook(hook: HookResult): void {
    const tool = hook.result?.tool
    if (tool !== undefined) this.#calls.push({ kind: 'over', tool })
    if (hook.todos !== null && !this.#list.isLate(tool)) this.#updateTasks(hook.session, hook.todos)
    if (tool === undefined || hook.todos !== null || this.#list.isCall(tool) || this.#answered.has(tool)) return
    if (this.#started.has(tool)) this.#hookResult(hook)
    else for (const dropped of this.#heldHooks.hold(tool, hook)) this.#hookResult(dropped)
  }

  /** Adds what the host notes. */
  dialogue(note: DialogueNote): void {
    const session_id = this.#session
    switch (note.kind) {
      case 'answer': {
        const request_id = requestId(note.ask)
        this.#decided(request_id, note.decision === 'refused' || note.decision === 'withdrawn')
        const message = note.message === null ? null : cutText(note.message).text
        const { decision, by } = note
        this.#emit('status', { kind: 'answer', session_id, request_id, decision, by, message })
        return
      }
      case 'turn':
        this.#emit('status', { kind: 'turn', session_id, turn: note.turn })
        return
      case 'queue':
        this.#emit('status', { kind: 'queue', session_id, length: note.length, held: note.held })
        return
      case 'mode':
        this.#setMode(note.mode)
        return
      case 'message':
        this.#emit('status', { kind: 'text', session_id, track_id: null, category: 'status', ...cutText(note.message) })
        return
      case 'asked':
        this.#asks(note.ask)
        return
      case 'session':
        this.#session ??= note.session
        return
      case 'call':
        if (this.#answered.has(note.tool)) return
        if (note.isOver) this.#closeCall(note.tool)
        else this.#openCall(note.tool, note.name, null)
        return
      case 'tool-limit':
        this.#toolLimitMs = note.ms
        return
      case 'tool-timeout':
        if (!this.#answered.has(note.tool)) this.#timeout(note.tool, note.elapsedMs / 1000)
        return
      case 'time-up':
        this.#timeIsUp(new Set(this.#asked.values()))
    }
  }

  /** Text from standard error, or of a running tool. */
  output(text: string): void {
    for (const piece of piecesOf(text)) this.#emit('tool_output', { session_id: this.#session, text: piece })
  }

  /** The end of the run, after all was read. */
  end({ finishReason, exitCode, signal, message }: RunEnd): void {
    const session_id = this.#session
    const waiting = new Set(this.#asked.values())
    for (const request_id of this.#asked.keys())
      this.#emit('status', { kind: 'answer', session_id, request_id, decision: 'withdrawn', by: 'host', message: null })
    this.#asked.clear()
    for (const hook of this.#heldHooks.releaseAll()) this.#hookResult(hook)
    if (finishReason === 'timeout') this.#timeIsUp(waiting)
    if (finishReason === 'error') {
      const what = cutText(message ?? howItEnded(exitCode, signal))
      this.#emit('error', { session_id, track_id: null, message: what.text, code: 'run_failed', cut: what.cut })
    }
    const said = message === null ? null : cutText(message).text
    this.#emit('done', { session_id, finish_reason: finishReason, exit_code: exitCode, signal, message: said })
  }

  #emit<T extends StreamEventType>(type: T, data: StreamData<T>): void {
    this.#events.push({ type, data } as StreamEvent)
  }

  #emitText(trackId: string | null, text: string): void {
    for (const piece of piecesOf(text))
      this.#emit('text', { session_id: this.#session, track_id: trackId, text: piece })
  }

  #cue(cue: LiveCue): void {
    switch (cue.kind) {
      case 'piece':
        this.#emitText(cue.trackId ?? null, this.#text.piece(cue.trackId ?? '', cue.text))
        return
      case 'todo-call':
        this.#todoCall(cue.toolId, cue.todos)
        return
      case 'active-form':
        this.#list.form(cue.content, cue.form)
        return
      case 'tool-progress':
        if (this.#isTooLong(cue.elapsedMs))
          this.#timeout(cue.toolId, cue.elapsedMs / 1000, { name: cue.toolName ?? null, trackId: cue.trackId ?? null })
        return
      case 'tool-output':
        this.output(cue.text)
        return
      case 'permission':
        this.#permission(cue)
        return
      case 'mode':
        // The host of an interactive run states it (`dialogue`).
        if (!this.#interactive) this.#setMode(cue.mode)
        return
      case 'without-turn-ends':
        this.#tellsTurnEnds = false
        return
    }
  }

  #todoCall(toolId: string, todos: readonly JsonValue[] | null): void {
    this.#heldHooks.release(toolId)
    this.#list.call(toolId, todos)
  }

  #openCall(tool: string, name: string, trackId: string | null): void {
    this.#openCalls.delete(tool)
    this.#openCalls.set(tool, { name, trackId })
    dropOldest(this.#openCalls, this.#openCalls.size - maxOpenCalls)
    if (!this.#timedOut.has(tool)) this.#calls.push({ kind: 'started', tool, trackId })
  }

  #closeCall(tool: string): void {
    this.#openCalls.delete(tool)
    this.#calls.push({ kind: 'over', tool })
  }

  #decided(request: string, isRefused: boolean): void {
    const tool = this.#asked.get(request) ?? null
    if (!this.#asked.delete(request)) return
    this.#calls.push({ kind: 'decided', request })
    // It never runs.
    if (isRefused && tool !== null) this.#calls.push({ kind: 'over', tool })
  }

  #setMode(mode: string): void {
    const previous = this.#mode
    this.#mode = mode
    if (previous === null || previous === mode) return
    this.#emit('mode_changed', {
      session_id: this.#session,
      mode: cutText(mode).text,
      previous: cutText(previous).text
    })
  }

  #asks({ id, toolId, tool, input, reason, scopes, questions }: Ask): void {
    this.#permission({
      kind: 'permission',
      requestId: requestId(id),
      ...(toolId === null ? {} : { toolId }),
      ...(tool === null ? {} : { toolName: tool }),
      ...(isJsonObject(input) ? { input } : {}),
      ...(reason === null ? {} : { message: reason }),
      ...{ denied: false, scopes, questions }
    })
  }

  #permission(cue: LiveCue & { kind: 'permission' }): void {
    const toolName = cue.toolName ?? this.#openCalls.get(cue.toolId ?? '')?.name
    if (cue.denied && !this.#denied.add(cue.toolId, toolName)) return
    const input = cue.input === undefined ? null : cutJson(cue.input)
    const message = cue.message === undefined ? null : cutText(cue.message)
    const { scopes, questions } = cue
    const isLong = JSON.stringify([scopes, questions]).length > maxStreamJson
    const offered = {
      ...(scopes === undefined ? {} : { scopes: isLong ? [] : [...scopes] }),
      ...(questions === undefined ? {} : { questions: isLong ? [] : [...questions] })
    }
    const request_id = cue.requestId === undefined ? null : requestId(askIdOf(cue.requestId))
    if (this.#interactive && !cue.denied && request_id !== null) {
      this.#asked.set(request_id, cue.toolId ?? null)
      dropOldest(this.#asked, this.#asked.size - maxAsked)
      this.#calls.push({ kind: 'asked', request: request_id, tool: cue.toolId ?? null })
    }
    this.#emit('permission_request', {
      session_id: this.#session,
      request_id,
      tool_use_id: cue.toolId ?? null,
      tool_name: toolName ?? null,
      input: input?.json ?? null,
      message: message?.text ?? null,
      denied: cue.denied,
      ...(this.#interactive && !cue.denied ? offered : {}),
      cut: input?.json === null || message?.cut === true || (this.#interactive && isLong)
    })
  }

  #isTooLong(elapsedMs: number): boolean {
    return this.#toolLimitMs !== null && elapsedMs > this.#toolLimitMs
  }

  /** The run's time is up: what still runs took too long. `waiting`: calls that a person is asked about. */
  #timeIsUp(waiting: ReadonlySet<string | null>): void {
    for (const tool of this.#openCalls.keys()) if (!waiting.has(tool)) this.#timeout(tool, null)
  }

  /** Emitted once per call. `stated`: what the record says of the call. */
  #timeout(
    tool: string,
    elapsed_seconds: number | null,
    stated?: { name: string | null; trackId: string | null }
  ): void {
    if (this.#timedOut.has(tool)) return
    this.#timedOut.add(tool)
    this.#calls.push({ kind: 'over', tool })
    const call = this.#openCalls.get(tool)
    this.#emit('tool_timeout', {
      session_id: this.#session,
      track_id: stated?.trackId ?? call?.trackId ?? null,
      tool_use_id: tool,
      tool_name: stated?.name ?? call?.name ?? null,
      elapsed_seconds
    })
  }

  #event(event: AgentEvent): void {
    this.#count += 1
    if (event.sessionId !== undefined) this.#session = event.sessionId
    const session_id = this.#session
    const track_id = event.trackId ?? null
    if (track_id === null && isWork(event)) this.#isTurnOpen = true
    switch (event.type) {
      case 'session.started': {
        const { model = null, cwd = null, version = null, tools = null } = event
        this.#emit('status', { kind: 'session', session_id, track_id, model, cwd, version, tools })
        return
      }
      case 'text':
        this.#textEvent(event.text, event.category ?? null, track_id)
        return
      case 'tool.started': {
        const { toolId: id, toolName: name } = event
        const { json } = cutJson(event.input)
        this.#openCall(id, name, track_id)
        this.#started.add(id)
        this.#emit('tool_use', { session_id, track_id, id, name, input: json ?? {}, cut: json === null })
        const held = this.#heldHooks.release(id)
        if (held !== undefined) this.#hookResult(held)
        return
      }
      case 'tool.completed':
        // Of a call whose time nobody measured, as while a feed was away.
        if (
          event.durationFrom === 'stated' &&
          this.#isTooLong(event.durationMs ?? 0) &&
          this.#openCalls.has(event.toolId)
        )
          this.#timeout(event.toolId, (event.durationMs ?? 0) / 1000)
        this.#toolCompleted(event.toolId, event.error ?? event.output ?? '', event.error !== undefined, track_id)
        return
      case 'turn.completed':
        if (track_id === null) this.#turnCompleted(event)
        return
      case 'error': {
        const { text: message, cut } = cutText(event.error)
        // A line that is not JSON is not an error of the agent.
        if (track_id === null && event.code !== 'JSONL_PARSE_ERROR') this.#lastError = oneLine(event.error) || null
        this.#emit('error', { session_id, track_id, message, code: event.code ?? null, cut })
        return
      }
      case 'todo_list':
        if (track_id === null) this.#todoList(event.todoId, event.items)
    }
  }

  #textEvent(text: string, category: string | null, track_id: string | null): void {
    if (category === 'assistant-message') this.#emitText(track_id, this.#text.whole(track_id ?? '', text))
    else if (category === 'result' && track_id === null) this.#answer = text
    // Asks are told by cues, and answers by whoever sent them.
    else if (category !== 'permission')
      this.#emit('status', { kind: 'text', session_id: this.#session, track_id, category, ...cutText(text) })
  }

  #toolCompleted(toolId: string, content: string, isError: boolean, track_id: string | null): void {
    this.#closeCall(toolId)
    this.#answered.add(toolId)
    this.#heldHooks.release(toolId)
    this.#result(this.#session, track_id, { tool: toolId, content, isError }, 'agent')
  }

  #hookResult({ session, result }: HookResult): void {
    if (result === null) return
    this.#result(session, this.#openCalls.get(result.tool)?.trackId ?? null, result, 'hook')
  }

  #result(
    session_id: string | null,
    track_id: string | null,
    { tool, content, isError }: NonNullable<HookResult['result']>,
    source: CallResult['source']
  ): void {
    const { text, cut } = cutText(content)
    const about = { session_id, track_id, tool_use_id: tool }
    this.#emit('tool_result', { ...about, content: text, is_error: isError, source, cut })
    if (session_id !== null) this.#results.push({ session: session_id, tool, content, isError, source })
  }

  #turnCompleted(turn: TurnCompleted): void {
    const { finishReason, model = null, usage, costUsd = null, durationMs = null } = turn
    this.#lastTurn = finishReason
    this.#isTurnOpen = false
    if (finishReason === 'done') this.#lastError = null
    // What has no result then was given up.
    else
      for (const [tool, { trackId }] of this.#openCalls) if (trackId === null) this.#calls.push({ kind: 'over', tool })
    const answer = this.#answer === null ? null : cutText(this.#answer)
    this.#answer = null
    const counts = usage === undefined ? null : tokensOf(usage)
    this.#emit('result', {
      session_id: this.#session,
      finish_reason: finishReason,
      is_error: finishReason === 'error',
      text: answer?.text ?? null,
      model,
      usage: usage ?? null,
      tokens: counts === null ? null : { sent: sentOf(counts) ?? null, received: counts.output ?? null },
      cost_usd: costUsd,
      duration_ms: durationMs,
      cut: answer?.cut ?? false
    })
  }

  #todoList(todoId: string, items: readonly TodoItem[]): void {
    this.#todo = { completed: items.filter(({ status }) => status === 'completed').length, total: items.length }
    this.#updateTasks(this.#session, this.#list.ofEvent(todoId, items))
  }

  #updateTasks(session: string | null, todos: readonly JsonValue[]): void {
    const update = this.#list.update(session, todos)
    if (update === null) return
    if (session !== null) this.#todos.set(session, { session, todos })
    this.#emit('task_update', update)
  }
}

/** Whether an event belongs to an open turn: a prompt, a message or a call. */
function isWork(event: AgentEvent): boolean {
  if (event.type !== 'text') return event.type === 'tool.started' || event.type === 'todo_list'
  return event.category === 'assistant-message' || event.category === 'reasoning' || event.category === 'user-message'
}

/** The agent's id of a request, from `Ask.id`, which is JSON unless it was cut. */
function requestId(ask: string): string {
  const parsed = parseJson(ask)
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : ask
}

/** Null above the limit of an event. */
function cutJson(json: JsonObject): { readonly json: JsonObject | null } {
  return { json: isTooDeep(json) || JSON.stringify(json).length > maxStreamJson ? null : json }
}

function howItEnded(exitCode: number | null, signal: string | null): string {
  if (signal !== null) return `The agent was ended by ${signal}.`
  if (exitCode === 0) return 'The agent reported that its last turn failed.'
  return exitCode === null ? 'The agent ended with an error.' : `The agent ended with exit code ${exitCode}.`
}
