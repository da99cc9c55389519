import { below, folderIn } from '../store-folders.ts'
import type { LogStore } from '../log-store.ts'

/** `~/.gemini/tmp/<project>/chats/session-<time>-<id>.json(l)`; subagents below (docs/format-sources.md). */
export const geminiStore: LogStore = {
  // The variable replaces the home folder.
  roots: (system) => [below(system, folderIn(system, 'GEMINI_CLI_HOME') ?? system.home, '.gemini', 'tmp')],
  // <project>/chats/<session>/<agent>.jsonl
  depth: 3,
  mayBeLog: (path) => /(?:^|\/)chats\/(?:[^/]+\/)?[^/]+\.jsonl?$/.test(path),
  parentOf: (path) => /(?:^|\/)chats\/([^/]+)\/[^/]+\.jsonl?$/.exec(path)?.[1] ?? null,
  companion: {
    fileOf: (path) => path.replace(/\/chats\/(?:[^/]+\/)?[^/]*$/, '/.project_root'),
    facts: (text) => {
      const cwd = text.trim()
      return cwd === '' || cwd.includes('\n') ? {} : { cwd }
    }
  },
  resume: (sessionId) => ['gemini', '--resume', sessionId]
}
