import { withoutTerminalSequences } from '../index/terminal-sequences.ts'
import { fencedCodeAt } from '../markdown/fenced-code.ts'

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

/** One line of plain text, inside a line. For code see `codeSpan`. Whole addresses are links, as in most viewers. */
export function escaped(line: string): string {
  const pieces = readable(line).replace(/\s+/g, ' ').split(addresses)
  return pieces.map((piece, i) => (i % 2 === 0 ? escapedSigns(piece) : `<${piece}>`)).join('')
}

/** Without the punctuation after them, and without references: viewers differ on `&lt;` in an address. */
const addresses = /(https?:\/\/[\w.:/?#@%+,=&~-]{3,500}(?<![.,:]))/

/** Escapes all characters that have a meaning in Markdown or HTML, also those that make an address: it would keep escapes. */
function escapedSigns(line: string): string {
  return line
    .replace(/[\\`*[\]|~$@]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|:(?=\/\/)|(?<=www)\./gi, '\\$&')
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

const listItem = /^(\s{0,24})([-*+]|\d{1,4}[.)])\s+(\S.*)$/
const heading = /^ {0,3}#{1,6}\s(.*)$/

/** Rewrites Markdown of agents and users: paragraphs, lists, code blocks; headings become bold lines. Keeps every word. */
export function proseLines(text: string): string[] {
  const prose = readable(text).trim()
  const written: string[] = []
  const lists = new OpenLists()
  const block = (lines: readonly string[]): void => {
    for (const line of ['', ...lines, '']) written.push(line)
    lists.end()
  }
  for (let at = 0; at < prose.length;) {
    const code = fencedCodeAt(prose, at)
    if (code !== null) {
      block(codeLines(code.info, prose.slice(code.from, code.to)))
      at = code.end
      continue
    }
    const end = lineEnd(prose, at)
    const line = prose.slice(at, end)
    if (isTableLine(line)) {
      let tableEnd = end
      for (let next = end + 1; next < prose.length && isTableLine(prose.slice(next, lineEnd(prose, next)));) {
        tableEnd = lineEnd(prose, next)
        next = tableEnd + 1
      }
      block(fenced(prose.slice(at, tableEnd)))
      at = tableEnd + 1
      continue
    }
    at = end + 1
    const item = listItem.exec(line)
    const title = titleOf(line)
    if (item !== null) {
      const [, indent = '', mark = '-', rest = ''] = item
      const { depth } = lists
      const start = lists.item(Math.floor(indent.length / 2), mark)
      // Viewers number a list by its first item. A number of its own is text.
      if (start === null) block([escapedStart(`${mark} `).trimEnd() + ' ' + inline(rest)])
      else {
        // Right after a line of text, only a list from 1 begins.
        if (lists.depth > depth && /^\d/.test(mark) && !/^1\D/.test(mark)) written.push('')
        written.push(start + inline(rest))
      }
    } else if (title !== undefined) block([`**${escaped(title)}**`])
    else if (line.trim() === '') written.push('')
    else {
      if (!/^\s/.test(line) && written.at(-1) === '') lists.end()
      // Keeps line ends of the text. Viewers differ on a line of an item that is not indented.
      const isFollowed = prose.slice(at, lineEnd(prose, at)).trim() !== ''
      written.push(`${lists.indent}${inline(line.trim())}${isFollowed ? '  ' : ''}`)
    }
  }
  return withoutDoubleBlanks(written)
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** The words behind a fence are text: viewers show at most the color of a language. */
function codeLines(info: string, code: string): string[] {
  const said = info === '' ? [] : [/\s/.test(info) ? escapedStart(info) : codeSpan(info)]
  if (info !== '' && code.trim() === '') return said
  return [...said, ...(info === '' ? [] : ['']), ...fenced(code, /^\S*/.exec(info)?.[0])]
}

/** The lists that a line may continue, outer ones first. */
class OpenLists {
  /** Of each list, where its items' texts begin, and the last number; null: bullets. */
  readonly #lists: { readonly indent: number; readonly number: number | null }[] = []

  get depth(): number {
    return this.#lists.length
  }

  /** Where further lines of the last item begin. */
  get indent(): string {
    return ' '.repeat(this.#lists.at(-1)?.indent ?? 0)
  }

  /** The start of an item; null: viewers would change its number, as of `01.`. `depth`: as written; at most one more than before. */
  item(depth: number, mark: string): string | null {
    const level = Math.min(depth, this.#lists.length, 5)
    const before = this.#lists[level]
    const number = /\d/.test(mark) ? parseInt(mark, 10) : null
    this.#lists.length = level
    if (number !== null && !mark.startsWith(String(number))) return null
    if (number !== null && typeof before?.number === 'number' && number !== before.number + 1) return null
    const outer = this.indent
    const shown = number === null ? '-' : mark
    this.#lists.push({ indent: outer.length + Math.max(3, shown.length + 1), number })
    return `${outer}${shown} `
  }

  end(): void {
    this.#lists.length = 0
  }
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

/** A line with its code, bold words and links (http and https only). Linear in its length. */
function inline(line: string): string {
  let written = ''
  const plain = (words: string): string => (written === '' ? escapedStart : escaped)(words)
  let from = 0
  for (const found of line.matchAll(inlineMarkup)) {
    const [whole, , code, bold, words = '', target] = found
    if (found.index > from) written += plain(line.slice(from, found.index))
    if (code !== undefined) written += codeSpan(code)
    else if (bold !== undefined) written += `**${escaped(bold)}**`
    // With its address, which viewers would hide.
    else written += words === target ? `<${target}>` : `${plain(words)} (<${target}>)`
    from = found.index + whole.length
  }
  return from < line.length ? written + plain(line.slice(from)) : written
}
