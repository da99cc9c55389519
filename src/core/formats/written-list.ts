import type { TodoItem } from '../events/todo.ts'

/** Calls kept open at most. An agent waits for its answers, so the log of one that never gets any is damaged. */
const maxOpenCalls = 100

/**
 * A todo list that a tool replaces as a whole: what was accepted last, and calls not yet answered.
 * docs/formats/README.md#a-refused-call-changes-nothing.
 */
export class WrittenList {
  private settled: readonly TodoItem[] = []
  private open: { readonly id: string; readonly items: readonly TodoItem[] }[] = []

  /** The list as the last call has it. */
  current(): readonly TodoItem[] {
    return this.open.at(-1)?.items ?? this.settled
  }

  /** A call writes the list. */
  call(id: string, items: readonly TodoItem[]): void {
    this.open.push({ id, items })
    if (this.open.length > maxOpenCalls) this.settled = this.open.shift()?.items ?? this.settled
  }

  /** What the call wrote; null where it is not open any more. */
  calledBy(id: string): readonly TodoItem[] | null {
    return this.open.find((call) => call.id === id)?.items ?? null
  }

  /** The list is known to be this, whatever was called. */
  settle(items: readonly TodoItem[]): void {
    this.settled = items
    this.open = []
  }

  /** The call changed nothing: the list as it was before; null where a later call has replaced it meanwhile. */
  reject(id: string): readonly TodoItem[] | null {
    const index = this.open.findIndex((call) => call.id === id)
    if (index === -1) return null
    const latest = index === this.open.length - 1
    this.open.splice(index, 1)
    return latest ? this.current() : null
  }

  /**
   * The call is done: the list is `stated`, where its result says so, else what the call wrote. Calls before it that were never
   * answered are history. False where a later call has replaced the list meanwhile.
   */
  accept(id: string, stated?: readonly TodoItem[]): boolean {
    const index = this.open.findIndex((call) => call.id === id)
    if (index === -1) return false
    this.settled = stated ?? this.open[index]?.items ?? this.settled
    this.open.splice(0, index + 1)
    return this.open.length === 0
  }
}
