import type { LogStore, StoreSystem } from '../log-store.ts'
import { below, folderIn } from '../store-folders.ts'

/** `~/.cursor/projects/<folder>/agent-transcripts/<id>/<id>.jsonl`; subagents below (docs/format-sources.md). */
export const cursorStore: LogStore = {
  roots: (system) => cursorHomes(system).map((home) => below(system, home, 'projects')),
  // <folder>/agent-transcripts/<id>/subagents/<agent>.jsonl
  depth: 4,
  mayBeLog: (path) => /(?:^|\/)agent-transcripts\/(?:[^/]+\/){0,2}[^/]+\.jsonl$/.test(path),
  parentOf: (path) => /(?:^|\/)([^/]+)\/subagents\/[^/]+\.jsonl$/.exec(path)?.[1] ?? null,
  sessionOf: (path) => /([^/]+)\.jsonl$/.exec(path)?.[1] ?? null,
  resume: (sessionId) => ['cursor-agent', '--resume', sessionId]
}

/** Where Cursor's agent keeps its data. */
export function cursorHomes(system: StoreSystem): readonly string[] {
  const configured = folderIn(system, 'XDG_CONFIG_HOME')
  return [
    folderIn(system, 'CURSOR_CONFIG_DIR') ?? below(system, system.home, '.cursor'),
    ...(configured === null ? [] : [below(system, configured, 'cursor')])
  ]
}
