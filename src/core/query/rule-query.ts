import { type BreakpointRule, type TodoFate, todoFates } from '../replay/review.ts'
import { parseQuery } from './parse-query.ts'
import { printQuery } from './print-query.ts'
import type { Query } from './query.ts'
import { allOf, hasLeaf, termOf, textQuery } from './query-choices.ts'

/** The text of a rule's query; of rules that were stored before there were queries, one that means the same. Empty for a place. */
export function queryTextOf(rule: BreakpointRule): string {
  switch (rule.type) {
    case 'query':
      return rule.text
    case 'rows': {
      const { kinds, tools, text } = rule
      const terms = [
        ...(kinds.length > 0 ? [termOf('kind', kinds)] : []),
        ...(tools.length > 0 ? [termOf('tool', tools)] : [])
      ]
      return printQuery(allOf([...terms, ...(text === null ? [] : [textQuery(text)])]))
    }
    case 'todo': {
      const text = rule.text === '' ? null : ({ type: 'quoted', text: rule.text } as const)
      return printQuery({ op: 'term', key: 'todo', test: { type: 'todo', text, status: rule.status } })
    }
    case 'place':
      return ''
  }
}

/** When a rule stops: at each row that meets its query, where a state begins, or where an item of a todo list reaches a status. */
export type StopOf =
  | { readonly at: 'rows' | 'begin'; readonly query: Query; readonly hasText: boolean }
  | { readonly at: 'reach'; readonly text: string; readonly status: TodoFate }

/** Null for a place, and for a text that is no query about rows. */
export function stopOf(rule: BreakpointRule): StopOf | null {
  const text = queryTextOf(rule)
  const { query } = parseQuery(text, 'rows')
  if (query === null) return null
  const reach = reachOf(query)
  if (reach !== null) return { at: 'reach', ...reach }
  return { at: isState(query) ? 'begin' : 'rows', query, hasText: hasText(query) }
}

/** One term about the status of an item: each item that reaches it counts, also while another one has it. */
function reachOf(query: Query): { readonly text: string; readonly status: TodoFate } | null {
  if (query.op !== 'term' || query.test.type !== 'todo') return null
  const { text, status } = query.test
  const fate = todoFates.find((each) => each === (status === 'done' ? 'completed' : status))
  if (fate === undefined || text?.type === 'regex') return null
  return { text: text?.text ?? '', status: fate }
}

/** Whether it asks about the todo lists only, which stay as they are for many rows. */
function isState(query: Query): boolean {
  if (query.op === 'and' || query.op === 'or') return query.of.every(isState)
  return query.op === 'not' ? isState(query.of) : query.op === 'term' && query.key === 'todo'
}

/** Whether it needs a search of the log. */
function hasText(query: Query): boolean {
  return hasLeaf(query, (leaf) => leaf.op === 'text' || leaf.key === 'text')
}
