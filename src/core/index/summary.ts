import type { TodoStatus } from '../events/todo.ts'

/** A short fact at the row's end. */
export interface Badge {
  text: string
  tone: 'plain' | 'bad' | 'add' | 'del'
}

/** How far a todo list is. */
export interface TodoProgress {
  /** In list order, at most `maxStatuses`. */
  statuses: TodoStatus[]
  total: number
  completed: number
  /** By how much `completed` grew against the list before. */
  completedDelta: number
}

/** What a timeline row shows of its event or record: bounded, one line, no markup. */
export interface Summary {
  text: string
  /** Quieter words after the text. */
  detail: string
  /** Commands, paths, output and raw records are set in the mono face. */
  mono: boolean
  badges: Badge[]
  todo: TodoProgress | null
}
