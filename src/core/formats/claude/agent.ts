import type { Agent } from '../agent.ts'

export const claudeCode: Agent = {
  name: 'Claude Code',
  label: 'Claude Code',
  words: ['claude'],
  tools: {
    shell: ['bash', 'bashoutput', 'killshell', 'killbash', 'taskoutput'],
    read: ['read', 'notebookread'],
    list: ['ls'],
    write: ['write'],
    edit: ['edit', 'multiedit', 'notebookedit'],
    search: ['grep', 'glob', 'toolsearch'],
    web: ['webfetch', 'websearch'],
    agent: ['agent', 'task']
  },
  asking: ['AskUserQuestion', 'ExitPlanMode']
}
