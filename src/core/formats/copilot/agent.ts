import type { Agent } from '../agent.ts'
import { checklistItems } from '../listed-items.ts'

export const copilot = {
  name: 'GitHub Copilot CLI',
  label: 'Copilot CLI',
  words: ['copilot', 'copilot-cli'],
  tools: {
    shell: ['bash', 'shell', 'powershell'],
    read: ['view'],
    write: ['create'],
    edit: ['edit', 'str_replace_editor', 'apply_patch'],
    search: ['grep', 'glob', 'rg'],
    web: ['web_fetch', 'web_search'],
    agent: ['task']
  },
  waiting: ['read_bash', 'read_agent'],
  stopping: ['stop_bash'],
  asking: ['ask_user'],
  input: { path: ['path'], before: ['old_str'], after: ['new_str'], content: ['file_text'], prompt: ['prompt'] },
  todoItems: (tool, { todos }) => (tool === 'update_todo' ? checklistItems(todos) : null)
} as const satisfies Agent
