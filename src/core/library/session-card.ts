import * as z from 'zod'
import { Cost, type CostAnswer, CostGaps } from '../requests/cost.ts'
import { TokenGroup } from '../requests/token-groups.ts'
import { TodoItem } from '../events/todo.ts'
import { ruleNames } from '../findings/finding.ts'

/**
 * `live`: being written. `done`: the last turn ended well. `error`: the last turn failed. `interrupted`: the last turn
 * has no end, or a person ended it. `empty`: no content. `unreadable`: see `problem`.
 */
export const sessionStates = ['live', 'done', 'error', 'interrupted', 'empty', 'unreadable'] as const
export const SessionState = z.enum(sessionStates)
export type SessionState = z.infer<typeof SessionState>

/** The state of a word; null if unknown. Queries called `error` `failed`. */
export function sessionStateOf(word: string): SessionState | null {
  return word === 'failed' ? 'error' : (sessionStates.find((state) => state === word) ?? null)
}

/** Facts that need the whole log. Unknown is null, never 0. */
export const SessionCounts = z.object({
  events: z.int(),
  /** The earliest and the latest time that records state, in ms since the epoch; null: none. */
  firstTimestamp: z.number().nullable(),
  lastTimestamp: z.number().nullable(),
  /** As in `SessionCard`, for logs whose head does not have them: from the first prompt and the first request. */
  title: z.string().nullable(),
  model: z.string().nullable(),
  turns: z.int(),
  calls: z.int(),
  failedCalls: z.int(),
  /** Findings by rule; a rule that found nothing is not there. */
  findings: z.partialRecord(z.enum(ruleNames), z.int()),
  /** Of the main agent's final list; null: none. */
  todosDone: z.int().nullable(),
  todosTotal: z.int().nullable(),
  /** Total of the turns without waiting for the user; null: no times. */
  activeMs: z.number().nullable(),
  /** Tokens sent to models, cached or not. */
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** The log understates the output. */
  outputAtLeast: z.boolean(),
  /** What the log states that the whole session cost. */
  costUsd: z.number().nullable(),
  /** What is not in it: tokens by price, and stated costs of requests, of at most 20 models. */
  spent: z.array(TokenGroup)
})
export type SessionCounts = z.infer<typeof SessionCounts>

/** A session of the library. Its head and tail suffice for all but `counts`. */
export const SessionCard = z.object({
  /** Derived from the path. */
  id: z.string().min(1).max(64),
  /** The main file, absolute and real. */
  path: z.string(),
  agent: z.string().nullable(),
  /** The id of its log format. */
  format: z.string().nullable(),
  sessionId: z.string().nullable(),
  /** One line, at most 200 characters; null: none found. */
  title: z.string().nullable(),
  /** From the agent's name for the session, or from the first prompt. */
  titleFrom: z.enum(['agent', 'prompt']).nullable(),
  /** The agent's working folder. */
  project: z.string().nullable(),
  branch: z.string().nullable(),
  model: z.string().nullable(),
  version: z.string().nullable(),
  /** The earliest and the latest time that records state, in ms since the epoch, of what was read; null: none. */
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  bytes: z.number(),
  /** Last write of the file. */
  modifiedAt: z.number(),
  state: SessionState,
  /** Why it cannot be read, a sentence; null: readable. */
  problem: z.string().nullable(),
  /** The `id` of the session whose subagent this is; null: not a subagent, or that session is not in the library. */
  parent: z.string().nullable(),
  /** Number of subagent logs of this session. */
  subagents: z.int(),
  /** The session id of the origin of a fork. */
  forkedFrom: z.string().nullable(),
  /** Number of forks of this session. */
  forks: z.int(),
  /** Its live run of Playhead; null: none. */
  run: z.string().nullable(),
  /** Null: not read yet. */
  counts: SessionCounts.nullable(),
  /** Null: not read yet, or not known. */
  cost: Cost.nullable(),
  /** What the cost leaves out, or why it is not known. */
  costGaps: CostGaps.nullable()
})
export type SessionCard = z.infer<typeof SessionCard>

/** The preview's content beside the card. Texts have at most 2,000 characters. */
export const SessionPreview = z.object({
  firstPrompt: z.string().nullable(),
  lastAnswer: z.string().nullable(),
  /** The main agent's final list, at most 100 items. */
  todos: z.array(TodoItem),
  /** The last failed calls, at most 20, in log order. */
  failed: z.array(z.object({ seq: z.int(), tool: z.string(), text: z.string() })),
  /** Changed files, at most 50; `filesTotal` counts all. */
  files: z.array(z.object({ path: z.string(), added: z.int(), deleted: z.int() })),
  filesTotal: z.int(),
  /** Whether there are more than `filesTotal`. */
  filesAtLeast: z.boolean()
})
export type SessionPreview = z.infer<typeof SessionPreview>

/** The cost of a session, or why it is not known; null: its log is not read yet. */
export function costAnswerOf({
  counts,
  cost,
  costGaps
}: Pick<SessionCard, 'counts' | 'cost' | 'costGaps'>): CostAnswer | null {
  return counts === null || (cost === null && costGaps === null) ? null : { cost, gaps: costGaps }
}

/** The last write: stated by records, else of the file. A single time is the start. The order of lists. */
export function lastOf(card: Pick<SessionCard, 'startedAt' | 'endedAt' | 'modifiedAt'>): number {
  return card.endedAt === null || card.endedAt === card.startedAt ? card.modifiedAt : card.endedAt
}
