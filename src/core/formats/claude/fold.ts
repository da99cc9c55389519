import type { StateClass } from '../../state/saved-state.ts'
import { ByteOffsets } from '../../byte-offsets.ts'
import { HashNumbers } from '../../hash-numbers.ts'
import { EventSequence } from '../event-sequence.ts'
import type { IssueDraft } from '../issue.ts'
import type { EventDraft, FoldContext, FoldResult, LinePosition, RowMark } from '../log-format.ts'
import type { RequestNote } from '../../requests/request-note.ts'
import { tokensOf } from '../../requests/tokens.ts'
import type { ClaudeDecoded, ResultStep, Step, TurnEndStep } from './decoded.ts'
import { KnownLines } from './known-lines.ts'
import { type TodoChange, todoListClasses, TodoLists } from './tasks.ts'
import { textHash } from '../text-hash.ts'

/** What both Claude formats fold alike: time and session carried on, copied and retracted lines, todo lists, calls and their results. */
export class ClaudeFold {
  private readonly sequence: EventSequence
  private readonly todos = new TodoLists()
  private readonly lines = new KnownLines()
  private issues: IssueDraft[] = []
  /** The line remembered last: most lines hang from the one before them. */
  private lastUuid = ''
  private lastRow = -1

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
  }

  get sessionId(): string | undefined {
    return this.sequence.sessionId
  }

  /**
   * Begins a line, remembered where it has a `uuid`, and gives its row in the lines known; null for a copy of an earlier one:
   * docs/formats/claude-transcript.md#a-line-with-a-known-uuid-is-a-copy.
   */
  begin(at: LinePosition, decoded: ClaudeDecoded, uuid: string | undefined): number | null {
    this.sequence.begin(at, decoded.time, decoded.sessionId)
    const row = uuid === undefined ? -1 : this.remember(uuid, at)
    if (row === null) this.sequence.markHere('duplicate')
    return row
  }

  /** Marks the lines that the line at `row` takes back. */
  retract(row: number, decoded: ClaudeDecoded): void {
    for (const uuid of decoded.retracts) {
      const before = this.rowOf(uuid)
      if (before !== row) this.markRow(before, 'retracted')
    }
  }

  /** The row of a line met for the first time; null for one that is known. */
  remember(uuid: string, at: LinePosition): number | null {
    const row = this.lines.meet(textHash(uuid), at)
    if (row !== null) {
      this.lastUuid = uuid
      this.lastRow = row
    }
    return row
  }

  /** -1 where no line had this uuid. */
  rowOf(uuid: string): number {
    return uuid === this.lastUuid ? this.lastRow : this.lines.find(textHash(uuid))
  }

  markRow(row: number, mark: RowMark): void {
    if (row !== -1) this.sequence.mark(this.lines.startOf(row), mark)
  }

  /** The line's result. `track`: whose record it is. */
  take(track?: string): FoldResult {
    const result = this.sequence.take(track)
    if (this.issues.length === 0) return result
    const issues = this.issues
    this.issues = []
    return { ...result, issues }
  }

  /** The line being added says something of a request. `key`: of its message. */
  note(key: string, request: Omit<RequestNote, 'about' | 'key'>): void {
    this.sequence.note({ about: 'request', key, ...request })
  }

  /** The line being added ends a turn of the main agent; what the turn took it may say as well. */
  noteTurn(decoded: ClaudeDecoded, { body, windows, firstTokenMs }: TurnEndStep, model: string | undefined): void {
    const draft = decoded.drafts[body]
    if (draft?.type !== 'turn.completed') return
    const tokens = draft.usage === undefined ? {} : tokensOf(draft.usage)
    this.sequence.note({ about: 'turn', trackId: undefined, model, tokens, windows, firstTokenMs })
  }

  /** For a message without an id: a key that no other line has. */
  get lineKey(): string {
    return `${this.here.file ?? ''}:${this.here.offset}`
  }

  /** Where the line being added stands. */
  get here(): LinePosition {
    return this.sequence.here
  }

  /** Gives an event made here of what another line says; of null where no line does. */
  makeOf(line: LinePosition | null, draft: EventDraft, track: string | undefined): void {
    this.sequence.emitApart(draft, track, line)
  }

  /** Gives an event made here, not by a record. */
  make(draft: EventDraft, track: string | undefined): void {
    this.sequence.emit(draft, -1, track)
  }

  /** Gives the draft at `body` of its record; nothing for -1. */
  emit(decoded: ClaudeDecoded, body: number, track: string | undefined, toolName?: string): void {
    const draft = decoded.drafts[body]
    if (draft === undefined) return
    if (toolName === undefined) this.sequence.emit(draft, body, track)
    else this.sequence.emit(draft, body, track, { toolName })
  }

  /** Folds a step that means the same in both formats. */
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
      case 'result':
        return this.result(step, decoded, track)
      case 'message-start':
      case 'message-usage':
      case 'block-text':
        return
      default:
        this.emit(decoded, step.body, track)
    }
  }

  /** A list that the call has made comes before its result, as one that a call states does; one that a refused call leaves comes after. */
  private result(step: ResultStep, decoded: ClaudeDecoded, track: string | undefined): void {
    const { toolName, list, issue } = this.todos.result(track ?? '', this.sessionId ?? '', step)
    if (issue !== undefined) this.issues.push(issue)
    if (!step.rejected) this.list(list, step, decoded, track)
    this.emit(decoded, step.body, track, toolName)
    if (step.rejected) this.list(list, step, decoded, track)
  }

  private list(list: TodoChange | null, { id }: ResultStep, decoded: ClaudeDecoded, track: string | undefined): void {
    if (list === null) return
    // The Task tools' list is the session's: it is shown with the main agent, whoever changed it.
    const owner = list.ofSession ? undefined : track
    if (list.body >= 0) this.emit(decoded, list.body, owner)
    else this.make({ type: 'todo_list', todoId: id, items: list.items }, owner)
  }
}

/** `LogFormat.stateClasses` of what both Claude formats fold by. */
export const claudeFoldClasses: readonly StateClass[] = [
  ClaudeFold,
  EventSequence,
  KnownLines,
  HashNumbers,
  ByteOffsets,
  ...todoListClasses
]
