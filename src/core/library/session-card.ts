import * as z from 'zod'
import { TodoItem } from '../events/todo.ts'

/**
 * How a session is. `live`: it is being written. `done`: its last turn ended well. `error`: its last turn failed. `interrupted`: its last turn has no
 * end, or a person ended it. `empty`: there is nothing in the log. `unreadable`: `problem` says why.
 */
export const sessionStates = ['live', 'done', 'error', 'interrupted', 'empty', 'unreadable'] as const
export const SessionState = z.enum(sessionStates)
export type SessionState = z.infer<typeof SessionState>

/** What only reading the whole log tells. What is not known is null, never 0. */
export const SessionCounts = z.object({
  events: z.int(),
  /** As `SessionCard` has them, where the head of the log does not tell them: of the first prompt, and of the first request. */
  title: z.string().nullable(),
  model: z.string().nullable(),
  turns: z.int(),
  calls: z.int(),
  failedCalls: z.int(),
  /** Of the main agent's list at the end; null: it has none. */
  todosDone: z.int().nullable(),
  todosTotal: z.int().nullable(),
  /** Turns together, without waiting for the person; null: the log tells no times. */
  activeMs: z.number().nullable(),
  /** Tokens sent to models, cached or not. */
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  /** More was received than the log states. */
  outputAtLeast: z.boolean(),
  costUsd: z.number().nullable()
})
export type SessionCounts = z.infer<typeof SessionCounts>

/** A session as the library lists it. Its head and tail tell all but `counts`. */
export const SessionCard = z.object({
  /** Of the library: the same for the same path. */
  id: z.string().min(1).max(64),
  /** The main file, absolute and real. */
  path: z.string(),
  agent: z.string().nullable(),
  /** The id of its log format. */
  format: z.string().nullable(),
  sessionId: z.string().nullable(),
  /** One line, at most 200 characters; null: nothing in the log can be one. */
  title: z.string().nullable(),
  /** Whose words the title is: the agent's own name for the session, or the first prompt. */
  titleFrom: z.enum(['agent', 'prompt']).nullable(),
  /** The folder that the agent worked in. */
  project: z.string().nullable(),
  branch: z.string().nullable(),
  model: z.string().nullable(),
  version: z.string().nullable(),
  /** Ms since the epoch, as records state it; null: none does. */
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  bytes: z.number(),
  /** When the file was last written. */
  modifiedAt: z.number(),
  state: SessionState,
  /** Why it cannot be read, a sentence; null: it can. */
  problem: z.string().nullable(),
  /** The `id` of the session whose subagent this is; null: it is none, or that one is not in the library. */
  parent: z.string().nullable(),
  /** Logs of subagents that are under this one. */
  subagents: z.int(),
  /** The session id of the one it was forked from. */
  forkedFrom: z.string().nullable(),
  /** Sessions that were forked from it. */
  forks: z.int(),
  /** The live run of Playhead that it is; null: none. */
  run: z.string().nullable(),
  /** Null: not read so far. */
  counts: SessionCounts.nullable()
})
export type SessionCard = z.infer<typeof SessionCard>

/** What a preview shows beside the card. Bounded: texts of at most 2,000 characters. */
export const SessionPreview = z.object({
  firstPrompt: z.string().nullable(),
  lastAnswer: z.string().nullable(),
  /** The main agent's list at the end, at most 100 items. */
  todos: z.array(TodoItem),
  /** The last failed calls, at most 20, in log order. */
  failed: z.array(z.object({ seq: z.int(), tool: z.string(), text: z.string() })),
  /** Files that calls changed, at most 50, and how many there are. */
  files: z.array(z.object({ path: z.string(), added: z.int(), deleted: z.int() })),
  filesTotal: z.int(),
  /** There are more than `filesTotal`. */
  filesAtLeast: z.boolean()
})
export type SessionPreview = z.infer<typeof SessionPreview>

/** When the session was last written to: as its records state it, else by its file. What lists are ordered by. */
export function lastOf(card: Pick<SessionCard, 'endedAt' | 'modifiedAt'>): number {
  return card.endedAt ?? card.modifiedAt
}
