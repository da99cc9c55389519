import { open } from 'node:fs/promises'
import { withoutTerminalSequences } from '#core/index/terminal-sequences.ts'
import { isOfInspected, withoutInspected } from './inspected-values.ts'

const lastBytes = 8192
const maxLines = 3
const maxCharacters = 500

/** The last lines of standard error in one line, without those that appear in every run; empty: nothing is left. */
export async function stderrTail(file: string, ignoredLines: readonly string[] = []): Promise<string> {
  const lines = withoutInspected(await endOf(file))
    .split(/[\r\n]+/)
    .map((line) =>
      withoutTerminalSequences(line)
        .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
        .trim()
        // The end of an object whose beginning is not there.
        .replace(/^[}\])]+,? /, '')
    )
    .filter((line) => line !== '' && !ignoredLines.includes(line) && !isOfTrace(line) && !isOfInspected(line))
  const words = lines.slice(-maxLines).join(' / ')
  return words.length > maxCharacters ? `… ${words.slice(-maxCharacters)}` : words
}

/** Messages of libc, which Rust programs and shells print, of Node, and of Windows. */
export const diskFullWords =
  /\bENOSPC\b|\bEDQUOT\b|no space left on device|disk quota exceeded|there is not enough space on the disk/i

/** Whether the end of standard error contains the words. */
export async function stderrSays(file: string, words: RegExp): Promise<boolean> {
  return words.test(await endOf(file, 1 << 16))
}

/** Lines that Node prints around an error: stack, marker, version. */
function isOfTrace(line: string): boolean {
  return /^at .+:\d+:\d+\)?$|^at .*<anonymous>\)?$|^\^+$|^Node\.js v\d/.test(line)
}

/** Starts at a whole line, unless the last one alone is too long. */
async function endOf(path: string, maxBytes = lastBytes): Promise<string> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const from = Math.max(0, size - maxBytes)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
      const text = buffer.subarray(0, bytesRead).toString('utf8')
      const firstEnd = text.trimEnd().indexOf('\n')
      return from === 0 || firstEnd < 0 ? text : text.slice(firstEnd + 1)
    } finally {
      await file.close()
    }
  } catch {
    return ''
  }
}
