import type { Agent } from '../agent.ts'
import { isValidTodoItem, type TodoItem } from '../../events/todo.ts'
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
    tool === 'task_tracker' && command === 'plan' ? listedItems(tasks, 'title', 'task') : null,
  todoReaders: ['task_tracker'],
  todoWords: (tool, output) => (tool === 'task_tracker' ? todoWords(output) : null)
} as const satisfies Agent

const icons: ReadonlyMap<string, TodoItem['status']> = new Map([
  ['⏳', 'pending'],
  ['🔄', 'in_progress'],
  ['✅', 'completed']
])

/** A viewed list, with notes between the numbered tasks. */
function todoWords(output: string): readonly TodoItem[] | null {
  if (output.startsWith('No task list found.')) return []
  if (!output.startsWith('# Task List\n')) return null
  const items: TodoItem[] = []
  for (const [, number, icon = '', text = ''] of output.matchAll(/^(\d{1,5})\. (⏳|🔄|✅) (.*)$/gmu)) {
    const item = { text, status: icons.get(icon) }
    // A number out of order is of a note.
    if (Number(number) === items.length + 1 && isValidTodoItem(item)) items.push(item)
  }
  return items.length === 0 ? null : items
}
