import type { TodoFate } from '#core/replay/review.ts'
import type { TodoSnapshots } from './todo-snapshots.ts'

/** The rows where todo items reach a status or are dropped, from their lanes. */
export class TodoReaches {
  readonly #todos: TodoSnapshots
  readonly #stopListening: () => void
  /** By text and status. */
  readonly #rows = new Map<string, Uint32Array>()

  /** Calls `onChange` when rows have changed. */
  constructor(todos: TodoSnapshots, onChange: () => void) {
    this.#todos = todos
    this.#stopListening = todos.lanes.changes.subscribe(() => {
      if (this.#rows.size === 0) return
      this.#rows.clear()
      onChange()
    })
  }

  get state(): { readonly searching: boolean; readonly part: number; readonly error: string | null } {
    const { isComplete, isCut, error } = this.#todos.lanes
    const cut = isCut ? 'The log has too many todo changes to search.' : null
    return { searching: !isComplete && !isCut && error === null, part: isComplete ? 1 : 0, error: error ?? cut }
  }

  /** The rows are known up to here (exclusive); Infinity if nothing more can be found out. */
  get knownTo(): number {
    const { lanes } = this.#todos
    if (!this.state.searching) return Infinity
    lanes.load()
    return this.#todos.rowAt(lanes.knownSnapshots)
  }

  /** The rows where an item whose text contains `text` reaches the status or is dropped. Ascending; ignores case. */
  rowsOf(text: string, status: TodoFate): Uint32Array {
    // This may be called while rendering, where state must not change.
    if (!this.#todos.lanes.isComplete) queueMicrotask(() => this.#todos.lanes.load())
    const key = JSON.stringify([text, status])
    let rows = this.#rows.get(key)
    if (rows === undefined) this.#rows.set(key, (rows = this.#find(text.toLowerCase(), status)))
    return rows
  }

  dispose(): void {
    this.#stopListening()
  }

  #find(text: string, status: TodoFate): Uint32Array {
    const { lanes } = this.#todos
    const rows = new Set<number>()
    for (let lane = 0; lane < lanes.count; lane++) {
      for (let position = 0; position < lanes.transitionsOf(lane); position++) {
        if (lanes.stateAfter(lane, position) !== status) continue
        // An edited item has not reached its status again.
        if (position > 0 && lanes.stateAfter(lane, position - 1) === status) continue
        if (lanes.span(lane, position)?.text.toLowerCase().includes(text) !== true) continue
        rows.add(this.#todos.rowAt(lanes.snapshotAt(lane, position)))
      }
    }
    return Uint32Array.from(rows).toSorted()
  }
}
