import type { LogStore } from '../log-store.ts'
import { below, folderIn } from '../store-folders.ts'

/** `~/.copilot/session-state/<id>/events.jsonl` (docs/formats/copilot-cli.md#where-sessions-are). */
export const copilotStore: LogStore = {
  roots: (system) => {
    const home = folderIn(system, 'COPILOT_HOME') ?? below(system, system.home, '.copilot')
    return [below(system, home, 'session-state'), below(system, home, 'history-session-state')]
  },
  depth: 1,
  mayBeLog: (path) => /(?:^|\/)[^/]+\/events\.jsonl$/.test(path) || /^[^/]+\.jsonl$/.test(path),
  sessionOf: (path) => /([^/]+)\/events\.jsonl$/.exec(path)?.[1] ?? null,
  resume: (sessionId) => ['copilot', '--resume', sessionId]
}
