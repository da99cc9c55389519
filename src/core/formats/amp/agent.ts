import type { Agent } from '../agent.ts'
import { listedItems } from '../listed-items.ts'

export const amp = {
  name: 'Amp',
  label: 'Amp',
  words: ['amp'],
  tools: {
    shell: ['bash'],
    read: ['read'],
    list: ['list_directory'],
    write: ['create_file'],
    edit: ['edit_file', 'undo_edit', 'apply_patch'],
    search: ['grep', 'glob', 'codebase_search_agent', 'finder'],
    web: ['read_web_page', 'web_search'],
    agent: ['task', 'oracle']
  },
  input: { path: ['path'], before: ['old_str'], after: ['new_str'], content: ['content'], prompt: ['prompt'] },
  usage: {
    input: ['inputTokens'],
    cacheRead: ['cacheReadInputTokens'],
    cacheWrite: ['cacheCreationInputTokens'],
    output: ['outputTokens']
  },
  todoItems: (tool, { todos }) => (tool === 'todo_write' ? listedItems(todos, 'content') : null)
} as const satisfies Agent
