import * as z from 'zod'
import type {
  AgentNews,
  AgentProtocol,
  AgentReading,
  DialogueStart,
  NewAsk,
  SentPrompt
} from '../../dialogue/agent-protocol.ts'
import type { Answer, Ask, AskQuestion } from '../../dialogue/ask.ts'
import { askIdOf } from '../../dialogue/ask-id.ts'
import { asksAPerson, notOffered } from '../../dialogue/asks-a-person.ts'
import { unknownAsk } from '../../dialogue/unknown-ask.ts'
import { dropOldest } from '../../drop-oldest.ts'
import { isJsonObject, type JsonObject, type JsonValue, numberAt, objectAt, stringAt } from '../../json.ts'
import { isTooDeep } from '../json-depth.ts'

// What was parsed is JSON.
const json = z.custom<JsonValue>(() => true)
/** It is sent back to allow the call, and `JSON.stringify` recurses. */
const input = z.custom<JsonObject>((value) => isJsonObject(value) && !isTooDeep(value))

/** What the agent suggests to allow from now on. Other kinds are not understood, and then none of them is offered. */
const suggestion = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('addRules'),
    behavior: z.literal('allow'),
    rules: z.array(z.object({ toolName: z.string(), ruleContent: z.string().optional() })).min(1)
  }),
  z.object({ type: z.literal('addDirectories'), directories: z.array(z.string()).min(1) }),
  z.object({ type: z.literal('setMode'), mode: z.literal('acceptEdits') })
])
type Suggestion = z.infer<typeof suggestion>

const toolRequest = z.object({
  subtype: z.literal('can_use_tool'),
  tool_name: z.string(),
  input,
  tool_use_id: z.string().nullish(),
  agent_id: z.string().nullish(),
  decision_reason: z.string().nullish(),
  permission_suggestions: json.optional(),
  requires_user_interaction: z.boolean().nullish(),
  default_to_no: z.boolean().nullish(),
  suppress_always_allow_rule: z.boolean().nullish()
})
type ToolRequest = z.infer<typeof toolRequest>

const questionsInput = z.object({
  questions: z
    .array(
      z.object({
        question: z.string(),
        header: z.string().nullish(),
        options: z.array(z.object({ label: z.string(), description: z.string().nullish() })),
        multiSelect: z.boolean().nullish()
      })
    )
    .min(1)
    // The answers are an object by these texts.
    .refine((questions) => new Set(questions.map(({ question }) => question)).size === questions.length)
})

const result = z.object({
  subtype: z.string(),
  is_error: z.boolean().nullish(),
  terminal_reason: z.string().nullish(),
  total_cost_usd: z.number().nullish(),
  modelUsage: json.optional(),
  errors: z.array(z.string()).nullish(),
  result: z.string().nullish()
})

/** Modes that a plan may be accepted with: none of them is more than what a person then allows edit by edit. */
const planModes = ['default', 'acceptEdits']

/** Calls of subagents and prompts that are remembered. */
const mostRemembered = 1000

interface OpenAsk {
  readonly requestId: string
  readonly isMain: boolean
  /** What "Allow for this run" sends. */
  readonly grant: readonly JsonObject[]
}

/** A prompt that was sent and, as far as known, not read by the model. */
interface UnreadPrompt {
  readonly id: string
  /** Sent into a turn that ran. */
  readonly during: boolean
  /** The agent said that it waits. */
  queued: boolean
}

/** Control lines of `--input-format stream-json`. */
export class ClaudeDialogue implements AgentProtocol {
  readonly #start: DialogueStart
  #nextRequest = 1
  /** Requests of ours, by id, with what they are about. */
  readonly #requests = new Map<string, 'initialize' | 'usage' | 'mode' | 'interrupt'>()
  /** By the ask's id. */
  readonly #open = new Map<string, OpenAsk>()
  /** By their `uuid`. */
  readonly #unread = new Map<string, UnreadPrompt>()
  /** The call that started a subagent, by the subagent's id. */
  readonly #callOfTask = new Map<string, string>()
  #turnRuns = false
  /** Spent before this process, in the session that it goes on with. */
  #before = { usd: 0, tokens: 0 }

  constructor(start: DialogueStart) {
    this.#start = start
  }

  start(): readonly JsonObject[] {
    const initialize = this.#request('initialize', { subtype: 'initialize' })
    // A resumed session states the cost of all its processes.
    return this.#start.resume === null ? [initialize] : [initialize, this.#request('usage', { subtype: 'get_usage' })]
  }

  read(record: JsonValue): AgentReading {
    if (!isJsonObject(record)) return nothing
    switch (record['type']) {
      case 'control_request':
        return this.#asked(record)
      case 'control_cancel_request': {
        const id = askIdOf(record['request_id'])
        this.#open.delete(id)
        return told({ kind: 'settled', ask: id })
      }
      case 'control_response':
        return this.#answered(objectAt(record, 'response') ?? {})
      case 'system':
        return this.#system(record)
      case 'command_lifecycle':
        return this.#lifecycle(stringAt(record, 'command_uuid') ?? '', stringAt(record, 'state') ?? '')
      case 'user':
        if (record['isReplay'] === true) this.#unread.delete(stringAt(record, 'uuid') ?? '')
        return nothing
      case 'result':
        return this.#turnOver(record)
      default:
        return nothing
    }
  }

  prompt({ id, text }: SentPrompt): readonly JsonObject[] {
    const uuid = this.#uuid(id)
    remember(this.#unread, uuid, { id, during: this.#turnRuns, queued: false })
    this.#turnRuns = true
    return [{ type: 'user', message: { role: 'user', content: text }, uuid }]
  }

  answer(ask: Ask, answer: Answer): readonly JsonObject[] {
    const open = this.#open.get(ask.id)
    this.#open.delete(ask.id)
    if (open === undefined) return []
    const { requestId, grant } = open
    if ('refuse' in answer) {
      const line = refused(requestId, ask, answer.refuse || 'The user refused this.', answer.endTurn)
      // An error cannot end the turn.
      return ask.kind === 'unknown' && answer.endTurn ? [line, ...this.interrupt()] : [line]
    }
    const given = isJsonObject(ask.input) ? ask.input : {}
    if ('answers' in answer) {
      const answers = answer.answers.map(({ id, choices, text }) => [
        id,
        [...choices, ...(text === null || text === '' ? [] : [text])].join(', ')
      ])
      const updatedInput = { ...given, answers: Object.fromEntries(answers) as JsonObject }
      return [allowed(requestId, { updatedInput })]
    }
    if (ask.kind === 'plan') {
      const mode = answer.mode ?? planModes[0] ?? null
      const updatedPermissions = [{ type: 'setMode', mode, destination: 'session' }]
      return [allowed(requestId, { updatedInput: given, updatedPermissions })]
    }
    if (answer.allow === 'once') return [allowed(requestId, { updatedInput: given })]
    // By this word its log tells the answer from one for this call only.
    const decisionClassification = 'user_permanent'
    return [allowed(requestId, { updatedInput: given, updatedPermissions: grant, decisionClassification })]
  }

  interrupt(): readonly JsonObject[] {
    const hasUnread = [...this.#unread.values()].some(({ during, queued }) => during || queued)
    return [this.#request('interrupt', { subtype: 'interrupt', ...(hasUnread ? { cancel_queued: true } : {}) })]
  }

  turnAway(ask: Ask, why = 'Nobody can answer this now.'): readonly JsonObject[] {
    return this.answer(ask, { refuse: why, endTurn: false })
  }

  setMode(mode: string): readonly JsonObject[] {
    return [this.#request('mode', { subtype: 'set_permission_mode', mode })]
  }

  #request(about: 'initialize' | 'usage' | 'mode' | 'interrupt', request: JsonObject): JsonObject {
    const id = `ph-${this.#nextRequest++}`
    remember(this.#requests, id, about)
    return { type: 'control_request', request_id: id, request }
  }

  /** A prompt's number in the last digits of the run's UUID: the agent takes two prompts with one UUID for the same. */
  #uuid(promptId: string): string {
    const number = Number(promptId.replaceAll(/\D/g, ''))
    return this.#start.uuid.slice(0, 24) + number.toString(16).padStart(12, '0')
  }

  #asked(record: JsonObject): AgentReading {
    const requestId = stringAt(record, 'request_id')
    const request = objectAt(record, 'request') ?? {}
    if (requestId === undefined) return told({ kind: 'trouble', message: 'The agent asked without an id.' })
    const subtype = stringAt(request, 'subtype') ?? ''
    const parsed = toolRequest.safeParse(request)
    if (!parsed.success && subtype !== 'can_use_tool' && !asksAPerson(subtype)) {
      return {
        news: [],
        replies: [
          {
            type: 'control_response',
            response: { subtype: 'error', request_id: requestId, error: notOffered(subtype) }
          }
        ]
      }
    }
    const id = askIdOf(requestId)
    // One answer would answer both.
    if (this.#open.has(id)) return nothing
    const grant = parsed.success ? grantOf(parsed.data) : []
    const ask = (parsed.success ? this.#toolAsk(id, parsed.data, grant) : null) ?? this.#unknownAsk(id, request)
    this.#open.set(id, { requestId, isMain: ask.trackId === null, grant: grant.map(forSession) })
    return told({ kind: 'asked', ask })
  }

  #unknownAsk(id: string, request: JsonObject): NewAsk {
    const [tool, toolId] = [stringAt(request, 'tool_name') ?? null, stringAt(request, 'tool_use_id') ?? null]
    return unknownAsk(id, request, { tool, toolId, trackId: this.#trackOf(stringAt(request, 'agent_id')) })
  }

  #trackOf(agentId: string | null | undefined): string | null {
    return agentId === null || agentId === undefined ? null : (this.#callOfTask.get(agentId) ?? agentId)
  }

  /** Null: it is not understood. */
  #toolAsk(id: string, request: ToolRequest, grant: readonly Suggestion[]): NewAsk | null {
    const common = {
      id,
      trackId: this.#trackOf(request.agent_id),
      toolId: request.tool_use_id ?? null,
      tool: request.tool_name,
      input: request.input,
      folder: null,
      reason: request.decision_reason ?? null,
      scopes: [],
      modes: [],
      questions: [],
      needsCare: request.requires_user_interaction === true || request.default_to_no === true
    }
    if (request.tool_name === 'AskUserQuestion') {
      const questions = questionsOf(request.input)
      return questions === null ? null : { ...common, kind: 'question', questions }
    }
    if (request.tool_name === 'ExitPlanMode') return { ...common, kind: 'plan', modes: planModes }
    return { ...common, kind: 'tool', scopes: grant.flatMap(scopesOf) }
  }

  #answered(response: JsonObject): AgentReading {
    const requestId = stringAt(response, 'request_id') ?? ''
    const about = this.#requests.get(requestId)
    this.#requests.delete(requestId)
    const isError = response['subtype'] === 'error'
    const message = stringAt(response, 'error') ?? 'The agent gave no reason.'
    const answer = objectAt(response, 'response') ?? {}
    switch (about) {
      case 'initialize':
        return told(isError ? { kind: 'handshake-failed', message, gone: false } : { kind: 'ready' })
      case 'usage': {
        const session = objectAt(answer, 'session') ?? {}
        this.#before = { usd: numberAt(session, 'total_cost_usd') ?? 0, tokens: tokensOf(session['model_usage']) ?? 0 }
        return nothing
      }
      case 'mode': {
        const mode = stringAt(answer, 'mode')
        if (isError) return told({ kind: 'mode-refused', message })
        return mode === undefined ? nothing : told({ kind: 'mode', mode })
      }
      case 'interrupt':
        return isError ? told({ kind: 'trouble', message }) : nothing
      case undefined: {
        // An answer of ours, printed by the agent when it took it.
        const id = askIdOf(requestId)
        this.#open.delete(id)
        return told({ kind: 'settled', ask: id })
      }
    }
  }

  #system(record: JsonObject): AgentReading {
    const mode = stringAt(record, 'permissionMode')
    const modeNews: AgentNews[] = mode === undefined ? [] : [{ kind: 'mode', mode }]
    switch (record['subtype']) {
      case 'init': {
        this.#turnRuns = true
        const session = stringAt(record, 'session_id')
        const sessionNews: AgentNews[] = session === undefined ? [] : [{ kind: 'session', session }]
        return told(...sessionNews, { kind: 'turn-started' }, ...modeNews)
      }
      case 'status':
        return told(...modeNews)
      case 'task_started': {
        const [task, call] = [stringAt(record, 'task_id'), stringAt(record, 'tool_use_id')]
        if (task !== undefined && call !== undefined) remember(this.#callOfTask, task, call)
        return nothing
      }
      default:
        return nothing
    }
  }

  #lifecycle(uuid: string, state: string): AgentReading {
    const unread = this.#unread.get(uuid)
    if (unread === undefined) return nothing
    if (state === 'queued') {
      unread.queued = true
      return nothing
    }
    this.#unread.delete(uuid)
    if (state === 'cancelled') return told({ kind: 'prompt-dropped', prompt: unread.id })
    if (state !== 'started') return nothing
    this.#turnRuns = true
    return told({ kind: 'turn-started' })
  }

  #turnOver(record: JsonObject): AgentReading {
    const parsed = result.safeParse(record)
    const end = parsed.success ? parsed.data : null
    const usd = end?.total_cost_usd ?? null
    const tokens = tokensOf(end?.modelUsage)
    const next = [...this.#unread.values()].some(({ queued }) => queued)
    this.#turnRuns = next
    const asks = [...this.#open].filter(([, { isMain }]) => isMain).map(([id]) => id)
    for (const id of asks) this.#open.delete(id)
    return told(
      ...asks.map((ask): AgentNews => ({ kind: 'settled', ask })),
      {
        kind: 'spent',
        usd: usd === null ? null : Math.max(0, usd - this.#before.usd),
        tokens: tokens === null ? null : Math.max(0, tokens - this.#before.tokens)
      },
      { kind: 'turn-over', ...outcomeOf(end), next }
    )
  }
}

const nothing: AgentReading = { news: [], replies: [] }

function told(...news: readonly AgentNews[]): AgentReading {
  return { news, replies: [] }
}

/** Keeps the newest. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value)
  if (map.size > mostRemembered) dropOldest(map, 1)
}

function outcomeOf(
  end: z.infer<typeof result> | null
): Omit<Extract<AgentNews, { kind: 'turn-over' }>, 'kind' | 'next'> {
  if (end === null) return { outcome: 'failed', message: null }
  if (end.terminal_reason?.startsWith('aborted') === true) return { outcome: 'interrupted', message: null }
  if (end.subtype === 'error_max_budget_usd') return { outcome: 'over-budget', message: end.errors?.[0] ?? null }
  if (end.subtype === 'success' && end.is_error !== true) return { outcome: 'done', message: null }
  return { outcome: 'failed', message: end.errors?.join('\n') || end.result || null }
}

/** All tokens of all models. */
function tokensOf(modelUsage: JsonValue | undefined): number | null {
  if (!isJsonObject(modelUsage)) return null
  const names = ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens']
  return Object.values(modelUsage)
    .filter(isJsonObject)
    .flatMap((usage) => names.map((name) => numberAt(usage, name) ?? 0))
    .reduce((sum, tokens) => sum + tokens, 0)
}

function questionsOf(given: JsonObject): AskQuestion[] | null {
  const parsed = questionsInput.safeParse(given)
  if (!parsed.success) return null
  return parsed.data.questions.map(({ question, header, options, multiSelect }) => ({
    id: question,
    header: header ?? null,
    question,
    choices: options.map(({ label, description }) => ({ label, note: description ?? null })),
    severalChoices: multiSelect === true,
    isSecret: false
  }))
}

/** What a request for permission offers a person. */
export function offerOf(asked: JsonObject): { scopes: readonly string[]; questions: readonly AskQuestion[] } {
  const parsed = toolRequest.safeParse(asked)
  if (!parsed.success) return { scopes: [], questions: [] }
  const { tool_name: tool, input: given } = parsed.data
  if (tool === 'AskUserQuestion') return { scopes: [], questions: questionsOf(given) ?? [] }
  return { scopes: tool === 'ExitPlanMode' ? [] : grantOf(parsed.data).flatMap(scopesOf), questions: [] }
}

/** What can be allowed for the run: the suggestions, if each is understood. */
function grantOf(request: ToolRequest): readonly Suggestion[] {
  if (request.suppress_always_allow_rule === true) return []
  const parsed = z.array(suggestion).safeParse(request.permission_suggestions)
  return parsed.success ? parsed.data : []
}

/** Never longer than this session: the agent suggests settings files too. */
function forSession(given: Suggestion): JsonObject {
  return { ...given, destination: 'session' }
}

/** What a suggestion covers; a rule in the agent's own words. */
function scopesOf(given: Suggestion): string[] {
  switch (given.type) {
    case 'addRules':
      return given.rules.map(({ toolName, ruleContent }) =>
        ruleContent === undefined ? `all calls of ${toolName}` : `${toolName}(${ruleContent})`
      )
    case 'addDirectories':
      return given.directories.map((directory) => `files in ${directory}`)
    case 'setMode':
      return ['Accept all edits from now on (mode)']
  }
}

function allowed(requestId: string, response: JsonObject): JsonObject {
  return success(requestId, { behavior: 'allow', ...response })
}

function refused(requestId: string, ask: Ask, message: string, endTurn: boolean): JsonObject {
  if (ask.kind === 'unknown')
    return { type: 'control_response', response: { subtype: 'error', request_id: requestId, error: message } }
  return success(requestId, { behavior: 'deny', message, ...(endTurn ? { interrupt: true } : {}) })
}

function success(requestId: string, response: JsonObject): JsonObject {
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }
}
