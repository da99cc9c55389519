import { type JsonObject, objectAt, stringAt } from '../../json.ts'
import { codexRollout } from '../codex/rollout.ts'
import type { RolloutDecoded } from '../codex/rollout-decoded.ts'
import type { LogFormat } from '../log-format.ts'
import { below } from '../store-folders.ts'

/** The sessions of Trae CLI, which is built on Codex and writes the same records: docs/formats/trae.md. */
export const trae: LogFormat<RolloutDecoded> = {
  ...codexRollout,
  id: 'trae',
  title: 'Trae session',
  agentType: 'trae',
  imitates: ['codex-rollout'],
  detectors: [{ strength: 'conclusive', holds: isTraeHead }],
  textDetectors: [
    {
      strength: 'conclusive',
      holds: (text) => /"session_meta"/.test(text) && /"model_provider"\s*:\s*"trae/i.test(text)
    }
  ],
  store: {
    roots: (system) => [below(system, system.home, '.trae', 'cli', 'sessions')],
    depth: 3,
    mayBeLog: (path) => /(?:^|\/)rollout-[^/]+\.jsonl$/.test(path)
  }
}

/** The name of the provider is all that differs. */
function isTraeHead(r: JsonObject): boolean {
  if (r['type'] !== 'session_meta' && r['type'] !== 'turn_context') return false
  return /^trae/i.test(stringAt(objectAt(r, 'payload') ?? {}, 'model_provider') ?? '')
}
