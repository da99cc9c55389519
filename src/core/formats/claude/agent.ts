import { type JsonObject, objectAt, stringAt } from '../../json.ts'
import type { Agent, ToolOutput, WrittenImage } from '../agent.ts'
import { todoItems } from './todo-tools.ts'
import { toolHook } from './tool-hook.ts'

export const claudeCode = {
  name: toolHook.agent,
  label: toolHook.agent,
  words: ['claude'],
  tools: {
    shell: ['bash', 'bashoutput', 'killshell', 'killbash', 'taskoutput'],
    read: ['read', 'notebookread'],
    list: ['ls'],
    write: ['write'],
    edit: ['edit', 'multiedit', 'notebookedit'],
    search: ['grep', 'glob', 'toolsearch'],
    web: ['webfetch', 'websearch'],
    agent: ['agent', 'task']
  },
  asking: ['AskUserQuestion', 'ExitPlanMode'],
  waiting: ['bashoutput', 'taskoutput', 'agentoutputtool'],
  stopping: ['killshell', 'killbash', 'taskstop'],
  results: {
    byUser: [
      // Newer versions say so of a call that ran: it was interrupted.
      /^The user doesn't want to (?:proceed|take this action)(?![\s\S]{0,300}was stopped while running)/,
      /^\[Request interrupted by user for tool use\]/,
      /^Permission prompt was aborted/
    ],
    byRules: [
      /^This command requires approval/,
      /^This Bash command contains multiple operations\. The following parts? requires? approval/,
      /^Claude requested permissions to /,
      /^Permission for this tool use was denied/,
      /^Permission to use .{1,100} has been denied/,
      /^cd to '.{0,200}' was blocked/
    ],
    cancelled: [
      /^(?:<tool_use_error>)?Sibling tool call errored/,
      /^(?:<tool_use_error>)?Cancelled: parallel tool call/
    ],
    interrupted: [/^\[Request interrupted by user/, /^The user doesn't want to [\s\S]{0,300}was stopped while running/],
    exitCode: /^(?:Error: )?Exit code (\d{1,10})(?=\s|$)/
  },
  trimsOutput: true,
  takesLineEnd: ['edit', 'multiedit'],
  settings: ['.claude/settings'],
  limits: ['error_max_turns', 'error_max_budget_usd', 'error_max_structured_output_retries'],
  input: {
    path: ['file_path', 'notebook_path'],
    before: ['old_string'],
    after: ['new_string'],
    all: ['replace_all'],
    content: ['content', 'new_source'],
    prompt: ['prompt']
  },
  usage: {
    input: ['input_tokens'],
    cacheRead: ['cache_read_input_tokens'],
    cacheWrite: ['cache_creation_input_tokens'],
    cacheWriteHour: ['cache_creation.ephemeral_1h_input_tokens'],
    output: ['output_tokens'],
    reasoning: ['output_tokens_details.thinking_tokens']
  },
  provider: { name: 'anthropic', models: /^(?:anthropic[./])?claude/i },
  modelName,
  todoItems: (tool, input) => (tool.toLowerCase() === 'todowrite' ? todoItems(input['todos']) : null),
  unwrapped,
  imageOf,
  callOf: (part) => stringAt(part, 'tool_use_id')
} as const satisfies Agent

const families: Readonly<Record<string, string>> = { opus: 'Opus', sonnet: 'Sonnet', haiku: 'Haiku' }

/** `claude-opus-4-5`, and older `claude-3-7-sonnet`. */
function modelName(model: string): string | null {
  const family = families[/^claude-(?:\d+-)*([a-z]+)/.exec(model)?.[1] ?? '']
  const version = /^claude-(?:(\d+(?:-\d+)?)-[a-z]+|[a-z]+-(\d+(?:-\d+)?))$/.exec(model)
  if (family === undefined || version === null) return null
  return `Claude ${family} ${(version[1] ?? version[2] ?? '').replace('-', '.')}`
}

/** An element around the whole text. */
function unwrapped(output: string): ToolOutput | null {
  const tag = /^<([\w-]{1,40})>\n?/.exec(output)
  if (tag === null || !output.endsWith(`</${tag[1]}>`)) return null
  return { body: output.slice(tag[0].length, -`</${tag[1]}>`.length), exitCode: null, running: false }
}

function imageOf(part: JsonObject): WrittenImage | null {
  const source = objectAt(part, 'source')
  if (part['type'] !== 'image' || source?.['type'] !== 'base64') return null
  return { declared: stringAt(source, 'media_type'), data: stringAt(source, 'data') }
}
