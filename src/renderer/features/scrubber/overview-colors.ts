import { tokenColors } from '../../ui/token-colors.ts'
import type { OverviewColors } from './draw-overview.ts'

const kinds = {
  tool: '--kind-tool',
  text: '--kind-text',
  result: '--kind-result',
  reasoning: '--kind-reasoning',
  error: '--kind-error'
} as const

const severities = { 1: '--sev-notice', 2: '--sev-violation', 3: '--sev-malformed' } as const

const others = {
  prompt: '--kind-prompt',
  todo: '--kind-todo',
  hit: '--hit-active',
  bookmark: '--text-2',
  finding: '--text-2',
  line: '--line',
  strongLine: '--line-strong',
  text: '--text-3',
  ground: '--bg-window'
} as const

export function overviewColors(element: HTMLElement): OverviewColors {
  return {
    density: tokenColors(element, kinds),
    severity: tokenColors(element, severities),
    ...tokenColors(element, others)
  }
}
