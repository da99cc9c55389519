import { type Decision, decisionText } from '../../dialogue/permission-text.ts'
import { isJsonObject, objectAt, stated, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { instantOf } from '../instant.ts'
import { IdSet } from '../id-set.ts'
import { unknownType } from '../issue.ts'
import type {
  EventDraft,
  Fold,
  FoldContext,
  FoldResult,
  LinePosition,
  LogFormat,
  StreamedPiece
} from '../log-format.ts'
import { claudeFacts, claudeRecordFacts } from './facts.ts'
import { ClaudeStreamJsonParser } from './contract.ts'
import { type ClaudeDecoded, DecodedBuilder, malformedClaudeLine, type MessageFacts, type Step } from './decoded.ts'
import { ClaudeState, claudeStateClasses } from './claude-state.ts'
import { streamRecordTypes } from './known-records.ts'
import { claudeLiveCues } from './live-cues.ts'
import { readAssistant, readToolResult, readToolUse, readUserMessage, retractedBy } from './messages.ts'
import { decisionOn, AskedCalls, type AskedCall } from './asked-calls.ts'
import { OpenBlocks } from './open-blocks.ts'
import { readControlCancel, readControlRequest, readControlResponse, readDecisions } from './permissions.ts'
import { PrintedTurns } from './printed-turns.ts'
import { isInterrupt, readResult } from './result.ts'
import { streamSession } from './session.ts'
import { readAuthStatus, readRateLimit, readSystem } from './stream-system.ts'
import { streamValues } from './values.ts'

// Stateless, so one parser serves all.
const contract = new ClaudeStreamJsonParser()

/** The output of `claude -p --output-format stream-json --verbose`: docs/formats/claude-stream-json.md. */
export const claudeStreamJson: LogFormat<ClaudeDecoded> = {
  id: 'claude-stream-json',
  title: 'Claude Code stream-json',
  agentType: 'claude-code',
  detectors: [
    { strength: 'conclusive', holds: (r) => !isOfTranscript(r) && isStreamRecord(r) },
    { strength: 'typical', holds: (r) => !isOfTranscript(r) && (isBareMessage(r) || keepsContract(r)) }
  ],
  textDetectors: [{ strength: 'conclusive', holds: hasStreamMembers }],
  nested: ['content', 'content_block', 'event'],
  decode,
  values: streamValues,
  decodeMalformed: malformedClaudeLine,
  createFold: (context) => new StreamJsonFold(context),
  facts: claudeFacts,
  recordFacts: claudeRecordFacts,
  session: streamSession,
  stateClasses: () => [StreamJsonFold, PrintedTurns, OpenBlocks, AskedCalls, ...claudeStateClasses],
  streamedPiece,
  liveCues: claudeLiveCues
}

/** The piece of a text, a thought or an input in a partial message. */
function streamedPiece(record: JsonObject): StreamedPiece | null {
  const event = objectAt(record, 'event')
  const delta = event && objectAt(event, 'delta')
  if (!delta) return null
  const text = stringAt(delta, 'text') ?? stringAt(delta, 'thinking') ?? stringAt(delta, 'partial_json')
  if (text === undefined) return null
  return { stream: `${stringAt(record, 'parent_tool_use_id') ?? ''} ${String(event['index'])}`, text }
}

function isOfTranscript(r: JsonObject): boolean {
  return 'parentUuid' in r || 'isSidechain' in r
}

function isStreamRecord(r: JsonObject): boolean {
  const type = r['type']
  if (type === 'stream_event') return isJsonObject(r['event'])
  if (type === 'assistant' || type === 'user') return isJsonObject(r['message']) && 'parent_tool_use_id' in r
  if (stringAt(r, 'subtype') === undefined || stringAt(r, 'session_id') === undefined) return false
  if (type === 'result') return true
  return type === 'system' && (stringAt(r, 'uuid') !== undefined || (stringAt(r, 'cwd') !== undefined && 'tools' in r))
}

/** A record with only the members of the strict contract, as in hand-written logs and those of imitators. */
function keepsContract(record: JsonObject): boolean {
  const checked = contract.parseJson(record)
  if (!checked.ok || checked.event === null || checked.event.kind === 'Unknown') return false
  const { kind } = checked.event
  return (kind !== 'UserMessage' && kind !== 'AssistantMessage') || isJsonObject(record['message'])
}

/** A message without an envelope: a hand-written or shortened log. */
function isBareMessage({ type, message }: JsonObject): boolean {
  if ((type !== 'assistant' && type !== 'user') || !isJsonObject(message)) return false
  return typeof message['content'] === 'string' || Array.isArray(message['content'])
}

function hasStreamMembers(text: string): boolean {
  if (/"parent_tool_use_id"\s*:/.test(text)) return true
  if (/"session_id"\s*:/.test(text) && /"subtype"\s*:\s*"init"|"type"\s*:\s*"stream_event"/.test(text)) return true
  // A long message before its envelope; transcripts have the envelope first.
  return /^\s*\{"type":"(?:user|assistant)","message":\{/.test(text)
}

/** Checks the contract and, independently, reads the meaning. */
function decode(value: JsonValue, at: LinePosition): ClaudeDecoded {
  const out = new DecodedBuilder()
  const record = isJsonObject(value) ? value : {}
  const checked = contract.parseJson(value)
  if (!checked.ok) {
    const { code, message, path } = checked.error
    const isOfEnd = code === 'Normalize' || (path === '$.subtype' && stringAt(record, 'subtype') !== undefined)
    const isMeant = isOfEnd && isInterrupt(record)
    if (code !== 'Unknown') out.issues.push({ code, message, path: path ?? null, ...(isMeant ? { isMeant } : {}) })
  }
  const message = readRecord(out, record, at)
  return {
    drafts: out.drafts,
    issues: out.issues,
    steps: out.steps,
    time: instantOf(record['timestamp']),
    sessionId: stringAt(record, 'session_id') ?? stringAt(record, 'sessionId'),
    uuid: stringAt(record, 'uuid'),
    retracts: retractedBy(record),
    parentToolUseId: stringAt(record, 'parent_tool_use_id'),
    message
  }
}

function readRecord(out: DecodedBuilder, record: JsonObject, at: LinePosition): MessageFacts | undefined {
  const type = stringAt(record, 'type')
  if (type === undefined) return undefined
  if (type === 'assistant') {
    const place = { line: at.line, path: '$.message' }
    return readAssistant(out, record, objectAt(record, 'message') ?? {}, place, at.length)
  }
  const read = readers.get(type)
  if (read !== undefined) read(out, record, at.line)
  else if (!streamRecordTypes.has(type)) out.issues.push(unknownType())
  return undefined
}

type Reader = (out: DecodedBuilder, record: JsonObject, line: number) => void

/** By `type`, but for `assistant`. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['system', readSystem],
  ['user', readUser],
  ['result', readResult],
  ['stream_event', (out, record) => readStreamEvent(out, objectAt(record, 'event') ?? {})],
  ['rate_limit_event', readRateLimit],
  ['auth_status', readAuthStatus],
  ['tool_use', (out, record, line) => readToolUse(out, record, { line, path: '$' }, 0)],
  [
    'tool_result',
    (out, record, line) => readToolResult(out, record, record['tool_use_result'], { line, path: '$' }, 0)
  ],
  ['content_block_delta', readTopLevelDelta],
  ['control_request', readControlRequest],
  ['control_response', readControlResponse],
  ['control_cancel_request', readControlCancel]
])

function readUser(out: DecodedBuilder, record: JsonObject, line: number): void {
  readDecisions(out, record)
  const user = { harness: record['isSynthetic'] === true, structured: record['tool_use_result'], showsMedia: false }
  readUserMessage(out, objectAt(record, 'message') ?? {}, user, { line, path: '$.message' })
}

/** Partial texts: docs/formats/claude-stream-json.md#partial-messages-wait-for-the-whole-one. */
function readStreamEvent(out: DecodedBuilder, event: JsonObject): void {
  const index = typeof event['index'] === 'number' ? event['index'] : 0
  if (event['type'] === 'message_start') {
    const message = objectAt(event, 'message')
    out.steps.push({ kind: 'message-start', messageId: message === undefined ? undefined : stringAt(message, 'id') })
    return
  }
  if (event['type'] === 'message_delta') {
    const usage = objectAt(event, 'usage')
    if (usage !== undefined) out.steps.push({ kind: 'message-usage', usage })
    return
  }
  const opening = event['type'] === 'content_block_start' ? objectAt(event, 'content_block') : undefined
  const part = event['type'] === 'content_block_delta' ? objectAt(event, 'delta') : opening
  const type = stringAt(part ?? {}, 'type')?.replace(/_delta$/, '')
  if (part === undefined || (type !== 'text' && type !== 'thinking')) return
  out.steps.push({ kind: 'block-text', index, block: type, text: stringAt(part, type) ?? '' })
}

/** docs/formats/claude-stream-json.md#blocks-at-the-top-level-are-read */
function readTopLevelDelta(out: DecodedBuilder, record: JsonObject): void {
  const delta = objectAt(record, 'delta')
  const text = delta?.['type'] === 'text_delta' ? stringAt(delta, 'text') : undefined
  if (text !== undefined) out.event({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
}

/** False for streamed pieces and status lines, which are most lines; nothing refers to them. */
function isReferable({ drafts, steps, message }: ClaudeDecoded): boolean {
  return drafts.length > 0 || message !== undefined || steps.some((step) => step.kind === 'task-call')
}

/** What a result tells that does not say who decided. */
function resultDecision(draft: EventDraft | undefined): Decision {
  const isError = draft?.type === 'tool.completed' && draft.error !== undefined
  return isError ? { kind: 'refused', message: '' } : { kind: 'allowed', scope: 'unsaid' }
}

class StreamJsonFold implements Fold<ClaudeDecoded> {
  private readonly state: ClaudeState
  private readonly blocks = new OpenBlocks()
  private readonly asks = new AskedCalls()
  /** Ids of calls that started a subagent. */
  private readonly agentCalls = new IdSet()
  private startedSession: string | null | undefined = null
  /** The model of the latest answer. */
  private model: string | undefined
  /** A result followed: the next record starts a turn, unless it is another result. */
  private ended = false
  private readonly turns: PrintedTurns
  /** Interrupted without a result so far. */
  private interrupted = false

  constructor(context: FoldContext) {
    this.state = new ClaudeState(context)
    this.turns = new PrintedTurns(this.state)
  }

  add(at: LinePosition, decoded: ClaudeDecoded): FoldResult {
    const track = decoded.parentToolUseId
    const row = this.state.begin(at, decoded, isReferable(decoded) ? decoded.uuid : undefined)
    if (row === null) return this.state.drain(track)
    this.state.retract(row, decoded)
    const { message } = decoded
    if (message !== undefined) {
      this.blocks.complete(track ?? '', message.id, message.blocks)
      if (track === undefined && message.model !== undefined) this.model = message.model
      if (track === undefined) this.ended = false
      this.turns.answer(message, decoded, track)
    }
    // Unfinished text precedes the end of its turn.
    if (decoded.steps.some((step) => step.kind === 'turn-end')) this.drain('')
    for (const step of decoded.steps) this.step(step, decoded, track)
    return this.state.drain(track)
  }

  end(): FoldResult {
    for (const track of this.blocks.tracks()) this.drain(track)
    this.endInterrupted()
    return this.state.drain()
  }

  private step(step: ClaudeDecoded['steps'][number], decoded: ClaudeDecoded, track: string | undefined): void {
    switch (step.kind) {
      case 'session':
        this.endInterrupted()
        this.beginTurn()
        this.turns.begin()
        if (this.startedSession === this.state.sessionId) return
        this.startedSession = this.state.sessionId
        break
      case 'prompt':
        if (track !== undefined) break
        this.endInterrupted()
        this.beginTurn()
        break
      case 'interrupt':
        if (track === undefined) this.interrupted = true
        break
      case 'turn-end':
        this.interrupted = false
        this.turns.end(step, decoded, this.model)
        return this.endTurn(step.body, decoded)
      case 'agent-call':
        this.agentCalls.add(step.id)
        break
      case 'notification':
        return this.state.emit(decoded, step.body, this.agentTrack(step.callId) ?? track)
      case 'message-usage':
        return this.turns.stream(step.usage, track)
      case 'message-start':
        this.state.announceRequest(step.messageId, track)
        for (const draft of this.blocks.start(track ?? '', step.messageId)) this.state.emitOwn(draft, track)
        return
      case 'block-text':
        return this.blocks.append(track ?? '', step.index, step.block, step.text)
      case 'event':
        this.called(decoded.drafts[step.body], track)
        break
      case 'result':
        this.settle(step.id, resultDecision(decoded.drafts[step.body]))
        break
      case 'ask':
        return this.state.emitOfCall(decoded.drafts[step.body], step.body, this.asks.open(step))
      case 'answer':
        return this.answer(step, decoded)
      case 'withdrawn':
        return this.decide(this.asks.close(step.request), { kind: 'withdrawn' })
      case 'decided':
        return this.settle(step.callId, step.decision)
    }
    this.state.step(step, decoded, track)
  }

  private called(draft: EventDraft | undefined, track: string | undefined): void {
    if (track !== undefined && draft?.type === 'tool.started') this.asks.called(draft.toolId, track)
  }

  /** docs/formats/claude-stream-json.md#asks-and-decisions */
  private answer({ request, body, decision }: Extract<Step, { kind: 'answer' }>, decoded: ClaudeDecoded): void {
    const ask = this.asks.close(request)
    if (ask === null) return
    if (decisionOn(ask, decision) === decision) this.state.emitOfCall(decoded.drafts[body], body, ask)
    else this.decide(ask, decision)
  }

  private decide(ask: AskedCall | null, decision: Decision): void {
    if (ask !== null) this.state.emitOfCall(decisionText(decisionOn(ask, decision)), -1, ask)
  }

  /** A call that has a result is asked about no longer. */
  private settle(callId: string, decision: Decision): void {
    for (const ask of this.asks.closeOf(callId)) this.decide(ask, decision)
  }

  /** Emits the turn's end, with the model that its record lacks. */
  private endTurn(body: number, decoded: ClaudeDecoded): void {
    const draft = decoded.drafts[body]
    const model = this.model
    this.ended = true
    if (model === undefined || draft?.type !== 'turn.completed') this.state.emit(decoded, body, undefined)
    else this.state.emitOwn({ ...draft, model }, undefined)
  }

  private beginTurn(): void {
    if (this.ended) this.model = undefined
    this.ended = false
  }

  /** Background commands notify, too; only a subagent is a track. */
  private agentTrack(callId: string | undefined): string | undefined {
    return callId !== undefined && this.agentCalls.has(callId) ? callId : undefined
  }

  private drain(track: string): void {
    for (const draft of this.blocks.drain(track)) this.state.emitOwn(draft, track === '' ? undefined : track)
  }

  private endInterrupted(): void {
    if (!this.interrupted) return
    this.interrupted = false
    this.ended = true
    this.state.emitOwn(
      { type: 'turn.completed', finishReason: 'cancelled', ...stated({ model: this.model }) },
      undefined
    )
  }
}
