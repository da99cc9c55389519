import { type DiffStretch, textLines } from '#core/tools/line-diff.ts'
import type { DiffPart } from './diff-rows.ts'
import { type DiffSide, diffSide } from './diff-side.ts'
import { gitPath, gitPaths } from './git-path.ts'

/** The changes of a patch to one file. */
export interface FilePatch {
  /** Null if the patch does not state it. */
  readonly path: string | null
  readonly movedTo: string | null
  readonly kind: 'added' | 'deleted' | 'updated'
  readonly before: DiffSide
  readonly after: DiffSide
  readonly parts: readonly DiffPart[]
}

/** Parses the first `lines` lines of a unified diff or `*** Begin Patch`. Never throws; other lines are notes. */
export function readPatch(patch: string, lines = Infinity): FilePatch[] {
  const reader = new PatchReader()
  for (const line of textLines(patch).slice(0, lines)) reader.read(line)
  return reader.files()
}

class PatchReader {
  private readonly found: FilePatch[] = []
  private file = new FileLines()
  /** Lines that the head of the hunk announced and that are still missing; null if it announced none. */
  private left: { before: number; after: number } | null = null
  private inHunk = false
  /** Bytes, until the next file: git writes them for `git apply`. */
  private inBinary = false

  read(line: string): void {
    if (this.inBinary && !line.startsWith('diff --git ')) return
    const sign = line.charAt(0)
    if (this.left !== null && (this.left.before > 0 || this.left.after > 0)) {
      if (sign === '' || sign === ' ' || sign === '+' || sign === '-') return this.addLine(sign, line)
    }
    if (this.readFileHead(line) || this.readHunkHead(line)) return
    if (sign === '\\') this.file.addNote(line.slice(1).trim())
    else if (this.inHunk && this.left === null && (sign === '' || sign === ' ' || sign === '+' || sign === '-'))
      this.addLine(sign, line)
    else if (line.trim() !== '') this.file.addNote(line)
  }

  files(): FilePatch[] {
    this.endFile()
    return this.found
  }

  private readFileHead(line: string): boolean {
    if (/^\*\*\* (Begin|End) Patch\s*$/.test(line) || /^\*\*\* End of File\s*$/.test(line)) return true
    const head = /^\*\*\* (Add|Delete|Update) File: (.+?)\s*$/.exec(line)
    if (head !== null) {
      this.startFile()
      this.file.path = head[2] ?? null
      this.file.kind = head[1] === 'Add' ? 'added' : head[1] === 'Delete' ? 'deleted' : 'updated'
      // Lines of an added file have no hunk head.
      this.inHunk = true
      return true
    }
    const moved = /^(?:\*\*\* Move to:|rename to) (.+?)\s*$/.exec(line)?.[1]
    if (moved !== undefined) {
      this.file.movedTo = gitPath(moved)
      return true
    }
    const git = gitPaths(line)
    if (git !== undefined) {
      this.startFile()
      this.file.path = git[0]
      return true
    }
    const side = /^(---|\+\+\+) ([^\t]+?)(?:\t.*)?$/.exec(line)
    if (side === null || (this.inHunk && this.left === null)) return this.readFileNote(line)
    const path = gitPath(side[2] ?? '').replace(/^[ab]\//, '')
    if (side[1] === '---') {
      if (this.file.hasLines) this.startFile()
      if (path === '/dev/null') this.file.kind = 'added'
      else this.file.path ??= path
    } else if (path === '/dev/null') this.file.kind = 'deleted'
    else if (this.file.path === null) this.file.path = path
    else if (path !== this.file.path) this.file.movedTo = path
    return true
  }

  /** Parses the header lines of git that `kind` already covers. */
  private readFileNote(line: string): boolean {
    if (this.inHunk) return false
    if (/^new file mode \d+/.test(line)) this.file.kind = 'added'
    else if (/^deleted file mode \d+/.test(line)) this.file.kind = 'deleted'
    else if (/^rename from ./.test(line)) this.file.path = gitPath(line.slice('rename from '.length))
    else if (line === 'GIT binary patch') {
      this.inBinary = true
      this.file.addNote('Binary file')
    } else return /^(index [0-9a-f]+\.\.|similarity index )/.test(line)
    return true
  }

  private readHunkHead(line: string): boolean {
    if (!line.startsWith('@@')) return false
    const numbers = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/.exec(line)
    this.inHunk = true
    if (numbers === null) {
      this.left = null
      this.file.startHunk(null, null, line.replace(/^@@ ?/, '').trim())
      return true
    }
    const [, before, beforeCount = '1', after, afterCount = '1', heading = ''] = numbers
    this.left = { before: Number(beforeCount), after: Number(afterCount) }
    this.file.startHunk(Number(before), Number(after), heading.trim())
    return true
  }

  private addLine(sign: string, line: string): void {
    const text = line.slice(1)
    if (this.left !== null) {
      if (sign !== '+') this.left.before--
      if (sign !== '-') this.left.after--
    }
    this.file.add(sign === '' ? ' ' : sign, text)
  }

  private startFile(): void {
    this.endFile()
    this.file = new FileLines()
    this.left = null
    this.inHunk = false
    this.inBinary = false
  }

  private endFile(): void {
    if (!this.file.isEmpty) this.found.push(this.file.patch())
    this.file = new FileLines()
  }
}

/** The lines of one file while they are parsed. */
class FileLines {
  path: string | null = null
  movedTo: string | null = null
  kind: FilePatch['kind'] = 'updated'
  private readonly parts: DiffPart[] = []
  private readonly before: string[] = []
  private readonly after: string[] = []
  /** The number of each line; 0 if unknown. */
  private readonly beforeNumbers: number[] = []
  private readonly afterNumbers: number[] = []
  /** The current lines; null if the last part is a note. */
  private last: { -readonly [Key in keyof DiffStretch]: DiffStretch[Key] } | null = null
  private next: { before: number; after: number } | null = null

  get hasLines(): boolean {
    return this.before.length + this.after.length > 0
  }

  get isEmpty(): boolean {
    return this.path === null && this.parts.length === 0
  }

  startHunk(before: number | null, after: number | null, heading: string): void {
    this.next = before === null || after === null ? null : { before, after }
    const place = before === null ? '' : `line ${after === 0 ? before : after}`
    const text = [place, heading].filter((part) => part !== '').join(' · ')
    if (text !== '' || this.hasLines) this.addNote(text === '' ? '⋯' : text)
  }

  addNote(text: string): void {
    this.last = null
    this.parts.push({ kind: 'note', text })
  }

  add(sign: string, text: string): void {
    const isBefore = sign !== '+'
    const isAfter = sign !== '-'
    this.grow(sign === ' ' ? 'same' : 'changed', isBefore ? 1 : 0, isAfter ? 1 : 0)
    if (isBefore) {
      this.before.push(text)
      this.beforeNumbers.push(this.next === null ? 0 : this.next.before++)
    }
    if (isAfter) {
      this.after.push(text)
      this.afterNumbers.push(this.next === null ? 0 : this.next.after++)
    }
  }

  patch(): FilePatch {
    const { path, movedTo, kind, parts } = this
    // An added file has all its lines, so their numbers are known.
    const whole = (numbers: readonly number[], is: FilePatch['kind']) => (line: number) =>
      numbers[line] || (kind === is ? line + 1 : null)
    const before = diffSide(this.before, whole(this.beforeNumbers, 'deleted'))
    const after = diffSide(this.after, whole(this.afterNumbers, 'added'))
    return { path, movedTo, kind, before, after, parts }
  }

  private grow(kind: 'same' | 'changed', beforeCount: number, afterCount: number): void {
    if (this.last === null || this.last.kind !== kind) {
      this.last = { kind, before: this.before.length, beforeCount: 0, after: this.after.length, afterCount: 0 }
      this.parts.push(this.last)
    }
    this.last.beforeCount += beforeCount
    this.last.afterCount += afterCount
  }
}
