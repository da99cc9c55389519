import { type DiffStretch, diffLines } from '../tools/line-diff.ts'
import type { FileContent, Line } from './file-content.ts'
import type { FileStep } from './run-files.ts'

/** What an event did to some lines. `changed`: it changed the file at an unknown place. */
export const lineDeeds = ['wrote', 'removed', 'showed', 'changed', 'doubted'] as const
export type LineDeed = (typeof lineDeeds)[number]

export interface LineEvent {
  readonly row: number
  readonly did: LineDeed
}

/** Lines of a file, from 0; `to` exclusive. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

interface StepOfLines {
  readonly row: number
  /** Changed stretches against the step before. */
  readonly changes: readonly DiffStretch[]
  readonly written: readonly LineRange[]
  readonly shown: readonly LineRange[]
  /** The content was forgotten, so earlier lines have no place. */
  readonly forgets: boolean
}

/** The last steps, at least, that are kept. */
const maxSteps = 20_000

/** Equal to itself only: it keeps the place of lines that are not known. */
const unknownLine = '\u0000'

/** Which steps of one file wrote or showed which lines, following lines through edits. Steps are added in log order. */
export class LineHistory {
  private readonly known: StepOfLines[] = []
  /** Steps that were dropped. */
  dropped = 0
  private before: readonly string[] = []

  /** Steps added so far. */
  get steps(): number {
    return this.dropped + this.known.length
  }

  /** `content`: after the step; `seq`: the step's event. */
  add({ row, what }: FileStep, seq: number, content: FileContent): void {
    const texts = content.lines.map((line) => line?.text ?? unknownLine)
    const { before } = this
    const isSame = texts.length === before.length && texts.every((text, at) => text === before[at])
    const stretches = isSame ? [] : diffLines(before, texts).stretches
    this.before = texts
    this.known.push({
      row,
      changes: stretches.filter(({ kind }) => kind === 'changed'),
      written: rangesOf(content.lines, (line) => line.author === seq),
      shown: rangesOf(content.lines, (line) => line.confirmed === seq && line.author !== seq),
      forgets: content.unplaced === seq || (what === 'changed' && texts.length === 0)
    })
    // Not one by one, which would move all of them each time.
    if (this.known.length >= 2 * maxSteps) this.dropped += this.known.splice(0, maxSteps).length
  }

  /** The events about lines as they are after the first `steps` steps, the first one first. */
  eventsOf({ from, to }: LineRange, steps: number): readonly LineEvent[] {
    const events: LineEvent[] = []
    let range: LineRange = { from, to }
    for (let at = Math.min(steps - this.dropped, this.known.length) - 1; at >= 0; at--) {
      const step = this.known[at]
      if (step === undefined) break
      if (step.forgets) {
        addDeed(events, step.row, 'changed')
        break
      }
      const did = deedOf(step, range)
      if (did !== null) addDeed(events, step.row, did)
      range = rangeBefore(step.changes, range)
      if (range.from >= range.to) break
    }
    return events.reverse()
  }
}

/** Of several steps of one event, what did most with the lines counts. */
function addDeed(events: LineEvent[], row: number, did: LineDeed): void {
  const last = events.at(-1)
  if (last?.row !== row) events.push({ row, did })
  else if (lineDeeds.indexOf(did) < lineDeeds.indexOf(last.did)) events[events.length - 1] = { row, did }
}

function deedOf({ changes, written, shown }: StepOfLines, range: LineRange): LineDeed | null {
  if (written.some((lines) => meets(lines, range))) return 'wrote'
  const isInside = ({ after, afterCount }: DiffStretch) => afterCount === 0 && after > range.from && after < range.to
  if (changes.some((change) => change.beforeCount > 0 && isInside(change))) return 'removed'
  return shown.some((lines) => meets(lines, range)) ? 'showed' : null
}

function meets(lines: LineRange, range: LineRange): boolean {
  return lines.from < range.to && lines.to > range.from
}

/** Where the lines of a range were before the changes, with the lines that they replaced. */
function rangeBefore(changes: readonly DiffStretch[], { from, to }: LineRange): LineRange {
  let [first, last] = [from, to]
  for (const { before, beforeCount, after, afterCount } of changes) {
    const shift = before + beforeCount - (after + afterCount)
    if (after + afterCount <= from) first = from + shift
    else if (after <= from) first = before
    if (after + afterCount <= to) last = to + shift
    else if (after < to) last = before + beforeCount
  }
  return { from: first, to: Math.max(first, last) }
}

function rangesOf(lines: readonly (Line | null)[], is: (line: Line) => boolean): readonly LineRange[] {
  const ranges: { from: number; to: number }[] = []
  for (const [at, line] of lines.entries()) {
    if (line === null || !is(line)) continue
    const last = ranges.at(-1)
    if (last?.to === at) last.to = at + 1
    else ranges.push({ from: at, to: at + 1 })
  }
  return ranges
}
