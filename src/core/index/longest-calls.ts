/** Number of calls in a report and in the summary. */
const maxCalls = 10

/** The longest calls with a known duration, descending; ties in order of their results. */
export class LongestCalls<T extends { readonly tookMs: number }> {
  readonly list: T[] = []

  add(call: T): void {
    const shortest = this.list.at(-1)
    if (this.list.length === maxCalls && shortest !== undefined && call.tookMs <= shortest.tookMs) return
    this.list.push(call)
    this.list.sort((a, b) => b.tookMs - a.tookMs)
    if (this.list.length > maxCalls) this.list.pop()
  }
}
