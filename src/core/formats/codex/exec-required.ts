import { array, boolean, number, object, string, union, type ZodRawShape, type ZodType } from 'zod'

/** docs/formats/codex-exec-json.md#what-a-record-must-have */
export const eventSchemas: ReadonlyMap<string, ZodType> = new Map<string, ZodType>([
  ['thread.started', object({ thread_id: string() })],
  ['session.created', object({ session_id: string() })],
  [
    'turn.completed',
    object({ usage: object({ input_tokens: number(), cached_input_tokens: number(), output_tokens: number() }) })
  ],
  ['turn.failed', object({ error: object({ message: string() }) })],
  ['error', object({ message: string() })],
  ['item.plan.delta', object({ item_id: string(), delta: string() })],
  ['request_user_input', object({ id: string(), call_id: string() })]
])

const spoken = item({ text: string() })

/** Required paths of an item's record, by the item's type. */
export const itemSchemas: ReadonlyMap<string, ZodType> = new Map<string, ZodType>([
  ['agent_message', spoken],
  ['assistant_message', spoken],
  ['reasoning', spoken],
  ['plan', spoken],
  ['error', item({ message: string() })],
  [
    'command_execution',
    item({ command: union([string(), array(string())]), aggregated_output: string(), status: string() })
  ],
  ['file_change', item({ changes: array(object({ path: string(), kind: string() })), status: string() })],
  ['mcp_tool_call', item({ server: string(), tool: string(), status: string() })],
  ['collab_tool_call', item({ tool: string(), status: string() })],
  ['web_search', item({ query: string() })],
  ['todo_list', item({ items: array(object({ text: string(), completed: boolean() })) })]
])

/** For an item of unknown type. */
export const anyItem: ZodType = item({})

function item(shape: ZodRawShape): ZodType {
  return object({ item: object({ id: string(), ...shape }) })
}

const call = { call_id: string() }

/** Required paths of an event of the older form, by its message's type. */
export const protoSchemas: ReadonlyMap<string, ZodType> = new Map<string, ZodType>([
  ['session_configured', message({ session_id: string() })],
  ['user_message', message({ message: string() })],
  ['agent_message', message({ message: string() })],
  ['agent_reasoning', message({ text: string() })],
  ['agent_reasoning_raw_content', message({ text: string() })],
  ['exec_command_begin', message({ ...call, command: array(string()) })],
  ['exec_command_output_delta', message({ ...call, chunk: union([string(), array(number())]) })],
  ['exec_command_end', message({ ...call, exit_code: number() })],
  ['patch_apply_begin', message({ ...call, changes: object({}) })],
  ['patch_apply_end', message({ ...call, success: boolean() })],
  ['mcp_tool_call_begin', message({ ...call, invocation: object({ server: string(), tool: string() }) })],
  ['mcp_tool_call_end', message({ ...call, result: object({}) })],
  ['web_search_begin', message(call)],
  ['web_search_end', message({ ...call, query: string() })],
  ['plan_update', message({ plan: array(object({ step: string(), status: string() })) })],
  ['error', message({ message: string() })]
])

/** For other messages of the older form. */
export const anyMessage: ZodType = message({})

function message(shape: ZodRawShape): ZodType {
  return object({ id: string(), msg: object({ type: string(), ...shape }) })
}
