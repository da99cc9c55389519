import { expect, test } from 'vitest'
import { FoldedLines, type ReadPosition } from './folded-lines.ts'
import type { Decoded, FoldedEvent, FoldResult, LogFormat } from './log-format.ts'
import { claudeTranscript } from './claude/transcript.ts'

const at = (line: number, offset: number): ReadPosition => ({ line, offset, length: 9, terminated: true })
const event = ({ line, offset }: ReadPosition, ordinal: number): FoldedEvent => ({
  ...{ at: { line, offset, length: 9 }, ordinal, body: 0, timestamp: 0 },
  draft: { type: 'text', text: `${offset}` }
})

/** `offset ordinal` of the events, where a fold tells this of each line. */
function told(lines: readonly (readonly [ReadPosition, FoldResult])[]): string[] {
  const results = new Map<unknown, FoldResult>(lines)
  const nothing: FoldResult = { events: [], issues: [] }
  const format: LogFormat = {
    ...claudeTranscript,
    createFold: () => ({ add: (place) => results.get(place) ?? nothing, end: () => nothing })
  } as LogFormat
  const seen: string[] = []
  const sink = {
    line: ({ events }: { readonly events: readonly FoldedEvent[] }): void => {
      seen.push(...events.map(({ at: { offset }, ordinal }) => `${offset} ${ordinal}`))
    }
  }
  const folded = new FoldedLines(format, sink, {})
  const decoded: Decoded = { drafts: [], issues: [] }
  for (const [place] of lines) folded.add(place, { text: '', decoded, issues: [] })
  folded.end()
  return seen
}

const [one, two, three] = [at(2, 10), at(2, 20), at(3, 30)]

test('events of the parts of a line are numbered in their order, though the later part is told first', () => {
  expect(
    told([
      [one, { events: [], issues: [], held: true }],
      [two, { events: [event(two, 0), event(one, 1)], issues: [] }]
    ])
  ).toEqual(['10 0', '20 1'])
})

test('a part that is told after the next line begins goes on where the part before it ends', () => {
  expect(
    told([
      [one, { events: [event(one, 0), event(one, 1)], issues: [] }],
      [two, { events: [], issues: [], held: true }],
      [three, { events: [event(three, 0), event(two, 0)], issues: [] }]
    ])
  ).toEqual(['10 0', '10 1', '20 2', '30 0'])
})
