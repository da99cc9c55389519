import type { Agent, ToolKind } from '../formats/agent.ts'
import { agents } from '../formats/agents.ts'

const kinds = new Map(
  Object.values<Agent>(agents).flatMap(({ tools }) =>
    Object.entries(tools).flatMap(([kind, names]) => names.map((name) => [name, kind as ToolKind] as const))
  )
)

/** Null for unknown tools and those of servers. */
export function toolKind(name: string): ToolKind | null {
  return kinds.get(name.toLowerCase()) ?? null
}
