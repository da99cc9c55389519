import { type JsonObject, objectAt, stringAt } from '../../json.ts'
import type { Agent, WrittenImage } from '../agent.ts'
import { isWriteTodos, writtenItems } from './write-todos.ts'
import { unwrapped } from './wrapped-output.ts'

export const gemini = {
  name: 'Google Gemini',
  label: 'Gemini CLI',
  words: ['gemini', 'gemini-cli'],
  tools: {
    shell: ['run_shell_command'],
    read: ['read_file', 'read_many_files'],
    list: ['list_directory'],
    write: ['write_file'],
    edit: ['replace'],
    search: ['glob', 'grep_search', 'search_file_content'],
    web: ['web_fetch', 'google_web_search'],
    agent: ['invoke_agent']
  },
  asking: ['ask_user', 'exit_plan_mode'],
  usage: {
    input: ['input_tokens', 'input'],
    cacheReadOfInput: ['cached'],
    toolInput: ['tool'],
    output: ['output_tokens', 'output'],
    thoughts: ['thoughts']
  },
  modelName,
  todoItems: (tool, input) => (isWriteTodos(tool) ? writtenItems(input) : null),
  unwrapped,
  imageOf,
  callOf: ({ id, name, args, response }) =>
    typeof id === 'string' && name !== undefined && (args ?? response) !== undefined ? id : undefined
} as const satisfies Agent

function modelName(model: string): string | null {
  const [, version, kind = ''] = /^gemini-([\d.]+)-(\w+)$/.exec(model) ?? []
  return version === undefined ? null : `Gemini ${version} ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
}

function imageOf(part: JsonObject): WrittenImage | null {
  const inline = objectAt(part, 'inlineData') ?? objectAt(part, 'inline_data')
  return inline === undefined ? null : { declared: stringAt(inline, 'mimeType'), data: stringAt(inline, 'data') }
}
