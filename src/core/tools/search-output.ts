import { isSameFile } from '../paths/path-names.ts'

/** A matching line or its context. */
export interface FoundLine {
  /** Line number; null if not printed. */
  readonly number: number | null
  readonly text: string
  /** False for context. */
  readonly match: boolean
}

/** Matches in a file; no lines if only the file is listed. */
export interface FoundFile {
  /** Empty if the call names the only file. */
  readonly path: string
  /** Number of matches, if only that is printed. */
  readonly count: number | null
  readonly lines: readonly FoundLine[]
}

export interface SearchOutput {
  /** Other lines, such as "Found 3 files". */
  readonly notes: readonly string[]
  readonly files: readonly FoundFile[]
}

const note =
  /^(?:Found \d|No (?:files|matches)|\(Results are truncated|\[Showing results|Note: |WARNING: |There are \d)/
const fileHead = /^File: (.+)$/
const numberedMatch = /^L(\d{1,9}): ?(.*)$/
const pathMatch = /^((?:[A-Za-z]:[\\/])?[^:\n]{1,1000}?):(\d{1,9}):(.*)$/
const pathContext = /^(.{1,1000}?)-(\d{1,9})-(.*)$/
const ownLine = /^(\d{1,9})([:-])(.*)$/
const pathCount = /^((?:[A-Za-z]:[\\/])?[^:\n]{1,1000}):(\d{1,9})$/
/** A plausible path, not a sentence. */
const path = /^(?:[A-Za-z]:)?[^\s:*?"<>|][^:*?"<>|\n]{0,1000}$/

/** Parses a search's output by file; null for an unknown form. Time is linear. */
export function searchOutput(output: string): SearchOutput | null {
  const notes: string[] = []
  const files: { path: string; count: number | null; lines: FoundLine[] }[] = []
  const fileOf = (name: string) => {
    const last = files.at(-1)
    if (last?.path === name) return last
    // Some searches print relative paths for matches and absolute ones for context.
    if (last !== undefined && isSameFile(last.path, name)) {
      if (name.length < last.path.length) last.path = name
      return last
    }
    const added = { path: name, count: null as number | null, lines: [] as FoundLine[] }
    files.push(added)
    return added
  }
  for (const line of output.split(/\r?\n/)) {
    if (line === '' || /^-{2,3}$/.test(line)) continue
    if (note.test(line)) notes.push(line)
    else if (!readLine(line, files.at(-1)?.path ?? '', fileOf)) return null
  }
  return files.length === 0 && notes.length === 0 ? null : { notes, files }
}

type FileOf = (name: string) => { count: number | null; lines: FoundLine[] }

/** False if no search prints such a line. */
function readLine(line: string, current: string, fileOf: FileOf): boolean {
  const head = fileHead.exec(line)
  if (head !== null) {
    fileOf(head[1] ?? '')
    return true
  }
  const listed = numberedMatch.exec(line)
  const own = listed ?? ownLine.exec(line)
  if (own !== null) {
    const [, number = '', separator = '', text = ''] = own
    const found = listed === null ? { text, match: separator === ':' } : { text: separator, match: true }
    fileOf(current).lines.push({ number: Number(number), ...found })
    return true
  }
  const count = pathCount.exec(line)
  if (count !== null) {
    fileOf(count[1] ?? '').count = Number(count[2])
    return true
  }
  return readPathLine(line, fileOf)
}

function readPathLine(line: string, fileOf: FileOf): boolean {
  const found = pathMatch.exec(line)
  const near = found === null ? pathContext.exec(line) : null
  const [, name = '', number = '', text = ''] = found ?? near ?? []
  if (name !== '' && (found !== null || /[./\\]/.test(name))) {
    fileOf(name).lines.push({ number: Number(number), text, match: found !== null })
    return true
  }
  if (!path.test(line) || !(/[/\\.]/.test(line) || !line.includes(' ')) || / {2}/.test(line)) return false
  fileOf(line)
  return true
}
