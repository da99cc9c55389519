import * as z from 'zod'
import { type AgentType, agentTypes } from '../formats/agents.ts'
import type { JsonObject } from '../json.ts'
import { TeamContext } from './team.ts'
import { TodoItem } from './todo.ts'

export { agentTypes, type AgentType }

/** The position of an event's line in its source. */
export interface EventSource {
  /** In a run of several files: the path relative to the folder of the main file. Absent for the main file. */
  file?: string
  /** 1-based line number. */
  line: number
  /** Byte offset of the line's first byte; a byte order mark at the start of the file is not part of line 1. */
  offset: number
  /** Bytes of the line without its line end (`\n` or `\r\n`). */
  length: number
  /** 0-based position among the events of this line. */
  ordinal: number
}

export interface AgentEventBase {
  /** Derived from session id, line and ordinal: the same bytes give the same ids. */
  eventId: string
  agentId: string
  /** A name that Playhead has for it, else the log's own; `unknown` where the log does not say. */
  agentType: AgentType
  /** Milliseconds since the Unix epoch. 0 when neither the record nor any earlier one states a time. */
  timestamp: number
  teamMetadata: TeamContext
  sessionId?: string
  /** Set on a subagent's events only: the id of the tool call that started it, or the agent's own id if no call is known. */
  trackId?: string
  /** Absent when the record states the time; `previous`: carried from the event before; `observed`: when a live line was read. */
  timestampFrom?: 'record' | 'previous' | 'observed'
  source?: EventSource
}

/** A session begins, or its first line is read. */
export interface SessionStarted {
  type: 'session.started'
  model?: string
  cwd?: string
  tools?: string[]
  version?: string
}

export const textCategories = [
  'assistant-message',
  'user-message',
  'reasoning',
  'result',
  'status',
  'permission',
  'unparsed'
] as const
export type TextCategory = (typeof textCategories)[number]

/** A text of the model, the user, or the harness (`system`). */
export interface Text {
  type: 'text'
  text: string
  role?: 'assistant' | 'system' | 'user'
  category?: string
}

/** A tool call. Ends with `tool.completed` of the same `toolId`, or never (a killed run). */
export interface ToolStarted {
  type: 'tool.started'
  toolName: string
  toolId: string
  input: JsonObject
}

/** `stated` by tool or agent; `records`: between the records of call and result, may include a person's time. */
export const durationSources = ['stated', 'records'] as const
export type DurationSource = (typeof durationSources)[number]

/** The result of a call. `error` and `output` exclude each other. A later one for the same `toolId` replaces it. */
export interface ToolCompleted {
  type: 'tool.completed'
  toolId: string
  output?: string
  error?: string
  /** The tool, if no `tool.started` names it: a todo call is a `todo_list`, or no event. */
  toolName?: string
  /** Absent if unknown, never 0. */
  durationMs?: number
  /** Present with `durationMs`. */
  durationFrom?: DurationSource
}

/** The agent stopped working on a prompt. */
export interface TurnCompleted {
  type: 'turn.completed'
  finishReason: 'done' | 'error' | 'cancelled' | 'timeout'
  /** The model that answered, if stated. */
  model?: string
  /** Tokens of this turn only, under the vendor's names. */
  usage?: JsonObject
  /** Cumulative over the process, all agents. */
  costUsd?: number
  durationMs?: number
}

/** Something failed: the API, the turn, or the log itself (`code: JSONL_PARSE_ERROR`). */
export interface ErrorEvent {
  type: 'error'
  error: string
  code?: string
  stack?: string
}

/** The whole todo list of one track after a change. It replaces the former list; an empty one means cleared. */
export interface TodoList {
  type: 'todo_list'
  todoId: string
  items: readonly TodoItem[]
}

/** An event without agent, session and time. */
export type EventBody = SessionStarted | Text | ToolStarted | ToolCompleted | TurnCompleted | ErrorEvent | TodoList

/** The model of an event: all readers emit it, all further code uses it. */
export type AgentEvent = AgentEventBase & EventBody
export type AgentEventType = AgentEvent['type']

export const agentEventTypes = [
  'session.started',
  'text',
  'tool.started',
  'tool.completed',
  'turn.completed',
  'error',
  'todo_list'
] as const satisfies readonly AgentEventType[]

// `type` is for the generated JSON Schema, which ignores the custom check.
const JsonObjectSchema = z
  .custom<JsonObject>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object'
  )
  .meta({ type: 'object' })

const base = {
  eventId: z.string(),
  agentId: z.string(),
  agentType: z.string(),
  timestamp: z.number(),
  teamMetadata: TeamContext,
  sessionId: z.string().exactOptional(),
  trackId: z.string().exactOptional(),
  timestampFrom: z.enum(['record', 'previous', 'observed']).exactOptional(),
  source: z
    .object({
      file: z.string().exactOptional(),
      line: z.int().min(1),
      offset: z.int().min(0),
      length: z.int().min(0),
      ordinal: z.int().min(0)
    })
    .exactOptional()
}

/** The schema of an event from outside: a normalized log, another program. Unknown keys are dropped. */
export const AgentEvent: z.ZodType<AgentEvent> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('session.started'),
    ...base,
    model: z.string().exactOptional(),
    cwd: z.string().exactOptional(),
    tools: z.array(z.string()).exactOptional(),
    version: z.string().exactOptional()
  }),
  z.object({
    type: z.literal('text'),
    ...base,
    text: z.string(),
    role: z.enum(['assistant', 'system', 'user']).exactOptional(),
    category: z.string().exactOptional()
  }),
  z.object({
    type: z.literal('tool.started'),
    ...base,
    toolName: z.string(),
    toolId: z.string(),
    input: JsonObjectSchema
  }),
  z.object({
    type: z.literal('tool.completed'),
    ...base,
    toolId: z.string(),
    output: z.string().exactOptional(),
    error: z.string().exactOptional(),
    toolName: z.string().exactOptional(),
    durationMs: z.number().min(0).exactOptional(),
    durationFrom: z.enum(durationSources).exactOptional()
  }),
  z.object({
    type: z.literal('turn.completed'),
    ...base,
    finishReason: z.enum(['done', 'error', 'cancelled', 'timeout']),
    model: z.string().exactOptional(),
    usage: JsonObjectSchema.exactOptional(),
    costUsd: z.number().min(0).exactOptional(),
    durationMs: z.number().min(0).exactOptional()
  }),
  z.object({
    type: z.literal('error'),
    ...base,
    error: z.string(),
    code: z.string().exactOptional(),
    stack: z.string().exactOptional()
  }),
  z.object({ type: z.literal('todo_list'), ...base, todoId: z.string(), items: z.array(TodoItem) })
])
