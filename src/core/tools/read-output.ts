/** What a tool read from a file: its lines apart from their numbers, and what the agent wrote around them. */
export interface ReadOutput {
  readonly before: string
  /** The number of the first line. */
  readonly first: number
  readonly text: string
  readonly after: string
}

/** How agents number lines: `    12→text`, `12\ttext`, `L12: text`. */
const numbered = /(?:[ \t]{0,8}(\d{1,9})(?:→|\t)|L(\d{1,9}): ?)([^\n]*)(?:\n|$)/y

/** What some agents put before a part of a file. */
const partHead = /^[^]{0,1000}?\blines (\d{1,9})-\d{1,9} of \d{1,9}[^]{0,1000}?\n-{3,} FILE CONTENT[^\n]*\n/

/** As much as may stand before the first numbered line. */
const maxBefore = 400

/**
 * Takes the numbers off the lines that a tool read. `first`: the number of the first line where the output says none. Linear in the
 * text's length.
 */
export function readOutput(output: string, first: number): ReadOutput {
  const start = numberedFrom(output)
  if (start >= 0) return numberedLines(output, start)
  const part = output.startsWith('IMPORTANT:') ? partHead.exec(output) : null
  if (part === null) return { before: '', first, text: output, after: '' }
  return { before: part[0].trimEnd(), first: Number(part[1]), text: output.slice(part[0].length), after: '' }
}

/** Where the numbered lines begin: at once, or after a line or two that announce them; -1 nowhere. */
function numberedFrom(output: string): number {
  for (let at = 0; at >= 0 && at <= maxBefore;) {
    numbered.lastIndex = at
    const line = numbered.exec(output)
    // One line alone may be anything; the next one has to go on counting.
    if (line !== null && (line[1] !== undefined || line[2] !== undefined)) {
      const next = numbered.lastIndex >= output.length ? null : numbered.exec(output)
      const goesOn = next !== null && numberOf(next) === numberOf(line) + 1
      return goesOn || (next === null && line[0].includes('→')) ? at : -1
    }
    const end = output.indexOf('\n', at)
    if (end < 0 || !/[:.`)]$/.test(output.slice(Math.max(at, end - 20), end).trimEnd())) return -1
    at = end + 1
  }
  return -1
}

function numberOf(line: RegExpExecArray): number {
  return Number(line[1] ?? line[2])
}

function numberedLines(output: string, start: number): ReadOutput {
  const lines: string[] = []
  let first = 1
  let at = start
  for (;;) {
    numbered.lastIndex = at
    const line = numbered.exec(output)
    if (line === null) break
    if (lines.length === 0) first = numberOf(line)
    else if (numberOf(line) !== first + lines.length) break
    lines.push(line[3] ?? '')
    at = numbered.lastIndex
    if (at >= output.length) break
  }
  return { before: output.slice(0, start).trim(), first, text: lines.join('\n'), after: output.slice(at).trim() }
}
