import type { TodoItem } from '../../events/todo.ts'
import type { Agent } from '../agent.ts'
import { checklistItems } from '../listed-items.ts'

const todoReaders: readonly string[] = ['todo__todo_read', 'todo_read']

export const goose = {
  name: 'Goose',
  label: 'Goose',
  words: ['goose'],
  tools: {
    shell: ['shell', 'developer__shell'],
    read: ['read_image', 'developer__read_image'],
    list: ['tree', 'developer__tree'],
    write: ['write', 'developer__write'],
    edit: ['edit', 'developer__edit', 'text_editor', 'developer__text_editor'],
    agent: ['delegate', 'summon__delegate', 'subagent', 'dynamic_task__create_task']
  },
  input: {
    path: ['path'],
    before: ['old_str', 'before'],
    after: ['new_str', 'after'],
    content: ['file_text', 'content'],
    prompt: ['instructions']
  },
  usage: {
    input: ['input_tokens'],
    cacheReadOfInput: ['cache_read_tokens'],
    cacheWriteOfInput: ['cache_write_tokens'],
    output: ['output_tokens']
  },
  todoItems: (tool, { content }) =>
    tool === 'todo__todo_write' || tool === 'todo_write' ? checklistItems(content) : null,
  todoReaders,
  todoWords: (tool, output) => (todoReaders.includes(tool) ? todoWords(output) : null)
} as const satisfies Agent

/** The whole text that was written. Notes without a list state none. */
function todoWords(output: string): readonly TodoItem[] | null {
  const items = checklistItems(output) ?? []
  return items.length > 0 || output.trim() === '' ? items : null
}
