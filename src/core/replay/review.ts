import * as z from 'zod'
import { todoStatuses } from '../events/todo.ts'
import { rowKinds } from '../index/row-kind.ts'

/**
 * What a person notes of a log while they read it, kept beside the log and never in it. Bounded: it travels whole, and is written whole
 * with each change.
 */
export const maxBookmarks = 1000
export const maxBreakpoints = 50
export const maxNote = 500
/** Breakpoints that look for text: each is a search of its own, and the find field's is one too. */
export const maxTextBreakpoints = 7

const Id = z.string().min(1).max(40)

/** A row that can be found again whatever was added before it: which line, and what stood there. */
export const PlaceInRun = z.object({
  /** Another file of the run, by its name; null: the log itself. */
  file: z.string().max(4096).nullable(),
  /** 1-based. */
  line: z.int().min(1),
  /** Which of the line's rows, from 0. */
  ordinal: z.int().min(0),
  kind: z.enum(rowKinds),
  /** Ms since the epoch; null where it is not known. */
  time: z.number().nullable(),
  /** What the row said, to be known by when it is gone. */
  text: z.string().max(300)
})
export type PlaceInRun = z.infer<typeof PlaceInRun>

/** A row that a person wants to find again, and why. */
export const Bookmark = z.object({ id: Id, place: PlaceInRun, note: z.string().max(maxNote) })
export type Bookmark = z.infer<typeof Bookmark>

/** What a todo may come to: a status, or to be dropped, which is gone before it was finished. */
export const todoFates = [...todoStatuses, 'dropped'] as const
export type TodoFate = (typeof todoFates)[number]

/**
 * Where play stops. `rows`: at rows of one of the kinds, of one of the tools, whose line holds the text; what is empty or null asks for
 * nothing. `todo`: where an item whose text holds this one, whatever the case, comes to have the status or is dropped. `place`: at one row.
 */
export const BreakpointRule = z.discriminatedUnion('type', [
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
export type RowsRule = Extract<BreakpointRule, { type: 'rows' }>

export const Breakpoint = z.object({ id: Id, enabled: z.boolean(), rule: BreakpointRule })
export type Breakpoint = z.infer<typeof Breakpoint>

export const Review = z.object({
  bookmarks: z.array(Bookmark).max(maxBookmarks),
  breakpoints: z.array(Breakpoint).max(maxBreakpoints)
})
export type Review = z.infer<typeof Review>
