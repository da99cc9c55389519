import { isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { instantOf } from '../instant.ts'
import { IdSet } from '../id-set.ts'
import { unknownType } from '../issue.ts'
import type { Fold, FoldContext, FoldResult, LinePosition, LogFormat, StreamedPiece } from '../log-format.ts'
import { claudeFacts } from './facts.ts'
import { ClaudeStreamJsonParser } from './contract.ts'
import { type ClaudeDecoded, DecodedBuilder, type SaidMessage } from './decoded.ts'
import { ClaudeFold, claudeFoldClasses } from './fold.ts'
import { streamRecordTypes } from './known-records.ts'
import { claudeLiveCues } from './live-cues.ts'
import { malformedClaudeLine } from './malformed.ts'
import { readAssistant, readToolResult, readToolUse, readUserMessage, retractedBy } from './messages.ts'
import { OpenBlocks } from './open-blocks.ts'
import { sentOf, tokensOf } from '../../requests/tokens.ts'
import { readResult } from './result.ts'
import { streamSession } from './session.ts'
import { readAuthStatus, readRateLimit, readSystem } from './stream-system.ts'

// The contract has no rule over several lines, so one parser serves all.
const contract = new ClaudeStreamJsonParser()

/** What `claude -p --output-format stream-json --verbose` prints: docs/formats/claude-stream-json.md. */
export const claudeStreamJson: LogFormat<ClaudeDecoded> = {
  id: 'claude-stream-json',
  title: 'Claude Code stream-json',
  agentType: 'claude-code',
  detectors: [
    { strength: 'conclusive', holds: (r) => !isOfTranscript(r) && isStreamRecord(r) },
    { strength: 'typical', holds: (r) => !isOfTranscript(r) && (saysMessage(r) || keepsContract(r)) }
  ],
  textDetectors: [{ strength: 'conclusive', holds: hasStreamMarks }],
  decode,
  decodeMalformed: malformedClaudeLine,
  createFold: (context) => new StreamJsonFold(context),
  facts: claudeFacts,
  session: streamSession,
  stateClasses: () => [StreamJsonFold, OpenBlocks, ...claudeFoldClasses],
  streamedPiece,
  liveCues: claudeLiveCues
}

/** Of a partial message: of what is said, thought, or put into a call. */
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

/**
 * A record with no more in it than the strict contract asks for, as hand-written logs have. Programs that imitate Claude Code
 * write such records too.
 */
function keepsContract(record: JsonObject): boolean {
  const checked = contract.parseJson(record)
  if (!checked.ok || checked.event === null || checked.event.kind === 'Unknown') return false
  const { kind } = checked.event
  return (kind !== 'UserMessage' && kind !== 'AssistantMessage') || isJsonObject(record['message'])
}

/** A message without any envelope: a log made by hand, or cut down to what was said. */
function saysMessage({ type, message }: JsonObject): boolean {
  if ((type !== 'assistant' && type !== 'user') || !isJsonObject(message)) return false
  return typeof message['content'] === 'string' || Array.isArray(message['content'])
}

function hasStreamMarks(text: string): boolean {
  if (/"parent_tool_use_id"\s*:/.test(text)) return true
  if (/"session_id"\s*:/.test(text) && /"subtype"\s*:\s*"init"|"type"\s*:\s*"stream_event"/.test(text)) return true
  // A very long message whose envelope comes after it: transcripts put theirs first.
  return /^\s*\{"type":"(?:user|assistant)","message":\{/.test(text)
}

/** Checks the record against the contract, and reads what it means all the same: the one does not depend on the other. */
function decode(value: JsonValue, at: LinePosition): ClaudeDecoded {
  const out = new DecodedBuilder()
  const checked = contract.parseJson(value)
  if (!checked.ok) {
    const { code, message, path } = checked.error
    if (code !== 'Unknown') out.issues.push({ code, message, path: path ?? null })
  }
  const record = isJsonObject(value) ? value : {}
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

function readRecord(out: DecodedBuilder, record: JsonObject, at: LinePosition): SaidMessage | undefined {
  const type = record['type']
  const top = { line: at.line, path: '$' }
  switch (type) {
    case 'system':
      readSystem(out, record)
      return undefined
    case 'assistant':
      return readAssistant(
        out,
        record,
        objectAt(record, 'message') ?? {},
        { line: at.line, path: '$.message' },
        at.length
      )
    case 'user':
      readUser(out, record, at)
      return undefined
    case 'result':
      readResult(out, record)
      return undefined
    case 'stream_event':
      readStreamEvent(out, objectAt(record, 'event') ?? {})
      return undefined
    case 'rate_limit_event':
      readRateLimit(out, record)
      return undefined
    case 'auth_status':
      readAuthStatus(out, record)
      return undefined
    case 'tool_use':
      readToolUse(out, record, top, 0)
      return undefined
    case 'tool_result':
      readToolResult(out, record, record['tool_use_result'], top, 0)
      return undefined
    case 'content_block_delta':
      readTopLevelDelta(out, record)
      return undefined
    default:
      if (typeof type === 'string' && !streamRecordTypes.has(type)) {
        out.issues.push(unknownType())
      }
      return undefined
  }
}

function readUser(out: DecodedBuilder, record: JsonObject, at: LinePosition): void {
  const user = { harness: record['isSynthetic'] === true, structured: record['tool_use_result'], showsMedia: false }
  readUserMessage(out, objectAt(record, 'message') ?? {}, user, { line: at.line, path: '$.message' })
}

/** Only what the log would lose if it ended here: docs/formats/claude-stream-json.md#partial-messages-wait-for-the-whole-one. */
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
  const delta = event['type'] === 'content_block_delta' ? objectAt(event, 'delta') : undefined
  const said = opening ?? delta
  if (said === undefined) return
  const kind = said['type']
  if (kind === 'text' || kind === 'text_delta') {
    out.steps.push({ kind: 'block-text', index, block: 'text', text: stringAt(said, 'text') ?? '' })
  } else if (kind === 'thinking' || kind === 'thinking_delta') {
    out.steps.push({ kind: 'block-text', index, block: 'thinking', text: stringAt(said, 'thinking') ?? '' })
  }
}

/** docs/formats/claude-stream-json.md#blocks-at-the-top-level-are-read */
function readTopLevelDelta(out: DecodedBuilder, record: JsonObject): void {
  const delta = objectAt(record, 'delta')
  const text = delta?.['type'] === 'text_delta' ? stringAt(delta, 'text') : undefined
  if (text !== undefined) out.say({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
}

// More than anybody runs at once.
const maxStreams = 1000

/** Streamed pieces and status lines are by far the most, and nothing refers to them. */
function saysSomething({ drafts, steps, message }: ClaudeDecoded): boolean {
  return drafts.length > 0 || message !== undefined || steps.some((step) => step.kind === 'task-call')
}

class StreamJsonFold implements Fold<ClaudeDecoded> {
  private readonly fold: ClaudeFold
  private readonly blocks = new OpenBlocks()
  /** Ids of calls that started a subagent. */
  private readonly agentCalls = new IdSet()
  private startedSession: string | null | undefined = null
  /** The model that answered last. */
  private model: string | undefined
  /** A result has come since: what begins now is another turn, unless it is one more result. */
  private ended = false
  /** By track: the message that is streamed. */
  private readonly streamed = new Map<string, string>()
  /** The user interrupted and no result has followed. */
  private interrupted = false

  constructor(context: FoldContext) {
    this.fold = new ClaudeFold(context)
  }

  add(at: LinePosition, decoded: ClaudeDecoded): FoldResult {
    const track = decoded.parentToolUseId
    const row = this.fold.begin(at, decoded, saysSomething(decoded) ? decoded.uuid : undefined)
    if (row === null) return this.fold.take(track)
    this.fold.retract(row, decoded)
    const { message } = decoded
    if (message !== undefined) {
      this.blocks.said(track ?? '', message.id, message.blocks)
      if (track === undefined && message.model !== undefined) this.model = message.model
      if (track === undefined) this.ended = false
      this.noteTokens(message, track)
    }
    // What the model was saying when the turn ended belongs before its end.
    if (decoded.steps.some((step) => step.kind === 'turn-end')) this.drain('')
    for (const step of decoded.steps) this.step(step, decoded, track)
    return this.fold.take(track)
  }

  end(): FoldResult {
    for (const track of this.blocks.tracks()) this.drain(track)
    this.endInterrupted()
    return this.fold.take()
  }

  private step(step: ClaudeDecoded['steps'][number], decoded: ClaudeDecoded, track: string | undefined): void {
    switch (step.kind) {
      case 'session':
        this.endInterrupted()
        this.beginTurn()
        if (this.startedSession === this.fold.sessionId) return
        this.startedSession = this.fold.sessionId
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
        this.fold.noteTurn(decoded, step, this.model)
        return this.endTurn(step.body, decoded)
      case 'agent-call':
        this.agentCalls.add(step.id)
        break
      case 'notification':
        return this.fold.emit(decoded, step.body, this.agentTrack(step.callId) ?? track)
      case 'message-usage': {
        const key = this.streamed.get(track ?? '')
        if (key !== undefined) this.fold.note(key, { trackId: track, tokens: tokensOf(step.usage) })
        return
      }
      case 'message-start':
        if (step.messageId === undefined) this.streamed.delete(track ?? '')
        else this.stream(track ?? '', step.messageId)
        for (const draft of this.blocks.start(track ?? '', step.messageId)) this.fold.make(draft, track)
        return
      case 'block-text':
        return this.blocks.append(track ?? '', step.index, step.block, step.text)
    }
    this.fold.step(step, decoded, track)
  }

  private stream(track: string, key: string): void {
    // A log with more agents at once is none; what is dropped is a count that a turn's end states as well.
    if (this.streamed.size >= maxStreams) this.streamed.clear()
    this.streamed.set(track, key)
  }

  /**
   * What a message states of its output is from the beginning of its answer, unless it says how it stopped; of its input it states all.
   */
  private noteTokens({ id, voice, model, usage, stopReason, written }: SaidMessage, trackId: string | undefined): void {
    if (usage === undefined || voice !== 'model') return
    const key = id ?? this.fold.lineKey
    // What the message has taken comes after its blocks.
    this.stream(trackId ?? '', key)
    const { output, reasoning, ...sent } = tokensOf(usage)
    if (stopReason === undefined) {
      // Some writers state nothing at all until the end of the turn.
      const known = sentOf(sent) === 0 ? {} : sent
      this.fold.note(key, { trackId, model, tokens: known })
    } else this.fold.note(key, { trackId, model, tokens: { ...sent, output, reasoning }, written })
  }

  /** The record says all about the turn but its model. */
  private endTurn(body: number, decoded: ClaudeDecoded): void {
    const draft = decoded.drafts[body]
    const model = this.model
    this.ended = true
    if (model === undefined || draft?.type !== 'turn.completed') this.fold.emit(decoded, body, undefined)
    else this.fold.make({ ...draft, model }, undefined)
  }

  private beginTurn(): void {
    if (this.ended) this.model = undefined
    this.ended = false
  }

  /** Background commands notify as well: only a subagent is a track. */
  private agentTrack(callId: string | undefined): string | undefined {
    return callId !== undefined && this.agentCalls.has(callId) ? callId : undefined
  }

  private drain(track: string): void {
    for (const draft of this.blocks.drain(track)) this.fold.make(draft, track === '' ? undefined : track)
  }

  private endInterrupted(): void {
    if (!this.interrupted) return
    this.interrupted = false
    const model = this.model
    this.ended = true
    this.fold.make(
      { type: 'turn.completed', finishReason: 'cancelled', ...(model === undefined ? undefined : { model }) },
      undefined
    )
  }
}
