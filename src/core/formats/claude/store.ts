import { below, folderIn } from '../store-folders.ts'
import type { LogStore } from '../log-store.ts'

/** `~/.claude/projects/<folder, every non-alphanumeric as ->/…` (docs/format-sources.md). */
export const claudeStore: LogStore = {
  roots: (system) => [
    below(system, folderIn(system, 'CLAUDE_CONFIG_DIR') ?? below(system, system.home, '.claude'), 'projects')
  ],
  // <project>/<session>/subagents/workflows/<run>/agent-<id>.jsonl
  depth: 5,
  mayBeLog: (path) => path.endsWith('.jsonl') && !path.includes('/tool-results/'),
  // In 2.0 they are beside the session's file, and only their records name it.
  parentOf: (path) => /^(?:.*\/)?([^/]+)\/subagents\/(?:.*\/)?agent-[^/]+\.jsonl$/s.exec(path)?.[1] ?? null,
  resume: (sessionId) => ['claude', '--resume', sessionId]
}
