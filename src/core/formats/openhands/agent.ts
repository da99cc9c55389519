import type { Agent } from '../agent.ts'
import { listedItems } from '../listed-items.ts'

export const openhands = {
  name: 'OpenHands',
  label: 'OpenHands',
  words: ['openhands'],
  tools: {
    shell: ['execute_bash', 'terminal', 'run', 'execute_ipython_cell'],
    edit: ['str_replace_editor', 'file_editor', 'edit_file', 'edit'],
    write: ['write', 'write_file'],
    read: ['read'],
    web: ['browser', 'fetch', 'browse'],
    agent: ['delegate']
  },
  input: {
    path: ['path'],
    before: ['old_str'],
    after: ['new_str'],
    content: ['file_text', 'content'],
    prompt: ['task']
  },
  todoItems: (tool, { command, task_list: tasks }) =>
    tool === 'task_tracker' && command === 'plan' ? listedItems(tasks, 'title', 'task') : null
} as const satisfies Agent
