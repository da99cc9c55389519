import type { TodoItem } from '../events/todo.ts'
import type { JsonObject } from '../json.ts'
import type { Agent, ScriptCalls, ToolOutput, WrittenImage } from './agent.ts'
import { claudeCode } from './claude/agent.ts'
import { codex } from './codex/agent.ts'
import { cursor } from './cursor/agent.ts'
import { gemini } from './gemini/agent.ts'

/** All known agents by their name in events, which never changes. A new agent is one line here. */
export const agents = {
  'claude-code': claudeCode,
  'openai-codex': codex,
  'google-gemini': gemini,
  'cursor-agent': cursor
} satisfies Readonly<Record<string, Agent>>

/** An agent's name in events: one of `agentTypes`, or the name in a log of a shared format. */
export type AgentType = string
export const agentTypes = Object.keys(agents) as (keyof typeof agents)[]

/** The agent of logs that state none. */
export const unknownAgent = 'unknown'

/** The agents' words for the command line and the library's search field. */
export const agentWords: readonly string[] = agentTypes.map((type) => agents[type].words[0])

/** The agent of a name in events. An unknown agent has only its name. */
export function agentOf(type: AgentType): Agent {
  const known = agentTypes.find((one) => one === type)
  if (known !== undefined) return agents[known]
  const name = type === unknownAgent ? 'Unknown agent' : type
  return { name, label: name, words: [type], tools: {} }
}

/** The agent of a word, or of a name in events; null if unknown. */
export function agentTypeOf(word: string): keyof typeof agents | null {
  return agentTypes.find((type) => word === type || agentOf(type).words.includes(word)) ?? null
}

/** The agent that a log names; undefined if the name is invalid. */
export function namedAgent(name: string | undefined): AgentType | undefined {
  if (name === undefined || name.length > 100 || name.trim() === '' || /\p{Cc}|\p{Surrogate}/u.test(name))
    return undefined
  return agentTypeOf(name) ?? name
}

/** "claude-opus-4-5" -> "Claude Opus 4.5"; null for models of unknown vendors. */
export function makersModelName(bare: string): string | null {
  return first(({ modelName }) => modelName?.(bare))
}

/** `Agent.scriptCalls` of the first agent that has an answer. */
export function scriptCalls(script: string): ScriptCalls | null {
  return first((agent) => agent.scriptCalls?.(script))
}

/** `Agent.todoItems` of the first agent that has an answer. */
export function todoItems(tool: string, input: JsonObject): readonly TodoItem[] | null {
  return first((agent) => agent.todoItems?.(tool, input))
}

/** `Agent.unwrapped` of the first agent that has an answer. */
export function unwrapped(output: string): ToolOutput | null {
  return first((agent) => agent.unwrapped?.(output))
}

/** `Agent.imageOf` of the first agent that has an answer. */
export function imageOf(part: JsonObject): WrittenImage | null {
  return first((agent) => agent.imageOf?.(part))
}

/** `Agent.callOf` of the first agent that has an answer. */
export function callOf(part: JsonObject): string | null {
  return first((agent) => agent.callOf?.(part))
}

/** Logs contain records and tools of other agents, so all agents are tried. */
function first<T>(ask: (agent: Agent) => T | null | undefined): T | null {
  for (const type of agentTypes) {
    const answer = ask(agents[type])
    if (answer !== null && answer !== undefined) return answer
  }
  return null
}
