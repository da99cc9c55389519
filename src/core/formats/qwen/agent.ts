import type { Agent } from '../agent.ts'
import { listedItems } from '../listed-items.ts'

export const qwen = {
  name: 'Qwen Code',
  label: 'Qwen Code',
  words: ['qwen', 'qwen-code'],
  tools: {
    shell: ['run_shell_command'],
    read: ['read_file', 'read_many_files'],
    list: ['list_directory'],
    write: ['write_file'],
    edit: ['edit', 'replace'],
    search: ['glob', 'grep_search', 'search_file_content'],
    web: ['web_fetch', 'web_search'],
    agent: ['task', 'agent']
  },
  asking: ['ask_user_question', 'exit_plan_mode'],
  usage: {
    input: ['promptTokenCount'],
    cacheReadOfInput: ['cachedContentTokenCount'],
    output: ['candidatesTokenCount'],
    reasoning: ['thoughtsTokenCount']
  },
  todoItems: (tool, { todos }) => (tool === 'todo_write' ? listedItems(todos, 'content') : null)
} as const satisfies Agent
