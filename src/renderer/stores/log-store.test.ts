import { describe, expect, it } from 'vitest'
import { type CannedRow, testHost } from '../../../test/page/host.ts'
import { filterRows } from '../../../test/page/filter-rows.ts'
import { createLogStore } from './log-store.ts'

const item = { text: 'Write it', status: 'pending' as const }
const rows: CannedRow[] = [
  { kind: 'record' },
  { kind: 'prompt' },
  { kind: 'todo', items: [item] },
  { kind: 'tool', tool: 1 },
  { kind: 'prompt', track: 1 },
  { kind: 'record', track: 1 },
  { kind: 'record', track: 1 },
  { kind: 'tool', tool: 2, track: 1 },
  { kind: 'tool-result', pair: 3, severity: 'violation' },
  { kind: 'todo', items: [{ ...item, status: 'completed' }] }
]

async function openStore() {
  const { host, status } = testHost(rows)
  const store = createLogStore(host, status)
  await expect.poll(() => store.getState().columns.rows + store.getState().todos.count).toBe(rows.length + 2)
  const at = () => [store.getState().row, store.getState().seq]
  return { store, at, log: store.getState() }
}

describe('the playhead', () => {
  it('starts at the first event, not moved', async () => {
    const { store, at } = await openStore()
    expect(at()).toEqual([1, 0])
    expect(store.getState().moved).toBe(false)
  })

  it('steps through events and stops at both ends', async () => {
    const { store, at, log } = await openStore()
    log.stepping.step(1)
    expect(at()).toEqual([2, 1])
    expect(store.getState().moved).toBe(true)
    log.stepping.end()
    log.stepping.step(1)
    expect(at()).toEqual([9, 6])
    log.stepping.home()
    log.stepping.step(-1)
    expect(at()).toEqual([1, 0])
  })

  it('is on the event before a selected record, and steps from there', async () => {
    const { at, log } = await openStore()
    log.playhead.select(6)
    expect(at()).toEqual([6, 3])
    log.stepping.step(-1)
    expect(at()).toEqual([4, 3])
    log.playhead.select(6)
    log.stepping.step(1)
    expect(at()).toEqual([7, 4])
  })

  it('goes to todo changes and issues', async () => {
    const { at, log } = await openStore()
    log.stepping.nextTodo(1)
    expect(at()).toEqual([2, 1])
    log.stepping.nextTodo(1)
    expect(at()).toEqual([9, 6])
    log.stepping.nextTodo(1)
    expect(at()).toEqual([9, 6])
    log.stepping.nextTodo(-1)
    expect(at()).toEqual([2, 1])
    log.stepping.nextIssue(1)
    expect(at()).toEqual([8, 5])
  })

  it('steps over a subagent, and out of one', async () => {
    const { at, log } = await openStore()
    log.playhead.select(3)
    log.stepping.stepOver()
    expect(at()).toEqual([8, 5])
    log.playhead.select(4)
    log.stepping.stepOver()
    expect(at()).toEqual([8, 5])
  })

  it('goes to a line, an event or a time, or reports why not', async () => {
    const { at, log } = await openStore()
    expect(log.stepping.goTo('line 4')).toBeNull()
    expect(at()).toEqual([3, 2])
    expect(log.stepping.goTo('#6')).toBeNull()
    expect(at()).toEqual([9, 6])
    expect(log.stepping.goTo('line 400')).toBe('The log has 10 lines.')
    expect(log.stepping.goTo('#7')).toBe("The log's events run from 0 to 6.")
    expect(log.stepping.goTo('soon')).toMatch(/^Enter a line/)
  })
})

describe('the player', () => {
  it('moves the playhead as time passes, and pauses at the end', async () => {
    const { store, at, log } = await openStore()
    log.playing.toggle()
    log.playing.advance(500)
    expect(at()).toEqual([1, 0])
    log.playing.advance(500)
    expect(at()).toEqual([2, 1])
    log.playing.setRate(60)
    log.playing.advance(1000)
    expect(at()).toEqual([9, 6])
    expect(store.getState().player.playing).toBe(false)
  })

  it('starts again at the end, continues from a new place, and is paused by a step', async () => {
    const { store, at, log } = await openStore()
    log.stepping.end()
    log.playing.toggle()
    expect(at()).toEqual([1, 0])
    log.playhead.placeEvent(4)
    log.playing.advance(1000)
    expect(at()).toEqual([8, 5])
    log.stepping.step(-1)
    expect(store.getState().player.playing).toBe(false)
  })
})

describe('the player under a filter', () => {
  it('plays shown rows at their times, and stops at no hidden row', async () => {
    const { store, at, log } = await openStore()
    await filterRows(store, 'kind:(tool OR todo)')
    log.playing.stopAtIssues(true)
    await expect.poll(() => store.getState().review.phase).toBe('ready')
    log.reviewing.toggleBreakpointHere(4)
    log.playing.toggle()
    log.playing.advance(1000)
    expect(at()).toEqual([2, 1])
    log.playing.advance(1000)
    expect(at()).toEqual([3, 2])
    log.playing.advance(1999)
    expect(at()).toEqual([3, 2])
    log.playing.advance(1)
    expect(at()).toEqual([7, 4])
    log.playing.advance(2000)
    expect([at(), store.getState().player.playing]).toEqual([[9, 6], false])
    log.playing.toggle()
    expect(at()).toEqual([2, 1])
    await filterRows(store, '')
    log.playing.advance(60_000)
    expect(at()).toEqual([4, 3])
  })
})

describe('records without an event', () => {
  it('are shown singly when selected, and all on demand', async () => {
    const { log } = await openStore()
    const shown = () => [0, 5, 6].filter((row) => log.layout.viewOf(row) >= 0)
    expect([log.layout.records, shown()]).toEqual([3, []])
    log.stepping.goTo('line 7')
    expect(shown()).toEqual([6])
    log.filtering.showRecords(true)
    expect(shown()).toEqual([0, 5, 6])
    // The one at the playhead stays.
    log.filtering.showRecords(false)
    expect(shown()).toEqual([6])
    log.playhead.placeEvent(0)
    log.filtering.showRecords(false)
    expect(shown()).toEqual([])
  })

  it('stay hidden at the playhead before the first move', async () => {
    const { host, status } = testHost([{ kind: 'record' }, { kind: 'record' }])
    const store = createLogStore(host, status)
    await expect.poll(() => store.getState().columns.rows).toBe(2)
    expect([store.getState().row, store.getState().layout.count]).toEqual([0, 0])
    store.getState().playhead.placeEvent(0)
    expect(store.getState().layout.viewOf(0)).toBe(0)
  })
})

describe('find', () => {
  it('marks matches, moves around them and clears them', async () => {
    const { store, at, log } = await openStore()
    log.finding.setQuery({ text: 'tool' })
    await expect.poll(() => [...store.getState().find.hits]).toEqual([3, 7, 8])
    log.finding.next(1)
    log.finding.next(1)
    expect(at()[0]).toBe(7)
    log.finding.next(1)
    log.finding.next(1)
    expect(at()[0]).toBe(3)
    log.finding.next(-1)
    expect(at()[0]).toBe(8)
    log.finding.setQuery({ text: '' })
    expect(store.getState().find.hits).toHaveLength(0)
  })

  it('goes to the match that was requested before the answer', async () => {
    const { at, log } = await openStore()
    log.finding.setQuery({ text: 'tool' })
    log.finding.next(-1)
    await expect.poll(() => at()[0]).toBe(8)
  })

  it('repeats an ended search for the next match', async () => {
    const { store, at, log } = await openStore()
    log.finding.setQuery({ text: 'tool' })
    log.finding.next(1)
    await expect.poll(() => at()[0]).toBe(3)
    log.finding.end()
    expect(store.getState().find).toMatchObject({ text: '', hits: new Uint32Array() })
    log.finding.next(1)
    await expect.poll(() => at()[0]).toBe(7)
    expect(store.getState().find.text).toBe('tool')
  })

  it('does not move when another text is typed meanwhile', async () => {
    const { store, at, log } = await openStore()
    const before = at()[0]
    log.finding.setQuery({ text: 'tool' })
    log.finding.next(1)
    log.finding.setQuery({ text: 'too' })
    await expect.poll(() => store.getState().find).toMatchObject({ text: 'too', searching: false })
    expect(at()[0]).toBe(before)
  })
})

describe('a filter', () => {
  it('limits matches and issues to shown rows', async () => {
    const { store, at, log } = await openStore()
    await filterRows(store, 'tool:(Bash OR Read)')
    log.finding.setQuery({ text: 'tool' })
    await expect.poll(() => [...store.getState().find.hits]).toEqual([3, 7, 8])
    log.finding.next(1)
    log.finding.next(1)
    expect(at()[0]).toBe(7)
    log.finding.next(1)
    expect(at()[0]).toBe(3)
    log.stepping.nextIssue(1)
    expect(at()[0]).toBe(3)
    log.stepping.nextTodo(1)
    expect(at()[0]).toBe(9)
  })

  it('keeps the playhead within its last row', async () => {
    const { store, at, log } = await openStore()
    await filterRows(store, 'kind:prompt')
    log.stepping.end()
    const last = at()
    log.stepping.stepOver()
    expect(at()).toEqual(last)
    expect(store.getState().stepNote?.text).toBe('This is the end.')
  })

  it('is taken away in one step: no row is hidden on the way', async () => {
    const { store, log } = await openStore()
    await filterRows(store, 'kind:prompt')
    const before = log.layout.refiltered
    await filterRows(store, '')
    expect(log.layout.refiltered).toBe(before + 1)
  })

  it('is kept in the next generation, as is the search', async () => {
    const { store, log } = await openStore()
    await filterRows(store, '/PROMPT/i')
    log.finding.setQuery({ text: 'PROMPT', regex: true })
    await expect.poll(() => store.getState().layout.shown).toBe(2)
    const { host, status } = testHost([...rows.slice(4), ...rows], { generation: 2 })
    const next = createLogStore(host, status)
    next.getState().resuming.resumeFrom(store.getState())
    await expect.poll(() => [...next.getState().find.hits]).toEqual([0, 7, 10])
    await expect.poll(() => next.getState().layout.shown).toBe(3)
    expect(next.getState().find).toMatchObject({ text: 'PROMPT', regex: true, caseSensitive: false })
    log.dispose()
  })
})

describe('loading', () => {
  it('follows a log while it is read', async () => {
    const { host, status, progress } = testHost(rows, { phase: 'reading', rows: 3, todoSnapshots: 0 })
    const store = createLogStore(host, status)
    await expect.poll(() => store.getState().columns.rows).toBeGreaterThan(0)
    progress({ ...status, phase: 'done', rows: rows.length, todoSnapshots: 2 })
    await expect.poll(() => store.getState().columns.rows).toBe(rows.length)
    await expect.poll(() => store.getState().todos.count).toBe(2)
    expect(store.getState().row).toBe(1)
  })

  it('handles a key that was pressed before the rows were loaded', async () => {
    const { host, status } = testHost(rows)
    const store = createLogStore(host, status)
    store.getState().loading.whenLoaded(() => store.getState().stepping.end())
    store.getState().loading.whenLoaded(() => store.getState().stepping.step(-1))
    expect(store.getState().row).toBe(-1)
    await expect.poll(() => store.getState().columns.events - store.getState().seq).toBe(2)
    expect(store.getState().columns.rows).toBe(rows.length)
  })

  it('reports an error, and loads again on request', async () => {
    const { host, status } = testHost(rows)
    let failing = true
    const store = createLogStore(
      {
        call: (method, params) =>
          failing ? Promise.reject(new Error('The file is gone.')) : host.call(method, params),
        on: (notice, listener) => host.on(notice, listener),
        onClose: () => {}
      },
      status
    )
    await expect.poll(() => store.getState().loadError).toBe('The file is gone.')
    failing = false
    store.getState().loading.reload()
    await expect.poll(() => store.getState().columns.rows).toBe(rows.length)
    expect(store.getState().loadError).toBeNull()
  })

  it('repeats a search after a lost connection, unless it was stopped or invalid', async () => {
    const { host, status } = testHost(rows)
    let lost = true
    const finds: unknown[] = []
    const store = createLogStore(
      {
        call: (method, params) => {
          if (method !== 'log.find') return host.call(method, params)
          finds.push(params)
          return lost ? Promise.reject(new Error('The connection was lost.')) : host.call(method, params)
        },
        on: (notice, listener) => host.on(notice, listener),
        onClose: () => {}
      },
      status
    )
    const { finding, loading } = store.parts
    const find = () => store.getState().find
    finding.setQuery({ text: 'prompt' })
    await expect.poll(() => find().error?.message).toBe('The connection was lost.')
    lost = false
    loading.reload()
    await expect.poll(() => [...find().hits]).toEqual([1, 4])
    expect(find().error).toBeNull()
    loading.reload()
    expect([finds.length, [...find().hits]]).toEqual([3, [1, 4]])
    await expect.poll(() => find().searching).toBe(false)
    finding.setQuery({ text: '(', regex: true })
    await expect.poll(() => find().error?.invalid).toBe(true)
    loading.reload()
    finding.setQuery({ text: 'tool', regex: false })
    finding.stop()
    loading.reload()
    expect([finds.length, find().stopped]).toEqual([4, true])
  })
})
