import { objectAt, stringAt } from '../../json.ts'
import type { Decoded, LogFormat, Sign } from '../log-format.ts'

const nothing: Decoded = { drafts: [], issues: [] }

const types = new Set([
  ...['thread.started', 'turn.started', 'turn.completed', 'turn.failed'],
  ...['item.started', 'item.updated', 'item.completed']
])

const signs: readonly Sign[] = [
  { rank: 5, holds: (r) => types.has(stringAt(r, 'type') ?? '') },
  {
    rank: 14,
    holds: (r) => stringAt(objectAt(r, 'msg') ?? {}, 'type') !== undefined && stringAt(r, 'id') !== undefined
  }
]

/** To be read; its logs are recognised. */
export const codexExecJson: LogFormat = {
  id: 'codex-exec-json',
  title: 'Codex exec --json',
  agentType: 'openai-codex',
  signs,
  decode: () => nothing,
  decodeMalformed: (_text, issue) => ({ drafts: [], issues: [issue] }),
  createFold: () => ({
    add: () => ({ events: [], issues: [] }),
    end: () => ({ events: [], issues: [] })
  })
}
