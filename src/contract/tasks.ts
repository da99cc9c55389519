import * as z from 'zod'

/** docs/seeds.md#todowrite-bridge: `cancelled` of a todo list becomes `pending` like everything unknown. */
export const taskStatuses = ['pending', 'in_progress', 'completed'] as const
export const TaskStatus = z.enum(taskStatuses)
export type TaskStatus = z.infer<typeof TaskStatus>

const SessionId = z.string().min(1).max(200)
const TaskId = z.string().min(1).max(300)
const Title = z.string().min(1).max(10_000)

/** A row of the `tasks` table (docs/seeds.md#todowrite-bridge), with its column names, as in `GET /api/tasks`. */
export const Task = z.object({
  /** `sdk-{sessionId}-{index}` for the agent's tasks. */
  id: TaskId,
  session_id: SessionId,
  title: z.string(),
  status: TaskStatus,
  description: z.string().nullable(),
  sort_order: z.int(),
  /** `sdk`: of the agent's list, which the next one replaces. `user`: of a person. */
  source: z.enum(['sdk', 'user']),
  /** Ms since the epoch. */
  created_at: z.number(),
  updated_at: z.number()
})
export type Task = z.infer<typeof Task>

/** The last reported result of a call: first of the hook, later of the agent's output. */
export const ToolResult = z.object({
  session_id: SessionId,
  tool_use_id: z.string().min(1).max(300),
  content: z.string(),
  /** The content is cut. */
  cut: z.boolean(),
  is_error: z.boolean(),
  source: z.enum(['hook', 'agent']),
  /** Ms since the epoch. */
  updated_at: z.number()
})
export type ToolResult = z.infer<typeof ToolResult>

const Own = z.object({ task: TaskId })

/** 'unavailable' without SQLite. Only tasks of people can be changed. */
export const taskMethods = {
  /** The agent's tasks in order, then the person's. */
  'task.list': { params: z.object({ session: SessionId }), result: z.object({ tasks: z.array(Task) }) },
  'task.add': { params: z.object({ session: SessionId, title: Title }), result: Task },
  /** Absent members stay. 'not-found' unless it is a task of a person. */
  'task.edit': {
    params: Own.extend({
      title: Title.optional(),
      status: TaskStatus.optional(),
      description: z.string().max(10_000).nullable().optional()
    }),
    result: Task
  },
  /** Moves it to a place (from 0) among the user's tasks of its session. */
  'task.move': { params: Own.extend({ place: z.int().min(0) }), result: Task },
  /** Returns the removed task; `task.restore` restores it at its place. */
  'task.remove': { params: Own, result: Task },
  'task.restore': { params: z.object({ task: Task }), result: Task },
  /** The reported result of a call that is not in the log yet; null: none. */
  'tool.result': {
    params: z.object({ session: SessionId, tool: z.string().min(1).max(300) }),
    result: z.object({ result: ToolResult.nullable() })
  }
} as const satisfies Record<string, { params: z.ZodType; result: z.ZodType }>

export const taskNotices = {
  /** The tasks of a session changed; also sent to the page that changed them. */
  'task.changed': z.object({ session: SessionId }),
  /** The result of a call was reported. */
  'tool.reported': z.object({ session: SessionId, tool: z.string() })
} as const satisfies Record<string, z.ZodType>
