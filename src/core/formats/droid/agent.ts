import type { Agent } from '../agent.ts'
import { checklistItems, listedItems } from '../listed-items.ts'

export const droid = {
  name: 'Factory Droid',
  label: 'Droid',
  words: ['droid', 'factory-droid'],
  tools: {
    shell: ['execute', 'shell'],
    read: ['read'],
    list: ['ls'],
    write: ['create'],
    edit: ['edit', 'multiedit', 'applypatch'],
    search: ['grep', 'glob'],
    web: ['websearch', 'fetchurl'],
    agent: ['task']
  },
  asking: ['askuser'],
  input: {
    path: ['file_path'],
    folder: ['directory_path'],
    before: ['old_str'],
    after: ['new_str'],
    content: ['content']
  },
  todoItems: (tool, { todos }) =>
    tool === 'TodoWrite' ? (listedItems(todos, 'content') ?? checklistItems(todos)) : null
} as const satisfies Agent
