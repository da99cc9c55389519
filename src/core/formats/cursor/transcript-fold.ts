import { EventSequence } from '../event-sequence.ts'
import type { Fold, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import { fileNameOf } from '../run-search.ts'
import { mergedEntries, type TodoEntry } from './todo-entries.ts'
import type { CursorTranscriptDecoded } from './transcript.ts'

/** Merges todo lists, one for each file. What came of a call is not in the log, so a list counts as called. */
export class CursorTranscriptFold implements Fold<CursorTranscriptDecoded> {
  private readonly sequence: EventSequence
  /** By file; '' is the main one. */
  private readonly lists = new Map<string, readonly TodoEntry[]>()

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
  }

  add(at: LinePosition, { drafts, steps, time }: CursorTranscriptDecoded): FoldResult {
    // Nothing says which call started a subagent.
    const track = at.file === undefined ? undefined : fileNameOf(at.file).replace(/\.jsonl$/, '')
    this.sequence.begin(at, time, undefined)
    for (const [body, draft] of drafts.entries()) {
      const step = steps[body]
      if (step?.kind !== 'write') {
        this.sequence.emit(draft, body, track)
        continue
      }
      const before = this.lists.get(at.file ?? '') ?? []
      const list = mergedEntries(step.merge ? before : [], step.patches)
      this.lists.set(at.file ?? '', list)
      this.sequence.called(step.id)
      if (!step.merge) this.sequence.emit(draft, body, track)
      else {
        const items = list.map(({ item }) => item)
        this.sequence.emit({ type: 'todo_list', todoId: step.id, items }, -1, track)
      }
    }
    return this.sequence.take(track)
  }

  end(): FoldResult {
    return this.sequence.take()
  }
}
