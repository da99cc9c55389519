import { sameTodoItems, type TodoItem } from '../events/todo.ts'

/** Limit of open calls. Agents wait for results, so a log with more is damaged. */
const maxOpenCalls = 100

/** A call of a todo tool. */
export interface TodoCall {
  readonly toolName: string
  /** It has no event of its own. Otherwise its result may state the list. */
  readonly writes: boolean
  /** What a result says again is no news. */
  readonly isAnswered?: true
}

/** A list that calls replace: docs/formats/README.md#a-refused-call-changes-nothing. */
export class WrittenList {
  private settled: readonly TodoItem[] = []
  private open: { readonly id: string; readonly items: readonly TodoItem[] }[] = []

  /** The list of the last call. */
  current(): readonly TodoItem[] {
    return this.open.at(-1)?.items ?? this.settled
  }

  /** A call writes the list. */
  call(id: string, items: readonly TodoItem[]): void {
    this.open.push({ id, items })
    if (this.open.length > maxOpenCalls) this.settled = this.open.shift()?.items ?? this.settled
  }

  /** The list of an open call, or null. */
  private calledBy(id: string): readonly TodoItem[] | null {
    return this.open.find((call) => call.id === id)?.items ?? null
  }

  /** A call reads the list: its result may state it. */
  read(id: string): void {
    this.call(id, this.current())
  }

  /** Sets the list, whatever was called. False if it is that list already. */
  stand(items: readonly TodoItem[]): boolean {
    if (sameTodoItems(this.current(), items)) return false
    this.settled = items
    this.open = []
    return true
  }

  /** The result of a call states the list. False if that is no news, or if a later call has replaced it. */
  state(id: string, items: readonly TodoItem[]): boolean {
    const called = this.calledBy(id)
    if (called === null) return this.stand(items)
    return this.accept(id, items) && !sameTodoItems(called, items)
  }

  /** Undoes a call. Returns the former list; null if a later call has replaced it. */
  reject(id: string): readonly TodoItem[] | null {
    const index = this.open.findIndex((call) => call.id === id)
    if (index === -1) return null
    const latest = index === this.open.length - 1
    this.open.splice(index, 1)
    return latest ? this.current() : null
  }

  /** The result of a call, perhaps with the list that it states. Returns the list if it is another than the call's. */
  settle(id: string, refused: boolean, stated: readonly TodoItem[] | null): readonly TodoItem[] | null {
    if (refused) return this.reject(id)
    if (stated !== null) return this.state(id, stated) ? stated : null
    this.accept(id)
    return null
  }

  /** Accepts a call, with its result's list if `stated`. False if a later call has replaced the list. */
  accept(id: string, stated?: readonly TodoItem[]): boolean {
    const index = this.open.findIndex((call) => call.id === id)
    if (index === -1) return false
    this.settled = stated ?? this.open[index]?.items ?? this.settled
    this.open.splice(0, index + 1)
    return this.open.length === 0
  }
}
