import { diffLines, textLines } from '../tools/line-diff.ts'

/** Lines of context of a hunk. */
const context = 3

/** A part of a patch in the form of `git diff` for one file; empty if both sides are equal. Null: the file is not there. */
export function filePatch(path: string, before: string | null, after: string | null): string {
  if (before === after) return ''
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)]
  const head = [`diff --git ${a} ${b}`]
  if (before === null) head.push('new file mode 100644')
  if (after === null) head.push('deleted file mode 100644')
  const hunks = hunkLines(before ?? '', after ?? '')
  if (hunks.length > 0)
    head.push(`--- ${before === null ? '/dev/null' : withTab(a)}`, `+++ ${after === null ? '/dev/null' : withTab(b)}`)
  return [...head, ...hunks, ''].join('\n')
}

/** A name with a space ends with a tab. */
function withTab(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `${name}\t` : name
}

const escapes: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\'
}

/** A path as git writes it: in quotes, with octal bytes, where it has other characters. */
function quoted(path: string): string {
  if (/^[\u0020-\u007e]*$/.test(path) && !/["\\]/.test(path)) return path
  let text = ''
  for (const byte of new TextEncoder().encode(path)) {
    const character = String.fromCharCode(byte)
    if (escapes[character] !== undefined) text += escapes[character]
    else text += byte >= 0x20 && byte < 0x7f ? character : `\\${byte.toString(8).padStart(3, '0')}`
  }
  return `"${text}"`
}

interface PatchLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

function hunkLines(before: string, after: string): string[] {
  const [old, now] = [textLines(before), textLines(after)]
  // The last line without a line end is another line.
  const keyed = (lines: readonly string[], text: string) =>
    text !== '' && !text.endsWith('\n') ? lines.map((line, i) => (i === lines.length - 1 ? `${line}\n` : line)) : lines
  const lines: PatchLine[] = []
  const [keyedOld, keyedNow] = [keyed(old, before), keyed(now, after)]
  for (const { kind, before: from, beforeCount, after: to, afterCount } of diffLines(keyedOld, keyedNow).stretches) {
    if (kind === 'same') for (let i = 0; i < beforeCount; i++) lines.push({ sign: ' ', text: keyedOld[from + i] ?? '' })
    else {
      for (let i = 0; i < beforeCount; i++) lines.push({ sign: '-', text: keyedOld[from + i] ?? '' })
      for (let i = 0; i < afterCount; i++) lines.push({ sign: '+', text: keyedNow[to + i] ?? '' })
    }
  }
  const made: string[] = []
  for (const [from, to] of rangesOf(lines)) {
    const part = lines.slice(from, to)
    const above = lines.slice(0, from)
    const [oldFrom, newFrom] = [countOf(above, '+'), countOf(above, '-')]
    const [oldCount, newCount] = [countOf(part, '+'), countOf(part, '-')]
    made.push(`@@ -${rangeText(oldFrom, oldCount)} +${rangeText(newFrom, newCount)} @@`)
    for (const { sign, text } of part) {
      if (text.endsWith('\n')) made.push(`${sign}${text.slice(0, -1)}`, '\\ No newline at end of file')
      else made.push(`${sign}${text}`)
    }
  }
  return made
}

/** Lines that are not of a sign. */
function countOf(lines: readonly PatchLine[], without: '+' | '-'): number {
  let count = 0
  for (const { sign } of lines) if (sign !== without) count++
  return count
}

function rangeText(above: number, count: number): string {
  return count === 0 ? `${above},0` : `${above + 1},${count}`
}

/** Changed lines with their context, as ranges. */
function rangesOf(lines: readonly PatchLine[]): [from: number, to: number][] {
  const ranges: [number, number][] = []
  for (const [at, { sign }] of lines.entries()) {
    if (sign === ' ') continue
    const last = ranges.at(-1)
    if (last !== undefined && at - context <= last[1]) last[1] = Math.min(lines.length, at + context + 1)
    else ranges.push([Math.max(0, at - context), Math.min(lines.length, at + context + 1)])
  }
  return ranges
}
