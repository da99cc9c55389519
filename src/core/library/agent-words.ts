import type { AgentType } from '../events/agent-event.ts'

/** What an agent is called on the command line, and in the search field of the library. */
export const agentWords: Readonly<Record<AgentType, string>> = {
  'claude-code': 'claude',
  'openai-codex': 'codex',
  'google-gemini': 'gemini',
  'cursor-agent': 'cursor'
}

/** Other words that people have for them. */
const more: Readonly<Record<string, AgentType>> = { 'gemini-cli': 'google-gemini' }

/** By its word, by that of events (`agentType`), or by one of people; null: it is none. */
export function agentTypeOf(word: string): AgentType | null {
  for (const [type, short] of Object.entries(agentWords)) if (word === short || word === type) return type as AgentType
  return Object.hasOwn(more, word) ? (more[word] ?? null) : null
}
