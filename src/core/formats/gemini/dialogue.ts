import * as z from 'zod'
import type {
  AgentNews,
  AgentProtocol,
  AgentReading,
  DialogueStart,
  NewAsk,
  SentPrompt
} from '../../dialogue/agent-protocol.ts'
import type { Answer, Ask } from '../../dialogue/ask.ts'
import { askIdOf } from '../../dialogue/ask-id.ts'
import { asksAPerson, notOffered } from '../../dialogue/asks-a-person.ts'
import { type RpcId, RpcRequests, rpcId } from '../../dialogue/json-rpc.ts'
import { unknownAsk } from '../../dialogue/unknown-ask.ts'
import { dropOldest } from '../../drop-oldest.ts'
import { isJsonObject, type JsonObject, type JsonValue, numberAt, objectAt, stringAt } from '../../json.ts'
import { shellSegments } from '../../shell/shell-line.ts'
import { isTooDeep } from '../json-depth.ts'
import { allowForRun, allowOnce, refuse } from './chat-asks.ts'

const json = z.custom<JsonValue>(() => true)

const permissionRequest = z.object({
  options: z.array(z.object({ optionId: z.string(), name: z.string(), kind: z.string() })),
  toolCall: z.object({
    toolCallId: z.string(),
    title: z.string().nullish(),
    kind: z.string().nullish(),
    content: z.array(json).nullish(),
    locations: z.array(json).nullish()
  })
})
type ToolCall = z.infer<typeof permissionRequest>['toolCall']

const diffContent = z.object({
  type: z.literal('diff'),
  path: z.string(),
  oldText: z.string().nullish(),
  newText: z.string()
})
const textContent = z.object({
  type: z.literal('content'),
  content: z.object({ type: z.literal('text'), text: z.string() })
})

const mostCalls = 1000

/** The agent's names for modes, by the ids of `modes`. */
const wireModes: Readonly<Record<string, string>> = { default: 'default', auto_edit: 'autoEdit', yolo: 'yolo' }

type About = 'initialize' | 'session' | 'start-mode' | 'prompt' | { readonly mode: string }

/** The Agent Client Protocol, version 1, over JSON-RPC 2.0. */
export class GeminiDialogue implements AgentProtocol {
  readonly #start: DialogueStart
  readonly #requests = new RpcRequests<About>()
  readonly #open = new Map<string, { readonly id: RpcId; readonly isUnderstood: boolean }>()
  /** Calls that run, and their tools. */
  readonly #calls = new Map<string, string>()
  #session = ''
  /** Prompts that are not answered: the turn runs. */
  #prompts = 0
  #tokens: number | null = null

  constructor(start: DialogueStart) {
    this.#start = start
  }

  start(): readonly JsonObject[] {
    const clientInfo = { name: 'playhead', title: 'Playhead', version: this.#start.version }
    const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false }
    return [this.#request('initialize', 'initialize', { protocolVersion: 1, clientInfo, clientCapabilities })]
  }

  read(record: JsonValue): AgentReading {
    if (!isJsonObject(record)) return nothing
    const method = stringAt(record, 'method')
    if (method === undefined) return this.#answered(record)
    const params = objectAt(record, 'params') ?? {}
    if ('id' in record) return this.#asked(rpcId(record['id']), method, params)
    return method === 'session/update' && this.#session !== ''
      ? this.#updated(objectAt(params, 'update') ?? {})
      : nothing
  }

  prompt({ text }: SentPrompt): readonly JsonObject[] {
    this.#prompts += 1
    return [this.#request('prompt', 'session/prompt', { sessionId: this.#session, prompt: [{ type: 'text', text }] })]
  }

  answer(ask: Ask, answer: Answer): readonly JsonObject[] {
    const open = this.#open.get(ask.id)
    this.#open.delete(ask.id)
    if (open === undefined) return []
    if (!open.isUnderstood) {
      const message = ('refuse' in answer ? answer.refuse : '') || 'The user refused this.'
      return [{ jsonrpc, id: open.id, error: { code: -32000, message } }]
    }
    const optionId = 'allow' in answer ? (answer.allow === 'run' ? allowForRun : allowOnce) : refuse
    return [{ jsonrpc, id: open.id, result: { outcome: { outcome: 'selected', optionId } } }]
  }

  turnAway(ask: Ask): readonly JsonObject[] {
    const open = this.#open.get(ask.id)
    this.#open.delete(ask.id)
    return open === undefined ? [] : [cancelled(open.id)]
  }

  interrupt(open: readonly Ask[]): readonly JsonObject[] {
    const cancel = { jsonrpc, method: 'session/cancel', params: { sessionId: this.#session } }
    // The turn does not end before each is answered so.
    return [cancel, ...open.flatMap((ask) => this.turnAway(ask))]
  }

  setMode(mode: string): readonly JsonObject[] {
    return [this.#modeRequest({ mode }, mode)]
  }

  #modeRequest(about: About, mode: string): JsonObject {
    return this.#request(about, 'session/set_mode', { sessionId: this.#session, modeId: wireModes[mode] ?? mode })
  }

  #request(about: About, method: string, params: JsonObject): JsonObject {
    return { jsonrpc, id: this.#requests.next(about), method, params }
  }

  #answered(record: JsonObject): AgentReading {
    const about = this.#requests.answered(record['id'])
    if (about === undefined) return nothing
    const error = objectAt(record, 'error')
    const result = objectAt(record, 'result') ?? {}
    const message = error === undefined ? null : errorText(error)
    if (about === 'prompt') return this.#turnOver(result, message)
    if (typeof about === 'object')
      return told(message === null ? { kind: 'mode', mode: about.mode } : { kind: 'mode-refused', message })
    if (message !== null) {
      const gone = about === 'session' && this.#start.resume !== null
      return told({ kind: 'handshake-failed', message, gone })
    }
    switch (about) {
      case 'initialize':
        return { news: [], replies: [this.#openSession()] }
      case 'session':
        return this.#opened(result)
      case 'start-mode':
        return told({ kind: 'ready' })
    }
  }

  #openSession(): JsonObject {
    const { cwd, resume } = this.#start
    const params = { cwd, mcpServers: [] }
    return resume === null
      ? this.#request('session', 'session/new', params)
      : this.#request('session', 'session/load', { sessionId: resume, ...params })
  }

  #opened(result: JsonObject): AgentReading {
    const { mode, resume } = this.#start
    const session = stringAt(result, 'sessionId') ?? resume
    if (session === null)
      return told({ kind: 'handshake-failed', message: 'The agent opened no session.', gone: false })
    this.#session = session
    const news: AgentNews[] = [{ kind: 'session', session }]
    const current = stringAt(objectAt(result, 'modes') ?? {}, 'currentModeId')
    if (current === (wireModes[mode] ?? mode)) return told(...news, { kind: 'ready' })
    // A loaded session may have another mode than the one that the person chose for this run.
    return { news, replies: [this.#modeRequest('start-mode', mode)] }
  }

  #turnOver(result: JsonObject, message: string | null): AgentReading {
    this.#prompts = Math.max(0, this.#prompts - 1)
    const asks = this.#prompts > 0 ? [] : [...this.#open.keys()]
    for (const id of asks) this.#open.delete(id)
    const count = objectAt(objectAt(objectAt(result, '_meta') ?? {}, 'quota') ?? {}, 'token_count')
    const news: AgentNews[] = asks.map((ask) => ({ kind: 'settled', ask }))
    if (this.#prompts === 0) {
      for (const [tool, name] of this.#calls) news.push({ kind: 'call', tool, name, isOver: true })
      this.#calls.clear()
    }
    if (count !== undefined) {
      this.#tokens =
        (this.#tokens ?? 0) + (numberAt(count, 'input_tokens') ?? 0) + (numberAt(count, 'output_tokens') ?? 0)
      news.push({ kind: 'spent', usd: null, tokens: this.#tokens })
    }
    return told(...news, {
      kind: 'turn-over',
      ...outcomeOf(stringAt(result, 'stopReason'), message),
      next: this.#prompts > 0
    })
  }

  /** Not while a loaded session is printed again. */
  #updated(update: JsonObject): AgentReading {
    const kind = update['sessionUpdate']
    if (kind === 'tool_call' || kind === 'tool_call_update') return told(...this.#called(update))
    if (kind !== 'current_mode_update') return nothing
    const current = stringAt(update, 'currentModeId')
    const mode = Object.keys(wireModes).find((id) => wireModes[id] === current) ?? current
    return mode === undefined ? nothing : told({ kind: 'mode', mode })
  }

  /** A call runs from the first record that states it. */
  #called(call: JsonObject): readonly AgentNews[] {
    const tool = stringAt(call, 'toolCallId')
    if (tool === undefined) return []
    const name = toolNameOf(tool) ?? stringAt(call, 'kind') ?? ''
    const isOver = call['status'] === 'completed' || call['status'] === 'failed'
    if (isOver) this.#calls.delete(tool)
    else if (this.#calls.has(tool)) return []
    else this.#calls.set(tool, name)
    dropOldest(this.#calls, this.#calls.size - mostCalls)
    return [{ kind: 'call', tool, name, isOver }]
  }

  #asked(id: RpcId | null, method: string, params: JsonObject): AgentReading {
    if (id === null) return told({ kind: 'trouble', message: 'The agent asked without an id.' })
    if (!asksAPerson(method)) {
      const error = { code: -32601, message: notOffered(method) }
      return { news: [], replies: [{ jsonrpc, id, error }] }
    }
    // Nobody has prompted: what is asked is of the old conversation.
    if (this.#prompts === 0) return { news: [], replies: [cancelled(id)] }
    // One answer would answer both.
    if (this.#open.has(askIdOf(id))) return nothing
    const ask = method === 'session/request_permission' ? askOf(askIdOf(id), params) : null
    this.#open.set(askIdOf(id), { id, isUnderstood: ask !== null })
    // The call that it asks about is not printed before.
    if (ask !== null) return told({ kind: 'asked', ask }, ...this.#called(objectAt(params, 'toolCall') ?? {}))
    const toolId = stringAt(objectAt(params, 'toolCall') ?? {}, 'toolCallId') ?? null
    const raw = unknownAsk(askIdOf(id), { method, params }, { trackId: null, toolId, tool: null })
    return told({ kind: 'asked', ask: raw })
  }
}

const jsonrpc = '2.0'
const nothing: AgentReading = { news: [], replies: [] }

function told(...news: readonly AgentNews[]): AgentReading {
  return { news, replies: [] }
}

function cancelled(id: RpcId): JsonObject {
  return { jsonrpc, id, result: { outcome: { outcome: 'cancelled' } } }
}

function errorText(error: JsonObject): string {
  const details = stringAt(objectAt(error, 'data') ?? {}, 'details')
  return details ?? stringAt(error, 'message') ?? 'The agent gave no reason.'
}

function outcomeOf(
  stopReason: string | undefined,
  message: string | null
): Pick<Extract<AgentNews, { kind: 'turn-over' }>, 'outcome' | 'message'> {
  if (message !== null) return { outcome: 'failed', message }
  if (stopReason === 'cancelled') return { outcome: 'interrupted', message: null }
  if (stopReason === 'end_turn') return { outcome: 'done', message: null }
  return { outcome: 'failed', message: `It ended with “${stopReason ?? 'no reason'}”.` }
}

/** `run_shell_command__run_shell_command_1795362326030_0` names its tool; undefined: it does not. */
function toolNameOf(callId: string): string | undefined {
  return /^(.{1,200}?)__\1_\d/.exec(callId)?.[1]
}

/** Null: it is not understood. */
function askOf(id: string, params: JsonObject): NewAsk | null {
  const parsed = permissionRequest.safeParse(params)
  if (!parsed.success || isTooDeep(params)) return null
  const { options, toolCall } = parsed.data
  const offers = (optionId: string): boolean => options.some((option) => option.optionId === optionId)
  if (!offers(allowOnce) || !offers(refuse)) return null
  const tool = toolNameOf(toolCall.toolCallId)
  const said = (toolCall.content ?? []).flatMap((part) => textContent.safeParse(part).data?.content.text ?? [])
  const text = said.join('\n')
  const [, folder, purpose] = /^\[current working directory ([^\]]+)\] ?(.*)$/s.exec(text) ?? []
  // Of a command, what it is for stands in brackets.
  const reason = purpose?.replace(/^\((.*)\)$/s, '$1') ?? text
  return {
    ...{ id, trackId: null, toolId: toolCall.toolCallId, kind: 'tool', tool: tool ?? toolCall.kind ?? null },
    ...{ input: inputOf(toolCall), folder: folder ?? null, reason: reason === '' ? null : reason },
    scopes: offers(allowForRun) ? scopesOf(toolCall) : [],
    ...{ modes: [], questions: [], needsCare: false }
  }
}

/** The protocol has no arguments: what it shows of a command or a change, under the names that the tools have. */
function inputOf({ title, kind, content, locations }: ToolCall): JsonObject {
  if (kind === 'execute' && typeof title === 'string') return { command: title }
  const parts = content ?? []
  const diff = parts.length === 1 ? diffContent.safeParse(parts[0]).data : undefined
  if (diff === undefined) return { title: title ?? '', content: parts, locations: locations ?? [] }
  const { path, oldText, newText } = diff
  const isNew = oldText === undefined || oldText === null || oldText === ''
  return isNew ? { file_path: path, content: newText } : { file_path: path, old_string: oldText, new_string: newText }
}

/**
 * What the agent then allows: of a command line, each program that it starts, with any arguments; after an edit, all edits. Of other tools
 * this was not seen, and nothing is promised.
 */
function scopesOf({ title, kind }: ToolCall): string[] {
  if (kind === 'edit') return ['Accept all edits from now on (mode)']
  if (kind !== 'execute' || typeof title !== 'string') return []
  const programs = shellSegments(title).flatMap(({ words: [first] }) => first ?? [])
  // `$TOOL x` does not say what it starts.
  if (programs.length === 0 || programs.some(({ text, expands }) => expands || text === '')) return []
  const names = new Set(programs.map(({ text }) => text.slice(text.lastIndexOf('/') + 1)))
  return [...names].map((name) => `all ${name} commands`)
}
