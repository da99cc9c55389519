import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CannedRow, testHost } from '../../../test/page/host.ts'
import { filterRows } from '../../../test/page/filter-rows.ts'
import { type LiveHost, liveHost } from '../../../test/page/live-host.ts'
import { createAppStore } from './app-store.ts'
import { createLogStore, type LogStore } from './log-store.ts'

const tool: CannedRow = { kind: 'tool', tool: 1 }
const record: CannedRow = { kind: 'record' }
const turn: CannedRow = { kind: 'turn' }
const cut: CannedRow = { kind: 'error', severity: 'malformed' }
const done = { text: 'Write it', status: 'completed' as const }
const todo: CannedRow = { kind: 'todo', items: [done] }
/** However slow the machine is. */
const eventually = <T>(value: () => T) => expect.poll(value, { timeout: 60_000, interval: 5 })
const tools = (count: number): CannedRow[] => Array.from({ length: count }, () => tool)

/** What the page has of a log, as far as it is the host's: to be compared with what a page has that has just been opened. */
function contentOf(store: LogStore) {
  const { columns, layout, overview, failedCalls, todos } = store.getState()
  const { rows, events } = columns
  const rowsOf = [
    'kind',
    'severity',
    'issues',
    'time',
    'line',
    'file',
    'seq',
    'tool',
    'track',
    'mark',
    'pairOf'
  ] as const
  const snapshots = Array.from({ length: todos.count }, (_, at) => [
    todos.seqAt(at),
    todos.rowAt(at),
    todos.trackAt(at),
    todos.completedAt(at),
    todos.totalAt(at),
    todos.indexAt(todos.seqAt(at), todos.trackAt(at))
  ])
  return {
    rows,
    events,
    columns: rowsOf.map((name) => Array.from(columns[name].subarray(0, rows))),
    rowOfSeq: Array.from(columns.rowOfSeq.subarray(0, events)),
    lines: Array.from({ length: layout.count }, (_, at) => [layout.kindAt(at), layout.rowAt(at), layout.amountAt(at)]),
    overview: overview.query(0, Math.max(1, events), 16),
    failed: Array.from(failedCalls.results),
    snapshots
  }
}

/** All that the host has told is here. */
async function isCaughtUp(store: LogStore, { now }: Pick<LiveHost, 'now'>) {
  const { rows, events, todoSnapshots, settled, grownAt } = now.status
  await eventually(() => {
    const { columns, layout, todos, settledRows, status } = store.getState()
    return [columns.rows, columns.events, todos.count, settledRows, status.grownAt, layout.isBehind]
  }).toEqual([rows, events, todoSnapshots, settled.rows, grownAt, false])
}

/** The log of `first` rows, and `ending` after them that are not final, opened and loaded. */
async function open(first: readonly CannedRow[], ending: readonly CannedRow[] = []) {
  const live = liveHost(first, ending)
  const store = createLogStore(live.host, live.status)
  await isCaughtUp(store, live)
  const caughtUp = () => isCaughtUp(store, live)
  const at = () => [store.getState().row, store.getState().seq]
  return { ...live, live, store, log: store.getState(), at, caughtUp }
}

describe('a log that grows', () => {
  it('costs what was added, and no row that is final is asked for again', async () => {
    const { live, caughtUp, pages } = await open(tools(5000))
    const before = pages.length
    for (let growth = 0; growth < 20; growth++) {
      live.grow([tool])
      await caughtUp()
    }
    expect(pages.slice(before)).toEqual(Array.from({ length: 20 }, (_, growth) => [5000 + growth, 1]))
  })

  it('takes back what was not final, and what followed from it', async () => {
    const result: CannedRow = { kind: 'tool-result', pair: 1 }
    const { live, store, caughtUp, pages } = await open([record, tool, todo], [record, { ...todo, track: 1 }, result])
    const { columns, todos, layout } = store.getState()
    expect([columns.pairOf[1], todos.indexAt(9, 1)]).toEqual([5, 1])
    live.grow([tool, tool])
    await caughtUp()
    expect([columns.pairOf[1], todos.indexAt(9, 1), columns.kindAt(3)]).toEqual([-1, -1, 'tool'])
    expect([columns.rows, columns.events, layout.count]).toEqual([5, 4, 4])
    expect(pages.at(-1)).toEqual([3, 2])
    expect(store.getState()).toMatchObject({ settledRows: 5, replacements: 1 })
  })

  it('shrinks to what is final where nothing comes instead', async () => {
    const { live, store, caughtUp, pages } = await open([tool, tool], [cut, turn])
    const asked = pages.length
    live.grow([])
    await caughtUp()
    expect(store.getState().columns.rows).toBe(2)
    expect(pages.length).toBe(asked)
  })

  it('shows a call that has failed once its result is there, under a filter for those', async () => {
    const { live, store, caughtUp } = await open([tool, tool, record], [cut])
    await filterRows(store, 'status:error')
    const shown = () => {
      const { layout } = store.getState()
      return Array.from({ length: layout.count }, (_, view) => layout.rowAt(view))
    }
    expect(shown()).toEqual([])
    live.grow([{ kind: 'tool-error', tool: 1, pair: 0 }])
    await caughtUp()
    // The result is on the line of its call.
    expect([shown(), store.getState().layout.resultAt(0)]).toEqual([[0], 3])
    expect(store.getState().failedCalls.results.length).toBe(1)
  })

  it('keeps the earlier result of a call when the last one is taken back', async () => {
    const result: CannedRow = { kind: 'tool-result', pair: 0 }
    const { live, store, caughtUp } = await open([tool, result], [result])
    expect(store.getState().columns.pairOf[0]).toBe(2)
    live.grow([tool])
    await caughtUp()
    expect(store.getState().columns.pairOf[0]).toBe(1)
  })

  it('is all there after a thousand growths in a moment, asked for in few pages', async () => {
    const { live, caughtUp, pages, store } = await open(tools(10), [turn])
    for (let growth = 0; growth < 1000; growth++) live.grow([tool, record], [turn])
    await caughtUp()
    expect(store.getState().columns.rows).toBe(2011)
    expect(pages.length).toBeLessThan(20)
    expect(store.getState().loadError).toBeNull()
  })

  it('says nothing of a row that was taken back while it was asked for, and asks again for what is there', async () => {
    const scheduled: (() => void)[] = []
    globalThis.requestAnimationFrame = (run) => scheduled.push(() => run(0))
    const frame = () => scheduled.splice(0).forEach((run) => run())
    const { live, store, caughtUp } = await open([tool, tool], [cut, turn])
    const { summaries } = store.getState()
    // The host has one row less by now, and has not said so.
    live.growInSilence([{ ...tool, text: 'Whole' }])
    summaries.request('timeline', [0, 1, 2, 3])
    frame()
    await eventually(() => [0, 1].map((row) => summaries.get(row)?.text)).toEqual(['tool 0', 'tool 1'])
    frame()
    live.tell({})
    await caughtUp()
    await eventually(() => {
      frame()
      return summaries.get(2)?.text
    }).toBe('Whole')
    expect(store.getState().loadError).toBeNull()
  })
})

describe('the playhead in a log that grows', () => {
  it('stays on its row, and on a row that was not final while its line is there', async () => {
    const { live, store, at, caughtUp } = await open(tools(5), [cut])
    store.getState().playhead.select(2)
    live.grow([tool, tool])
    await caughtUp()
    expect(at()).toEqual([2, 2])
  })

  it('goes to the event before when its row was taken back', async () => {
    const { live, store, at, caughtUp } = await open([...tools(5), record], [turn, turn])
    store.getState().playhead.select(6)
    live.grow([])
    await caughtUp()
    expect(at()).toEqual([4, 4])
    expect(store.getState().following).toBe(false)
  })

  it('goes on, whatever comes, when a key is pressed', async () => {
    const { live, store, log } = await open(tools(3))
    store.getState().stepping.home()
    // Rows are on their way.
    live.grow(tools(5))
    log.loading.whenLoaded(() => log.stepping.step(1))
    expect(store.getState().seq).toBe(1)
  })
})

describe('following', () => {
  it('is off in a log that is opened, also when that grows', async () => {
    const { live, store, at, caughtUp } = await open(tools(3))
    expect(store.getState().following).toBe(false)
    live.grow(tools(2))
    await caughtUp()
    expect([at()[0], store.getState().following]).toEqual([0, false])
  })

  it('begins with End, and moves the playhead to what was added, past records', async () => {
    const { live, store, at, caughtUp } = await open([...tools(3), record])
    store.getState().stepping.end()
    expect([at()[0], store.getState().following]).toEqual([2, true])
    live.grow([tool, record])
    await caughtUp()
    expect([at()[0], store.getState().following]).toEqual([4, true])
  })

  it('ends with a step away, and begins again at the end of a log that has grown', async () => {
    const { live, store, at, caughtUp } = await open(tools(3))
    store.getState().stepping.end()
    live.grow([tool])
    await caughtUp()
    store.getState().stepping.step(-1)
    expect([at()[0], store.getState().following]).toEqual([2, false])
    live.grow([tool])
    await caughtUp()
    expect(at()[0]).toBe(2)
    store.getState().stepping.step(2)
    expect([at()[0], store.getState().following]).toEqual([4, true])
  })

  it('begins with the first growth where the playhead was led to the end before', async () => {
    const { live, store, at, caughtUp } = await open(tools(3), [turn])
    store.getState().playhead.select(3)
    expect(store.getState().following).toBe(false)
    live.grow([tool], [turn])
    await caughtUp()
    expect([at()[0], store.getState().following]).toEqual([4, true])
  })

  it('stays off at the end when it was switched off there, until the playhead is moved there again', async () => {
    const { live, store, at, caughtUp } = await open(tools(3))
    store.getState().stepping.follow(true)
    expect(at()[0]).toBe(2)
    store.getState().stepping.follow(false)
    live.grow([tool])
    await caughtUp()
    expect([at()[0], store.getState().following]).toEqual([2, false])
    store.getState().playhead.select(3)
    expect(store.getState().following).toBe(true)
  })

  it('leads to the last event that is shown, under a filter, and on with those that come', async () => {
    const prompt: CannedRow = { kind: 'prompt' }
    const { live, store, at, caughtUp } = await open([prompt, ...tools(3)])
    store.getState().stepping.follow(true)
    await filterRows(store, 'kind:prompt')
    expect([at()[0], store.getState().following]).toEqual([0, true])
    live.grow(tools(2))
    await caughtUp()
    expect([at()[0], store.getState().following]).toEqual([0, true])
    live.grow([tool, prompt, record], [turn])
    await caughtUp()
    expect([at()[0], store.getState().following]).toEqual([7, true])
    await filterRows(store, '')
    expect([at()[0], store.getState().following]).toEqual([9, true])
  })

  it('leads to the end also where the filter shows none of it, and to the first event that it shows', async () => {
    const { live, store, at, caughtUp } = await open(tools(3))
    await filterRows(store, 'kind:prompt')
    store.getState().stepping.follow(true)
    expect(at()[0]).toBe(2)
    live.grow([{ kind: 'prompt' }, tool])
    await caughtUp()
    expect([at()[0], store.getState().following]).toEqual([3, true])
  })

  it('leads to a hit that is found after its row came', async () => {
    const { live, store, log, at, caughtUp } = await open([{ kind: 'tool', text: 'npm test' }, ...tools(2)])
    log.finding.setQuery({ text: 'npm' })
    await eventually(() => [store.getState().find.searching, store.getState().find.hits.length]).toEqual([false, 1])
    await filterRows(store, 'npm')
    store.getState().stepping.follow(true)
    expect(at()[0]).toBe(0)
    live.grow([tool, { kind: 'tool', text: 'npm run' }, tool])
    await caughtUp()
    log.finding.setQuery({ text: 'npm' })
    await eventually(() => at()[0]).toBe(4)
    expect(store.getState().following).toBe(true)
  })

  it('switched on in an empty log, leads to its first rows', async () => {
    const { live, store, at, caughtUp } = await open([])
    store.getState().stepping.follow(true)
    live.grow(tools(3))
    await caughtUp()
    expect(at()[0]).toBe(2)
  })

  it('shows no record that is hidden where the log is opened later', async () => {
    const { live, store, at, caughtUp } = await open([])
    store.getState().stepping.follow(true)
    live.grow([record])
    await caughtUp()
    expect([at()[0], store.getState().layout.count, store.getState().following]).toEqual([0, 0, true])
    live.grow(tools(2))
    await caughtUp()
    const later = await open([record, ...tools(2)])
    expect(contentOf(store).lines).toEqual(contentOf(later.store).lines)
    expect([at()[0], store.getState().following]).toEqual([2, true])
  })
})

describe('a new generation', () => {
  /** The page of one log, opened and loaded. */
  async function openPage(rows: readonly CannedRow[]) {
    const live = liveHost(rows)
    const storage = { getItem: () => null, setItem: () => {} }
    const app = createAppStore(live.host, { storage })
    app.getState().setConnection('open')
    await eventually(() => app.getState().active).toBe('log-1')
    const store = () => {
      const found = app.getState().logStores.get('log-1')
      if (found === undefined) throw new Error('The log is not open.')
      return found
    }
    const caughtUp = () => eventually(() => store().getState().columns.rows).toBe(live.now.rows.length)
    return { live, app, store, log: () => store().getState(), caughtUp }
  }

  it('starts over, at the same event, and says why until it was read', async () => {
    const { live, log, caughtUp } = await openPage([...tools(8), todo])
    await caughtUp()
    log().playhead.placeEvent(5)
    const key = log().key
    live.startOver([record, ...tools(7)], 'The file was replaced.')
    await eventually(() => log().key).not.toBe(key)
    await caughtUp()
    expect(log()).toMatchObject({ row: 6, seq: 5, moved: true, generationNote: 'The file was replaced.' })
    expect([log().todos.count, log().columns.kindAt(0), log().status.generationNote]).toEqual([
      0,
      'record',
      'The file was replaced.'
    ])
    log().resuming.dismissNote()
    expect(log().generationNote).toBeNull()
  })

  it('begins at the first event where the one that was looked at is not there any more', async () => {
    const { live, log, caughtUp } = await openPage(tools(8))
    await caughtUp()
    log().playhead.placeEvent(5)
    live.startOver(tools(3), 'The file was truncated.')
    await caughtUp()
    expect(log()).toMatchObject({ row: 0, moved: false, following: false })
  })

  it('is followed where the end was, also from nothing', async () => {
    const { live, log, caughtUp } = await openPage(tools(8))
    await caughtUp()
    log().stepping.end()
    live.startOver([], 'The file was truncated.')
    await caughtUp()
    live.grow(tools(2))
    await caughtUp()
    expect(log()).toMatchObject({ row: 1, following: true })
  })

  it('that loses nothing takes the place of the one before when it is all there, and nothing starts over', async () => {
    const { live, store, log, caughtUp } = await openPage([tool, tool, record, record, tool, tool])
    await caughtUp()
    const [before, { key }] = [store(), log()]
    log().playhead.select(2)
    log().playhead.select(5)
    const line = log().columns.line[5]
    const release = live.holdPages()
    const asked = live.pages.length
    const lines = [tool, tool, record, record, tool, tool].map((row, at) => ({ ...row, line: at + 1 }))
    live.startOver([{ ...tool, file: 1, line: 1 }, ...lines, { ...tool, line: 7 }], null)
    await eventually(() => live.pages.length).toBe(asked + 1)
    expect(store()).toBe(before)
    expect(log().columns.rows).toBe(6)
    release()
    await caughtUp()
    expect(store()).not.toBe(before)
    expect(log()).toMatchObject({ key, generationNote: null, following: false, reveals: 0 })
    expect([log().row, log().columns.line[log().row]]).toEqual([6, line])
  })

  it('that loses nothing keeps records that are shown, and what was known of rows that are the same', async () => {
    const scheduled: (() => void)[] = []
    globalThis.requestAnimationFrame = (run) => scheduled.push(() => run(0))
    const { live, log, caughtUp } = await openPage([tool, record, record, tool])
    await caughtUp()
    log().playhead.select(1)
    log().summaries.request('timeline', [0, 1, 2, 3])
    scheduled.splice(0).forEach((run) => run())
    await eventually(() => log().summaries.get(3)?.text).toBe('tool 3')
    live.startOver([tool, record, record, tool, turn], null)
    await caughtUp()
    expect([1, 2].map((row) => log().layout.viewOf(row))).toEqual([1, -1])
    expect([3, 4].map((row) => log().summaries.get(row)?.text)).toEqual(['tool 3', undefined])
  })

  it('that loses nothing is overtaken by one that does', async () => {
    const { live, log, caughtUp } = await openPage(tools(4))
    await caughtUp()
    const { key } = log()
    const release = live.holdPages()
    live.startOver(tools(6), null)
    live.startOver(tools(3), 'The file was replaced.')
    await eventually(() => log().key).not.toBe(key)
    release()
    await caughtUp()
    expect(log()).toMatchObject({ generationNote: 'The file was replaced.', isComplete: true })
  })

  it('drops what the one before had asked for', async () => {
    const { live, log, caughtUp } = await openPage([...tools(3), record])
    await caughtUp()
    const release = live.holdPages()
    const asked = live.pages.length
    live.grow(tools(4))
    await eventually(() => live.pages.length).toBe(asked + 1)
    live.startOver([turn, turn], 'The file was replaced.')
    await eventually(() => live.pages.length).toBe(asked + 2)
    release()
    await caughtUp()
    expect([log().columns.kindAt(1), log().loadError]).toEqual(['turn', null])
  })

  it('is noticed after a lost connection too', async () => {
    const { live, app, log, caughtUp } = await openPage(tools(3))
    await caughtUp()
    app.getState().setConnection('lost')
    const { key } = log()
    live.startOverInSilence(tools(5), 'The file was replaced.')
    app.getState().setConnection('open')
    await eventually(() => log().key).not.toBe(key)
    await caughtUp()
    expect(log().generationNote).toBe('The file was replaced.')
  })
})

/** A row, and how far before it the tool stands that it is the result of. */
const row = fc.record({
  kind: fc.constantFrom<CannedRow['kind']>('record', 'tool', 'tool-result', 'tool-error', 'assistant', 'turn'),
  severity: fc.constantFrom<'none' | 'notice'>('none', 'notice'),
  track: fc.constantFrom(0, 1),
  ago: fc.integer({ min: 1, max: 4 }),
  items: fc.constantFrom<CannedRow['items'] | null>(null, null, [done], [])
})
type Drawn = typeof row extends fc.Arbitrary<infer T> ? T : never

const growth = fc.record({
  added: fc.array(row, { maxLength: 6 }),
  ending: fc.array(row, { maxLength: 3 }),
  told: fc.boolean(),
  /** Pages that are asked for now come after what happens next. */
  held: fc.boolean(),
  /** Turns of the event loop that pass before what happens next. */
  pause: fc.nat(6)
})

/** The rows as they stand after those `before`. Only a result has a call, only an event a todo list. */
function placed(rows: readonly Drawn[], before: readonly CannedRow[]): CannedRow[] {
  return rows.map(({ ago, items, ...row }, at) => {
    const pair = before.length + at - ago
    const isCall = (before[pair] ?? rows[pair - before.length])?.kind === 'tool'
    return {
      ...row,
      ...(row.kind.startsWith('tool-') && isCall && { pair }),
      ...(row.kind !== 'record' && items !== null && items !== undefined && { items })
    }
  })
}

it('whatever came in whatever order, the page has what a page has that opens the log now', async () => {
  const growths = fc.array(growth, { minLength: 1, maxLength: 12 })
  // 64 rows and more are counted by the overview as a whole.
  const first = fc.constantFrom(0, 60)
  const holds = fc.asyncProperty(first, growths, async (before, growths) => {
    const live = liveHost(tools(before))
    const store = createLogStore(live.host, live.status)
    let release = () => {}
    for (const { added, ending, told, held, pause } of growths) {
      const settled = live.now.rows.slice(0, live.now.status.settled.rows)
      const rows = placed(added, settled)
      const last = placed(ending, [...settled, ...rows])
      if (told) live.grow(rows, last)
      else live.growInSilence(rows, last)
      release()
      if (held) release = live.holdPages()
      for (let turn = 0; turn < pause; turn++) await new Promise((resolve) => setTimeout(resolve))
    }
    release()
    live.tell({})
    const fresh = createLogStore(testHost(live.now.rows).host, live.now.status)
    await isCaughtUp(fresh, live)
    await eventually(() => contentOf(store)).toEqual(contentOf(fresh))
    expect(store.getState().loadError).toBeNull()
  })
  await fc.assert(holds, { numRuns: 200 })
})
