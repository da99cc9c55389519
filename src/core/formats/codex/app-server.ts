import { orderOfSent, type SentNote, sentNoteOf, sentRecord, dialogueBeside } from '../../dialogue/sent-note.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { isFiniteNumber, isJsonObject, jsonTypeName, numberAt, objectAt, stated, stringAt } from '../../json.ts'
import type { JsonObject, JsonValue } from '../../json.ts'
import { EventSequence } from '../event-sequence.ts'
import { IdSet } from '../id-set.ts'
import { instantOfMs } from '../instant.ts'
import { type IssueDraft, unknownType } from '../issue.ts'
import type { EventDraft, LinePosition, LogFormat, StreamedPiece } from '../log-format.ts'
import { malformedDrafts } from '../malformed.ts'
import { requiredIssues } from '../required.ts'
import { lengthAt } from '../stated-amounts.ts'
import { textHash } from '../text-hash.ts'
import { askMethods, readAnswer, readAsk } from './app-server-asks.ts'
import { appServerCues } from './app-server-cues.ts'
import {
  emitAll,
  type Meaning,
  nothing,
  type PieceCategory,
  requestId,
  type ServerDecoded,
  step,
  type TurnEnd
} from './app-server-decoded.ts'
import { AppServerFold } from './app-server-fold.ts'
import { readItem } from './app-server-items.ts'
import { askSchemas, notificationSchemas } from './app-server-required.ts'
import { errorDraft } from './error-text.ts'
import { codexFacts } from './facts.ts'
import { planItems } from './plan-items.ts'
import { appServerSession, threadIn } from './session.ts'
import { ThreadTracks } from './thread-tracks.ts'
import type { TokenCounts } from './token-counts.ts'
import { TurnUsage } from './turn-usage.ts'
import { appServerValues } from './values.ts'
import { tierIn } from './service-tier.ts'

/** The output of `codex app-server`: docs/formats/codex-app-server.md. */
export const codexAppServer: LogFormat<ServerDecoded> = {
  id: 'codex-app-server',
  title: 'Codex app-server',
  agentType: 'openai-codex',
  detectors: [
    { strength: 'conclusive', holds: (r) => !('jsonrpc' in r) && (isOfThread(r) || isHandshake(r)) },
    { strength: 'shared', holds: (r) => !('jsonrpc' in r) && 'id' in r && ('result' in r || 'error' in r) }
  ],
  textDetectors: [
    { strength: 'conclusive', holds: (text) => /^\s*\{"method":"(?:item|thread|turn)\/[\w/]{1,60}",/.test(text) }
  ],
  nested: [
    'data',
    'item',
    'items',
    'params',
    'questions',
    'queuedSubmission',
    'serviceTiers',
    'thread',
    'turn',
    'turns'
  ],
  decode,
  values: appServerValues,
  decodeMalformed: (text, issue, cut) => ({
    ...{ drafts: malformedDrafts(text, issue, cut), issues: [issue], step: emitAll },
    threadId: undefined
  }),
  createFold: (context) => new AppServerFold(context),
  facts: codexFacts,
  session: appServerSession,
  liveCues: appServerCues,
  streamedPiece,
  runFiles: ({ name }) => (name === 'stdout.jsonl' ? dialogueBeside(name) : null),
  stateClasses: () => [AppServerFold, EventSequence, TurnUsage, ThreadTracks, IdSet, HashNumbers]
}

function isOfThread(record: JsonObject): boolean {
  const method = stringAt(record, 'method') ?? ''
  const params = objectAt(record, 'params') ?? {}
  if (method === 'thread/started') return stringAt(objectAt(params, 'thread') ?? {}, 'id') !== undefined
  return /^(?:item|thread|turn|serverRequest)\//.test(method) && stringAt(params, 'threadId') !== undefined
}

/** The answer to `initialize`. */
function isHandshake(record: JsonObject): boolean {
  const result = objectAt(record, 'result') ?? {}
  return 'id' in record && stringAt(result, 'userAgent') !== undefined && 'codexHome' in result
}

function decode(value: JsonValue, at: LinePosition): ServerDecoded {
  if (!isJsonObject(value))
    return { ...nothing([missing('$', 'an object', value)]), threadId: undefined, order: at.offset }
  const sent = sentNoteOf(value)
  if (sent !== null) return readSent(sent)
  const params = objectAt(value, 'params') ?? {}
  const { drafts, issues, step: of } = readRecord(value, params, at.line)
  return {
    ...{ drafts, issues, step: of, time: timeOf(value, params), order: at.offset },
    threadId: stringAt(params, 'threadId') ?? stringAt(threadIn(value) ?? {}, 'id')
  }
}

/** docs/formats/codex-app-server.md#answers-stand-beside-the-output */
function readSent(line: SentNote): ServerDecoded {
  const sent = sentRecord(line)
  const { drafts, issues, step: of } = (sent === null ? null : readAnswer(sent)) ?? nothing()
  return { drafts, issues, step: of, time: line.at, order: orderOfSent(line), threadId: undefined }
}

function readRecord(record: JsonObject, params: JsonObject, line: number): Meaning {
  const method = stringAt(record, 'method')
  if (method === undefined) return readResponse(record)
  if (askMethods.has(method)) return readAsk(record, method, params, issuesBy(askSchemas, method, record))
  return readNotification(record, method, params, line)
}

function readNotification(record: JsonObject, method: string, params: JsonObject, line: number): Meaning {
  const issues = issuesBy(notificationSchemas, method, record)
  switch (method) {
    case 'item/started':
    case 'item/completed':
      return readItem(record, objectAt(params, 'item') ?? {}, method === 'item/completed', line)
    case 'item/agentMessage/delta':
      return readPiece(params, 'assistant-message', issues)
    case 'item/reasoning/summaryTextDelta':
    case 'item/reasoning/textDelta':
      return readPiece(params, 'reasoning', issues)
    case 'item/plan/delta':
      return readPiece(params, 'status', issues)
    case 'thread/started':
      return readThread(objectAt(params, 'thread'), undefined, issues)
    case 'thread/settings/updated':
      return readSettings(objectAt(params, 'threadSettings') ?? {}, issues)
    case 'model/rerouted':
      return step({ kind: 'model', model: stringAt(params, 'toModel'), tier: undefined }, [], issues)
    case 'thread/tokenUsage/updated':
      return readUsage(objectAt(params, 'tokenUsage') ?? {}, issues)
    case 'turn/started':
      return step({ kind: 'turn-start' }, [], issues)
    case 'turn/completed':
      return readTurnEnd(objectAt(params, 'turn') ?? {}, issues)
    case 'turn/plan/updated': {
      const items = planItems(params['plan'])
      if (items === null) return nothing(issues)
      return step({ kind: 'plan', items }, [{ type: 'todo_list', todoId: planId(params), items }], issues)
    }
    case 'error':
      return readError(params, issues)
    case 'warning':
    case 'guardianWarning':
      return readNotice(stringAt(params, 'message'), issues)
    case 'configWarning':
    case 'deprecationNotice': {
      const said = [stringAt(params, 'summary'), stringAt(params, 'details')].filter((text) => text)
      return readNotice(said.join('\n'), issues)
    }
    case 'serverRequest/resolved': {
      const request = requestId(params['requestId'])
      return request === '' ? nothing(issues) : step({ kind: 'resolved', request }, [], issues)
    }
    default:
      return nothing(
        silentMethods.has(method) || method.startsWith('codex/event/') ? issues : [unknownType('$.method')]
      )
  }
}

/** A plan has no call. One list for the turn. */
function planId(params: JsonObject): string {
  return `${stringAt(params, 'turnId') ?? ''}-todos`
}

function issuesBy(
  schemas: ReadonlyMap<string, Parameters<typeof requiredIssues>[0]>,
  method: string,
  record: JsonObject
): readonly IssueDraft[] {
  const schema = schemas.get(method)
  return schema === undefined ? [] : requiredIssues(schema, record)
}

function missing(path: string, expected: string, found: JsonValue | undefined): IssueDraft {
  return { code: 'TypedParse', path, message: `expected ${expected}, found ${jsonTypeName(found)}` }
}

/** A response does not say to what. */
function readResponse(record: JsonObject): Meaning {
  if (record['id'] === undefined) return nothing([missing('$.method', 'a string', record['method'])])
  const error = objectAt(record, 'error')
  if (error !== undefined) {
    const message = stringAt(error, 'message')
    if (message === '') return nothing()
    if (message === undefined) return nothing([missing('$.error.message', 'a string', error['message'])])
    const code = numberAt(error, 'code')
    return step(emitAll, [{ type: 'error', error: message, ...(code !== undefined && { code: String(code) }) }], [])
  }
  if (isHandshake(record)) return step({ kind: 'process' }, [], [])
  const thread = threadIn(record)
  return thread === undefined ? nothing() : readThread(thread, objectAt(record, 'result'), [])
}

/** docs/formats/codex-app-server.md#a-thread-is-a-session */
function readThread(
  thread: JsonObject | undefined,
  result: JsonObject | undefined,
  issues: readonly IssueDraft[]
): Meaning {
  if (thread === undefined) return nothing(issues)
  const model = stringAt(result ?? thread, 'model')
  const cwd = stringAt(result ?? thread, 'cwd')
  const draft: EventDraft = {
    type: 'session.started',
    ...stated({ model, cwd, version: stringAt(thread, 'cliVersion') })
  }
  const isSubagent = stringAt(thread, 'parentThreadId') !== undefined
  const tier = tierIn(result ?? thread, 'serviceTier')
  return step({ kind: 'thread', isSubagent, model, tier }, [draft], issues)
}

function readSettings(settings: JsonObject, issues: readonly IssueDraft[]): Meaning {
  return step({ kind: 'model', model: stringAt(settings, 'model'), tier: tierIn(settings, 'serviceTier') }, [], issues)
}

function readPiece(params: JsonObject, category: PieceCategory, issues: readonly IssueDraft[]): Meaning {
  const itemId = stringAt(params, 'itemId')
  const text = stringAt(params, 'delta')
  if (itemId === undefined || text === undefined) return nothing(issues)
  return step({ kind: 'piece', itemId, category, text }, [], issues)
}

/** docs/formats/codex-app-server.md#tokens-come-after-each-request */
function readUsage(usage: JsonObject, issues: readonly IssueDraft[]): Meaning {
  const total = objectAt(usage, 'total')
  const last = objectAt(usage, 'last')
  if (total === undefined || last === undefined) return nothing(issues)
  const window = numberAt(usage, 'modelContextWindow')
  return step(
    { kind: 'usage', total: countsIn(total), last: countsIn(last), ...(window !== undefined && { window }) },
    [],
    issues
  )
}

/** By the names that other logs of Codex have. */
const countNames = {
  total_tokens: 'totalTokens',
  input_tokens: 'inputTokens',
  cached_input_tokens: 'cachedInputTokens',
  cache_write_input_tokens: 'cacheWriteInputTokens',
  output_tokens: 'outputTokens',
  reasoning_output_tokens: 'reasoningOutputTokens'
}

function countsIn(usage: JsonObject): TokenCounts {
  const counts: Record<string, number> = {}
  for (const [name, printed] of Object.entries(countNames)) {
    const count = usage[printed]
    if (isFiniteNumber(count)) counts[name] = count
  }
  return counts
}

const ends: ReadonlyMap<string, TurnEnd> = new Map([
  ['completed', 'done'],
  ['interrupted', 'cancelled'],
  ['failed', 'error']
])

function readTurnEnd(turn: JsonObject, issues: readonly IssueDraft[]): Meaning {
  const how = ends.get(stringAt(turn, 'status') ?? '') ?? 'done'
  const end: EventDraft = {
    type: 'turn.completed',
    finishReason: how,
    ...stated({ durationMs: lengthAt(turn, 'durationMs') })
  }
  const message = stringAt(objectAt(turn, 'error') ?? {}, 'message')
  if (message === undefined || message === '') return step({ kind: 'turn-end', how, hash: null }, [end], issues)
  const error = errorDraft(message)
  return step({ kind: 'turn-end', how, hash: textHash(error.error) }, [error, end], issues)
}

/** docs/formats/codex-app-server.md#an-error-may-be-tried-again */
function readError(params: JsonObject, issues: readonly IssueDraft[]): Meaning {
  const message = stringAt(objectAt(params, 'error') ?? {}, 'message')
  if (message === undefined || message === '' || params['willRetry'] === true) return nothing(issues)
  const error = errorDraft(message)
  return step({ kind: 'error', hash: textHash(error.error) }, [error], issues)
}

function readNotice(text: string | undefined, issues: readonly IssueDraft[]): Meaning {
  if (text === undefined || text === '') return nothing(issues)
  return step(emitAll, [{ type: 'text', text, role: 'system', category: 'status' }], issues)
}

/** In ms. Older versions state none beside the seconds of turns. */
function timeOf(record: JsonObject, params: JsonObject): number | undefined {
  const turn = objectAt(params, 'turn') ?? {}
  const seconds = turn['completedAt'] ?? turn['startedAt']
  return (
    instantOfMs(record['emittedAtMs']) ??
    instantOfMs(params['startedAtMs']) ??
    (isFiniteNumber(seconds) ? instantOfMs(seconds * 1000) : undefined)
  )
}

function streamedPiece(record: JsonObject): StreamedPiece | null {
  const params = objectAt(record, 'params') ?? {}
  const [stream, text] = [stringAt(params, 'itemId'), stringAt(params, 'delta')]
  return stream === undefined || text === undefined ? null : { stream, text }
}

/** Methods without an event: states of the program, and pieces of what comes whole. */
const silentMethods: ReadonlySet<string> = new Set([
  ...['thread/status/changed', 'thread/archived', 'thread/unarchived', 'thread/closed', 'thread/deleted'],
  ...['thread/name/updated', 'thread/goal/updated', 'thread/goal/cleared', 'thread/queue/changed'],
  ...['thread/readState/changed', 'thread/compacted', 'thread/realtime/started', 'thread/realtime/itemAdded'],
  ...['thread/realtime/transcript/delta', 'thread/realtime/transcript/done', 'thread/realtime/outputAudio/delta'],
  ...['thread/realtime/sdp', 'thread/realtime/error', 'thread/realtime/closed', 'skills/changed', 'app/list/updated'],
  ...['hook/started', 'hook/completed', 'turn/diff/updated', 'item/autoApprovalReview/started'],
  ...['item/autoApprovalReview/completed', 'rawResponseItem/completed', 'command/exec/outputDelta'],
  ...['process/outputDelta', 'process/exited', 'item/commandExecution/outputDelta'],
  ...['item/commandExecution/terminalInteraction', 'item/fileChange/outputDelta', 'item/fileChange/patchUpdated'],
  ...['item/mcpToolCall/progress', 'item/reasoning/summaryPartAdded', 'mcpServer/oauthLogin/completed'],
  ...['mcpServer/startupStatus/updated', 'account/updated', 'account/rateLimits/updated', 'account/login/completed'],
  ...['remoteControl/status/changed', 'externalAgentConfig/import/completed', 'fs/changed', 'model/verification'],
  ...['fuzzyFileSearch/sessionUpdated', 'fuzzyFileSearch/sessionCompleted', 'windows/worldWritableWarning'],
  ...['windowsSandbox/setupCompleted'],
  // Requests that the program that runs Codex answers by itself.
  ...['item/tool/call', 'account/chatgptAuthTokens/refresh', 'attestation/generate', 'currentTime/read']
])
