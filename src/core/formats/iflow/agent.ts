import type { Agent } from '../agent.ts'
import { listedItems } from '../listed-items.ts'

export const iflow = {
  name: 'iFlow CLI',
  label: 'iFlow',
  words: ['iflow'],
  tools: {
    shell: ['run_shell_command'],
    read: ['read_file', 'read_many_files'],
    list: ['list_directory'],
    write: ['write_file'],
    edit: ['replace', 'multi_edit'],
    search: ['glob', 'search_file_content'],
    web: ['web_fetch', 'web_search'],
    agent: ['task']
  },
  bareLinesFrom: 1,
  todoItems: (tool, { todos }) => (tool === 'todo_write' ? listedItems(todos, 'content', 'task') : null)
} as const satisfies Agent
