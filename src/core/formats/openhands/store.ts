import type { LogStore } from '../log-store.ts'
import { fileNameOf, type MainFile, type RunSearch } from '../run-search.ts'
import { below } from '../store-folders.ts'

/** The first event of a conversation: `0.json`, later `event-00000-<id>.json`. */
const first = /^(?:0|event-0+-[^/]*)\.json$/
const anEvent = /^(?:\d+|event-\d+-[^/]*)\.json$/

/** `~/.openhands/conversations/<session>/events/<event>.json` (docs/formats/openhands.md#each-event-is-a-file). */
export const openhandsStore: LogStore = {
  roots: (system) => ['conversations', 'sessions'].map((folder) => below(system, system.home, '.openhands', folder)),
  depth: 2,
  mayBeLog: (path) => /^[^/]+\/events\/[^/]+$/.test(path) && first.test(fileNameOf(path)),
  sessionOf: (path) => /([^/]+)\/events\/[^/]+\.json$/.exec(path)?.[1] ?? null,
  resume: (sessionId) => ['openhands', '--resume', sessionId]
}

/** The other events of the conversation. */
export function openhandsRunFiles(main: MainFile): RunSearch | null {
  if (!first.test(main.name) || main.folders.at(-1) !== 'events') return null
  const key = main.folders.at(-2) ?? 'events'
  return {
    key,
    folders: [{ path: '', depth: 0 }],
    mayBelong: (path) => anEvent.test(fileNameOf(path)),
    linkOf: ({ path, records }) => (records.length === 0 ? null : { key: path, parent: key })
  }
}
