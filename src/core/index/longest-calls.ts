/** So many a report and the summary list. */
const most = 10

/** The calls of a run that took longest, of those whose duration is known: the longest first, of equal ones the one that was answered first. */
export class LongestCalls<T extends { readonly tookMs: number }> {
  readonly list: T[] = []

  add(call: T): void {
    const shortest = this.list.at(-1)
    if (this.list.length === most && shortest !== undefined && call.tookMs <= shortest.tookMs) return
    this.list.push(call)
    this.list.sort((a, b) => b.tookMs - a.tookMs)
    if (this.list.length > most) this.list.pop()
  }
}
