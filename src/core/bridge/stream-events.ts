import * as z from 'zod'
import { AskQuestion } from '../dialogue/ask.ts'
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
/** Whether a text was cut at `maxStreamText`, or JSON at `maxStreamJson`; the recording has all. */
const Cut = z.boolean()

/** A todo as the agent states it. */
export const StreamTodo = z.object({
  content: z.string(),
  /** The agent's own word. */
  status: z.string(),
  /** The "present-continuous" form of the content; null: not stated. */
  activeForm: z.string().nullable()
})
export type StreamTodo = z.infer<typeof StreamTodo>

/** `data:` of each type. `session_id` is null until the agent states its session. */
export const streamEventData = {
  /** A piece of an agent's text. The pieces of a track, concatenated, are its messages in order. */
  text: z.object({ session_id: Session, track_id: Track, text: z.string() }),
  /** A tool call. Calls of todo tools are a `task_update` instead. */
  tool_use: z.object({
    session_id: Session,
    track_id: Track,
    id: z.string(),
    name: z.string(),
    /** Empty if cut. */
    input: JsonObjectSchema,
    cut: Cut
  }),
  /** A tool result. A later one of the same call replaces it: the agent's replaces the hook's. */
  tool_result: z.object({
    session_id: Session,
    track_id: Track,
    tool_use_id: z.string(),
    content: z.string(),
    is_error: z.boolean(),
    source: z.enum(['hook', 'agent']),
    cut: Cut
  }),
  /** Text of standard error, never cut inside a character, or of a running tool. */
  tool_output: z.object({ session_id: Session, text: z.string() }),
  /** A tool exceeds the run's time limit, or was running when the limit ended the run. */
  tool_timeout: z.object({
    session_id: Session,
    track_id: Track,
    tool_use_id: z.string(),
    tool_name: z.string().nullable(),
    /** Stated by the agent; null: not stated. */
    elapsed_seconds: Count
  }),
  /** The main agent's whole todo list, which replaces the former one. Already in the task table. */
  task_update: z.object({ session_id: Session, todos: z.array(StreamTodo), cut: Cut }),
  /** A session begins, or a message that is neither an answer nor an error. */
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
      /** `status`, `reasoning`, `user-message`, `unparsed` (a line that is not a record); null: not stated. */
      category: z.string().nullable(),
      text: z.string(),
      cut: Cut
    }),
    /** An ask of an interactive run was decided. */
    z.object({
      kind: z.literal('answer'),
      session_id: Session,
      /** Of the `permission_request`. */
      request_id: z.string(),
      decision: z.enum(['allowed', 'allowed-for-run', 'refused', 'answered', 'withdrawn']),
      by: z.enum(['person', 'limit', 'agent', 'host']),
      message: z.string().nullable()
    }),
    z.object({ kind: z.literal('turn'), session_id: Session, turn: z.string() }),
    z.object({ kind: z.literal('queue'), session_id: Session, length: z.int(), held: z.boolean() })
  ]),
  /** The main agent stopped working on a prompt. */
  result: z.object({
    session_id: Session,
    finish_reason: FinishReason,
    is_error: z.boolean(),
    /** The final answer, if the record repeats it. */
    text: z.string().nullable(),
    model: z.string().nullable(),
    /** Of this turn, in the agent's own names. */
    usage: JsonObjectSchema.nullable(),
    /** The same under names common to all agents. */
    tokens: z.object({ sent: Count, received: Count }).nullable(),
    cost_usd: Count,
    duration_ms: Count,
    cut: Cut
  }),
  /** The agent asks for permission, or was `denied` without a question. */
  permission_request: z.object({
    session_id: Session,
    request_id: z.string().nullable(),
    tool_use_id: z.string().nullable(),
    tool_name: z.string().nullable(),
    /** The input of the call; null: not stated, or cut. */
    input: JsonObjectSchema.nullable(),
    message: z.string().nullable(),
    denied: z.boolean(),
    /** In an interactive run: what "Allow for this run" covers. */
    scopes: z.array(z.string()).optional(),
    /** In an interactive run: the questions. */
    questions: z.array(AskQuestion).optional(),
    cut: Cut
  }),
  /** The permission mode changed. */
  mode_changed: z.object({ session_id: Session, mode: z.string(), previous: z.string() }),
  /** A failed request or run (`run_failed`), or an invalid line (`JSONL_PARSE_ERROR`). The run may continue. */
  error: z.object({
    session_id: Session,
    track_id: Track,
    message: z.string(),
    code: z.string().nullable(),
    cut: Cut
  }),
  /** The last event, after all processes of the run ended. */
  done: z.object({
    session_id: Session,
    finish_reason: FinishReason,
    exit_code: z.int().nullable(),
    signal: z.string().nullable(),
    message: z.string().nullable()
  })
} as const satisfies Record<StreamEventType, z.ZodType>

export type StreamData<T extends StreamEventType> = z.infer<(typeof streamEventData)[T]>

export type StreamEvent = {
  [T in StreamEventType]: { readonly type: T; readonly data: StreamData<T> }
}[StreamEventType]

/** Characters of one text. An agent's text is not cut, but split into pieces of this length. */
export const maxStreamText = 1 << 16
/** Characters of JSON, such as the input of a tool. */
export const maxStreamJson = 1 << 20
