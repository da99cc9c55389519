import type { Agent } from '../agent.ts'

export const cursor: Agent = {
  name: 'Cursor',
  label: 'Cursor',
  words: ['cursor'],
  tools: {
    shell: ['shell'],
    read: ['read'],
    list: ['ls'],
    write: ['write'],
    edit: ['edit'],
    search: ['grep', 'glob'],
    agent: ['task']
  }
}
