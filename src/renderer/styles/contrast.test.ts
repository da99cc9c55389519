import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const themes = ['light', 'dark'] as const
type Colours = Record<(typeof themes)[number], string>

/** The colors of tokens.css with a value per theme. */
const tokens = new Map<string, Colours>()
for (const [, name = '', light = '', dark = ''] of css.matchAll(
  /--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g
)) {
  // The rest of the file is for increased contrast.
  if (!tokens.has(name)) tokens.set(name, { light, dark })
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast by WCAG 2.1, 1 to 21. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const named = (prefix: string, names: string) => names.split(' ').map((name) => `${prefix}-${name}`)
const texts = ['text', 'text-2', 'text-3']
const planes = named('bg', 'window panel surface sunken raised band hover')
const rows = named('bg', 'surface panel hover band')
const severities = named('sev', 'malformed violation notice')
const softSeverities = severities.map((severity) => `${severity}-soft`)
const kinds = named('kind', 'prompt text reasoning tool result todo turn error record')
const codes = named('code', 'keyword string number key comment')

/** Color pairs and the contrast that level AA requires. */
const pairs: readonly [what: string, least: number, front: readonly string[], behind: readonly string[]][] = [
  ['text', 4.5, texts, [...planes, 'bg-pressed', 'accent-soft']],
  ['text on tints of issues and todos', 4.5, texts, [...softSeverities, 'todo-completed-soft']],
  ['kinds on tints of issues', 4.5, [...kinds, 'text-future'], softSeverities],
  ['text on hits', 4.5, ['text'], ['hit', 'hit-active']],
  ['text in diffs', 4.5, [...texts, 'text-future'], ['diff-add', 'diff-del']],
  ['words that changed', 4.5, ['text'], ['diff-add-strong', 'diff-del-strong']],
  ['rows after the playhead', 4.5, ['text-future'], named('bg', 'surface hover band')],
  ['the accent as text', 4.5, ['accent'], [...planes, 'accent-soft']],
  ['text on the accent', 4.5, ['accent-on'], ['accent-fill']],
  ['kinds', 4.5, kinds, [...rows, 'accent-soft', 'bg-sunken', 'bg-window']],
  ['severities', 4.5, severities, [...rows, 'bg-window', 'accent-soft']],
  ['lines that are malformed, on their tint', 4.5, ['sev-malformed'], ['sev-malformed-soft']],
  ['violations on their tint', 4.5, ['sev-violation'], ['sev-violation-soft']],
  ['notices on their tint', 4.5, ['sev-notice'], ['sev-notice-soft']],
  [
    'todo statuses',
    4.5,
    named('todo', 'pending progress completed cancelled'),
    ['bg-panel', 'bg-surface', 'bg-raised', 'accent-soft', 'bg-hover']
  ],
  ['code', 4.5, codes, ['bg-sunken', 'bg-surface', 'diff-add', 'diff-del', 'sev-violation-soft']],
  ['counts of lines, and deleted lines in code', 4.5, ['code-string', 'sev-malformed'], ['bg-panel', 'bg-sunken']],
  ['a terminal', 4.5, named('ansi', 'black red green yellow blue magenta cyan white'), ['bg-sunken']],
  ['words on spans of the waterfall', 4.5, ['text'], ['span-tool', 'span-fail', 'bg-band', 'bg-surface']],
  ['quiet words on spans', 4.5, ['text-3'], ['bg-surface']],
  ['edges of spans on their fill', 3, ['kind-tool'], ['span-tool', 'bg-surface', 'bg-band']],
  ['edges of failed spans on their fill', 3, ['kind-error'], ['span-fail', 'bg-surface', 'bg-band']],
  ['edges of the time split', 3, ['kind-text'], ['span-model', 'bg-surface']],
  ['times on the shares of a table', 4.5, ['text'], ['span-tool']],
  ['parts of a context', 3, named('ctx', 'read write fresh out'), ['bg-surface']],
  ['marks of the context', 3, ['sev-violation', 'kind-tool', 'todo-completed', 'accent'], ['bg-surface']],
  ['edges of controls', 3, ['line-strong'], named('bg', 'window panel surface sunken raised')]
]

it.each(pairs)('%s can be read, in both themes', (_, least, fronts, behinds) => {
  for (const theme of themes) {
    for (const front of fronts) {
      for (const behind of behinds) {
        const [one, other] = [tokens.get(front)?.[theme], tokens.get(behind)?.[theme]]
        if (one === undefined || other === undefined) throw new Error(`${front} or ${behind} is no token`)
        expect(contrast(one, other), `${front} on ${behind}, ${theme}`).toBeGreaterThanOrEqual(least)
      }
    }
  }
})
