import type { TodoItem } from '../events/todo.ts'
import type { JsonObject } from '../json.ts'
import type { Agent, ScriptCalls, ToolOutput, WrittenImage } from './agent.ts'
import { claudeCode } from './claude/agent.ts'
import { codex } from './codex/agent.ts'
import { cursor } from './cursor/agent.ts'
import { gemini } from './gemini/agent.ts'

/** Every agent that writes logs of its own that this version reads, by its name in events, which is never changed. Adding one is one line here. */
export const agents = {
  'claude-code': claudeCode,
  'openai-codex': codex,
  'google-gemini': gemini,
  'cursor-agent': cursor
} satisfies Readonly<Record<string, Agent>>

/** An agent's name in events: one of `agentTypes`, or what a log of a format that many agents write calls it. */
export type AgentType = string
export const agentTypes = Object.keys(agents) as (keyof typeof agents)[]

/** In events of a log that does not say which agent it is of. */
export const unknownAgent = 'unknown'

/** What each is called on the command line, and in the search field of the library. */
export const agentWords: readonly string[] = agentTypes.map((type) => agents[type].words[0])

/** What is known of the agent of this name in events. Of one that only a log names it is that name. */
export function agentOf(type: AgentType): Agent {
  const known = agentTypes.find((one) => one === type)
  if (known !== undefined) return agents[known]
  const name = type === unknownAgent ? 'Unknown agent' : type
  return { name, label: name, words: [type], tools: {} }
}

/** By one of its words, or by its name in events; null: it is none. */
export function agentTypeOf(word: string): keyof typeof agents | null {
  return agentTypes.find((type) => word === type || agentOf(type).words.includes(word)) ?? null
}

/** The agent that a log names; undefined for what is no name. */
export function namedAgent(name: string | undefined): AgentType | undefined {
  if (name === undefined || name.length > 100 || name.trim() === '' || /\p{Cc}|\p{Surrogate}/u.test(name))
    return undefined
  return agentTypeOf(name) ?? name
}

/** "claude-opus-4-5" -> "Claude Opus 4.5"; null for the model of a maker who has no agent here. */
export function makersModelName(bare: string): string | null {
  return first(({ modelName }) => modelName?.(bare))
}

/** What a script does that was given to a tool of one of them; null for a text that is none. */
export function scriptCalls(script: string): ScriptCalls | null {
  return first((agent) => agent.scriptCalls?.(script))
}

/** The whole todo list that a call writes by a tool of one of them; null where it writes none. */
export function todoItems(tool: string, input: JsonObject): readonly TodoItem[] | null {
  return first((agent) => agent.todoItems?.(tool, input))
}

/** What a tool said, without one wrapper that an agent puts around it; null where it has none. */
export function unwrapped(output: string): ToolOutput | null {
  return first((agent) => agent.unwrapped?.(output))
}

/** The image that a part of a record is; null for any other part. */
export function imageOf(part: JsonObject): WrittenImage | null {
  return first((agent) => agent.imageOf?.(part))
}

/** The id of the call that a part of a record is about, or is; null: it does not say. */
export function callOf(part: JsonObject): string | null {
  return first((agent) => agent.callOf?.(part))
}

/** Records and tools of one agent are found in logs of others, so each of them is asked. */
function first<T>(ask: (agent: Agent) => T | null | undefined): T | null {
  for (const type of agentTypes) {
    const answer = ask(agents[type])
    if (answer !== null && answer !== undefined) return answer
  }
  return null
}
