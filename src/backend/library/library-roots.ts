import { readFileSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { AgentType } from '#core/events/agent-event.ts'
import { logFormats } from '#core/formats/registry.ts'
import type { LogStore, StoreSystem } from '#core/formats/log-store.ts'
import { anyDepth, mayBeAnyLog } from '#core/library/any-log.ts'
import type { LibraryRoot } from '#contract/library.ts'
import type { SearchedRoot } from './find-logs.ts'

/** A root folder of the library. */
export interface PlannedRoot extends SearchedRoot {
  readonly agent: AgentType | null
  readonly kind: LibraryRoot['kind']
  /** Ids of the formats that the agent writes there. */
  readonly formats: ReadonlySet<string>
  /** Files that no format claims are not listed. */
  readonly isAnyFolder: boolean
}

export interface RootsWanted {
  readonly system: StoreSystem
  /** These replace the agents' folders; null: no replacement. */
  readonly roots: readonly string[] | null
  readonly added: readonly string[]
}

/** The folders to scan, each once, those of agents first. */
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
    for (const path of [...store.roots(system), ...listedRoots(store, system)]) {
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

const maxListBytes = 4 << 20
const maxListed = 1000

/** The roots in a list that the agent keeps. */
function listedRoots({ list }: LogStore, system: StoreSystem): readonly string[] {
  if (list === undefined) return []
  try {
    const file = list.fileOf(system)
    const stats = statSync(file)
    if (!stats.isFile() || stats.size > maxListBytes) return []
    return list
      .roots(readFileSync(file, 'utf8'))
      .filter((path) => isAbsolute(path))
      .slice(0, maxListed)
  } catch {
    return []
  }
}

/** A folder that may hold logs of any agent. */
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
