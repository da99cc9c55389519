import { isBlank } from '../lines/blank.ts'
import type { JsonValue } from '../json.ts'
import { claudeStreamJson } from './claude/stream-json.ts'
import { claudeTranscript } from './claude/transcript.ts'
import { parseJson } from './json-text.ts'
import type { Head, LogFormat } from './log-format.ts'
import { normalized } from './normalized.ts'
import { signatureOf } from './signature.ts'

/** Every format this version reads. Adding one is one line here. The order means nothing: exactly one claims a log. */
export const logFormats: readonly LogFormat[] = [claudeStreamJson, claudeTranscript, normalized]

/** The format of this id, or undefined when this version does not read it. */
export function formatById(id: string): LogFormat | undefined {
  return logFormats.find((format) => format.id === id)
}

/** How much of a log is looked at to tell its format. */
export const headBytes = 64 * 1024

/** The head of a log: `bytes` are its first bytes, as many as there are or at least `headBytes`. */
export function headOf(name: string, bytes: Uint8Array): Head {
  const text = new TextDecoder().decode(bytes.subarray(0, headBytes))
  const records: JsonValue[] = []
  for (const line of text.split('\n')) {
    // A last line that the head cuts off is no JSON, so it drops out here as well.
    const parsed = parseJson(line)
    if (parsed.ok) records.push(parsed.value)
  }
  return { name, text, records }
}

/** The one format that claims the log, or why none does, in a sentence for people. */
export function detectFormat(head: Head): { format: LogFormat } | { format: null; reason: string } {
  const format = logFormats.find((candidate) => candidate.sniff(head))
  return format === undefined ? { format: null, reason: whyUnknown(head) } : { format }
}

function whyUnknown(head: Head): string {
  if (head.text === '') return 'The file is empty.'
  if (isBlank(head.text)) return 'The file holds nothing but white space.'
  const signature = signatureOf(head)
  if (signature !== undefined) return `This looks like ${signature.name}, which this version does not read yet.`
  if (head.records.length === 0) {
    const binary = head.text.includes('\0') || head.text.includes('\uFFFD')
    return binary
      ? 'This is a binary file, not a log.'
      : 'No line at the start of the file is JSON, so this is not a log Playhead knows.'
  }
  const titles = logFormats.map((candidate) => candidate.title).join(', ')
  return `The file is JSON, but none of the formats this version reads: ${titles}.`
}
