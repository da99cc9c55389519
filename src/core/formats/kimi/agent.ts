import type { Agent } from '../agent.ts'
import { listedItems } from '../listed-items.ts'

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
  todoItems: (tool, { todos }) =>
    tool === 'SetTodoList' || tool === 'TodoList' ? listedItems(todos, 'title', 'content') : null
} as const satisfies Agent
