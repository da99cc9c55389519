import { messageOf } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'
import { Listeners } from './listeners.ts'

export type ListedIssue = Result<'log.issues'>['issues'][number]
export type CodeCount = Result<'log.issues'>['codes'][number]
export type IssueCodeName = CodeCount['code']

type FetchIssues = (asked: Omit<Params<'log.issues'>, 'log'>) => Promise<Result<'log.issues'>>

/** An issue, by its code and its index among the issues of that code. */
export interface IssuePlace {
  readonly code: IssueCodeName
  readonly at: number
}

const pageSize = 100
/** Cached pages; the least recently used ones are dropped. */
const maxPages = 200
/** Concurrent requests, and waiting pages: only the end of a long scroll matters. */
const maxFetching = 2
const maxQueued = 4

interface Page {
  readonly issues: readonly ListedIssue[]
  /** Number of changes of the log before the request. */
  readonly asOf: number
  /** Rows from here on could still change then. */
  readonly settledRows: number
}

/** The issues of a log by code, loaded on demand, because a log may have a million. */
export class IssuePages {
  /** The worst first; null: not loaded yet. */
  codes: readonly CodeCount[] | null = null
  /** The read error; null for none. */
  error: string | null = null
  readonly changes = new Listeners()
  readonly #fetch: FetchIssues
  readonly #pages = new Map<string, Page>()
  readonly #fetching = new Set<string>()
  /** Pages to load, the last one first. */
  readonly #queue: { readonly code: IssueCodeName; readonly number: number }[] = []
  #asOf = 0
  #settledRows = 0
  #counting = false

  constructor(fetch: FetchIssues) {
    this.#fetch = fetch
  }

  /** The log has changed; rows from `settledRows` on may have other issues. */
  refresh(settledRows: number): void {
    this.#settledRows = settledRows
    this.#asOf++
    void this.#count()
  }

  /** An issue, if loaded and current; otherwise it is requested. */
  get({ code, at }: IssuePlace): ListedIssue | undefined {
    const number = Math.floor(at / pageSize)
    const key = keyOf(code, number)
    const page = this.#pages.get(key)
    if (page === undefined || !this.#isFinal(page)) this.#enqueue(code, number)
    if (page === undefined) return undefined
    this.#pages.delete(key)
    this.#pages.set(key, page)
    return page.issues[at - number * pageSize]
  }

  /** Waits for an issue. Undefined if there is none, or on an error. */
  async awaited(place: IssuePlace): Promise<ListedIssue | undefined> {
    const since = this.#asOf
    for (;;) {
      const issue = this.get(place)
      if (issue !== undefined || this.error !== null || this.#isHere(place, since)) return issue
      await new Promise<void>((resume) => {
        const stop = this.changes.subscribe(() => {
          stop()
          resume()
        })
      })
    }
  }

  /** Whether the page of an issue is at least as new as `asOf`; an older one may be too short. */
  #isHere({ code, at }: IssuePlace, asOf: number): boolean {
    const page = this.#pages.get(keyOf(code, Math.floor(at / pageSize)))
    return page !== undefined && page.asOf >= asOf
  }

  /** The place of a row's first issue; null for none. */
  async placeOf(row: number): Promise<IssuePlace | null> {
    const [issue] = (await this.#fetch({ from: 0, count: 1, row })).issues
    const code = this.codes?.find((each) => each.code === issue?.code)?.code
    if (issue?.row !== row || code === undefined) return null
    return { code, at: (await this.#fetch({ from: 0, count: 1, row, code })).from }
  }

  /** Loads again after an error. */
  retry(): void {
    this.error = null
    void this.#count()
    this.changes.notify()
  }

  async #count(): Promise<void> {
    if (this.#counting) return
    this.#counting = true
    try {
      for (let asOf = -1; asOf !== this.#asOf;) {
        asOf = this.#asOf
        this.codes = (await this.#fetch({ from: 0, count: 1 })).codes
        this.changes.notify()
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#counting = false
  }

  #isFinal({ issues, asOf, settledRows }: Page): boolean {
    if (asOf === this.#asOf) return true
    return issues.length === pageSize && (issues.at(-1)?.row ?? Infinity) < settledRows
  }

  #enqueue(code: IssueCodeName, number: number): void {
    if (this.error !== null || this.#fetching.has(keyOf(code, number))) return
    const at = this.#queue.findIndex((each) => each.code === code && each.number === number)
    if (at >= 0) this.#queue.splice(at, 1)
    this.#queue.push({ code, number })
    if (this.#queue.length > maxQueued) this.#queue.shift()
    // This may be called while rendering, where state must not change.
    queueMicrotask(() => this.#fetchNext())
  }

  #fetchNext(): void {
    while (this.#fetching.size < maxFetching && this.error === null) {
      const next = this.#queue.pop()
      if (next === undefined) return
      void this.#fetchPage(next.code, next.number)
    }
  }

  async #fetchPage(code: IssueCodeName, number: number): Promise<void> {
    const key = keyOf(code, number)
    const asOf = this.#asOf
    const settledRows = this.#settledRows
    this.#fetching.add(key)
    try {
      const { issues } = await this.#fetch({ from: number * pageSize, count: pageSize, code })
      this.#pages.delete(key)
      this.#pages.set(key, { issues, asOf, settledRows })
      for (const oldest of this.#pages.keys()) {
        if (this.#pages.size <= maxPages) break
        this.#pages.delete(oldest)
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#fetching.delete(key)
    this.changes.notify()
    this.#fetchNext()
  }

  #fail(error: unknown): void {
    this.error = messageOf(error)
    this.changes.notify()
  }
}

function keyOf(code: string, number: number): string {
  return `${code} ${number}`
}
