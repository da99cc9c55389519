import type { Agent } from '../agent.ts'

const tools = {
  shell: ['bash', 'run_terminal', 'exec'],
  read: ['read'],
  list: ['ls'],
  write: ['write'],
  edit: ['edit'],
  search: ['grep', 'find'],
  web: ['web_fetch', 'web_search'],
  agent: ['subagent', 'sessions_spawn']
} as const
const usage = { input: ['input'], cacheRead: ['cacheRead'], cacheWrite: ['cacheWrite'], output: ['output'] } as const
const input = {
  path: ['path'],
  before: ['oldText'],
  after: ['newText'],
  content: ['content'],
  prompt: ['task']
} as const

export const pi = { name: 'pi', label: 'pi', words: ['pi'], tools, usage, input } as const satisfies Agent

/** Built on pi, and writes the same logs. */
export const openclaw = {
  name: 'OpenClaw',
  label: 'OpenClaw',
  words: ['openclaw'],
  tools,
  usage,
  input
} as const satisfies Agent
