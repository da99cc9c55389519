import type { Agent } from '../agent.ts'

export const cursor = {
  name: 'Cursor',
  label: 'Cursor',
  words: ['cursor', 'cursor-cli'],
  tools: {
    shell: ['shell'],
    read: ['read'],
    list: ['ls'],
    write: ['write'],
    edit: ['edit'],
    search: ['grep', 'glob'],
    agent: ['task']
  },
  input: { content: ['streamContent'] },
  usage: {
    input: ['inputTokens'],
    cacheRead: ['cacheReadTokens'],
    cacheWrite: ['cacheWriteTokens'],
    output: ['outputTokens']
  }
} as const satisfies Agent
