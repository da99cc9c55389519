import type { Agent } from '../agent.ts'
import { listedItems } from '../listed-items.ts'

export const crush = {
  name: 'Crush',
  label: 'Crush',
  words: ['crush'],
  tools: {
    shell: ['bash'],
    read: ['view'],
    list: ['ls'],
    write: ['write'],
    edit: ['edit', 'multiedit'],
    search: ['grep', 'glob', 'sourcegraph'],
    web: ['fetch', 'web_fetch', 'web_search', 'agentic_fetch', 'download'],
    agent: ['agent']
  },
  waiting: ['job_output'],
  stopping: ['job_kill'],
  input: {
    path: ['file_path'],
    folder: ['path'],
    before: ['old_string'],
    after: ['new_string'],
    all: ['replace_all'],
    content: ['content'],
    prompt: ['prompt']
  },
  todoItems: (tool, { todos }) => (tool === 'todos' ? listedItems(todos, 'content') : null)
} as const satisfies Agent
