import type { Agent } from '../agent.ts'

const tools = { shell: ['bash'] } as const
const input = {} as const

export const sweAgent = {
  name: 'SWE-agent',
  label: 'SWE-agent',
  words: ['swe-agent'],
  tools,
  input
} as const satisfies Agent
export const miniSweAgent = {
  name: 'mini-SWE-agent',
  label: 'mini-SWE-agent',
  words: ['mini-swe-agent', 'mini'],
  tools,
  input
} as const satisfies Agent
