import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import type { BreakpointRule, TodoFate } from '#core/replay/review.ts'

/** A breakpoint in edit. The fields of each type are kept while another type is shown. */
export interface BreakpointDraft {
  readonly type: 'rows' | 'todo'
  readonly kinds: ReadonlySet<RowKind>
  readonly tools: ReadonlySet<string>
  readonly text: string
  readonly regex: boolean
  readonly caseSensitive: boolean
  readonly todo: string
  readonly status: TodoFate
}

const emptyDraft: BreakpointDraft = {
  type: 'rows',
  kinds: new Set(),
  tools: new Set(),
  text: '',
  regex: false,
  caseSensitive: false,
  todo: '',
  status: 'completed'
}

/** A rule as a draft; null for a new one. */
export function draftOf(rule: BreakpointRule | null): BreakpointDraft {
  if (rule?.type === 'rows') {
    const { kinds, tools, text } = rule
    return { ...emptyDraft, ...text, text: text?.text ?? '', kinds: new Set(kinds), tools: new Set(tools) }
  }
  return rule?.type === 'todo' ? { ...emptyDraft, type: 'todo', todo: rule.text, status: rule.status } : emptyDraft
}

/** The rule, or a sentence about what is missing. */
export function ruleOf(draft: BreakpointDraft): BreakpointRule | string {
  const { type, kinds, tools, text, regex, caseSensitive, todo, status } = draft
  if (type === 'todo') return { type, text: todo.trim(), status }
  if (kinds.size + tools.size === 0 && text === '') return 'Select an event type or a tool, or enter text.'
  const problem = regex ? problemOf(text) : null
  if (problem !== null) return problem
  return {
    type,
    // In a fixed order, independent of the order of choice.
    kinds: rowKinds.filter((kind) => kinds.has(kind)),
    tools: [...tools].toSorted(),
    text: text === '' ? null : { text, regex, caseSensitive }
  }
}

function problemOf(expression: string): string | null {
  try {
    void new RegExp(expression, 'u')
    return null
  } catch {
    return 'Invalid regular expression.'
  }
}
