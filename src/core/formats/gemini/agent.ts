import { type JsonObject, objectAt, stringAt } from '../../json.ts'
import type { Agent, ToolOutput, WrittenImage } from '../agent.ts'
import { isWriteTodos, todoWords, writtenItems } from './write-todos.ts'

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
  results: {
    byUser: [/^\[Operation Cancelled\] Reason: User did not allow/],
    byRules: [
      /^Command rejected because it could not be parsed safely/,
      /^Tool execution (?:denied|blocked) by policy/i
    ]
  },
  // `powershell.exe -NoProfile -Command` (docs/tools/shell.md of Gemini CLI).
  windowsShell: 'powershell',
  trimsOutput: true,
  bareLinesFrom: 1,
  limits: ['FatalTurnLimitedError'],
  input: {
    path: ['file_path', 'absolute_path'],
    paths: ['paths'],
    folder: ['dir_path'],
    before: ['old_string'],
    after: ['new_string'],
    all: ['allow_multiple'],
    content: ['content'],
    prompt: ['objective']
  },
  usage: {
    input: ['input_tokens', 'input'],
    cacheReadOfInput: ['cached'],
    toolInput: ['tool'],
    output: ['output_tokens', 'output'],
    thoughts: ['thoughts']
  },
  provider: { name: 'gcp.gemini', models: /^(?:google[./])?gemini/i },
  modelName,
  todoItems: (tool, input) => (isWriteTodos(tool) ? writtenItems(input) : null),
  todoWords: (tool, output) => (isWriteTodos(tool) ? todoWords(output) : null),
  unwrapped,
  imageOf,
  callOf: ({ id, name, args, response }) =>
    typeof id === 'string' && name !== undefined && (args ?? response) !== undefined ? id : undefined
} as const satisfies Agent

function modelName(model: string): string | null {
  const [, version, kind = ''] = /^gemini-([\d.]+)-(\w+)$/.exec(model) ?? []
  return version === undefined ? null : `Gemini ${version} ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`
}

/** Lines after a command's output. */
const tail =
  /(?:(?:^|\n)(?:Error: \(none\)|Exit Code: (?:-?\d{1,10}|\(none\))|(?:Signal|Background PIDs|Process Group PGID): .{0,60}))+\s*$/

/** A command's output, without the words before and the lines after it. */
function unwrapped(text: string): ToolOutput | null {
  if (!text.startsWith('Output: ') && !text.startsWith('Command: ')) return null
  // The tail is short; the regex must not see a long text.
  const from = Math.max(0, text.length - 400)
  const end = tail.exec(text.slice(from))
  if (end === null) return null
  const start = text.startsWith('Output: ') ? 0 : text.indexOf('\nOutput: ') + 1
  const body = text.slice(start, from + end.index).replace(/^Output: /, '')
  const code = /^Exit Code: (-?\d+)$/m.exec(end[0])?.[1]
  return { body: body === '(empty)' ? '' : body, exitCode: code === undefined ? null : Number(code), running: false }
}

function imageOf(part: JsonObject): WrittenImage | null {
  const inline = objectAt(part, 'inlineData') ?? objectAt(part, 'inline_data')
  return inline === undefined ? null : { declared: stringAt(inline, 'mimeType'), data: stringAt(inline, 'data') }
}
