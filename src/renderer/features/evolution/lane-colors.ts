import { tokenColors } from '../../ui/token-colors.ts'

const tokens = {
  ground: '--bg-surface',
  pending: '--todo-pending',
  pendingSoft: '--todo-pending-soft',
  progress: '--todo-progress',
  completed: '--todo-completed',
  completedSoft: '--todo-completed-soft',
  cancelled: '--todo-cancelled',
  todo: '--kind-todo',
  line: '--line',
  text: '--text-3',
  strong: '--text-2'
} as const

/** The colors of lanes and axis. */
export type LaneColors = Readonly<Record<keyof typeof tokens, string>>

/** The colors of the current theme. */
export function laneColors(element: HTMLElement): LaneColors {
  return tokenColors(element, tokens)
}
