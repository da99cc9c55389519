import type { LogStore } from '../log-store.ts'
import { below, folderIn } from '../store-folders.ts'

/** `~/.local/share/amp/threads/<thread>.json` on every system (docs/formats/amp.md#where-threads-are). */
export const ampStore: LogStore = {
  roots: (system) => {
    const home = folderIn(system, 'XDG_DATA_HOME') ?? below(system, system.home, '.local', 'share')
    return [below(system, home, 'amp', 'threads')]
  },
  depth: 0,
  mayBeLog: (path) => /^T-[^/]+\.json$/.test(path),
  sessionOf: (path) => /([^/]+)\.json$/.exec(path)?.[1] ?? null,
  resume: (sessionId) => ['amp', 'threads', 'continue', sessionId]
}
