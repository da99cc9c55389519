import * as z from 'zod'
import type { JsonObject } from '../json.ts'

/** The types of a run's server-sent events (docs/seeds.md#todowrite-bridge), in the order of that page. */
export const streamEventTypes = [
  'text',
  'tool_use',
  'tool_result',
  'tool_output',
  'tool_timeout',
  'task_update',
  'status',
  'result',
  'permission_request',
  'mode_changed',
  'error',
  'done'
] as const
export type StreamEventType = (typeof streamEventTypes)[number]

const Session = z.string().nullable()
/** The id of the tool call that started the subagent; null: the main agent. */
const Track = z.string().nullable()
const Count = z.number().nullable()
const FinishReason = z.enum(['done', 'error', 'cancelled', 'timeout'])
const JsonObjectSchema = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object'
)
/** Whether a text of it was longer than `maxStreamText`, or its JSON than `maxStreamJson`: the rest is in the recording only. */
const Cut = z.boolean()

/** A todo as the agent states it. */
export const StreamTodo = z.object({
  content: z.string(),
  /** The agent's own word. */
  status: z.string(),
  /** The "present-continuous" form of the content; null: the agent gives none. */
  activeForm: z.string().nullable()
})
export type StreamTodo = z.infer<typeof StreamTodo>

/** What stands in `data:` of each type. `session_id` is null until the agent has named its session. */
export const streamEventData = {
  /** A piece of what an agent says. The pieces of one track, put together, are its messages, in order. */
  text: z.object({ session_id: Session, track_id: Track, text: z.string() }),
  /** A tool was called. The calls of todo tools are told as `task_update` instead. */
  tool_use: z.object({
    session_id: Session,
    track_id: Track,
    id: z.string(),
    name: z.string(),
    /** Empty where it is cut. */
    input: JsonObjectSchema,
    cut: Cut
  }),
  /** A tool answered. A later one of the same call replaces it: the agent's own that of the hook. */
  tool_result: z.object({
    session_id: Session,
    track_id: Track,
    tool_use_id: z.string(),
    content: z.string(),
    is_error: z.boolean(),
    source: z.enum(['hook', 'agent']),
    cut: Cut
  }),
  /** What came on standard error, in pieces that never cut a character. */
  tool_output: z.object({ session_id: Session, text: z.string() }),
  /** A tool takes longer than the run may, or was still running when the run's time was up. */
  tool_timeout: z.object({
    session_id: Session,
    track_id: Track,
    tool_use_id: z.string(),
    tool_name: z.string().nullable(),
    /** As the agent states it; null: it does not. */
    elapsed_seconds: Count
  }),
  /** The main agent's whole todo list, which replaces the one before. By then it stands in the task table. */
  task_update: z.object({ session_id: Session, todos: z.array(StreamTodo), cut: Cut }),
  /** A session begins, or there is something to know that is neither an answer nor an error. */
  status: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('session'),
      session_id: Session,
      track_id: Track,
      model: z.string().nullable(),
      cwd: z.string().nullable(),
      version: z.string().nullable(),
      tools: z.array(z.string()).nullable()
    }),
    z.object({
      kind: z.literal('text'),
      session_id: Session,
      track_id: Track,
      /** `status`, `reasoning`, `user-message`, `unparsed`: a line that is no record; null: the agent does not say. */
      category: z.string().nullable(),
      text: z.string(),
      cut: Cut
    })
  ]),
  /** The main agent stopped working on a prompt. */
  result: z.object({
    session_id: Session,
    finish_reason: FinishReason,
    is_error: z.boolean(),
    /** The final answer, where the agent repeats it there. */
    text: z.string().nullable(),
    model: z.string().nullable(),
    /** Of this turn, in the agent's own names. */
    usage: JsonObjectSchema.nullable(),
    /** The same in words that mean the same for all agents. */
    tokens: z.object({ sent: Count, received: Count }).nullable(),
    cost_usd: Count,
    duration_ms: Count,
    cut: Cut
  }),
  /** The agent asks whether it may, or was `denied` without anybody being asked. */
  permission_request: z.object({
    session_id: Session,
    request_id: z.string().nullable(),
    tool_use_id: z.string().nullable(),
    tool_name: z.string().nullable(),
    /** What the tool would be called with; null: not stated, or cut. */
    input: JsonObjectSchema.nullable(),
    message: z.string().nullable(),
    denied: z.boolean(),
    cut: Cut
  }),
  /** What the agent may do without being asked is another now. */
  mode_changed: z.object({ session_id: Session, mode: z.string(), previous: z.string() }),
  /** Something failed: a request, a line that is no JSON (`JSONL_PARSE_ERROR`), or the run (`run_failed`). It may go on all the same. */
  error: z.object({
    session_id: Session,
    track_id: Track,
    message: z.string(),
    code: z.string().nullable(),
    cut: Cut
  }),
  /** The last event: nothing of the run is left. */
  done: z.object({
    session_id: Session,
    finish_reason: FinishReason,
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    message: z.string().nullable()
  })
} as const satisfies Record<StreamEventType, z.ZodType>

/** What an event of a type says. */
export type StreamData<T extends StreamEventType> = z.infer<(typeof streamEventData)[T]>

/** An event of a run's stream. */
export type StreamEvent = {
  [T in StreamEventType]: { readonly type: T; readonly data: StreamData<T> }
}[StreamEventType]

/** Characters of one text. What an agent says is never cut: it comes in pieces of that length. */
export const maxStreamText = 1 << 16
/** Characters of JSON, such as the input of a tool. */
export const maxStreamJson = 1 << 20
