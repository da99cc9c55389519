import { type JsonObject, stringAt } from '../../json.ts'
import type { Agent, WrittenImage } from '../agent.ts'
import { planItems } from './plan-items.ts'
import { scriptCalls } from './script-calls.ts'
import { unwrapped } from './wrapped-output.ts'

export const codex = {
  provider: { name: 'openai', models: /^(?:openai[./])?(?:gpt|o\d|codex)/i },
  name: 'OpenAI Codex',
  label: 'Codex',
  words: ['codex'],
  tools: {
    shell: [
      ...['shell', 'shell_command', 'local_shell', 'local_shell_call', 'command_execution'],
      ...['exec_command', 'exec', 'write_stdin', 'wait']
    ],
    read: ['view_image'],
    list: ['list_dir'],
    edit: ['apply_patch', 'patch', 'file_change'],
    search: ['grep_files'],
    web: ['web_search', 'web_search_call'],
    agent: ['spawn_agent', 'collab_tool_call']
  },
  windowsShell: 'powershell',
  asking: ['request_user_input'],
  waiting: ['write_stdin', 'wait', 'wait_agent'],
  results: {
    byUser: [
      /^(?:exec command|patch) rejected by user/,
      /^exec_command failed.{0,100}Rejected\(\\?"rejected by user/,
      // The app server states no more of a request that a person declined.
      /^declined$/
    ],
    byRules: [/^exec_command failed.{0,100}Rejected\(\\?"(?!rejected by user)/],
    interrupted: [/^Wall time: [\d.]{1,20} seconds\naborted by user/, /^aborted by user/, /^Interrupted with its turn$/]
  },
  input: { prompt: ['message'] },
  usage: {
    input: ['input_tokens'],
    cacheReadOfInput: ['cached_input_tokens'],
    cacheWriteOfInput: ['cache_write_input_tokens'],
    output: ['output_tokens'],
    reasoning: ['reasoning_output_tokens']
  },
  todoItems: (tool, input) => (tool === 'update_plan' ? planItems(input['plan']) : null),
  scriptCalls,
  unwrapped,
  imageOf,
  callOf: (part) =>
    stringAt(part, 'call_id') ?? (/_call$/.test(String(part['type'])) ? stringAt(part, 'id') : undefined)
} as const satisfies Agent

function imageOf(part: JsonObject): WrittenImage | null {
  const { type } = part
  if (type === 'image_generation_call') return { declared: 'image/png', data: stringAt(part, 'result') }
  if (type !== 'input_image' && type !== 'output_image' && type !== 'image') return null
  const address = stringAt(part, type === 'image' ? 'url' : 'image_url') ?? ''
  const head = /^data:(image\/[\w.+-]{1,40});base64,/.exec(address.slice(0, 100))
  return head === null ? null : { declared: head[1], data: address.slice(head[0].length) }
}
