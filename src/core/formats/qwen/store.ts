import type { LogStore } from '../log-store.ts'
import { below, folderIn } from '../store-folders.ts'

/** `~/.qwen/projects/<folder>/chats/<id>.jsonl` (docs/formats/qwen-code.md#where-sessions-are). */
export const qwenStore: LogStore = {
  roots: (system) => {
    const home =
      folderIn(system, 'QWEN_RUNTIME_DIR') ?? folderIn(system, 'QWEN_HOME') ?? below(system, system.home, '.qwen')
    return [below(system, home, 'projects')]
  },
  depth: 2,
  mayBeLog: (path) => /(?:^|\/)chats\/[^/]+\.jsonl$/.test(path),
  sessionOf: (path) => /([^/]+)\.jsonl$/.exec(path)?.[1] ?? null,
  resume: (sessionId) => ['qwen', '--resume', sessionId]
}
