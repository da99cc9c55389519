import type { FileChange } from '../formats/file-effect.ts'
import { fileLines } from '../formats/file-effect.ts'
import { diffLines } from '../tools/line-diff.ts'
import { type Hunk, hunksOf } from './hunks.ts'
import { textPlace } from './text-place.ts'

/** Who wrote a line, as a number: the `seq` of an event, `before`, or `outsideBefore(seq)`. */
export type LineAuthor = number
/** It was there before the first event about it. */
export const before: LineAuthor = -1
/** It came to be before event `seq`, and no event of the log tells how. */
export function outsideBefore(seq: number): LineAuthor {
  return -2 - seq
}
/** The event of `outsideBefore`; null for other authors. */
export function outsideEvent(author: LineAuthor): number | null {
  return author <= -2 ? -2 - author : null
}

/** Why a line is known, stored as an index. `derived`: its place or its text follows from an edit that was not exact. */
export const lineSources = ['seen', 'written', 'derived'] as const
export type LineSource = (typeof lineSources)[number]

/** A known line. */
export interface Line {
  readonly text: string
  readonly author: LineAuthor
  readonly source: LineSource
  /** The last event that tells that this line stands here. */
  readonly confirmed: number
}

/** A file with more characters or lines has no content here. */
export const maxCharacters = 4_000_000
export const maxFileLines = 100_000

/** Characters that the hunks of one patch are compared with; beyond it, their place counts as unknown. */
const maxCompared = 200_000_000

/** Blank lines that an agent may have cut from the start of an output. */
const maxCutLines = 3

/**
 * What is known of a file's content after some events. Every method is one event's effect. A line is known or it is not:
 * what may be wrong is forgotten, never guessed.
 */
export class FileContent {
  /** By line; null: not known. Ends at the last known line, or at the end of the file if `total` is known. */
  lines: (Line | null)[] = []
  /** Lines of the file; null: not known. */
  total: number | null = null
  deleted = false
  /** The last event that changed the file at an unknown place, or to an unknown content; null: none since all was known. */
  unplaced: number | null = null
  /** The content is larger than the limits. */
  tooLarge = false
  /** What is left of `maxCompared` for the patch that is placed. */
  private toCompare = maxCompared

  /** All lines are known. */
  get isFull(): boolean {
    return this.total !== null && this.total === this.lines.length && this.lines.every((line) => line !== null)
  }

  get knownLines(): number {
    let known = 0
    for (const line of this.lines) if (line !== null) known++
    return known
  }

  /** The whole text; null unless all is known. */
  get text(): string | null {
    return this.isFull ? this.lines.map((line) => line?.text ?? '').join('\n') : null
  }

  copy(): FileContent {
    const copy = new FileContent()
    copy.lines = [...this.lines]
    copy.total = this.total
    copy.deleted = this.deleted
    copy.unplaced = this.unplaced
    copy.tooLarge = this.tooLarge
    return copy
  }

  /** Applies an effect of event `seq`. `ofMoved`: the content of the file that a move takes, before the move. */
  apply(seq: number, change: FileChange, ofMoved: FileContent | null = null): void {
    switch (change.what) {
      case 'shown':
        return this.shown(seq, change)
      case 'confirmed':
        for (const [at, line] of this.lines.entries())
          if (line !== null) this.lines[at] = { ...line, confirmed: Math.max(seq, line.confirmed) }
        return
      case 'replaced':
        return this.replaced(seq, change)
      case 'written':
        return this.written(seq, change.text)
      case 'appended':
        return this.appended(seq, change.text)
      case 'patched':
        return this.patched(seq, hunksOf(change.hunks), change.numbered)
      case 'changed':
        return this.forget(seq)
      case 'deleted':
        this.forget(seq)
        this.deleted = true
        this.unplaced = null
        return
      case 'moved':
        return this.moved(seq, ofMoved)
      case 'named':
        return
    }
  }

  /** Nothing is known any more. `total`: if it still is. */
  private forget(seq: number | null, total: number | null = null): void {
    this.lines = total === null ? [] : new Array<null>(total).fill(null)
    this.total = total
    this.deleted = false
    this.tooLarge = false
    if (seq !== null) this.unplaced = seq
  }

  private isTooLarge(lines: readonly string[]): boolean {
    if (lines.length > maxFileLines) return true
    let characters = 0
    for (const line of lines) characters += line.length + 1
    return characters > maxCharacters
  }

  /** True if the content is beyond the limits, and dropped. */
  private drop(seq: number, lines: readonly string[]): boolean {
    if (!this.isTooLarge(lines)) return false
    this.forget(seq)
    this.tooLarge = true
    return true
  }

  // What was shown.

  private shown(seq: number, change: Extract<FileChange, { what: 'shown' }>): void {
    const { from, total } = change
    let { lines } = change
    let first = Math.max(1, from) - 1
    if (change.trimmed === true) {
      const whole = first === 0 && total !== null
      const fitted = whole ? this.fitWhole(lines) : { lines, first: this.fitPart(lines, first) }
      if (fitted.lines === null) return this.shown(seq, { what: 'shown', from, total, lines })
      ;({ lines, first } = fitted)
      if (whole) return this.shown(seq, { what: 'shown', from: 1, total: lines.length, lines })
    }
    if (first + lines.length > maxFileLines || this.drop(seq, lines)) {
      this.forget(seq)
      this.tooLarge = true
      return
    }
    const isNew = this.deleted || (this.knownLines === 0 && this.total === null)
    const isBefore = this.unplaced === null && !this.deleted
    this.deleted = false
    this.tooLarge = false
    if (isNew) {
      this.lines = []
      this.total = null
    }
    const size = total ?? this.total
    const fits =
      (total === null || this.total === null || total === this.total) &&
      (size === null || first + lines.length <= size) &&
      (total === null || this.lines.length <= total) &&
      lines.every((text, i) => (this.lines[first + i] ?? null) === null || this.lines[first + i]?.text === text)
    // What an unplaced edit wrote cannot be told from what was there before.
    const author = isBefore ? before : outsideBefore(seq)
    if (fits) {
      for (const [i, text] of lines.entries()) {
        const known = this.lines[first + i] ?? null
        this.put(first + i, { text, author: known?.author ?? author, source: 'seen', confirmed: seq })
      }
    } else {
      const old = this.lines
      this.lines = []
      this.total = null
      const shown = authored(old, first, lines, outsideBefore(seq))
      for (const [i, line] of shown.entries()) {
        this.put(first + i, { ...line, source: 'seen', confirmed: seq })
      }
    }
    this.setTotal(total ?? (fits ? this.total : null))
    if (this.isFull) this.unplaced = null
  }

  private put(at: number, line: Line | null): void {
    while (this.lines.length < at) this.lines.push(null)
    this.lines[at] = line
  }

  private setTotal(total: number | null): void {
    if (total !== null && total > maxFileLines) {
      this.total = null
      return
    }
    this.total = total
    if (total === null) return
    while (this.lines.length < total) this.lines.push(null)
    this.lines.length = total
  }

  /** The whole text of a command whose white space at both ends may be missing. */
  private fitWhole(lines: readonly string[]): { readonly lines: readonly string[] | null; readonly first: number } {
    const known = this.text
    const printed = lines.join('\n').trim()
    if (known !== null && printed !== '') {
      const plain = known.trim()
      // What a shell prints when it starts stands before the output.
      if (plain === printed || (plain !== '' && printed.endsWith(`\n${plain}`)))
        return { lines: fileLines(known), first: 0 }
    }
    return { lines: null, first: 0 }
  }

  /** The place of lines of an output without its first blank lines. */
  private fitPart(lines: readonly string[], first: number): number {
    for (let skipped = 0; skipped <= maxCutLines; skipped++) {
      const at = first + skipped
      const blank = this.lines.slice(first, at).every((line) => line !== null && line.text.trim() === '')
      if (!blank) break
      const known = lines.filter((_, i) => (this.lines[at + i] ?? null) !== null).length
      if (known > 0 && lines.every((text, i) => (this.lines[at + i]?.text ?? text) === text)) return at
    }
    return first
  }

  // What was written.

  private written(seq: number, text: string): void {
    const lines = fileLines(text)
    if (this.drop(seq, lines)) return
    const shown = authored(this.deleted ? [] : this.lines, 0, lines, seq)
    this.lines = shown.map((line) => ({ ...line, source: 'written', confirmed: seq }))
    this.total = lines.length
    this.deleted = false
    this.tooLarge = false
    this.unplaced = null
  }

  private appended(seq: number, text: string): void {
    if (this.deleted) return this.written(seq, text)
    // A file that nobody has spoken of may be new.
    if (this.total === null || this.tooLarge) {
      if (this.knownLines === 0) return this.forget(seq)
      // The last known line may be the last one of the file, which has grown.
      this.lines.pop()
      while (this.lines.length > 0 && this.lines.at(-1) === null) this.lines.pop()
      return
    }
    const last = this.lines[this.total - 1] ?? null
    const added = fileLines(text)
    const confirmed = last?.confirmed ?? seq
    const joined = last === null ? null : { ...last, text: last.text + (added[0] ?? '') }
    const isChanged = (added[0] ?? '') !== ''
    this.lines[this.total - 1] =
      joined === null
        ? null
        : { ...joined, author: isChanged ? seq : joined.author, source: isChanged ? 'written' : joined.source }
    for (const line of added.slice(1)) this.lines.push({ text: line, author: seq, source: 'written', confirmed })
    this.total = this.lines.length
    this.limit(seq)
  }

  private limit(seq: number): void {
    this.drop(
      seq,
      this.lines.map((line) => line?.text ?? '')
    )
  }

  private moved(seq: number, from: FileContent | null): void {
    if (from === null || from.deleted) return this.forget(seq)
    this.lines = [...from.lines]
    this.total = from.total
    this.deleted = false
    this.tooLarge = from.tooLarge
    this.unplaced = from.unplaced
  }

  // Replacing a text.

  private replaced(
    seq: number,
    { before: old, after, all, takesLineEnd }: Extract<FileChange, { what: 'replaced' }>
  ): void {
    const wanted = normalLineEnds(old)
    const next = normalLineEnds(after)
    if (wanted === '') return this.written(seq, next)
    if (this.deleted || this.tooLarge) return this.forget(seq)
    const takes = takesLineEnd === true && next === '' && !wanted.endsWith('\n')
    if (this.isFull) {
      const text = this.text ?? ''
      const withEnd = `${wanted}\n`
      const search = takes && textPlace(text, withEnd) >= 0 ? withEnd : wanted
      const at = textPlace(text, search)
      if (at < 0) return this.forget(seq, sameLines(wanted, next) ? this.total : null)
      if (all) return this.replaceAll(seq, text, search, next)
      return this.replaceIn(seq, 0, this.lines.length, text, at, search, next)
    }
    const shift = lineBreaks(next) - lineBreaks(wanted)
    if (all) return this.forget(seq, shift === 0 ? this.total : null)
    const found = this.onlyIn(wanted)
    if (found === null) return this.forget(seq, shift === 0 ? this.total : null)
    const { first, end, text, at } = found
    const search = takes && text.startsWith(`${wanted}\n`, at) ? `${wanted}\n` : wanted
    // The line end that is removed stands before a line that is not known.
    if (takes && search === wanted && at + wanted.length === text.length && end < (this.total ?? Infinity))
      return this.forget(seq)
    this.replaceIn(seq, first, end, text, at, search, next)
  }

  /** The only occurrence in a run of known lines; null if there is none, or several. */
  private onlyIn(wanted: string): { first: number; end: number; text: string; at: number } | null {
    let found: { first: number; end: number; text: string; at: number } | null = null
    for (const { first, end } of this.runs()) {
      const text = this.lines
        .slice(first, end)
        .map((line) => line?.text ?? '')
        .join('\n')
      const at = textPlace(text, wanted)
      if (at < 0) continue
      if (found !== null || textPlace(text, wanted, at + 1) >= 0) return null
      found = { first, end, text, at }
    }
    return found
  }

  /** Runs of known lines. */
  private *runs(): Iterable<{ first: number; end: number }> {
    for (let at = 0; at < this.lines.length; at++) {
      if (this.lines[at] === null) continue
      const first = at
      while (at < this.lines.length && this.lines[at] !== null) at++
      yield { first, end: at }
    }
  }

  private replaceAll(seq: number, text: string, search: string, next: string): void {
    const parts: string[] = []
    let [read, length] = [0, 0]
    for (let at = textPlace(text, search); at >= 0; at = textPlace(text, search, read)) {
      parts.push(text.slice(read, at))
      length += at - read + next.length
      read = at + search.length
      // What is too large is not built first.
      if (length > maxCharacters) break
    }
    if (length > maxCharacters) {
      this.forget(seq)
      this.tooLarge = true
      return
    }
    parts.push(text.slice(read))
    const lines = parts.join(next).split('\n')
    if (this.drop(seq, lines)) return
    const confirmed = this.lines.reduce((least, line) => Math.min(least, line?.confirmed ?? seq), seq)
    const now = authored(this.lines, 0, lines, seq)
    this.lines = now.map(({ isNew, ...line }) => (isNew ? { ...line, source: 'written', confirmed } : line))
    this.total = lines.length
    this.unplaced = null
  }

  /** Replaces one occurrence within the known lines from `first` to `end`, whose text is `text`. */
  private replaceIn(
    seq: number,
    first: number,
    end: number,
    text: string,
    at: number,
    search: string,
    next: string
  ): void {
    const from = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
    const to = text.indexOf('\n', at + search.length)
    const stop = to < 0 ? text.length : to
    const top = first + lineBreaks(text.slice(0, from))
    const count = lineBreaks(text.slice(from, stop)) + 1
    const lines = (text.slice(from, at) + next + text.slice(at + search.length, stop)).split('\n')
    const region = this.lines.slice(top, Math.min(top + count, end))
    this.putRegion(seq, top, region, lines, 'written')
    this.limit(seq)
    if (this.isFull) this.unplaced = null
  }

  /** Puts `lines` in the place of `region`, which begins at line `top` (from 0). */
  private putRegion(
    seq: number,
    top: number,
    region: readonly (Line | null)[],
    lines: readonly string[],
    source: LineSource
  ): void {
    // The place of new lines is as certain as that of the lines they replace.
    const confirmed = region.reduce((least, line) => Math.min(least, line?.confirmed ?? seq), seq)
    const now = authored(region, 0, lines, seq).map(({ isNew, ...line }) =>
      isNew ? { ...line, source, confirmed } : line
    )
    this.lines = this.lines.slice(0, top).concat(now, this.lines.slice(top + region.length))
    if (this.total !== null) this.total += lines.length - region.length
  }

  // Patches.

  private patched(seq: number, hunks: readonly Hunk[], numbered: boolean): void {
    if (this.deleted || this.tooLarge || hunks.length === 0) return this.forget(seq)
    if (numbered && hunks.every(({ oldFrom }) => oldFrom !== null)) return this.patchedByNumber(seq, hunks)
    let cursor = 0
    this.toCompare = maxCompared
    const wasUnplaced = this.unplaced
    // Hunks change neither.
    const isFull = this.isFull
    for (const hunk of hunks) {
      // Each hunk makes the list of lines anew.
      this.toCompare -= 2 * this.lines.length
      const end = this.toCompare < 0 ? null : this.place(seq, hunk, cursor, isFull)
      if (end === null) {
        const shift = hunks.reduce((sum, { lines }) => sum + count(lines, 'added') - count(lines, 'deleted'), 0)
        return this.forget(seq, shift === 0 && cursor === 0 ? this.total : null)
      }
      cursor = end
    }
    if (isFull) this.endAsPatched(seq)
    this.unplaced = isFull ? null : wasUnplaced
    this.limit(seq)
  }

  /** The program that applies such a patch writes one line end at the end, and drops one blank line before it. */
  private endAsPatched(seq: number): void {
    if (this.lines.length < 2) return
    if (this.lines.at(-1)?.text !== '') this.lines.push({ text: '', author: seq, source: 'written', confirmed: seq })
    else if (this.lines.at(-2)?.text === '') this.lines.pop()
    this.total = this.lines.length
  }

  /** Places a hunk by its context. Returns the line after it; null if it has no certain place. */
  private place(seq: number, { head, lines }: Hunk, cursor: number, isFull: boolean): number | null {
    const old = lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text)
    const next = lines.filter(({ kind }) => kind !== 'deleted').map(({ text }) => text)
    let from = cursor
    if (head !== '') {
      const found = this.find([head], from, isFull)
      if (found !== null) from = found.at + 1
      else if (!isFull) from = cursor
    }
    if (old.length === 0) {
      if (!isFull) return null
      // Without a place, lines are added at the end.
      const end = head === '' ? this.endOfText : from
      this.putRegion(seq, end, [], next, 'written')
      return end + next.length
    }
    const found = this.find(old, from, isFull) ?? (from > 0 ? this.find(old, 0, isFull) : null)
    if (found === null) return this.linesAfter(next, isFull)
    const region = this.lines.slice(found.at, found.at + old.length)
    if (found.isExact) this.putRegion(seq, found.at, region, next, 'written')
    else {
      // The lines of the context stay as they are.
      let at = 0
      const kept = lines.flatMap(({ kind, text }) => {
        if (kind === 'added') return [text]
        const own = region[at++]?.text ?? text
        return kind === 'same' ? [own] : []
      })
      this.putRegion(seq, found.at, region, kept, 'derived')
    }
    return found.at + next.length
  }

  /** The line after these, which already stand in the file; null: they do not. */
  private linesAfter(lines: readonly string[], isFull: boolean): number | null {
    const found = lines.length > 2 ? this.find(lines, 0, isFull) : null
    return found?.isExact === true ? found.at + lines.length : null
  }

  /** The line after the last one with text. */
  private get endOfText(): number {
    const last = this.lines.at(-1)
    return last?.text === '' ? this.lines.length - 1 : this.lines.length
  }

  /**
   * Where these lines stand: exactly, without white space at their ends, or at both sides. In a file that is known in part,
   * only a single place counts.
   */
  private find(
    lines: readonly string[],
    from: number,
    isFull: boolean
  ): { readonly at: number; readonly isExact: boolean } | null {
    for (const [step, same] of comparisons.entries()) {
      let found = -1
      const wanted = lines.map(same)
      for (let at = from; at + lines.length <= this.lines.length; at++) {
        let i = 0
        for (; i < lines.length; i++) {
          const line = this.lines[at + i] ?? null
          this.toCompare -= 1 + (line?.text.length ?? 0)
          if (line === null || same(line.text) !== wanted[i]) break
        }
        if (this.toCompare < 0) return null
        if (i < lines.length) continue
        if (isFull) return { at, isExact: step === 0 }
        if (found >= 0) return null
        found = at
      }
      if (found >= 0) return { at: found, isExact: step === 0 }
    }
    return null
  }

  /** The numbers and the context are those of the file, so the context is seen. */
  private patchedByNumber(seq: number, hunks: readonly Hunk[]): void {
    const fits = hunks.every(({ oldFrom, lines }) => {
      const old = lines.filter(({ kind }) => kind !== 'added')
      const top = (oldFrom ?? 1) - 1
      if (this.total !== null && top + old.length > this.total) return false
      return old.every(({ text }, i) => (this.lines[top + i]?.text ?? text) === text)
    })
    const known = fits ? this.lines : []
    const authors = this.lines
    let total = fits ? this.total : null
    const now: (Line | null)[] = []
    let read = 0
    for (const { oldFrom, lines } of hunks) {
      const top = (oldFrom ?? 1) - 1
      if (top < read || top > maxFileLines) return this.forget(seq)
      for (; read < top; read++) now.push(known[read] ?? null)
      for (const { kind, text } of lines) {
        const line = authors[read] ?? null
        if (kind === 'added') now.push({ text, author: seq, source: 'written', confirmed: seq })
        else {
          if (kind === 'same') {
            const author =
              line?.text === text ? line.author : this.unplaced === null && fits ? before : outsideBefore(seq)
            now.push({ text, author, source: 'seen', confirmed: seq })
          }
          read++
        }
        if (total !== null) total += kind === 'added' ? 1 : kind === 'deleted' ? -1 : 0
      }
    }
    for (; read < known.length; read++) now.push(known[read] ?? null)
    while (total === null && now.length > 0 && now.at(-1) === null) now.pop()
    this.lines = now
    this.setTotal(total)
    this.limit(seq)
    if (this.isFull) this.unplaced = null
  }
}

const comparisons: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trimEnd(),
  (text) => text.trim()
]

function normalLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}

function lineBreaks(text: string): number {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++
  return breaks
}

function sameLines(a: string, b: string): boolean {
  return lineBreaks(a) === lineBreaks(b)
}

function count(lines: Hunk['lines'], kind: Hunk['lines'][number]['kind']): number {
  return lines.reduce((sum, line) => sum + (line.kind === kind ? 1 : 0), 0)
}

/** A text that no known line has: unknown lines equal nothing. */
const unknownText = '\u0000unknown'

/** The lines with the authors of the equal lines of `old`; the others are of `author`. `first`: the line of `lines[0]`, from 0. */
function authored(
  old: readonly (Line | null)[],
  first: number,
  lines: readonly string[],
  author: LineAuthor
): (Line & { readonly isNew: boolean })[] {
  const made: (Line & { readonly isNew: boolean })[] = []
  const texts = old.map((line, i) => line?.text ?? `${unknownText} ${i}`)
  const { stretches } = diffLines(first === 0 ? texts : texts.slice(first, first + 2 * lines.length), lines)
  for (const { kind, before: from, after, afterCount } of stretches) {
    for (let i = 0; i < afterCount; i++) {
      const text = lines[after + i] ?? ''
      const known = kind === 'same' ? (old[first + from + i] ?? null) : null
      made.push(
        known === null ? { text, author, source: 'written', confirmed: 0, isNew: true } : { ...known, isNew: false }
      )
    }
  }
  return made
}
