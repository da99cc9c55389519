import { describe, expect, test } from 'vitest'
import type { EventDraft, FoldedEvent, LinePosition } from '../formats/log-format.ts'
import type { IssueDraft } from '../formats/issue.ts'
import type { ReadLine } from '../formats/folded-lines.ts'
import { EventIndex } from './event-index.ts'
import { rowKinds } from './row-kind.ts'

const lineLength = 100

function at(line: number): LinePosition {
  return { line, offset: (line - 1) * (lineLength + 1), length: lineLength }
}

/** Events as a fold gives them: one a second, unless `over` says otherwise. */
function events(line: number, drafts: EventDraft[], over: Partial<FoldedEvent> = {}): FoldedEvent[] {
  return drafts.map((draft, ordinal) => ({
    at: at(line),
    ordinal,
    draft,
    body: ordinal,
    timestamp: line * 1000,
    sessionId: 's1',
    ...over
  }))
}

function read(line: number, folded: FoldedEvent[] = [], issues: IssueDraft[] = [], blank = false): ReadLine {
  return { at: { ...at(line), terminated: true }, text: '', blank, events: folded, issues }
}

function indexOf(...lines: ReadLine[]): EventIndex {
  const index = new EventIndex()
  for (const line of lines) index.addLine(line)
  return index
}

const call = (toolId: string, toolName = 'Bash', input = {}): EventDraft => ({
  type: 'tool.started',
  toolName,
  toolId,
  input
})
const result = (toolId: string): EventDraft => ({ type: 'tool.completed', toolId, output: 'ok' })
const say = (text: string): EventDraft => ({ type: 'text', text, role: 'assistant' })
const violation: IssueDraft = { code: 'TypedParse', path: '$.type', message: 'expected a string' }
const notice: IssueDraft = { code: 'UnknownType', path: '$.type', message: 'unknown' }

function kinds(index: EventIndex): string[] {
  const { kind } = index.columns(0, index.rows)
  return [...new Uint8Array(kind)].map((number) => rowKinds[number] ?? '?')
}

test('a call counts as failed once, by its first result; one without a name, and without a call, is of no call', () => {
  const failed = (toolId: string): EventDraft => ({ type: 'tool.completed', toolId, error: 'no' })
  const index = indexOf(
    read(1, events(1, [call('a'), call('b'), call('c')])),
    read(2, events(2, [failed('b'), failed('a'), result('c')])),
    // They repeat what is known.
    read(3, events(3, [failed('a'), result('b'), failed('c')])),
    read(4, events(4, [failed('nobody'), { ...failed('named'), toolName: 'Read' } as EventDraft])),
    // The same id means another call.
    read(5, events(5, [call('a'), failed('a')]))
  )
  expect(index.failedCalls).toBe(4)
})

describe('rows', () => {
  test('are the events, and the lines without events; blank lines have none', () => {
    const index = indexOf(read(1, events(1, [say('a'), call('t1')])), read(2, [], [], true), read(3))
    expect(kinds(index)).toEqual(['assistant', 'tool', 'record'])
    const columns = index.columns(0, 10)
    expect(columns.count).toBe(3)
    expect([...new Uint32Array(columns.line)]).toEqual([1, 1, 3])
    expect([...new Int32Array(columns.seq)]).toEqual([0, 1, -1])
    expect([...new Float64Array(columns.time)]).toEqual([1000, 1000, NaN])
    expect(index).toMatchObject({ rows: 3, events: 2, lines: 3, firstTimestamp: 1000, lastTimestamp: 1000 })
    expect(index.place(2)).toEqual(at(3))
  })

  test('an event that a later line revealed stands on its own line, and the later line keeps its row', () => {
    const index = indexOf(read(1), read(2, events(1, [say('joined')], { body: -1 }), [notice]))
    expect(kinds(index)).toEqual(['record', 'assistant', 'record'])
    expect([...new Uint32Array(index.columns(0, 3).line)]).toEqual([1, 1, 2])
    expect(index.issues.ofRow(2, 9)).toMatchObject([{ code: 'UnknownType' }])
  })

  test('a record without an event has the time and the track it states; a track that has no event is not made up', () => {
    const index = indexOf(
      read(1, events(1, [say('a')], { trackId: 'sub' })),
      { ...read(2), timestamp: 2500, trackId: 'sub' },
      { ...read(3), trackId: 'other' }
    )
    const columns = index.columns(0, 3)
    expect([...new Float64Array(columns.time)]).toEqual([1000, 2500, NaN])
    expect([...new Uint16Array(columns.track)]).toEqual([1, 1, 0])
    expect(index.tracks.map((track) => track.trackId)).toEqual([null, 'sub'])
  })

  test('the row of a seq is found, records between them or not', () => {
    const index = indexOf(read(1), read(2, events(2, [say('a')])), read(3), read(4, events(4, [say('b')])))
    expect([index.rowOf(0), index.rowOf(1)]).toEqual([1, 3])
    expect([0, 1, 2, 3, 4].map((row) => index.seqOf(row))).toEqual([-1, 0, -1, 1, -1])
  })

  test('columns of any range are the same as the columns of all', () => {
    const index = new EventIndex()
    for (let line = 1; line <= 40_000; line++) index.addLine(read(line, line % 3 ? events(line, [say('x')]) : []))
    const whole = new Int32Array(index.columns(0, 40_000).seq)
    for (const [from, count] of [
      [0, 1],
      [16_383, 2],
      [16_384, 16_384],
      [100, 39_900],
      [39_999, 50],
      [40_000, 1]
    ] as const) {
      const slice = index.columns(from, count)
      expect([...new Int32Array(slice.seq)]).toEqual([...whole.subarray(from, from + count)])
      expect(slice.count).toBe(Math.min(count, 40_000 - from))
    }
  })
})

describe('issues', () => {
  test("belong to the first row of their line; the row's severity is the worst", () => {
    const index = indexOf(read(1, events(1, [say('a'), say('b')]), [notice, violation]), read(2, [], [notice]))
    const { severity, issues } = index.columns(0, 3)
    expect([...new Uint8Array(severity)]).toEqual([2, 0, 1])
    expect([...new Uint16Array(issues)]).toEqual([2, 0, 1])
    expect(index.issues.counts).toEqual({ malformed: 0, violation: 1, notice: 2 })
    expect(index.issues.slice(1, 5)).toEqual([
      { row: 0, severity: 'violation', ...violation },
      { row: 2, severity: 'notice', ...notice }
    ])
    expect(index.issues.ofRow(0, 1)).toEqual([{ row: 0, severity: 'notice', ...notice }])
    expect(index.issues.ofRow(1, 9)).toEqual([])
  })
})

describe('tool calls', () => {
  test('a result leads to its call and has its tool, a call to its last result', () => {
    const index = indexOf(
      read(1, events(1, [call('t1', 'Read'), call('t2', 'Bash')])),
      read(2, events(2, [result('t2'), result('t1')])),
      read(3, events(3, [result('t1'), result('unknown')]))
    )
    const { pair, tool } = index.columns(0, 6)
    expect([...new Int32Array(pair)]).toEqual([-1, -1, 1, 0, 0, -1])
    expect([...new Uint16Array(tool)].map((n) => index.tools[n - 1])).toEqual([
      'Read',
      'Bash',
      'Bash',
      'Read',
      'Read',
      undefined
    ])
    expect(index.resultsOf(0)).toEqual([4, 3])
    expect(index.resultsOf(1)).toEqual([2])
    expect(index.resultsOf(2)).toEqual([])
    expect(index.callOf(4)).toBe(0)
  })

  test('ids of different scopes are different, and an event knows its scope', () => {
    const index = indexOf(
      read(1, events(1, [call('item_0', 'Grep')], { idScope: 't:1' })),
      read(2, events(2, [call('item_0', 'Bash')], { idScope: 't:2' })),
      read(3, events(3, [result('item_0')], { idScope: 't:1' })),
      read(4, events(4, [result('item_0')], { idScope: 't:2' }))
    )
    expect([...new Int32Array(index.columns(0, 4).pair)]).toEqual([-1, -1, 0, 1])
    expect([0, 1, 2, 3].map((row) => index.eventAt(row, [result('item_0')])?.idScope)).toEqual([
      't:1',
      't:2',
      't:1',
      't:2'
    ])
  })

  test('an id used again means the latest call', () => {
    const index = indexOf(read(1, events(1, [call('t'), result('t'), call('t'), result('t')])))
    expect([...new Int32Array(index.columns(0, 4).pair)]).toEqual([-1, 0, -1, 2])
  })

  test('a result that took a known time says so in a column; of other rows it is not known', () => {
    const stated: EventDraft = {
      type: 'tool.completed',
      toolId: 't2',
      output: 'ok',
      durationMs: 0,
      durationFrom: 'stated'
    }
    const index = indexOf(
      read(1, events(1, [call('t1'), call('t2'), call('t3')])),
      read(2, events(2, [result('t1')], { tookMs: 1000.5 })),
      read(3, events(3, [stated])),
      read(4, events(4, [result('t3')])),
      read(5)
    )
    expect([...new Float64Array(index.columns(0, 7).took)]).toEqual([NaN, NaN, NaN, 1000.5, 0, NaN, NaN])
    expect([...new Float64Array(index.columns(3, 2).took)]).toEqual([1000.5, 0])
  })
})

describe('the results of todo tools', () => {
  const list = (todoId: string): EventDraft => ({ type: 'todo_list', todoId, items: [] })
  const pairs = (index: EventIndex): number[] => [...new Int32Array(index.columns(0, index.rows).pair)]
  const toolsOf = (index: EventIndex): (string | undefined)[] =>
    [...new Uint16Array(index.columns(0, index.rows).tool)].map((number) => index.tools[number - 1])

  test('lead to the list that their call wrote, and the list to them', () => {
    const index = indexOf(
      read(1, events(1, [list('t1'), list('t2')])),
      read(2, events(2, [result('t2')], { toolName: 'TodoWrite' })),
      read(3, events(3, [result('t1')], { toolName: 'TodoWrite' })),
      read(4, events(4, [result('t1')], { toolName: 'TodoWrite' }))
    )
    expect(pairs(index)).toEqual([-1, -1, 1, 0, 0])
    expect([0, 1, 2, 3].map((row) => index.resultsOf(row))).toEqual([[4, 3], [2], [], []])
    expect([0, 2, 3, 4].map((row) => index.callOf(row))).toEqual([-1, 1, 0, 0])
    expect(index.isCall(0)).toBe(false)
    expect(toolsOf(index)).toEqual([undefined, undefined, 'TodoWrite', 'TodoWrite', 'TodoWrite'])
  })

  test('lead to the last of the lists that came of one call before it', () => {
    const index = indexOf(
      read(1, events(1, [list('t')])),
      read(2, [...events(2, [list('t')]), ...events(2, [result('t')], { toolName: 'TodoWrite', ordinal: 1 })])
    )
    expect(pairs(index)).toEqual([-1, -1, 1])
    expect([index.resultsOf(0), index.resultsOf(1)]).toEqual([[], [2]])
  })

  test('do not lead to the list that a refused call leaves', () => {
    const refused = events(2, [result('t'), list('t')], { toolName: 'TodoWrite' })
    const index = indexOf(read(1, events(1, [list('t')])), read(2, refused))
    expect(pairs(index)).toEqual([-1, 0, -1])
    expect([index.resultsOf(0), index.resultsOf(2)]).toEqual([[1], []])
  })

  test('lead nowhere where no list was written, and have their tool all the same', () => {
    const index = indexOf(read(1, events(1, [result('t')], { toolName: 'TaskUpdate' })))
    expect(pairs(index)).toEqual([-1])
    expect(toolsOf(index)).toEqual(['TaskUpdate'])
  })

  test('of one scope do not lead to a list of another', () => {
    const index = indexOf(
      read(1, events(1, [list('t')], { idScope: 'a' })),
      read(2, events(2, [list('t')], { idScope: 'b' })),
      read(3, events(3, [result('t')], { idScope: 'a', toolName: 'write_todos' }))
    )
    expect(pairs(index)).toEqual([-1, -1, 0])
  })

  test('a script that wrote lists keeps its own result', () => {
    const index = indexOf(
      read(1, events(1, [call('t', 'exec'), list('t'), list('t')])),
      read(2, events(2, [result('t'), list('t')])),
      read(3, events(3, [call('u', 'exec'), result('u')]))
    )
    expect(pairs(index)).toEqual([-1, -1, -1, 0, -1, -1, 5])
    expect([0, 1, 2, 4].map((row) => index.resultsOf(row))).toEqual([[3], [], [], []])
    expect(toolsOf(index)).toEqual(['exec', undefined, undefined, 'exec', undefined, 'exec', 'exec'])
  })
})

describe('tracks', () => {
  test('are named after the call that started them, and nest', () => {
    const task = { description: 'Check the README', prompt: 'Read README.md and …' }
    const index = indexOf(
      read(1, events(1, [call('t1', 'Agent', task)])),
      read(2, events(2, [call('t2', 'Agent', { prompt: 'Look\ndeeper' })], { trackId: 't1' })),
      read(3, events(3, [{ type: 'text', text: 'Find it', role: 'user' }], { trackId: 'orphan' })),
      read(4, events(4, [say('x')], { trackId: 't2' }))
    )
    expect(index.tracks).toEqual([
      { trackId: null, label: 'main', depth: 0, call: -1 },
      { trackId: 't1', label: 'Check the README', depth: 1, call: 0 },
      { trackId: 'orphan', label: 'Find it', depth: 1, call: -1 },
      { trackId: 't2', label: 'Look deeper', depth: 2, call: 1 }
    ])
    expect([...new Uint16Array(index.columns(0, 4).track)]).toEqual([0, 1, 2, 3])
  })

  test('a log that names a new track and a new tool on each line does not grow the lists for ever', () => {
    const index = new EventIndex()
    for (let line = 1; line <= 5000; line++) {
      index.addLine(read(line, events(line, [call(`c${line}`, `tool ${line}`)], { trackId: `track ${line}` })))
    }
    expect([index.tools.length, index.tracks.length]).toEqual([1000, 4001])
    expect([index.tools.at(-1), index.tracks.at(-1)?.trackId]).toEqual(['further tools', 'further subagents'])
  })
})

describe('an event again', () => {
  test('has all that the fold said of it', () => {
    const [first, second] = events(1, [say('a'), say('b')], { trackId: 't', timestampFrom: 'previous' })
    const [third] = events(2, [say('c')], { sessionId: 's2', timestamp: 0 })
    if (!first || !second || !third) throw new Error('no events')
    const index = indexOf(read(1, [first, second]), read(2, [third]), read(3))
    expect(index.eventAt(0, [first.draft, second.draft])).toEqual(first)
    expect(index.eventAt(1, [first.draft, second.draft])).toEqual(second)
    expect(index.eventAt(2, [third.draft])).toEqual(third)
    expect(index.eventAt(3, [])).toBeNull()
  })

  test('of a result has what its call told: the tool and how long it took', () => {
    const told: Partial<FoldedEvent>[] = [
      { toolName: 'TodoWrite', tookMs: 0.5 },
      { toolName: 'TaskCreate' },
      { tookMs: 7e9 },
      {}
    ]
    const folded = told.map((over, line) => events(line + 1, [result('t')], over)[0])
    const index = new EventIndex()
    for (const [line, event] of folded.entries()) if (event) index.addLine(read(line + 1, [event]))
    expect(folded.map((_, row) => index.eventAt(row, [result('t')]))).toStrictEqual(folded)
  })

  test('of a result that states its tool and its time has them once, in its draft', () => {
    const stated: EventDraft = {
      ...result('t'),
      type: 'tool.completed',
      toolId: 't',
      toolName: 'TodoWrite',
      durationMs: 3
    }
    const [event] = events(1, [stated])
    if (!event) throw new Error('no event')
    const index = indexOf(read(1, [event]))
    expect(index.eventAt(0, [stated])).toStrictEqual(event)
    expect(index.tools).toEqual(['TodoWrite'])
    expect([...new Float64Array(index.columns(0, 1).took)]).toEqual([3])
  })

  test('a log that names a new todo tool on each line does not grow the list of them for ever', () => {
    const index = new EventIndex()
    for (let line = 1; line <= 1000; line++)
      index.addLine(read(line, events(line, [result('t')], { toolName: `t${line}` })))
    const namesOf = (row: number) => index.eventAt(row, [result('t')])?.toolName
    expect([namesOf(0), namesOf(999)]).toEqual(['t1', 'further todo tools'])
  })

  test('that the fold made itself is kept, others are taken from the line', () => {
    const [made] = events(1, [{ type: 'todo_list', todoId: 'x', items: [] }], { body: -1 })
    const [written] = events(2, [say('a')])
    if (!made || !written) throw new Error('no events')
    const index = indexOf(read(1, [made]), read(2, [written]))
    expect(index.eventAt(0, [])?.draft).toEqual(made.draft)
    expect(index.eventAt(1, [])).toBeNull()
  })

  test('times that no record states are not the first or last time of the log', () => {
    const index = indexOf(
      read(1, events(1, [say('a')], { timestamp: 0, timestampFrom: 'previous' })),
      read(2, events(2, [say('a')], { timestamp: 5000 })),
      read(3, events(3, [say('a')], { timestamp: 4000 })),
      read(4, events(4, [say('a')], { timestamp: 4000, timestampFrom: 'previous' }))
    )
    expect([index.firstTimestamp, index.lastTimestamp]).toEqual([4000, 5000])
    expect([...new Float64Array(index.columns(0, 1).time)]).toEqual([NaN])
  })

  test('model and session are those of the first session', () => {
    const index = indexOf(read(1), read(2, events(2, [{ type: 'session.started', model: 'm1' }])))
    expect([index.model, index.sessionId]).toEqual(['m1', 's1'])
    expect([new EventIndex().model, new EventIndex().sessionId]).toEqual([null, null])
  })
})

describe('marks', () => {
  const marks = (index: EventIndex): number[] => [...new Uint8Array(index.columns(0, index.rows).mark)]

  test('fall on all rows of a line, given before or with the mark', () => {
    const index = indexOf(read(1), read(2, events(2, [say('a'), say('b')])), read(3))
    index.addLine({
      ...read(4),
      marks: [
        { at: at(2), mark: 'abandoned' },
        { at: at(4), mark: 'duplicate' }
      ]
    })
    expect(marks(index)).toEqual([0, 3, 3, 0, 1])
    expect(index.marked).toBe(3)
  })

  test('find a line also after an event of an earlier one, and ignore a line that has no row', () => {
    const index = indexOf(read(1), read(2), read(4, [...events(1, [say('late')]), ...events(4, [say('d')])]), read(5))
    index.addMarks([
      { at: at(4), mark: 'retracted' },
      { at: at(3), mark: 'retracted' },
      { at: at(99), mark: 'retracted' }
    ])
    expect(marks(index)).toEqual([0, 0, 0, 2, 0])
  })

  test('pass over an event that tells of another line, and fall on it with that line', () => {
    const end: EventDraft = { type: 'turn.completed', finishReason: 'done' }
    const endOf = (line: number, of: number): FoldedEvent[] => events(line, [end], { body: -1, markedWith: at(of) })
    const begun = events(2, [{ type: 'session.started' }], { body: -1, markedWith: null })
    const index = indexOf(
      read(2, [...begun, ...events(2, [say('prompt')])]),
      read(3, events(3, [say('answer')])),
      read(4, [...endOf(4, 3), ...events(4, [say('prompt')])]),
      read(5, events(5, [say('answer')]))
    )
    const rows = [0, 1, 2, 3, 4, 5]
    const marksOf = () => rows.map((row) => marks(index)[row] ?? 0)
    index.addMarks([
      { at: at(2), mark: 'abandoned' },
      { at: at(4), mark: 'abandoned' },
      { at: at(5), mark: 'abandoned' }
    ])
    expect(marksOf()).toEqual([0, 3, 0, 0, 3, 3])
    // The end of a turn that is marked already.
    index.addLine(read(6, [...endOf(6, 5), ...events(6, [say('prompt')])]))
    expect(marks(index)).toEqual([0, 3, 0, 0, 3, 3, 3, 0])
    index.addMarks([{ at: at(3), mark: 'retracted' }])
    expect(marks(index)).toEqual([0, 3, 2, 2, 3, 3, 3, 0])
  })

  test('tell apart the records that stand on one line of a document', () => {
    const record = (offset: number): ReadLine => {
      const place = { line: 1, offset, length: 10 }
      return {
        ...read(
          1,
          events(1, [say('x')]).map((event) => ({ ...event, at: place }))
        ),
        at: { ...place, terminated: true }
      }
    }
    const index = indexOf(record(1), record(12), record(23))
    index.addMarks([{ at: { offset: 12 }, mark: 'retracted' }])
    expect(marks(index)).toEqual([0, 2, 0])
  })

  test('tell the files of a run apart', () => {
    const inFile = (line: number): ReadLine => {
      const place = { file: 'sub.jsonl', ...at(line) }
      return {
        ...read(
          line,
          events(line, [say('x')]).map((event) => ({ ...event, at: place }))
        ),
        at: { ...place, terminated: true }
      }
    }
    const index = indexOf(read(1), read(2, events(2, [say('a')])), inFile(1), read(3), inFile(2))
    index.addMarks([
      { at: { file: 'sub.jsonl', ...at(2) }, mark: 'abandoned' },
      { at: at(1), mark: 'duplicate' }
    ])
    expect(marks(index)).toEqual([1, 0, 0, 0, 3])
    expect([1, 2, 4].map((row) => index.place(row))).toEqual([
      at(2),
      { file: 'sub.jsonl', ...at(1) },
      { file: 'sub.jsonl', ...at(2) }
    ])
    expect(index.lines).toBe(3)
  })
})

test('a text in pieces is remembered with its end', () => {
  const index = indexOf(read(1, events(1, [say('whole')], { joinedTo: 505 })), read(2))
  expect(index.joinedTo(0)).toBe(505)
  expect(index.eventAt(0, [say('whole')])).toMatchObject({ joinedTo: 505, draft: say('whole') })
  expect(index.joinedTo(1)).toBeUndefined()
})
