import type { Agent, ScriptCalls } from './agent.ts'
import { claudeCode } from './claude/agent.ts'
import { codex } from './codex/agent.ts'
import { cursor } from './cursor/agent.ts'
import { gemini } from './gemini/agent.ts'

/** Every agent that writes logs this version reads, by its name in events, which is never changed. Adding one is one line here. */
export const agents = {
  'claude-code': claudeCode,
  'openai-codex': codex,
  'google-gemini': gemini,
  'cursor-agent': cursor
} satisfies Readonly<Record<string, Agent>>

export type AgentType = keyof typeof agents
export const agentTypes = Object.keys(agents) as AgentType[]

/** What each is called on the command line, and in the search field of the library. */
export const agentWords: readonly string[] = agentTypes.map((type) => agents[type].words[0])

/** By one of its words, or by its name in events; null: it is none. */
export function agentTypeOf(word: string): AgentType | null {
  return agentTypes.find((type) => word === type || agents[type].words.includes(word)) ?? null
}

/** What a script does that was given to a tool of one of them; null for a text that is none. */
export function scriptCalls(script: string): ScriptCalls | null {
  for (const agent of Object.values<Agent>(agents)) {
    const calls = agent.scriptCalls?.(script) ?? null
    if (calls !== null) return calls
  }
  return null
}
