import type { LogStore } from '../log-store.ts'
import { below, folderIn } from '../store-folders.ts'

/** `~/.kimi/sessions/<folder>/<session>/wire.jsonl` (docs/formats/kimi-cli.md#where-sessions-are). */
export const kimiStore: LogStore = {
  roots: (system) => [
    below(system, folderIn(system, 'KIMI_SHARE_DIR') ?? below(system, system.home, '.kimi'), 'sessions'),
    below(system, folderIn(system, 'KIMI_CODE_HOME') ?? below(system, system.home, '.kimi-code'), 'sessions')
  ],
  // <folder>/<session>/agents/<agent>/wire.jsonl
  depth: 4,
  mayBeLog: (path) => /^[^/]+\/[^/]+\/(?:agents\/[^/]+\/)?wire\.jsonl$/.test(path),
  parentOf: (path) => {
    const [, session, agent] = /(?:^|\/)([^/]+)\/agents\/([^/]+)\/wire\.jsonl$/.exec(path) ?? []
    return session === undefined || agent === 'main' ? null : session
  },
  sessionOf: (path) => {
    const [, session, agent] = /([^/]+)\/(?:agents\/([^/]+)\/)?wire\.jsonl$/.exec(path) ?? []
    if (session === undefined) return null
    return agent === undefined || agent === 'main' ? session : `${session}/${agent}`
  },
  resume: (sessionId) => ['kimi', '--session', sessionId]
}
