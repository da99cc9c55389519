import { todoFates } from '../replay/review.ts'
import { ruleNames } from '../findings/finding.ts'
import { agentEventTypes } from '../events/agent-event.ts'
import { agentTypeOf } from '../formats/agents.ts'
import { issueCodes, issueSeverities } from '../formats/issue.ts'
import { rowKinds } from '../index/row-kind.ts'
import { sessionStateOf, sessionStates } from '../library/session-card.ts'
import type { Quantity } from './quantities.ts'

/**
 * What answering a key costs, the cheapest first; the plan of a query follows it. `column`: an array with a number for each row. `interval`:
 * stretches of rows between changes of the todo list. `scan`: the bytes of the log, once for all of a query's texts. `decode`: each line
 * that is left is read again.
 */
export type QueryCost = 'column' | 'interval' | 'scan' | 'decode'

/** The kind of a key's values. `choice`: one of `choices`. `name`: any name. `text`: a part of a text, in any form. `since`: an age or a time. */
export type QueryKeyType = 'choice' | 'name' | 'text' | 'time' | 'since' | 'todo' | Quantity

/** What a query asks about: rows of a log, or sessions of the library. */
export type QuerySubject = 'rows' | 'sessions'

export interface QueryKey {
  readonly name: string
  readonly type: QueryKeyType
  /** What it reads, for completion and the documentation. */
  readonly reads: string
  readonly cost: QueryCost
  readonly example: string
  /** The whole list of a `choice`. */
  readonly choices?: readonly string[]
  /** The value that a word in lower case means; null: none that is known. A query holds that value. */
  readonly meant?: (word: string) => string | null
  /** A former spelling: read, but not offered. */
  readonly former?: boolean
}

const key = (name: string, type: QueryKeyType, cost: QueryCost, reads: string, example: string): QueryKey => ({
  name,
  type,
  cost,
  reads,
  example: `${name}:${example}`
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
  choice('finding', ruleNames, 'Rows that show a finding of this rule'),
  choice('has', ['diff', 'image', 'error', 'issue', 'finding', 'bookmark', 'usage', 'todo'], 'What the row holds'),
  key('in', 'count', 'column', 'New input tokens of the request, not from the cache', '>1k'),
  key('out', 'count', 'column', 'Output tokens of the request', '>1k'),
  key('tokens', 'count', 'column', 'Sent and output tokens of the request', '>10k'),
  key(
    'cost',
    'count',
    'column',
    'US dollars that the log states for the request, or since the turn end before',
    '>0.50'
  ),
  key('ctx', 'count', 'column', 'All tokens that the request sent, cached ones included', '>150k'),
  key('size', 'size', 'column', 'The length of the line', '>100kb'),
  key('text', 'text', 'scan', 'The line of the row', '"out of memory"'),
  key('input', 'text', 'decode', 'The input of a call', '"rm -rf"'),
  key('output', 'text', 'decode', 'The output of a call', '"not found"')
]

const ofBoth: readonly QueryKey[] = [
  { ...key('agent', 'name', 'column', 'The agent of the session', '*cli'), meant: agentTypeOf },
  key('format', 'name', 'column', 'The format of the log', '*-jsonl')
]

const sessionKeys: readonly QueryKey[] = [
  key('project', 'name', 'column', 'The folder of the session, by its path or the end of it', 'playhead'),
  { ...choice('state', sessionStates, 'How the session ended'), meant: sessionStateOf },
  key('since', 'since', 'column', 'Updated since then', '7d'),
  key('until', 'since', 'column', 'Updated before then', 'today'),
  key('branch', 'name', 'column', 'The Git branch of the session', 'main'),
  key('title', 'text', 'column', 'The title of the session', '"fix tests"'),
  key('model', 'name', 'column', 'The model of the session', '*-mini'),
  choice(
    'has',
    ['todos', 'failures', 'findings', 'forks', 'subagents'],
    'Open todos, failed calls, findings, forks or subagents'
  ),
  choice('finding', ruleNames, 'Sessions in which this rule found something'),
  key('failed', 'count', 'column', 'Failed calls', '>0'),
  key('calls', 'count', 'column', 'Calls', '>100'),
  key('turns', 'count', 'column', 'Turns', '>10'),
  key('todos', 'count', 'column', 'Items of the todo list', '>0'),
  key('open', 'count', 'column', 'Items of the todo list that are not done', '>0'),
  key('dur', 'duration', 'column', 'The duration of all turns', '>1h'),
  key('cost', 'count', 'column', 'The cost that the log states, in US dollars', '>1.50'),
  key('in', 'count', 'column', 'Input tokens', '>1m'),
  key('out', 'count', 'column', 'Output tokens', '>100k'),
  key('tokens', 'count', 'column', 'Input and output tokens', '>1m'),
  key('size', 'size', 'column', 'The size of the log', '>10mb'),
  { ...choice('is', [...sessionStates, 'forked'], 'The state'), meant: sessionStateOf, former: true }
]

/** All keys of the language by what they ask about, in the order in which they are offered. */
export const queryKeys: Readonly<Record<QuerySubject, readonly QueryKey[]>> = {
  rows: [...rowKeys, ...ofBoth],
  sessions: [...sessionKeys, ...ofBoth]
}

const namesOf = (keys: readonly QueryKey[]): ReadonlyMap<string, QueryKey> =>
  new Map(keys.map((entry) => [entry.name, entry]))
const byName: Readonly<Record<QuerySubject, ReadonlyMap<string, QueryKey>>> = {
  rows: namesOf(queryKeys.rows),
  sessions: namesOf(queryKeys.sessions)
}

/** One member of a call's input has a key of its own: `input.file_path:*.ts`. */
const member = /^input\.[\w.-]{1,100}$/

/** The key of this name that asks about a subject; null if there is none. */
export function queryKeyOf(name: string, subject: QuerySubject): QueryKey | null {
  const known = byName[subject].get(name)
  if (known !== undefined) return known
  const isMember = subject === 'rows' && member.test(name)
  return isMember ? { ...key(name, 'name', 'decode', 'A member of the input of a call', '*'), name } : null
}

/** Whether `name:` is a key of any subject. Else it is text. */
export function isQueryKey(name: string): boolean {
  return queryKeyOf(name, 'rows') !== null || queryKeyOf(name, 'sessions') !== null
}

/** The states an item of the todo list can be asked for; `done` is short for `completed`. */
export const todoStates: readonly string[] = ['done', ...todoFates]
