import { withoutTerminalSequences } from '../index/terminal-sequences.ts'

/**
 * Text of a log as Markdown. The output is rebuilt: every character with a meaning in Markdown or HTML is escaped, and
 * only code, bold words, lists and links are written as markup. So a log cannot inject markup or end its container.
 */

/** Invisible characters and those that reorder text; not tabs and line feeds. */
const unseen = /[^\P{Cc}\t\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu

/** Removes terminal sequences, unifies line ends, and shows invisible characters: `␀`, `⟨U+202E⟩`. */
export function readable(text: string): string {
  return withoutTerminalSequences(text)
    .replace(/\r\n?/g, '\n')
    .replace(unseen, (character) => pictureOf(character.codePointAt(0) ?? 0))
}

function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/**
 * One line of plain text, inside a line. For code see `codeSpan`. Addresses are links: most viewers make them links
 * anyway, and would keep the backslash of `/\_next` in the address.
 */
export function escaped(line: string): string {
  const pieces = readable(line).replace(/\s+/g, ' ').split(addresses)
  return pieces.map((piece, i) => (i % 2 === 0 ? escapedSigns(piece) : `<${piece}>`)).join('')
}

/** Without the punctuation after them. */
const addresses = /(https?:\/\/[\w.:/?#@%+,=&;~-]{3,500}(?<![.,:;]))/

/** Escapes all characters that have a meaning in Markdown or HTML. */
function escapedSigns(line: string): string {
  return line
    .replace(/[\\`*[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, '\\$&')
    .replace(/[<>]|&(?=#?[A-Za-z0-9])|!(?=\\\[|$)/g, (sign) => entities[sign] ?? sign)
}

/** Entities, where a backslash could become part of an address before it. */
const entities: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '!': '&#33;' }

/** As `escaped`, at the start of a line, where a sign or number can begin a block, and `:-` makes the line before it a table. */
export function escapedStart(line: string): string {
  return escaped(line).replace(/^(\s*)(?:([#=+-]|:(?=-))|(\d{1,9})(?=[.)]))/, '$1$3\\$2')
}

/** One line of code, in enough backticks. */
export function codeSpan(line: string): string {
  const code = readable(line).replace(/\s+/g, ' ').trim()
  if (code === '') return ''
  const ticks = '`'.repeat(longestRun(code, '`') + 1)
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${code}${space}${ticks}`
}

/** A code block of any text. `language`: used if it is a plain word. */
export function fenced(text: string, language = ''): string[] {
  const code = readable(text)
  const fence = '`'.repeat(Math.max(3, longestRun(code, '`') + 1))
  const word = /^[A-Za-z][\w+-]{0,19}$/.test(language) ? language : ''
  return [`${fence}${word}`, ...(code === '' ? [] : code.replace(/\n$/, '').split('\n')), fence]
}

function longestRun(text: string, sign: string): number {
  let longest = 0
  let run = 0
  for (const char of text) {
    run = char === sign ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}

/**
 * `cells`: Markdown. A bar ends a cell, even in code, unless an odd number of backslashes precedes it. Viewers remove the
 * last one.
 */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replace(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|')).join(' | ')} |`
}

/** One line of code for a cell. A table cannot show `\|` in code (`grep 'a\|b'`), so such code is written as text. */
export function codeCell(line: string): string {
  const code = codeSpan(line)
  return /(?<!\\)\\(?:\\\\)*\|/.test(code) ? escaped(line).trim() : code
}

const fenceStart = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/
const listItem = /^(\s{0,24})([-*+]|\d{1,4}[.)])\s+(\S.*)$/
const heading = /^ {0,3}#{1,6}\s(.*)$/

/** Rewrites Markdown of agents and users: paragraphs, lists, code blocks; headings become bold lines. */
export function proseLines(text: string): string[] {
  const lines = readable(text).trim().split('\n')
  const written: string[] = []
  let depth = -1
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = fenceStart.exec(line)
    if (fence?.[1] !== undefined) {
      const end = endOfFence(lines, at + 1, fence[1])
      for (const code of ['', ...fenced(lines.slice(at + 1, end).join('\n'), fence[2]), '']) written.push(code)
      at = end
      depth = -1
      continue
    }
    if (isTableLine(line)) {
      let end = at + 1
      while (end < lines.length && isTableLine(lines[end] ?? '')) end++
      for (const code of ['', ...fenced(lines.slice(at, end).join('\n')), '']) written.push(code)
      at = end - 1
      continue
    }
    const item = listItem.exec(line)
    if (item !== null) {
      const [, indent = '', mark = '-', rest = ''] = item
      depth = Math.min(Math.floor(indent.length / 2), depth + 1, 5)
      written.push(`${'   '.repeat(depth)}${/\d/.test(mark) ? mark : '-'} ${inline(rest)}`)
      continue
    }
    if (line.trim() !== '') {
      const isOn = /^\s/.test(line) && depth >= 0
      if (!isOn) depth = -1
      const title = titleOf(line)
      // Keeps line ends of the text.
      const isFollowed = (lines[at + 1] ?? '').trim() !== '' && title === undefined
      written.push(
        `${isOn ? '   '.repeat(depth + 1) : ''}${title === undefined ? inline(line.trim()) : `**${escaped(title)}**`}${isFollowed ? '  ' : ''}`
      )
      if (title !== undefined) written.push('')
    } else written.push('')
  }
  return withoutDoubleBlanks(written)
}

/** The text of a heading, without closing `#`. */
function titleOf(line: string): string | undefined {
  const [, rest = ''] = heading.exec(line) ?? []
  let end = rest.length
  while (rest.charAt(end - 1) === '#') end--
  return rest.slice(0, end).trim() || undefined
}

function isTableLine(line: string): boolean {
  return /^\s{0,8}\|.*\|\s*$/.test(line)
}

function endOfFence(lines: readonly string[], from: number, fence: string): number {
  const sign = fence.charAt(0)
  for (let at = from; at < lines.length; at++) {
    const closing = (lines[at] ?? '').trim()
    if (closing.length >= fence.length && closing === sign.repeat(closing.length)) return at
  }
  return lines.length
}

/** Trims blank lines and joins consecutive ones, except in code. */
export function withoutDoubleBlanks(lines: readonly string[]): string[] {
  const kept: string[] = []
  let fence: string | null = null
  for (const line of lines) {
    if (line === '' && fence === null && (kept.length === 0 || kept.at(-1) === '')) continue
    kept.push(line)
    const [, ticks] = /^[\s>]*(`{3,})/.exec(line) ?? []
    if (fence === null) fence = ticks ?? null
    else if (ticks === fence && line.endsWith(fence)) fence = null
  }
  while (kept.at(-1) === '') kept.pop()
  return kept
}

/** Blank code is text: nothing would be left of it, and what follows it would be at the start of the line. */
const inlineMarkup =
  /(`{1,3})(?=\s{0,399}[^`\s])([^`\n]{1,400})\1(?!`)|\*\*([^*\s](?:[^*\n]{0,300}[^*\s])?)\*\*|\[([^[\]\n]{1,200})\]\((https?:\/\/[^\s()<>[\]\\"'`|]{1,500})\)/g

/** The last word contains the start of an address, of at most four characters. */
const openAddress = /(?<!\S)(?:[^\s@:w]|:(?!\/\/)|w(?!ww\.))*(?:@|:\/\/|www\.)\S*$/i
const addressSign = 4

/** A line with its code, bold words and links (http and https only). Linear in its length. */
function inline(line: string): string {
  const written: string[] = []
  let from = 0
  /** The end of the output: all but the last character of an address start. */
  let end = ''
  /** Whether the output ends in an address that further text would extend. */
  let inAddress = false
  const write = (piece: string): void => {
    const text = end + piece
    inAddress = openAddress.test(text) || (inAddress && !/\s/.test(piece))
    end = text.slice(1 - addressSign)
    written.push(piece)
  }
  const text = (to?: number): string => (from === 0 ? escapedStart : escaped)(line.slice(from, to))
  for (const found of line.matchAll(inlineMarkup)) {
    const [whole, , code, bold, words, target] = found
    if (found.index > 0) write(text(found.index))
    // A space, as the address would extend into the code.
    if (code !== undefined) write(`${inAddress ? ' ' : ''}${codeSpan(code)}`)
    else if (bold !== undefined) write(`**${escaped(bold)}**`)
    else write(`[${escapedSigns(words ?? '')}](<${target}>)`)
    from = found.index + whole.length
  }
  if (from < line.length) written.push(text())
  return written.join('')
}
