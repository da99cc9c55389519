import { isBlank } from '../lines/blank.ts'
import { atif } from './atif/trajectory.ts'
import { claudeStreamJson } from './claude/stream-json.ts'
import { claudeTranscript } from './claude/transcript.ts'
import { codexAppServer } from './codex/app-server.ts'
import { codexExecJson } from './codex/exec-json.ts'
import { codexRollout } from './codex/rollout.ts'
import { crush } from './crush/crush.ts'
import { cursorChat } from './cursor/chat.ts'
import { cursorStreamJson } from './cursor/stream-json.ts'
import { cursorTranscript } from './cursor/transcript.ts'
import { geminiChat } from './gemini/chat.ts'
import { copilot } from './copilot/copilot.ts'
import { pi, openclaw } from './pi/pi.ts'
import { qwen } from './qwen/qwen.ts'
import { droid } from './droid/droid.ts'
import { amp } from './amp/amp.ts'
import { iflow } from './iflow/iflow.ts'
import { trae } from './trae/trae.ts'
import { kimi } from './kimi/kimi.ts'
import { goose } from './goose/goose.ts'
import { openhands } from './openhands/openhands.ts'
import { sweAgent } from './swe-agent/swe-agent.ts'
import { miniSweAgent } from './swe-agent/mini-swe-agent.ts'
import { type Claimant, type Evidence, weigh } from './evidence.ts'
import { geminiStreamJson } from './gemini/stream-json.ts'
import { headBytes, isJsonSoFar } from './head.ts'
import type { Head, LogFormat } from './log-format.ts'
import { type Lookalike, lookalikes } from './lookalikes.ts'
import { opencode } from './opencode/opencode.ts'
import { normalized } from './normalized.ts'

/** All supported formats. The order has no meaning. */
export const logFormats: readonly LogFormat[] = [
  claudeStreamJson,
  claudeTranscript,
  codexExecJson,
  codexAppServer,
  codexRollout,
  geminiStreamJson,
  geminiChat,
  cursorStreamJson,
  cursorTranscript,
  atif,
  opencode,
  copilot,
  pi,
  openclaw,
  qwen,
  droid,
  amp,
  iflow,
  trae,
  kimi,
  openhands,
  sweAgent,
  miniSweAgent,
  crush,
  goose,
  cursorChat,
  normalized
]

/** Undefined if this version does not read the format. */
export function formatById(id: string): LogFormat | undefined {
  return logFormats.find((format) => format.id === id)
}

/** The format of a log, or why none was detected, a sentence for the user. */
export function detectFormat(head: Head): Detected {
  const [first, second] = weigh<LogFormat | Lookalike>(head, claimants)
  if (first === undefined) return { format: null, reason: whyUnknown(head) }
  const mixed = second !== undefined && isMixed(first, second) ? second.claimant : undefined
  if ('decode' in first.claimant) return { format: first.claimant, note: mixed === undefined ? null : mixedNote(mixed) }
  const among = mixed === undefined ? '' : `, mixed with records of ${nameOf(mixed)}`
  return { format: null, reason: `This looks like ${first.claimant.name}${among}, which is not supported.` }
}

/** `note`: a remark on a detected log. */
export type Detected =
  { readonly format: LogFormat; readonly note: string | null } | { readonly format: null; readonly reason: string }

/** Of equals the first wins: the own export precedes what it quotes. */
const claimants: readonly (LogFormat | Lookalike)[] = [...new Set([normalized, ...logFormats, ...lookalikes])]

/** One foreign line is ignored, unless the other evidence is small. */
function isMixed(first: Evidence<Claimant>, second: Evidence<Claimant>): boolean {
  return second.conclusive > 1 || (second.conclusive === 1 && second.weight * 2 >= first.weight)
}

function mixedNote(other: LogFormat | Lookalike): string {
  return `this log is mixed: it also contains records of ${nameOf(other)}`
}

function nameOf(claimant: LogFormat | Lookalike): string {
  return 'decode' in claimant ? `another format (${claimant.title})` : claimant.name
}

function whyUnknown({ text, records, framing, cut }: Head): string {
  if (text === '') return 'The file is empty.'
  if (isBlank(text)) return 'The file contains only white space.'
  if (records.length > 0) {
    return framing === 'document'
      ? 'This JSON document is in none of the supported formats.'
      : 'The file contains JSON, but in none of the supported formats.'
  }
  if (text.startsWith('SQLite format 3\0')) return 'This is a binary file, not a log: an SQLite database.'
  if (text.includes('\0') || text.includes('\uFFFD')) return 'This is a binary file, not a log.'
  if (isJsonSoFar(cut)) {
    return `The file begins with a JSON value longer than ${headBytes / 1024} KiB, in none of the supported formats.`
  }
  return 'No line at the start of the file is JSON, so this is not a supported log.'
}
