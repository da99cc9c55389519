import type { StateClass } from '../../state/saved-state.ts'
import { ByteOffsets } from '../../byte-offsets.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { EventSequence } from '../event-sequence.ts'
import type { IssueDraft } from '../issue.ts'
import type { EventDraft, FoldContext, FoldResult, LinePosition, RowMark } from '../log-format.ts'
import type { RequestNote, TurnNote } from '../../requests/request-note.ts'
import { sentOf, type Tokens } from '../../requests/tokens.ts'
import type { ClaudeDecoded, MessageFacts, ResultStep, Step } from './decoded.ts'
import { RequestIds } from './request-ids.ts'
import { KnownLines } from './known-lines.ts'
import type { AskedCall } from './asked-calls.ts'
import { type TodoChange, todoListClasses, TodoLists } from './tasks.ts'
import { textHash } from '../text-hash.ts'

/** The state that the folds of both Claude formats share. */
export class ClaudeState {
  private readonly sequence: EventSequence
  private readonly todos = new TodoLists()
  private readonly lines = new KnownLines()
  private readonly requests = new RequestIds()
  private issues: IssueDraft[] = []
  /** Cache of the last line: most lines are children of the one before. */
  private lastUuid = ''
  private lastRow = -1

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
  }

  get sessionId(): string | undefined {
    return this.sequence.sessionId
  }

  /**
   * Starts a line and stores its `uuid`. Returns its row in the known lines, -1 without a uuid, null for a copy:
   * docs/formats/claude-transcript.md#a-line-with-a-known-uuid-is-a-copy.
   */
  begin(at: LinePosition, decoded: ClaudeDecoded, uuid: string | undefined): number | null {
    this.sequence.begin(at, decoded.time, decoded.sessionId)
    const row = uuid === undefined ? -1 : this.remember(uuid, at)
    if (row === null) this.markDuplicate()
    return row
  }

  /** Marks the current line as a copy of an earlier one. */
  markDuplicate(): void {
    this.sequence.markHere('duplicate')
  }

  /** Marks the lines that the line at `row` retracts. */
  retract(row: number, decoded: ClaudeDecoded): void {
    for (const uuid of decoded.retracts) {
      const before = this.rowOf(uuid)
      if (before !== row) this.markRow(before, 'retracted')
    }
  }

  /** Stores a line. Returns its row; null if it is known. */
  remember(uuid: string, at: LinePosition): number | null {
    const row = this.lines.add(textHash(uuid), at)
    if (row !== null) {
      this.lastUuid = uuid
      this.lastRow = row
    }
    return row
  }

  /** -1 if unknown. */
  rowOf(uuid: string): number {
    return uuid === this.lastUuid ? this.lastRow : this.lines.rowOf(textHash(uuid))
  }

  markRow(row: number, mark: RowMark): void {
    if (row !== -1) this.sequence.mark(this.lines.startOf(row), mark)
  }

  /** Drains the line's result. `track`: of its record. */
  drain(track?: string): FoldResult {
    const result = this.sequence.drain(track)
    if (this.issues.length === 0) return result
    const issues = this.issues
    this.issues = []
    return { ...result, issues }
  }

  /** Adds a note about a model request, which has a number in `requests`. */
  note(request: number, note: Omit<RequestNote, 'about' | 'key'>): void {
    this.sequence.note({ about: 'request', key: keyOf(request), ...note })
  }

  /** The number of the request that a message answers. `tokens`: what it states. */
  requestOf({ id, requestId, stopReason }: MessageFacts, tokens: Tokens, track: string | undefined): number {
    const answer = { id, requestId, sent: sentOf(tokens) ?? 0, stopped: stopReason !== undefined }
    return this.requests.numberOf(this.speaker(track), answer)
  }

  /** The streamed message of a track begins. */
  announceRequest(messageId: string | undefined, track: string | undefined): void {
    this.requests.announce(this.speaker(track), messageId)
  }

  /** The request that is being answered on a track, if any. */
  currentRequest(track: string | undefined): number | undefined {
    return this.requests.currentOf(this.speaker(track))
  }

  /** A result or a prompt follows the last message of a track. */
  closeRequest(track: string | undefined): void {
    this.requests.close(this.speaker(track))
  }

  /** A turn of the main agent begins or ends. */
  endRequests(): void {
    this.requests.end(this.speaker(undefined))
  }

  /** Main agents of several processes may print into one log. */
  private speaker(track: string | undefined): string {
    return track ?? this.sessionId ?? ''
  }

  /** Adds a note about a turn of the main agent: of these requests, by their numbers. */
  noteTurn(usage: Omit<TurnNote, 'about' | 'trackId' | 'requests'>, requests: readonly number[]): void {
    this.sequence.note({ about: 'turn', trackId: undefined, requests: requests.map(keyOf), ...usage })
  }

  /** Position of the current line. */
  get here(): LinePosition {
    return this.sequence.here
  }

  /** Emits an event of the fold about another line, or about none. */
  emitAbout(line: LinePosition | null, draft: EventDraft, track: string | undefined): void {
    this.sequence.emitApart(draft, track, line)
  }

  /** Emits an event of the fold, without a record. */
  emitOwn(draft: EventDraft, track: string | undefined): void {
    this.sequence.emit(draft, -1, track)
  }

  /** Emits the draft at `body`; nothing for -1. */
  emit(decoded: ClaudeDecoded, body: number, track: string | undefined, toolName?: string): void {
    const draft = decoded.drafts[body]
    if (draft !== undefined) this.sequence.emit(draft, body, track, toolName === undefined ? undefined : { toolName })
  }

  /** Emits a text about a call. `body` -1: made by the fold. */
  emitOfCall(draft: EventDraft | undefined, body: number, { callId, trackId }: AskedCall): void {
    if (draft !== undefined) this.sequence.emit(draft, body, trackId, { callId })
  }

  /** Applies a step that both formats share. */
  step(step: Step, decoded: ClaudeDecoded, track: string | undefined): void {
    switch (step.kind) {
      case 'todo-write':
        this.todos.write(track ?? '', step.id, step.items)
        this.sequence.called(step.id)
        return this.emit(decoded, step.body, track)
      case 'task-call':
        this.todos.call(step.id, step.call)
        if (step.body < 0) this.sequence.called(step.id)
        return this.emit(decoded, step.body, track)
      case 'todo-resync':
        if (this.todos.resync(track ?? '', step.items)) this.emit(decoded, step.body, track)
        return
      case 'tasks-stated': {
        const items = this.todos.stated(this.sessionId ?? '', step.tasks)
        if (items !== null) this.emitOwn({ type: 'todo_list', todoId: step.id, items }, undefined)
        return
      }
      case 'result':
        this.closeRequest(track)
        return this.result(step, decoded, track)
      case 'prompt':
      case 'interrupt':
        this.closeRequest(track)
        return this.emit(decoded, step.body, track)
      case 'compacted':
        this.closeRequest(track)
        this.sequence.note({ about: 'compaction', trackId: track, before: step.before, after: step.after })
        return this.emit(decoded, step.body, track)
      case 'cost':
        this.sequence.note({ about: 'cost', costUsd: step.costUsd })
        return
      case 'message-start':
      case 'message-usage':
      case 'block-text':
      case 'ask':
      case 'answer':
      case 'withdrawn':
      case 'decided':
        // Of printed runs only.
        return
      default:
        this.emit(decoded, step.body, track)
    }
  }

  /** The list of a call precedes its result; a list restored after a refusal follows it. */
  private result(step: ResultStep, decoded: ClaudeDecoded, track: string | undefined): void {
    const { toolName, list, issue } = this.todos.result(track ?? '', this.sessionId ?? '', step)
    if (issue !== undefined) this.issues.push(issue)
    if (!step.rejected) this.list(list, step, decoded, track)
    this.emit(decoded, step.body, track, toolName)
    if (step.rejected) this.list(list, step, decoded, track)
  }

  private list(list: TodoChange | null, { id }: ResultStep, decoded: ClaudeDecoded, track: string | undefined): void {
    if (list === null) return
    // The list of the Task tools belongs to the session, so it is shown with the main agent.
    const owner = list.ofSession ? undefined : track
    if (list.body >= 0) this.emit(decoded, list.body, owner)
    else this.emitOwn({ type: 'todo_list', todoId: id, items: list.items }, owner)
  }
}

function keyOf(request: number): string {
  return `request ${request}`
}

/** `LogFormat.stateClasses` of the shared state. */
export const claudeStateClasses: readonly StateClass[] = [
  ClaudeState,
  RequestIds,
  EventSequence,
  KnownLines,
  HashNumbers,
  ByteOffsets,
  ...todoListClasses
]
