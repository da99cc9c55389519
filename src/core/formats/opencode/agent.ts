import type { Agent } from '../agent.ts'
import { listedItems } from '../listed-items.ts'

export const opencode = {
  name: 'opencode',
  label: 'opencode',
  words: ['opencode'],
  tools: {
    shell: ['bash'],
    read: ['read'],
    list: ['list'],
    write: ['write'],
    edit: ['edit', 'multiedit', 'patch', 'apply_patch'],
    search: ['glob', 'grep', 'codesearch'],
    web: ['webfetch', 'websearch'],
    agent: ['task']
  },
  asking: ['question'],
  input: { path: ['filePath'], before: ['oldString'], after: ['newString'], all: ['replaceAll'], content: ['content'] },
  usage: {
    input: ['input'],
    cacheRead: ['cache.read'],
    cacheWrite: ['cache.write'],
    output: ['output'],
    thoughts: ['reasoning']
  },
  todoItems: (tool, { todos }) => (tool === 'todowrite' ? listedItems(todos, 'content') : null)
} as const satisfies Agent
