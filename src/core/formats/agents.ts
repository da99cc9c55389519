import type { Agent, InputNames } from './agent.ts'
import { claudeCode } from './claude/agent.ts'
import { codex } from './codex/agent.ts'
import { cursor } from './cursor/agent.ts'
import { gemini } from './gemini/agent.ts'
import { opencode } from './opencode/agent.ts'
import { copilot } from './copilot/agent.ts'
import { openclaw, pi } from './pi/agent.ts'
import { qwen } from './qwen/agent.ts'
import { droid } from './droid/agent.ts'
import { amp } from './amp/agent.ts'
import { iflow } from './iflow/agent.ts'
import { trae } from './trae/agent.ts'
import { kimi } from './kimi/agent.ts'
import { openhands } from './openhands/agent.ts'
import { crush } from './crush/agent.ts'
import { goose } from './goose/agent.ts'
import { sweAgent, miniSweAgent } from './swe-agent/agent.ts'

/** All known agents by their name in events, which never changes. A new agent is one line here. */
export const agents = {
  'claude-code': claudeCode,
  'openai-codex': codex,
  'google-gemini': gemini,
  'cursor-agent': cursor,
  opencode,
  'github-copilot': copilot,
  pi,
  openclaw,
  'qwen-code': qwen,
  'factory-droid': droid,
  amp,
  iflow,
  trae,
  'kimi-cli': kimi,
  openhands,
  'swe-agent': sweAgent,
  'mini-swe-agent': miniSweAgent,
  crush,
  goose
} satisfies Readonly<Record<string, Agent>>

/** An agent's name in events: one of `agentTypes`, or the name in a log of a shared format. */
export type AgentType = string
export const agentTypes = Object.keys(agents) as (keyof typeof agents)[]

/** The agent of logs that state none. */
export const unknownAgent = 'unknown'

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
  return agentTypeOf(name.toLowerCase()) ?? name
}

/** Names in the inputs of tools that no agent here brings along. */
const otherInput: InputNames = {
  path: ['filePath', 'path', 'filename'],
  paths: ['files', 'file_paths'],
  folder: ['directory'],
  before: ['old_str', 'oldString'],
  after: ['new_str', 'newString'],
  content: ['file_text'],
  prompt: ['task']
}

/** The names of an input member in all tools. */
export function inputNames(member: keyof InputNames): readonly string[] {
  const all = [...Object.values<Agent>(agents).flatMap(({ input }) => input ?? []), otherInput]
  return [...new Set(all.flatMap((names) => names[member] ?? []))]
}

// Logs contain records and tools of other agents, so the first answer of all agents counts.
export const makersModelName = first(({ modelName }) => modelName)
export const modelProvider = first(
  ({ provider }) => provider && ((model: string) => (provider.models.test(model) ? provider.name : null))
)
export const scriptCalls = first((agent) => agent.scriptCalls)
export const todoItems = first((agent) => agent.todoItems)
export const todoWords = first((agent) => agent.todoWords)
const todoReaders = new Set(Object.values<Agent>(agents).flatMap((agent) => agent.todoReaders ?? []))
export const unwrapped = first((agent) => agent.unwrapped)
export const imageOf = first((agent) => agent.imageOf)
export const callOf = first((agent) => agent.callOf)

/** Whether a call of the tool reads the todo list. */
export function readsTodos(tool: string): boolean {
  return todoReaders.has(tool)
}

/** Only agents with an answer are asked, as every result of a log is. */
function first<A extends unknown[], T>(
  member: (agent: Agent) => ((...about: A) => T | null | undefined) | undefined
): (...about: A) => T | null {
  const asked = Object.values<Agent>(agents).flatMap((agent) => member(agent) ?? [])
  return (...about) => {
    for (const ask of asked) {
      const answer = ask(...about)
      if (answer !== null && answer !== undefined) return answer
    }
    return null
  }
}
