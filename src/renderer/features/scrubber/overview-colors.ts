import type { OverviewColors } from './draw-overview.ts'

/** The overview's tokens for the canvas, with `light-dark()` resolved for the current theme. */
export function overviewColors(element: HTMLElement): OverviewColors {
  const before = element.style.color
  const color = (token: string): string => {
    element.style.color = `var(${token})`
    return getComputedStyle(element).color
  }
  const colors: OverviewColors = {
    density: {
      tool: color('--kind-tool'),
      text: color('--kind-text'),
      result: color('--kind-result'),
      reasoning: color('--kind-reasoning'),
      error: color('--kind-error')
    },
    prompt: color('--kind-prompt'),
    todo: color('--kind-todo'),
    severity: { 1: color('--sev-notice'), 2: color('--sev-violation'), 3: color('--sev-malformed') },
    hit: color('--hit-active'),
    bookmark: color('--text-2'),
    line: color('--line'),
    strongLine: color('--line-strong'),
    text: color('--text-3'),
    ground: color('--bg-window')
  }
  element.style.color = before
  return colors
}
