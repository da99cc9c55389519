import type { Agent } from '../agent.ts'
import type { TodoItem } from '../../events/todo.ts'
import { listedItems, statedLines } from '../listed-items.ts'

const todoTools: readonly string[] = ['SetTodoList', 'TodoList']

export const kimi = {
  name: 'Kimi CLI',
  label: 'Kimi',
  words: ['kimi', 'kimi-cli'],
  tools: {
    shell: ['shell', 'bash', 'cmd'],
    read: ['readfile'],
    write: ['writefile'],
    edit: ['strreplacefile', 'patchfile'],
    search: ['grep', 'glob'],
    web: ['fetchurl', 'searchweb'],
    agent: ['task']
  },
  input: { path: ['path'], prompt: ['prompt'], content: ['content'] },
  usage: {
    input: ['input_other', 'inputOther'],
    cacheRead: ['input_cache_read', 'inputCacheRead'],
    cacheWrite: ['input_cache_creation', 'inputCacheCreation'],
    output: ['output']
  },
  todoItems: (tool, { todos }) => (todoTools.includes(tool) ? listedItems(todos, 'title', 'content') : null),
  todoReaders: todoTools,
  todoWords: (tool, output) => (todoTools.includes(tool) ? todoWords(output) : null)
} as const satisfies Agent

/** docs/formats/kimi-cli.md#settodolist-replaces-the-list */
function todoWords(output: string): readonly TodoItem[] | null {
  if (/^Todo list (?:is empty|cleared)\.\s*$/.test(output)) return []
  const head = /^(?:Todo list updated\.\n)?Current todo list:\n/.exec(output)
  return head === null ? null : statedLines(output.slice(head[0].length))
}
