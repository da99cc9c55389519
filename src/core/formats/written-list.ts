import type { TodoItem } from '../events/todo.ts'

/** Limit of open calls. Agents wait for results, so a log with more is damaged. */
const maxOpenCalls = 100

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
  calledBy(id: string): readonly TodoItem[] | null {
    return this.open.find((call) => call.id === id)?.items ?? null
  }

  /** Sets the list, whatever was called. */
  settle(items: readonly TodoItem[]): void {
    this.settled = items
    this.open = []
  }

  /** Undoes a call. Returns the former list; null if a later call has replaced it. */
  reject(id: string): readonly TodoItem[] | null {
    const index = this.open.findIndex((call) => call.id === id)
    if (index === -1) return null
    const latest = index === this.open.length - 1
    this.open.splice(index, 1)
    return latest ? this.current() : null
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
