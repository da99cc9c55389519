import { isJsonObject, stated, stringAt } from '../../json.ts'
import { parseJson } from '../json-text.ts'
import type { LogStore } from '../log-store.ts'
import { below } from '../store-folders.ts'

/** `~/.factory/sessions/<folder>/<id>.jsonl`, with `<id>.settings.json` (docs/formats/factory-droid.md#where-sessions-are). */
export const droidStore: LogStore = {
  roots: (system) => [below(system, system.home, '.factory', 'sessions')],
  depth: 1,
  mayBeLog: (path) => path.endsWith('.jsonl'),
  sessionOf: (path) => /([^/]+)\.jsonl$/.exec(path)?.[1] ?? null,
  companion: {
    fileOf: (path) => path.replace(/\.jsonl$/, '.settings.json'),
    facts: (text) => {
      const parsed = parseJson(text)
      return parsed.ok && isJsonObject(parsed.value) ? stated({ model: stringAt(parsed.value, 'model') }) : {}
    }
  },
  resume: (sessionId) => ['droid', '--resume', sessionId]
}
