import { array, number, object, string, union, unknown, type ZodRawShape, type ZodType } from 'zod'

const spoken = item({ text: string() })

/** Required paths of the record of an item, by the item's type: docs/formats/codex-app-server.md#what-a-record-must-have. */
export const itemSchemas: ReadonlyMap<string, ZodType> = new Map<string, ZodType>([
  ['userMessage', item({ content: array(unknown()) })],
  ['agentMessage', spoken],
  ['plan', spoken],
  ['reasoning', item({})],
  ['commandExecution', item({ command: string(), status: string() })],
  ['fileChange', item({ changes: array(object({ path: string() })), status: string() })],
  ['mcpToolCall', item({ server: string(), tool: string(), status: string() })],
  ['dynamicToolCall', item({ tool: string(), status: string() })],
  ['collabAgentToolCall', item({ tool: string(), status: string() })],
  ['subAgentActivity', item({ agentThreadId: string() })],
  ['webSearch', item({ query: string() })],
  ['imageView', item({ path: string() })],
  ['imageGeneration', item({ status: string() })],
  ['sleep', item({ durationMs: number() })],
  ['hookPrompt', item({})],
  ['enteredReviewMode', item({ review: string() })],
  ['exitedReviewMode', item({ review: string() })],
  ['contextCompaction', item({})]
])

/** For an item of unknown type. */
export const anyItem: ZodType = item({})

function item(shape: ZodRawShape): ZodType {
  return params({ threadId: string(), turnId: string(), item: object({ type: string(), id: string(), ...shape }) })
}

const counts = object({ inputTokens: number(), outputTokens: number() })
const delta = params({ threadId: string(), itemId: string(), delta: string() })
const noticed = params({ message: string() })
const summarized = params({ summary: string() })

/** Required paths of other notifications, by method. */
export const notificationSchemas: ReadonlyMap<string, ZodType> = new Map<string, ZodType>([
  ['thread/started', params({ thread: object({ id: string() }) })],
  ['thread/settings/updated', params({ threadId: string(), threadSettings: object({}) })],
  ['thread/tokenUsage/updated', params({ threadId: string(), tokenUsage: object({ total: counts, last: counts }) })],
  ['turn/started', params({ threadId: string(), turn: object({ id: string() }) })],
  ['turn/completed', params({ threadId: string(), turn: object({ id: string(), status: string() }) })],
  [
    'turn/plan/updated',
    params({ threadId: string(), turnId: string(), plan: array(object({ step: string(), status: string() })) })
  ],
  ['error', params({ error: object({ message: string() }) })],
  ['item/agentMessage/delta', delta],
  ['item/plan/delta', delta],
  ['item/reasoning/summaryTextDelta', delta],
  ['item/reasoning/textDelta', delta],
  ['item/commandExecution/outputDelta', delta],
  ['serverRequest/resolved', params({ requestId: union([string(), number()]) })],
  ['warning', noticed],
  ['guardianWarning', noticed],
  ['configWarning', summarized],
  ['deprecationNotice', summarized]
])

/** Required paths of requests to a person, by method. */
export const askSchemas: ReadonlyMap<string, ZodType> = new Map<string, ZodType>([
  ['item/commandExecution/requestApproval', ask({ itemId: string() })],
  ['item/fileChange/requestApproval', ask({ itemId: string() })],
  ['item/permissions/requestApproval', ask({ itemId: string(), permissions: object({}) })],
  [
    'item/tool/requestUserInput',
    ask({ itemId: string(), questions: array(object({ id: string(), question: string() })) })
  ],
  ['mcpServer/elicitation/request', ask({ serverName: string(), message: string() })]
])

function params(shape: ZodRawShape): ZodType {
  return object({ params: object(shape) })
}

function ask(shape: ZodRawShape): ZodType {
  return object({ id: union([string(), number()]), params: object({ threadId: string(), ...shape }) })
}
