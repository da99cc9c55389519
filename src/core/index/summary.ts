import type { TodoStatus } from '../events/todo.ts'

/** A short fact at the row's end. */
export interface Badge {
  text: string
  tone: 'plain' | 'bad' | 'add' | 'del'
  /** A term of a query that the row meets: `exit:1`. */
  term?: string
}

/** The progress of a todo list. */
export interface TodoProgress {
  /** In list order, at most `maxStatuses`. */
  statuses: TodoStatus[]
  total: number
  completed: number
  /** Change of `completed` since the previous list. */
  completedDelta: number
}

/** What a timeline row shows: bounded, one line, no markup. */
export interface Summary {
  text: string
  /** A term of a query that the row meets because of `text`: `file:src/a.ts`. */
  term?: string
  /** Secondary text after `text`. */
  detail: string
  /** Monospaced: commands, paths, output and raw records. */
  mono: boolean
  badges: Badge[]
  todo: TodoProgress | null
}
