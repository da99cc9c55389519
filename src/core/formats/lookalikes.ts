import { isJsonObject, objectAt, stringAt } from '../json.ts'
import type { Sign } from './log-format.ts'

/** A program whose logs resemble one of the formats this version reads, and are told apart to be refused by name (formats.md 11). */
export interface Lookalike {
  /** As a person would call its log. */
  readonly name: string
  readonly signs: readonly Sign[]
}

/** Before all rules of the formats they imitate. */
const rank = 0.5

export const lookalikes: readonly Lookalike[] = [
  {
    name: 'an opencode log',
    signs: [{ rank, holds: (r) => stringAt(r, 'sessionID') !== undefined && stringAt(r, 'type') !== undefined }]
  },
  {
    name: 'a Copilot CLI log',
    signs: [{ rank, holds: (r) => /\./.test(stringAt(r, 'type') ?? '') && isJsonObject(r['data']) && 'parentId' in r }]
  },
  {
    name: 'a Factory Droid log',
    signs: [{ rank, holds: (r) => stringAt(r, 'session_id') !== undefined && typeof r['timestamp'] === 'number' }]
  },
  {
    name: 'an Amp log',
    signs: [{ rank, holds: (r) => /^T-[0-9a-f]{8}-/.test(stringAt(r, 'session_id') ?? '') }]
  },
  {
    name: 'a Qwen Code log',
    signs: [
      { rank, holds: (r) => 'qwen_code_version' in r },
      { rank, holds: (r) => r['type'] === 'system' && r['subtype'] === 'session_start' },
      { rank, holds: (r) => 'parentUuid' in r && Array.isArray(objectAt(r, 'message')?.['parts']) },
      {
        rank,
        holds: (r) => 'parentUuid' in r && (r['subtype'] === 'ui_telemetry' || r['subtype'] === 'chat_compression')
      }
    ]
  }
]
