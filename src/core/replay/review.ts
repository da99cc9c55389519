import * as z from 'zod'
import { todoStatuses } from '../events/todo.ts'
import { rowKinds } from '../index/row-kind.ts'
import { maxQueryLength } from '../query/query.ts'

/** A user's notes on a log, stored beside it. Bounded, as they are sent and written whole. */
export const maxBookmarks = 1000
export const maxBreakpoints = 50
export const maxNote = 500
/** Breakpoints with text: each is a search, and the find field is one more. */
export const maxTextBreakpoints = 7

const Id = z.string().min(1).max(40)

/** A row by its line and content, so it is found again after insertions before it. */
export const PlaceInRun = z.object({
  /** Name of another file of the run; null: the log itself. */
  file: z.string().max(4096).nullable(),
  /** 1-based. */
  line: z.int().min(1),
  /** 0-based among the line's rows. */
  ordinal: z.int().min(0),
  kind: z.enum(rowKinds),
  /** Ms since the epoch; null if unknown. */
  time: z.number().nullable(),
  /** The row's text, shown if the row is gone. */
  text: z.string().max(300)
})
export type PlaceInRun = z.infer<typeof PlaceInRun>

export const Bookmark = z.object({ id: Id, place: PlaceInRun, note: z.string().max(maxNote) })
export type Bookmark = z.infer<typeof Bookmark>

/** A status, or dropped: removed before it was finished. */
export const todoFates = [...todoStatuses, 'dropped'] as const
export type TodoFate = (typeof todoFates)[number]

/**
 * Where playback stops. `query`: where a query (docs/query.md) is met, see `stopOf`. Stored before there were queries: `rows`: at rows that match the kinds, the tools and the text; empty or null matches all.
 * `todo`: when an item that contains the text, ignoring case, gets the status or is dropped. `place`: at one row.
 */
export const BreakpointRule = z.discriminatedUnion('type', [
  z.object({ type: z.literal('query'), text: z.string().min(1).max(maxQueryLength) }),
  z.object({
    type: z.literal('rows'),
    kinds: z.array(z.enum(rowKinds)).max(rowKinds.length),
    tools: z.array(z.string().max(200)).max(100),
    text: z.object({ text: z.string().min(1).max(1000), regex: z.boolean(), caseSensitive: z.boolean() }).nullable()
  }),
  z.object({ type: z.literal('todo'), text: z.string().max(1000), status: z.enum(todoFates) }),
  z.object({ type: z.literal('place'), place: PlaceInRun })
])
export type BreakpointRule = z.infer<typeof BreakpointRule>

/** `stops` false: its rows are listed, and playback does not stop there. */
export const Breakpoint = z.object({
  id: Id,
  enabled: z.boolean(),
  rule: BreakpointRule,
  stops: z.boolean().optional()
})
export type Breakpoint = z.infer<typeof Breakpoint>

export const Review = z.object({
  bookmarks: z.array(Bookmark).max(maxBookmarks),
  breakpoints: z.array(Breakpoint).max(maxBreakpoints)
})
export type Review = z.infer<typeof Review>

/** `mine` with what `theirs` has changed since `base`: two Playheads change the same review. Of an entry that both changed, `mine`. */
export function mergedReview(base: Review, mine: Review, theirs: Review): Review {
  return {
    bookmarks: mergedEntries(Bookmark, base.bookmarks, mine.bookmarks, theirs.bookmarks),
    breakpoints: mergedEntries(Breakpoint, base.breakpoints, mine.breakpoints, theirs.breakpoints)
  }
}

export function isSameReview(one: Review, other: Review): boolean {
  return JSON.stringify(Review.parse(one)) === JSON.stringify(Review.parse(other))
}

function mergedEntries<T extends { readonly id: string }>(
  schema: z.ZodType<T>,
  base: readonly T[],
  mine: readonly T[],
  theirs: readonly T[]
): T[] {
  // Without members that only a newer version knows, which a page drops.
  const text = (entry: T | undefined): string | null =>
    entry === undefined ? null : JSON.stringify(schema.parse(entry))
  const [before, now, others] = [base, mine, theirs].map((list) => new Map(list.map((entry) => [entry.id, entry])))
  const kept = mine.flatMap((entry) => {
    const theirOwn = others?.get(entry.id)
    if (text(entry) !== text(before?.get(entry.id))) return [{ ...theirOwn, ...entry }]
    return theirOwn === undefined ? [] : [theirOwn]
  })
  // Not in `mine`: they added or changed it, or it was removed here.
  const added = theirs.filter((entry) => !now?.has(entry.id) && text(entry) !== text(before?.get(entry.id)))
  return [...kept, ...added]
}
