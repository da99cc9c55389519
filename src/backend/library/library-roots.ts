import type { AgentType } from '#core/events/agent-event.ts'
import { logFormats } from '#core/formats/registry.ts'
import type { LogStore, StoreSystem } from '#core/formats/log-store.ts'
import { anyDepth, mayBeAnyLog } from '#core/library/any-log.ts'
import type { LibraryRoot } from '#contract/library.ts'
import type { SearchedRoot } from './find-logs.ts'

/** A folder whose sessions are in the library. */
export interface PlannedRoot extends SearchedRoot {
  readonly agent: AgentType | null
  readonly kind: LibraryRoot['kind']
  /** The formats, by their ids, whose logs the agent keeps there. */
  readonly formats: ReadonlySet<string>
  /** Files that no format claims are none of an agent's, and are not listed. */
  readonly isAnyFolder: boolean
}

export interface RootsWanted {
  readonly system: StoreSystem
  /** In place of the folders of the agents; null: those. */
  readonly roots: readonly string[] | null
  readonly added: readonly string[]
}

/** The folders to look into, those of agents first; each once. */
export function plannedRoots({ system, roots, added }: RootsWanted): PlannedRoot[] {
  const planned = new Map<string, PlannedRoot>()
  for (const root of roots === null ? agentRoots(system) : roots.map((path) => anyRoot(path, 'agent')))
    planned.set(root.path, planned.get(root.path) ?? root)
  for (const path of added) planned.set(path, planned.get(path) ?? anyRoot(path, 'added'))
  return [...planned.values()]
}

function agentRoots(system: StoreSystem): PlannedRoot[] {
  const byPath = new Map<string, { agent: AgentType | null; stores: LogStore[]; formats: Set<string> }>()
  for (const { id, store, agentType } of logFormats) {
    if (store === undefined || id === null) continue
    for (const path of store.roots(system)) {
      const known = byPath.get(path) ?? { agent: agentType, stores: [], formats: new Set() }
      known.stores.push(store)
      known.formats.add(id)
      byPath.set(path, known)
    }
  }
  return [...byPath].map(([path, { agent, stores, formats }]) => ({
    path,
    agent,
    formats,
    kind: 'agent',
    isAnyFolder: false,
    depth: Math.max(...stores.map(({ depth }) => depth)),
    mayBeLog: (below) => stores.some((store) => store.mayBeLog(below))
  }))
}

/** A folder in which logs of any agent may lie. */
export function anyRoot(path: string, kind: LibraryRoot['kind']): PlannedRoot {
  return {
    path,
    kind,
    agent: null,
    formats: new Set(),
    isAnyFolder: true,
    depth: anyDepth,
    mayBeLog: mayBeAnyLog
  }
}
