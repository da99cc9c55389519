import { isJsonObject, type JsonObject } from '../json.ts'
import { isBlank } from '../lines/blank.ts'
import { claudeStreamJson } from './claude/stream-json.ts'
import { claudeTranscript } from './claude/transcript.ts'
import { codexExecJson } from './codex/exec-json.ts'
import { codexRollout } from './codex/rollout.ts'
import { cursorStreamJson } from './cursor/stream-json.ts'
import { geminiChat } from './gemini/chat.ts'
import { geminiStreamJson } from './gemini/stream-json.ts'
import type { Head, LogFormat } from './log-format.ts'
import { type Lookalike, lookalikes } from './lookalikes.ts'
import { normalized } from './normalized.ts'

/** Every format this version reads. Adding one is one line here. The order means nothing: ranks decide. */
export const logFormats: readonly LogFormat[] = [
  claudeStreamJson,
  claudeTranscript,
  codexExecJson,
  codexRollout,
  geminiStreamJson,
  geminiChat,
  cursorStreamJson,
  normalized
]

/** The format of this id, or undefined when this version does not read it. */
export function formatById(id: string): LogFormat | undefined {
  return logFormats.find((format) => format.id === id)
}

/** The one format that claims the log, or why none does, in a sentence for people. */
export function detectFormat(head: Head): { format: LogFormat } | { format: null; reason: string } {
  const claimant = claimantOf(head)
  if (claimant === undefined) return { format: null, reason: whyUnknown(head) }
  return 'decode' in claimant
    ? { format: claimant }
    : { format: null, reason: `This looks like ${claimant.name}, which this version does not read.` }
}

type Claimant = LogFormat | Lookalike

const claimants: readonly Claimant[] = [...logFormats, ...lookalikes]

function claimantOf(head: Head): Claimant | undefined {
  return byRecord(head, false) ?? byText(head.text) ?? byRecord(head, true)
}

/** The first record for which a rule holds decides. */
function byRecord(head: Head, weak: boolean): Claimant | undefined {
  for (const record of head.records) {
    const claimant = isJsonObject(record) ? strongest(record, weak) : undefined
    if (claimant !== undefined) return claimant
  }
  return undefined
}

function strongest(record: JsonObject, weak: boolean): Claimant | undefined {
  let best: { claimant: Claimant; rank: number } | undefined
  for (const claimant of claimants) {
    for (const sign of claimant.signs) {
      if ((sign.weak ?? false) !== weak || (best !== undefined && best.rank <= sign.rank)) continue
      if (sign.holds(record)) best = { claimant, rank: sign.rank }
    }
  }
  return best?.claimant
}

function byText(text: string): Claimant | undefined {
  let best: { claimant: Claimant; rank: number } | undefined
  for (const claimant of logFormats) {
    for (const sign of claimant.textSigns ?? []) {
      if ((best === undefined || sign.rank < best.rank) && sign.holds(text)) best = { claimant, rank: sign.rank }
    }
  }
  return best?.claimant
}

function whyUnknown(head: Head): string {
  if (head.text === '') return 'The file is empty.'
  if (isBlank(head.text)) return 'The file holds nothing but white space.'
  if (head.records.length === 0) {
    const binary = head.text.includes('\0') || head.text.includes('\uFFFD')
    return binary
      ? 'This is a binary file, not a log.'
      : 'No line at the start of the file is JSON, so this is not a log Playhead knows.'
  }
  const titles = logFormats.map((candidate) => candidate.title).join(', ')
  return `The file has JSON in it, but in none of the formats this version reads: ${titles}.`
}
