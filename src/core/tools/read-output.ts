import type { Agent } from '../formats/agent.ts'

/** A file's text without line numbers, and the agent's words around it. */
export interface ReadOutput {
  readonly before: string
  /** The number of the first line. */
  readonly first: number
  readonly text: string
  readonly after: string
}

/** Line numbers of agents: `    12→text`, `12\ttext`, `L12: text`. */
const numbered = /(?:[ \t]{0,8}(\d{1,9})(?:→|\t)|L(\d{1,9}): ?)([^\n]*)(?:\n|$)/y

/** Head of a partial file. */
const partHead = /^[^]{0,1000}?\blines (\d{1,9})-\d{1,9} of \d{1,9}[^]{0,1000}?\n-{3,} FILE CONTENT[^\n]*\n/

/** Maximum characters before the first numbered line. */
const maxBefore = 400

/**
 * Removes line numbers. `first`: the first line's number if the output states none. `agent`: whose output it is, if that is
 * known. Time is linear.
 */
export function readOutput(output: string, first: number, agent: Agent | null = null): ReadOutput {
  const own = agent?.readLines?.(output) ?? null
  if (own !== null) {
    const after = output.startsWith(own.text) ? output.slice(own.text.length).trim() : ''
    return { before: '', first: own.first ?? first, text: own.text, after }
  }
  const start = numberedFrom(output)
  if (start >= 0) return numberedLines(output, start)
  const part = output.startsWith('IMPORTANT:') ? partHead.exec(output) : null
  if (part === null) return { before: '', first, text: output, after: '' }
  return { before: part[0].trimEnd(), first: Number(part[1]), text: output.slice(part[0].length), after: '' }
}

/** Offset of the first numbered line, after at most a few announcing lines; -1 if none. */
function numberedFrom(output: string): number {
  for (let at = 0; at >= 0 && at <= maxBefore;) {
    numbered.lastIndex = at
    const line = numbered.exec(output)
    // A single line proves nothing; the next number must follow.
    if (line !== null && (line[1] !== undefined || line[2] !== undefined)) {
      const next = numbered.lastIndex >= output.length ? null : numbered.exec(output)
      const continues = next !== null && numberOf(next) === numberOf(line) + 1
      return continues || (next === null && line[0].includes('→')) ? at : -1
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
