import type { Ask } from '../dialogue/ask.ts'
import { askIdOf } from '../dialogue/ask-id.ts'
import type { AgentEvent, TurnCompleted } from '../events/agent-event.ts'
import { isValidTodoItem, sameTodoItems, type TodoItem } from '../events/todo.ts'
import type { DecodedLine } from '../formats/decode-line.ts'
import { IdSet } from '../formats/id-set.ts'
import { isTooDeep } from '../formats/json-depth.ts'
import { parseJson } from '../formats/json-text.ts'
import type { LiveCue } from '../formats/live-cue.ts'
import type { FoldedEvent, LogFormat } from '../formats/log-format.ts'
import { stamp } from '../formats/stamp.ts'
import { oneLine } from '../index/one-line.ts'
import { isJsonObject, stringAt, type JsonObject, type JsonValue } from '../json.ts'
import { cutText, piecesOf } from './cut-text.ts'
import type { DialogueNote } from './dialogue-note.ts'
import { type DeniedCalls, DeniedCount } from './denied-calls.ts'
import type { HookResult } from '../formats/claude/hook-result.ts'
import {
  maxStreamJson,
  type StreamData,
  type StreamEvent,
  type StreamEventType,
  type StreamTodo
} from './stream-events.ts'
import type { TokenNote } from '../requests/request-note.ts'
import { RequestList } from '../requests/request-list.ts'
import { sentOf, tokensOf } from '../requests/tokens.ts'
import { type Usage, usageOf } from '../requests/usage.ts'
import { StreamedText } from './streamed-text.ts'

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
const maxStatedLists = 100
const maxForms = 2000
const maxHeldHooks = 1000
const maxHeldText = 16 << 20
/** Limit of todos in one event. */
const maxStreamTodos = 1000

/** The tokens of a run so far, of all its agents. */
export interface RunTokens {
  /** Cached or not; null: unknown. */
  readonly sent: number | null
  readonly received: number | null
  /** The agent understates the output so far. */
  readonly atLeast: boolean
}

function runTokens(usage: Usage | null): RunTokens | null {
  if (usage === null) return null
  const { input, cacheRead, cacheWrite, output, understatedRequests } = usage
  const isKnown = input !== null || cacheRead !== null || cacheWrite !== null
  const sent = isKnown ? (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) : null
  return { sent, received: output, atLeast: understatedRequests > 0 }
}

/**
 * Makes a run's server-sent events from the lines of its recording, hooks and standard error. Independent of the
 * chunking; hooks and standard error are placed where they were read. Uses no clock, so reading again gives the same
 * stream.
 */
export class RunStream {
  readonly #format: LogFormat
  readonly #timeLimitMs: number | null
  readonly #interactive: boolean
  /** Requests that nobody has answered. */
  readonly #asked = new Set<string>()
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
  readonly #todoCalls = new IdSet()
  /** The main agent's call that wrote the current list. */
  #lastTodoCall: string | null = null
  /** By call. */
  readonly #statedLists = new Map<string, readonly JsonValue[]>()
  /** The "present-continuous" forms of todos, by content. */
  readonly #forms = new Map<string, string>()
  /** Hooks of calls that are not in the recording yet. */
  readonly #heldHooks = new Map<string, HookResult>()
  #heldText = 0

  /** `timeLimitMs`: a tool that takes longer is reported. `interactive`: somebody answers the agent (`dialogue`). */
  constructor(format: LogFormat, timeLimitMs: number | null, interactive = false) {
    this.#format = format
    this.#timeLimitMs = timeLimitMs
    this.#interactive = interactive
  }

  /** Returns and clears the output since the last call. */
  drain(): StreamOutput {
    const output = { events: this.#events, todos: [...this.#todos.values()], results: this.#results }
    this.#events = []
    this.#todos = new Map()
    this.#results = []
    return output
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
    if (hook.todos !== null && (tool === undefined || !this.#todoCalls.has(tool) || tool === this.#lastTodoCall)) {
      this.#updateTasks(hook.session, hook.todos)
    }
    if (tool === undefined || hook.todos !== null || this.#todoCalls.has(tool) || this.#answered.has(tool)) return
    if (this.#started.has(tool)) this.#hookResult(hook)
    else this.#hold(tool, hook)
  }

  /** Adds what became different in the dialogue with the agent. */
  dialogue(note: DialogueNote): void {
    const session_id = this.#session
    switch (note.kind) {
      case 'answer': {
        const request_id = requestId(note.ask)
        this.#asked.delete(request_id)
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
    }
  }

  /** Text from standard error, or of a running tool. */
  output(text: string): void {
    for (const piece of piecesOf(text)) this.#emit('tool_output', { session_id: this.#session, text: piece })
  }

  /** The end of the run, after all was read. */
  end({ finishReason, exitCode, signal, message }: RunEnd): void {
    const session_id = this.#session
    for (const request_id of this.#asked)
      this.#emit('status', { kind: 'answer', session_id, request_id, decision: 'withdrawn', by: 'host', message: null })
    this.#asked.clear()
    for (const hook of this.#heldHooks.values()) this.#hookResult(hook)
    this.#heldHooks.clear()
    if (finishReason === 'timeout') {
      for (const [id, { name, trackId }] of this.#openCalls) this.#timeout(id, name, trackId, null)
    }
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
        keep(this.#forms, maxForms, cue.content, cue.form)
        return
      case 'tool-progress':
        if (this.#timeLimitMs !== null && cue.elapsedMs > this.#timeLimitMs) {
          const call = this.#openCalls.get(cue.toolId)
          this.#timeout(cue.toolId, cue.toolName ?? call?.name ?? null, cue.trackId ?? null, cue.elapsedMs / 1000)
        }
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
    this.#todoCalls.add(toolId)
    this.#release(toolId)
    if (todos === null) return
    keep(this.#statedLists, maxStatedLists, toolId, todos)
    for (const todo of todos) {
      const content = isJsonObject(todo) ? stringAt(todo, 'content') : undefined
      const form = isJsonObject(todo) ? stringAt(todo, 'activeForm') : undefined
      if (content !== undefined && form !== undefined) keep(this.#forms, maxForms, content, form)
    }
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
    if (this.#interactive && !cue.denied && request_id !== null) keepIn(this.#asked, maxOpenCalls, request_id)
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

  /** Emitted once per call. */
  #timeout(id: string, name: string | null, trackId: string | null, seconds: number | null): void {
    if (this.#timedOut.has(id)) return
    this.#timedOut.add(id)
    this.#emit('tool_timeout', {
      session_id: this.#session,
      track_id: trackId,
      tool_use_id: id,
      tool_name: name,
      elapsed_seconds: seconds
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
        keep(this.#openCalls, maxOpenCalls, id, { name, trackId: track_id })
        this.#started.add(id)
        this.#emit('tool_use', { session_id, track_id, id, name, input: json ?? {}, cut: json === null })
        const held = this.#release(id)
        if (held !== undefined) this.#hookResult(held)
        return
      }
      case 'tool.completed':
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
    this.#openCalls.delete(toolId)
    this.#answered.add(toolId)
    this.#release(toolId)
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

  /** The call may state more than the event: `activeForm`, and entries that are invalid in events. */
  #todoList(todoId: string, items: readonly TodoItem[]): void {
    this.#todoCalls.add(todoId)
    this.#lastTodoCall = todoId
    this.#todo = { completed: items.filter(({ status }) => status === 'completed').length, total: items.length }
    const stated = this.#statedLists.get(todoId)
    const says = stated !== undefined && sameTodoItems(itemsOf(stated), items)
    if (this.#session === null) this.#emitTasks(null, says ? stated : this.#entriesOf(items))
    else this.#updateTasks(this.#session, says ? stated : this.#entriesOf(items))
  }

  #entriesOf(items: readonly TodoItem[]): readonly JsonObject[] {
    return items.map(({ text, status }) => {
      const activeForm = this.#forms.get(text)
      return activeForm === undefined ? { content: text, status } : { content: text, status, activeForm }
    })
  }

  #updateTasks(session: string, todos: readonly JsonValue[]): void {
    this.#todos.set(session, { session, todos })
    this.#emitTasks(session, todos)
  }

  #emitTasks(session_id: string | null, todos: readonly JsonValue[]): void {
    const listed: StreamTodo[] = []
    let left = maxStreamJson
    for (const todo of todos) {
      const content = isJsonObject(todo) ? stringAt(todo, 'content') : undefined
      if (!isJsonObject(todo) || content === undefined || content.trim() === '') continue
      const activeForm = stringAt(todo, 'activeForm') ?? null
      left -= content.length + (activeForm?.length ?? 0)
      if (left < 0 || listed.length === maxStreamTodos)
        return this.#emit('task_update', { session_id, todos: listed, cut: true })
      listed.push({ content, status: cutText(stringAt(todo, 'status') ?? 'pending').text, activeForm })
    }
    this.#emit('task_update', { session_id, todos: listed, cut: false })
  }

  #hold(tool: string, hook: HookResult): void {
    this.#release(tool)
    this.#heldHooks.set(tool, hook)
    this.#heldText += hook.result?.content.length ?? 0
    for (const [oldest, held] of this.#heldHooks) {
      if (this.#heldHooks.size <= maxHeldHooks && this.#heldText <= maxHeldText) return
      this.#release(oldest)
      this.#hookResult(held)
    }
  }

  #release(tool: string): HookResult | undefined {
    const held = this.#heldHooks.get(tool)
    if (held === undefined) return undefined
    this.#heldHooks.delete(tool)
    this.#heldText -= held.result?.content.length ?? 0
    return held
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

/** Adds a value; drops the oldest one above `max`. */
function keepIn<V>(set: Set<V>, max: number, value: V): void {
  set.add(value)
  if (set.size <= max) return
  for (const oldest of set) {
    set.delete(oldest)
    return
  }
}

/** Sets an entry; drops the oldest one above `max`. */
function keep<K, V>(map: Map<K, V>, max: number, key: K, value: V): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}

function itemsOf(stated: readonly JsonValue[]): readonly TodoItem[] {
  return stated
    .map((todo) => (isJsonObject(todo) ? { text: todo['content'], status: todo['status'] } : null))
    .filter(isValidTodoItem)
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
