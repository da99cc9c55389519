import * as z from 'zod'
import type {
  AgentNews,
  AgentProtocol,
  AgentReading,
  DialogueStart,
  NewAsk,
  SentPrompt,
  TurnOutcome
} from '../../dialogue/agent-protocol.ts'
import type { Answer, Ask } from '../../dialogue/ask.ts'
import { askIdOf } from '../../dialogue/ask-id.ts'
import { asksAPerson, notOffered } from '../../dialogue/asks-a-person.ts'
import { type RpcId, RpcRequests, rpcId } from '../../dialogue/json-rpc.ts'
import { unknownAsk } from '../../dialogue/unknown-ask.ts'
import { dropOldest } from '../../drop-oldest.ts'
import { isJsonObject, type JsonObject, type JsonValue, numberAt, objectAt, stringAt } from '../../json.ts'
import { isTooDeep } from '../json-depth.ts'

const json = z.custom<JsonValue>(() => true)
const object = z.custom<JsonObject>((value) => isJsonObject(value) && !isTooDeep(value))
const ofTurn = { threadId: z.string(), turnId: z.string().nullish(), itemId: z.string() }

const commandRequest = z.object({
  ...ofTurn,
  kind: z.literal('command').optional(),
  command: z.string().nullish(),
  cwd: z.string().nullish(),
  reason: z.string().nullish(),
  /** It needs the network, not a command. */
  networkApprovalContext: object.nullish(),
  /** What it asks for beside the command. */
  additionalPermissions: object.nullish()
})
const fileRequest = z.object({
  ...ofTurn,
  reason: z.string().nullish(),
  /** A folder that it may write to from now on. */
  grantRoot: z.string().nullish()
})
const permissionsRequest = z.object({
  ...ofTurn,
  permissions: object,
  cwd: z.string().nullish(),
  reason: z.string().nullish()
})
const questionsRequest = z.object({
  ...ofTurn,
  questions: z
    .array(
      z.object({
        id: z.string(),
        header: z.string().nullish(),
        question: z.string(),
        isSecret: z.boolean().nullish(),
        options: z.array(z.object({ label: z.string(), description: z.string().nullish() })).nullish()
      })
    )
    .min(1)
    .refine((questions) => new Set(questions.map(({ id }) => id)).size === questions.length)
})
/** A form without fields: a server's tool asks whether it may run. */
const confirmationRequest = z.object({
  threadId: z.string(),
  turnId: z.string().nullish(),
  serverName: z.string(),
  mode: z.literal('form').optional(),
  message: z.string(),
  requestedSchema: z.object({ properties: z.object({}).strict().optional() }),
  _meta: json.optional()
})

/** What the agent may do without asking, by the ids of `modes`. */
const policies: Readonly<Record<string, { readonly approvalPolicy: string; readonly sandboxPolicy: JsonObject }>> = {
  'read-only': { approvalPolicy: 'on-request', sandboxPolicy: { type: 'readOnly', networkAccess: false } },
  'workspace-write': {
    approvalPolicy: 'on-request',
    sandboxPolicy: {
      ...{ type: 'workspaceWrite', writableRoots: [], networkAccess: false },
      ...{ excludeTmpdirEnvVar: false, excludeSlashTmp: false }
    }
  },
  'danger-full-access': { approvalPolicy: 'never', sandboxPolicy: { type: 'dangerFullAccess' } }
}

type About = 'initialize' | 'thread' | 'turn' | 'interrupt' | 'clean'
type AskForm = 'decision' | 'permissions' | 'answers' | 'elicitation' | 'error'

interface OpenAsk {
  readonly id: RpcId
  readonly form: AskForm
  readonly thread: string | null
  readonly permissions: JsonObject
}

/** Items whose changes are remembered until they are asked about. */
const mostItems = 1000

/** JSON-RPC of `codex app-server`, which omits the member `jsonrpc`. */
export class CodexDialogue implements AgentProtocol {
  readonly #start: DialogueStart
  readonly #requests = new RpcRequests<About>()
  readonly #open = new Map<string, OpenAsk>()
  /** The files of a change, by the item that changes them. */
  readonly #changes = new Map<string, JsonValue>()
  /** Commands that run in this turn. */
  readonly #commands = new Set<string>()
  #thread: string | null = null
  /** The turn that runs; null: none, or its id is not told yet. */
  #turn: string | null = null
  /** The end of the turn that was over last: it may be told before the answer to its prompt. */
  #lastOver: { readonly turn: string; readonly outcome: TurnOutcome } | null = null
  /** An interrupt waits for the id of its turn. */
  #interruptsNext = false
  /** Commands outlive an interrupt; they are ended when the turn is over. */
  #cleansUp = false
  /** Prompts that were sent and not answered with the turn that they are part of. */
  #unanswered = 0
  /** The mode that the next prompt brings; null: the agent has it. */
  #nextMode: string | null = null
  #tokens: number | null = null

  constructor(start: DialogueStart) {
    this.#start = start
  }

  start(): readonly JsonObject[] {
    const clientInfo = { name: 'playhead', title: 'Playhead', version: this.#start.version }
    // The interrupt of commands is experimental.
    const capabilities = { experimentalApi: true, requestAttestation: false }
    return [this.#request('initialize', 'initialize', { clientInfo, capabilities })]
  }

  read(record: JsonValue): AgentReading {
    if (!isJsonObject(record)) return nothing
    const method = stringAt(record, 'method')
    if (method === undefined) return this.#answered(record)
    const params = objectAt(record, 'params') ?? {}
    return 'id' in record ? this.#asked(rpcId(record['id']), method, params) : this.#heard(method, params)
  }

  prompt({ text }: SentPrompt): readonly JsonObject[] {
    const mode = this.#nextMode === null ? undefined : policies[this.#nextMode]
    this.#nextMode = null
    this.#unanswered += 1
    return [
      this.#request('turn', 'turn/start', {
        threadId: this.#thread ?? '',
        input: [{ type: 'text', text, text_elements: [] }],
        ...mode
      })
    ]
  }

  answer(ask: Ask, answer: Answer): readonly JsonObject[] {
    const open = this.#open.get(ask.id)
    this.#open.delete(ask.id)
    if (open === undefined) return []
    const { id, form } = open
    const message = ('refuse' in answer ? answer.refuse : '') || 'The user refused this.'
    const line: JsonObject =
      form === 'error' ? { id, error: { code: refusedCode, message } } : { id, result: resultOf(open, answer) }
    // Only the answer about a command or a change can end the turn by itself.
    const interrupts = 'refuse' in answer && answer.endTurn && form !== 'decision'
    return interrupts ? [line, ...this.interrupt([])] : [line]
  }

  turnAway(ask: Ask): readonly JsonObject[] {
    return this.answer(ask, { refuse: '', endTurn: false })
  }

  interrupt(open: readonly Ask[]): readonly JsonObject[] {
    this.#cleansUp = true
    // What was asked about does not run.
    for (const { toolId } of open) if (toolId !== null) this.#commands.delete(toolId)
    if (this.#turn === null) {
      this.#interruptsNext = this.#unanswered > 0
      return []
    }
    return [this.#interruptOf(this.#turn)]
  }

  setMode(mode: string): readonly JsonObject[] {
    this.#nextMode = mode
    return []
  }

  #request(about: About, method: string, params: JsonObject): JsonObject {
    return { method, id: this.#requests.next(about), params }
  }

  #interruptOf(turnId: string): JsonObject {
    return this.#request('interrupt', 'turn/interrupt', { threadId: this.#thread ?? '', turnId })
  }

  // Answers to requests of ours.

  #answered(record: JsonObject): AgentReading {
    const about = this.#requests.answered(record['id'])
    if (about === undefined) return nothing
    const error = objectAt(record, 'error')
    const result = objectAt(record, 'result') ?? {}
    if (error !== undefined) return this.#failed(about, stringAt(error, 'message') ?? 'The agent gave no reason.')
    switch (about) {
      case 'initialize':
        return { news: [], replies: [{ method: 'initialized' }, this.#openThread()] }
      case 'thread': {
        const thread = stringAt(objectAt(result, 'thread') ?? {}, 'id')
        if (thread === undefined)
          return told({ kind: 'handshake-failed', message: 'The agent opened no thread.', gone: false })
        this.#thread = thread
        return told({ kind: 'session', session: thread }, { kind: 'ready' })
      }
      case 'turn':
        return this.#turnBegan(stringAt(objectAt(result, 'turn') ?? {}, 'id'))
      default:
        return nothing
    }
  }

  #openThread(): JsonObject {
    const { cwd, model, mode, resume } = this.#start
    const policy = policies[mode]
    const params = {
      cwd,
      ...(model === null ? {} : { model }),
      ...(policy === undefined ? {} : { approvalPolicy: policy.approvalPolicy, sandbox: mode })
    }
    return resume === null
      ? this.#request('thread', 'thread/start', params)
      : this.#request('thread', 'thread/resume', { threadId: resume, ...params })
  }

  #turnBegan(turn: string | undefined): AgentReading {
    this.#unanswered = Math.max(0, this.#unanswered - 1)
    if (turn === undefined) return nothing
    if (turn === this.#lastOver?.turn)
      return told({ kind: 'turn-over', outcome: this.#lastOver.outcome, message: null, next: this.#unanswered > 0 })
    const isNew = turn !== this.#turn
    this.#turn = turn
    const news: AgentNews[] = isNew ? [{ kind: 'turn-started' }] : []
    if (!this.#interruptsNext) return { news, replies: [] }
    this.#interruptsNext = false
    return { news, replies: [this.#interruptOf(turn)] }
  }

  #failed(about: About, message: string): AgentReading {
    switch (about) {
      case 'initialize':
        return told({ kind: 'handshake-failed', message, gone: false })
      case 'thread':
        return told({ kind: 'handshake-failed', message, gone: this.#start.resume !== null })
      case 'turn':
        this.#unanswered = Math.max(0, this.#unanswered - 1)
        this.#interruptsNext = false
        if (this.#turn !== null) return told({ kind: 'trouble', message })
        return told({ kind: 'turn-over', outcome: 'failed', message, next: this.#unanswered > 0 })
      case 'clean':
        return told({ kind: 'trouble', message: `Commands of the interrupted turn may still run: ${message}` })
      default:
        return told({ kind: 'trouble', message })
    }
  }

  // What it tells.

  #heard(method: string, params: JsonObject): AgentReading {
    // Subagents have threads of their own.
    const isOurs = params['threadId'] === this.#thread
    switch (method) {
      case 'turn/started':
        if (!isOurs) return nothing
        this.#turn = stringAt(objectAt(params, 'turn') ?? {}, 'id') ?? this.#turn
        return told({ kind: 'turn-started' })
      case 'turn/completed':
        return isOurs ? this.#turnOver(objectAt(params, 'turn') ?? {}) : nothing
      case 'item/started':
      case 'item/completed':
        this.#item(objectAt(params, 'item') ?? {}, method === 'item/started')
        return nothing
      case 'serverRequest/resolved': {
        const id = askIdOf(params['requestId'])
        this.#open.delete(id)
        return told({ kind: 'settled', ask: id })
      }
      case 'thread/tokenUsage/updated':
        return isOurs ? this.#spent(objectAt(params, 'tokenUsage') ?? {}) : nothing
      case 'thread/settings/updated': {
        const mode = isOurs ? modeOf(objectAt(params, 'threadSettings') ?? {}) : undefined
        return mode === undefined ? nothing : told({ kind: 'mode', mode })
      }
      default:
        return nothing
    }
  }

  #item(item: JsonObject, starts: boolean): void {
    const [id, type] = [stringAt(item, 'id'), stringAt(item, 'type')]
    if (id === undefined) return
    if (!starts) {
      this.#changes.delete(id)
      this.#commands.delete(id)
    } else if (type === 'fileChange') {
      this.#changes.set(id, item['changes'] ?? null)
      if (this.#changes.size > mostItems) dropOldest(this.#changes, 1)
    } else if (type === 'commandExecution') {
      this.#commands.add(id)
      if (this.#commands.size > mostItems) dropOldest(this.#commands, 1)
    }
  }

  #spent(usage: JsonObject): AgentReading {
    // A resumed thread states the sum of all its processes; before its first turn it may state it anew.
    const last = numberAt(objectAt(usage, 'last') ?? {}, 'totalTokens')
    if (last === undefined || this.#turn === null) return nothing
    this.#tokens = (this.#tokens ?? 0) + last
    return told({ kind: 'spent', usd: null, tokens: this.#tokens })
  }

  #turnOver(turn: JsonObject): AgentReading {
    if (this.#turn !== null && turn['id'] !== this.#turn) return nothing
    this.#turn = null
    const end = outcomeOf(turn)
    this.#lastOver = { turn: stringAt(turn, 'id') ?? '', outcome: end.outcome }
    const asks = [...this.#open].filter(([, { thread }]) => thread === this.#thread).map(([id]) => id)
    for (const id of asks) this.#open.delete(id)
    const cleans = this.#cleansUp && this.#commands.size > 0
    this.#cleansUp = false
    this.#commands.clear()
    const news: AgentNews[] = asks.map((ask) => ({ kind: 'settled', ask }))
    news.push({ kind: 'turn-over', ...end, next: this.#unanswered > 0 })
    const threadId = this.#thread ?? ''
    return { news, replies: cleans ? [this.#request('clean', 'thread/backgroundTerminals/clean', { threadId })] : [] }
  }

  // What it asks.

  #asked(id: RpcId | null, method: string, params: JsonObject): AgentReading {
    if (id === null) return told({ kind: 'trouble', message: 'The agent asked without an id.' })
    // One answer would answer both.
    if (this.#open.has(askIdOf(id))) return nothing
    const thread = stringAt(params, 'threadId') ?? null
    const found = this.#askOf(askIdOf(id), method, params)
    if (found === null && !asksAPerson(method))
      return { news: [], replies: [{ id, error: { code: -32601, message: notOffered(method) } }] }
    const { ask, form } = found ?? { ask: this.#unknown(askIdOf(id), method, params), form: 'error' as const }
    this.#open.set(ask.id, { id, form, thread, permissions: objectAt(params, 'permissions') ?? {} })
    return told({ kind: 'asked', ask })
  }

  #trackOf(thread: string | null): string | null {
    return thread === this.#thread ? null : thread
  }

  #unknown(id: string, method: string, params: JsonObject): NewAsk {
    const [toolId, thread] = [stringAt(params, 'itemId') ?? null, stringAt(params, 'threadId') ?? null]
    return unknownAsk(id, { method, params }, { toolId, tool: null, trackId: this.#trackOf(thread) })
  }

  /** Null: it is not understood. */
  #askOf(id: string, method: string, params: JsonObject): { ask: NewAsk; form: AskForm } | null {
    const none = { folder: null, reason: null, scopes: [], modes: [], questions: [], needsCare: false }
    switch (method) {
      case 'item/commandExecution/requestApproval': {
        const parsed = commandRequest.safeParse(params)
        if (!parsed.success) return null
        const { threadId, itemId, command, cwd, reason, networkApprovalContext, additionalPermissions } = parsed.data
        const network = networkApprovalContext ?? undefined
        const permissions = additionalPermissions ?? undefined
        const input = given({
          command: command ?? undefined,
          networkApprovalContext: network,
          additionalPermissions: permissions
        })
        if (Object.keys(input).length === 0) return null
        const host = network === undefined ? undefined : stringAt(network, 'host')
        const again =
          host === undefined
            ? command == null
              ? []
              : [`this command again: ${command}`]
            : [`all connections to ${host}`]
        return {
          ask: {
            ...{
              id,
              ...none,
              kind: 'tool',
              tool: 'command_execution',
              trackId: this.#trackOf(threadId),
              toolId: itemId
            },
            ...{ input, folder: cwd ?? null, reason: reason ?? null },
            scopes: again
          },
          form: 'decision'
        }
      }
      case 'item/fileChange/requestApproval': {
        const parsed = fileRequest.safeParse(params)
        if (!parsed.success) return null
        const { threadId, itemId, reason, grantRoot } = parsed.data
        const changes = this.#changes.get(itemId)
        // What nobody can see is not allowed.
        if (!Array.isArray(changes) || changes.length === 0 || isTooDeep(changes)) return null
        const paths = changes.map((change) => (isJsonObject(change) ? stringAt(change, 'path') : undefined))
        if (paths.includes(undefined)) return null
        return {
          ask: {
            ...{ id, ...none, kind: 'tool', tool: 'file_change', trackId: this.#trackOf(threadId), toolId: itemId },
            ...{ input: given({ changes, grantRoot: grantRoot ?? undefined }), reason: reason ?? null },
            scopes: grantRoot == null ? paths.map((path) => `changes of ${path}`) : [`all changes in ${grantRoot}`]
          },
          form: 'decision'
        }
      }
      case 'item/permissions/requestApproval': {
        const parsed = permissionsRequest.safeParse(params)
        if (!parsed.success || Object.keys(parsed.data.permissions).length === 0) return null
        const { threadId, itemId, permissions, cwd, reason } = parsed.data
        return {
          ask: {
            ...{ id, ...none, kind: 'tool', tool: 'permissions', trackId: this.#trackOf(threadId), toolId: itemId },
            ...{ input: { permissions }, folder: cwd ?? null, reason: reason ?? null },
            scopes: ['these permissions']
          },
          form: 'permissions'
        }
      }
      case 'item/tool/requestUserInput': {
        const parsed = questionsRequest.safeParse(params)
        if (!parsed.success || isTooDeep(params)) return null
        const { threadId, itemId, questions } = parsed.data
        return {
          ask: {
            ...{ id, ...none, kind: 'question', tool: null, trackId: this.#trackOf(threadId), toolId: itemId },
            input: { questions: params['questions'] },
            questions: questions.map(({ id: question, header, question: text, isSecret, options }) => ({
              id: question,
              header: header ?? null,
              question: text,
              choices: (options ?? []).map(({ label, description }) => ({ label, note: description ?? null })),
              severalChoices: false,
              isSecret: isSecret === true
            }))
          },
          form: 'answers'
        }
      }
      case 'mcpServer/elicitation/request': {
        const parsed = confirmationRequest.safeParse(params)
        if (!parsed.success || isTooDeep(params)) return null
        const { threadId, serverName, message } = parsed.data
        const input = given({ message, _meta: params['_meta'] })
        return {
          ask: { id, ...none, kind: 'tool', tool: serverName, trackId: this.#trackOf(threadId), toolId: null, input },
          form: 'elicitation'
        }
      }
      default:
        return null
    }
  }
}

const refusedCode = -32000
const nothing: AgentReading = { news: [], replies: [] }

function told(...news: readonly AgentNews[]): AgentReading {
  return { news, replies: [] }
}

function given(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))
}

function resultOf({ form, permissions }: OpenAsk, answer: Answer): JsonObject {
  if ('answers' in answer) {
    const answers = answer.answers.map(({ id, choices, text }) => [
      id,
      { answers: [...choices, ...(text === null || text === '' ? [] : [text])] }
    ])
    return { answers: Object.fromEntries(answers) as JsonObject }
  }
  if ('refuse' in answer) {
    if (form === 'permissions') return { permissions: {}, scope: 'turn' }
    if (form === 'answers') return { answers: {} }
    if (form === 'elicitation') return { action: 'decline', content: null }
    return { decision: answer.endTurn ? 'cancel' : 'decline' }
  }
  if (form === 'permissions') return { permissions, scope: answer.allow === 'run' ? 'session' : 'turn' }
  if (form === 'elicitation') return { action: 'accept', content: {} }
  return { decision: answer.allow === 'run' ? 'acceptForSession' : 'accept' }
}

function outcomeOf(turn: JsonObject): Pick<Extract<AgentNews, { kind: 'turn-over' }>, 'outcome' | 'message'> {
  const message = stringAt(objectAt(turn, 'error') ?? {}, 'message') ?? null
  switch (turn['status']) {
    case 'completed':
      return { outcome: 'done', message: null }
    case 'interrupted':
      return { outcome: 'interrupted', message: null }
    default:
      return { outcome: 'failed', message }
  }
}

/** The mode with these settings; undefined: none of ours. */
function modeOf(settings: JsonObject): string | undefined {
  const type = stringAt(objectAt(settings, 'sandboxPolicy') ?? {}, 'type')
  const found = Object.entries(policies).find(
    ([, policy]) => policy.sandboxPolicy['type'] === type && policy.approvalPolicy === settings['approvalPolicy']
  )
  return found?.[0]
}
