import type { JsonObject } from '../json.ts'

/** `finding`: at least nine in ten of its hits in real logs were right. `information`: true, but mostly harmless. */
export type FindingLevel = 'finding' | 'information'

export const findingGroups = ['stopped', 'checks', 'repeated', 'plan', 'careful', 'cost'] as const
export type FindingGroup = (typeof findingGroups)[number]

/** The names of the groups for people. */
export const findingGroupTitles: Readonly<Record<FindingGroup, string>> = {
  stopped: 'What stopped',
  checks: 'Checks',
  repeated: 'Repeated',
  plan: 'Plan',
  careful: 'Careful',
  cost: 'Cost'
}

export interface FindingRule {
  readonly group: FindingGroup
  readonly level: FindingLevel
  /** Its name for people. */
  readonly title: string
  /** The rule in two sentences. */
  readonly why: string
}

const rule = (group: FindingGroup, level: FindingLevel, title: string, why: string): FindingRule =>
  Object.freeze({ group, level, title, why })

/** All rules, in the order of their groups. The names are stored and used in queries, so they never change. */
export const findingRules = {
  'turn-failed': rule(
    'stopped',
    'finding',
    'Turn failed',
    'The log says that a turn ended with an error, a timeout or a limit. A turn that a person cancelled does not count.'
  ),
  'subagent-failed': rule(
    'stopped',
    'finding',
    'Subagent failed',
    'The call of a subagent failed, or has no result although the agent went on. A log that ends or is damaged while it works tells nothing.'
  ),
  refused: rule(
    'stopped',
    'finding',
    'Calls refused',
    'Results say that a person refused or stopped a call, or that the permission rules refused it. A rejected plan and the answer to a question do not count.'
  ),
  'call-without-result': rule(
    'stopped',
    'information',
    'Call without result',
    'A call has no result although its agent went on. Some agents do not log the results of every tool.'
  ),
  'turn-ends-on-failure': rule(
    'stopped',
    'information',
    'Turn ends on a failed call',
    'The last call of a turn failed. The answer after it may say so.'
  ),
  'edit-check-fail': rule(
    'checks',
    'finding',
    'Check failed after each change',
    'Within one prompt, a test, build or lint failed at least three times, with a change of files between. None of the same kind passed between.'
  ),
  'last-test-failed': rule(
    'checks',
    'finding',
    'Last test failed',
    'The last test of the session failed. Nothing after it may have tested again.'
  ),
  'repeated-failure': rule(
    'repeated',
    'finding',
    'Same call, same error',
    'A call failed at least twice with the same input and the same result. No prompt, change of files or compaction stands between.'
  ),
  'failure-series': rule(
    'repeated',
    'finding',
    'Failed calls in a row',
    'At least three calls failed, one after the other. Calls that were cancelled with another one do not count.'
  ),
  'todo-open-at-end': rule(
    'plan',
    'finding',
    'Todos open at the end',
    'The last todo list has open items, and a turn ended normally after it. A log that stops without an end of the turn does not count.'
  ),
  'todo-forgotten': rule(
    'plan',
    'finding',
    'Todo list not used again',
    'At least 50 calls follow the last todo list, which has open items. Only calls of the same agent count.'
  ),
  'todo-completed-idle': rule(
    'plan',
    'information',
    'Todo completed without a call',
    'A todo item went from in progress to completed, and no call stands between. It may be a summary, or the work was done before.'
  ),
  'todo-two-in-progress': rule(
    'plan',
    'information',
    'Several todos in progress',
    'A todo list has more than one item in progress. Subagents may work on them at the same time.'
  ),
  destructive: rule(
    'careful',
    'finding',
    'Destructive command',
    'A command deletes files, drops changes or rewrites history. Only commands count: not words in quotes, comments or here-documents.'
  ),
  'write-sensitive': rule(
    'careful',
    'finding',
    'Sensitive file changed',
    'An edit changed a settings file of the person or the system, such as keys, shell start files or Git hooks. A failed edit does not count.'
  ),
  'destructive-temporary': rule(
    'careful',
    'information',
    'Temporary files deleted',
    'A command deletes whole folders, and all of them are temporary or generated. Names such as node_modules and /tmp tell this.'
  ),
  'cache-lost': rule(
    'cost',
    'finding',
    'Cache lost',
    'A request read less than half of the cached tokens of the request before, and wrote most of them again. This says nothing about the cause.'
  ),
  compaction: rule(
    'cost',
    'finding',
    'Context compacted',
    'The log says that the conversation was replaced by a summary. Files that were read before and after are counted.'
  ),
  'large-result': rule(
    'cost',
    'finding',
    'Large result',
    'The result of a call has more than 50 KiB. The agent reads all of it.'
  ),
  idle: rule(
    'cost',
    'finding',
    'No event for minutes',
    'Within a turn, no event of any agent was logged for at least five minutes. A person, a model or a sleeping machine may be the reason.'
  )
} as const satisfies Readonly<Record<string, FindingRule>>

export type RuleName = keyof typeof findingRules
export const ruleNames = Object.keys(findingRules) as readonly RuleName[]

/** Limits of one session: findings, and events of one. Above, they are counted. */
export const maxFindings = 1000
export const maxFindingEvents = 200

/** Something notable in what the agent did, told by a rule. */
export interface Finding {
  readonly rule: RuleName
  /** One sentence. */
  readonly text: string
  /** A few words for a mark. */
  readonly short: string
  /** The events (`seq`) that show it, ascending; at least one. */
  readonly events: readonly number[]
  /** Further events that are only counted. */
  readonly more: number
  /** What the sentence says, for programs. */
  readonly facts: JsonObject
}

/** The events of a finding, the first of them kept and the others counted. */
export class FindingEvents {
  readonly list: number[] = []
  private all = 0

  /** Of all events, also those that are only counted. */
  get count(): number {
    return this.all
  }

  get more(): number {
    return this.all - this.list.length
  }

  get first(): number {
    return this.list[0] ?? -1
  }

  add(seq: number): void {
    this.all++
    if (this.list.length < maxFindingEvents) this.list.push(seq)
  }
}

/** "12,345". */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** "1 call", "3 calls". */
export function counted(count: number, word: string): string {
  return `${grouped(count)} ${word}${count === 1 ? '' : 's'}`
}
