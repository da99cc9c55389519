/** A hunk of a diff. */
export interface Hunk {
  /** The first old line, from 1; null: not stated. */
  readonly oldFrom: number | null
  /** Text after `@@`: a line above the hunk. Empty: none. */
  readonly head: string
  readonly lines: readonly HunkLine[]
}

export interface HunkLine {
  readonly kind: 'same' | 'deleted' | 'added'
  readonly text: string
}

const numbers = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

/** The hunks of a unified diff, or of a patch whose hunks state only a line above them. */
export function hunksOf(diff: string): readonly Hunk[] {
  const hunks: { oldFrom: number | null; head: string; lines: HunkLine[] }[] = []
  const lines = (diff.includes('\r') ? diff.replaceAll('\r\n', '\n') : diff).split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) {
    const hunk = hunks.at(-1)
    if (line.startsWith('@@')) {
      const stated = numbers.exec(line)
      const oldFrom = stated === null ? null : Number(stated[1])
      // Of no lines, the number is that of the line before.
      const begins = oldFrom !== null && stated?.[2] === '0' ? oldFrom + 1 : oldFrom
      const head = stated === null ? line.replace(/^@@ ?/, '').replace(/ ?@@$/, '') : ''
      // Several heads narrow the place step by step.
      if (hunk !== undefined && hunk.lines.length === 0 && stated === null) hunk.head = head
      else hunks.push({ oldFrom: begins, head, lines: [] })
      continue
    }
    if (hunk === undefined || line.startsWith('\\')) continue
    const first = line.charAt(0)
    if (first === '+') hunk.lines.push({ kind: 'added', text: line.slice(1) })
    else if (first === '-') hunk.lines.push({ kind: 'deleted', text: line.slice(1) })
    else hunk.lines.push({ kind: 'same', text: line.slice(1) })
  }
  return hunks
}
