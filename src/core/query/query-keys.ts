import { todoFates } from '../replay/review.ts'
import { agentEventTypes } from '../events/agent-event.ts'
import { issueCodes, issueSeverities } from '../formats/issue.ts'
import { rowKinds } from '../index/row-kind.ts'
import type { Quantity } from './quantities.ts'

/**
 * What answering a key costs, the cheapest first; the plan of a query follows it. `column`: an array with a number for each row. `interval`:
 * stretches of rows between changes of the todo list. `scan`: the bytes of the log, once for all of a query's texts. `decode`: each line
 * that is left is read again.
 */
export type QueryCost = 'column' | 'interval' | 'scan' | 'decode'

/** The kind of a key's values. `choice`: one of `choices`. `name`: any name. `text`: a part of a text, in any form. */
export type QueryKeyType = 'choice' | 'name' | 'text' | 'time' | 'todo' | Quantity

export interface QueryKey {
  readonly name: string
  readonly type: QueryKeyType
  /** What it reads, for completion and the documentation. */
  readonly reads: string
  readonly cost: QueryCost
  readonly example: string
  /** The whole list of a `choice`. */
  readonly choices?: readonly string[]
  readonly asks: 'rows' | 'sessions' | 'both'
}

const key = (name: string, type: QueryKeyType, cost: QueryCost, reads: string, example: string): QueryKey => ({
  name,
  type,
  cost,
  reads,
  example: `${name}:${example}`,
  asks: 'rows'
})

const choice = (name: string, choices: readonly string[], reads: string, cost: QueryCost = 'column'): QueryKey => ({
  ...key(name, 'choice', cost, reads, choices[0] ?? ''),
  choices
})

const rowKeys: readonly QueryKey[] = [
  choice('kind', rowKinds, 'The kind of row'),
  choice('type', agentEventTypes, 'The type of the event'),
  choice('role', ['user', 'assistant', 'system'], 'Whose text it is', 'decode'),
  key('track', 'name', 'column', 'The main session or the subagent', 'main'),
  key('model', 'name', 'column', 'The model of the request', '*-mini'),
  key(
    'tool',
    'name',
    'column',
    'The tool, by name or kind: shell, read, list, write, edit, search, web, agent',
    'Bash'
  ),
  key('mcp', 'name', 'column', 'The MCP server of the tool', 'github'),
  choice('status', ['ok', 'error', 'running', 'unknown'], 'How a call ended'),
  choice('stop', ['done', 'error', 'cancelled', 'timeout'], 'Why a turn ended', 'decode'),
  key('exit', 'count', 'decode', 'The exit code of a command', '>0'),
  key('dur', 'duration', 'column', 'How long a call took', '>10s'),
  key('gap', 'duration', 'column', 'The time since the row before', '>5m'),
  key('at', 'time', 'column', 'When it happened', '14:05..14:10'),
  key('seq', 'count', 'column', 'The number of the event', '100..200'),
  key('line', 'count', 'column', 'The line in the log', '12'),
  key('turn', 'count', 'column', 'The number of the turn', '3'),
  key('file', 'name', 'decode', 'A file that the call names or changes', 'src/*.ts'),
  key('cmd', 'text', 'decode', 'The command line of a call', '"npm test"'),
  key('todo', 'todo', 'interval', 'The todo list as it is at the row', '"write tests"=completed'),
  choice('changed', ['todo'], 'Rows that change the todo list'),
  choice('issue', [...issueSeverities, ...Object.keys(issueCodes)], 'An issue of the log at the row'),
  choice('has', ['diff', 'image', 'error', 'issue', 'usage', 'todo'], 'What the row holds'),
  key('in', 'count', 'column', 'New input tokens of the request, not from the cache', '>1k'),
  key('out', 'count', 'column', 'Output tokens of the request', '>1k'),
  key('tokens', 'count', 'column', 'Sent and output tokens of the request', '>10k'),
  key('ctx', 'count', 'column', 'All tokens that the request sent, cached ones included', '>150k'),
  key('size', 'size', 'column', 'The length of the line', '>100kb'),
  key('text', 'text', 'scan', 'The line of the row', '"out of memory"'),
  key('input', 'text', 'decode', 'The input of a call', '"rm -rf"'),
  key('output', 'text', 'decode', 'The output of a call', '"not found"')
]

const asking = (asks: QueryKey['asks'], keys: readonly QueryKey[]): readonly QueryKey[] =>
  keys.map((entry) => ({ ...entry, asks }))

/** All keys of the language, in the order in which they are offered. */
export const queryKeys: readonly QueryKey[] = [
  ...rowKeys,
  ...asking('both', [
    key('agent', 'name', 'column', 'The agent of the session', '*cli'),
    key('format', 'name', 'column', 'The format of the log', '*-jsonl')
  ]),
  ...asking('sessions', [
    key('project', 'name', 'column', 'The folder of the session', 'playhead'),
    key('branch', 'name', 'column', 'The Git branch of the session', 'main'),
    key('title', 'text', 'column', 'The title of the session', '"fix tests"'),
    key('state', 'name', 'column', 'What came of the session', 'failed'),
    key('since', 'name', 'column', 'How long ago, or since when', '7d')
  ])
]

const byName = new Map(queryKeys.map((entry) => [entry.name, entry]))

/** One member of a call's input has a key of its own: `input.file_path:*.ts`. */
const member = /^input\.[\w.-]{1,100}$/

/** The key of this name; null if it is not a key, so `name:` is text. */
export function queryKeyOf(name: string): QueryKey | null {
  const known = byName.get(name)
  if (known !== undefined) return known
  return member.test(name) ? { ...key(name, 'name', 'decode', 'A member of the input of a call', '*'), name } : null
}

/** The states an item of the todo list can be asked for; `done` is short for `completed`. */
export const todoStates: readonly string[] = ['done', ...todoFates]
