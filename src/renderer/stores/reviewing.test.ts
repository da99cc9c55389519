import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Handlers } from '#contract/methods.ts'
import type { Review } from '#core/replay/review.ts'
import { type CannedRow, testHandlers, testHost } from '../../../test/page/host.ts'
import { liveHost } from '../../../test/page/live-host.ts'
import { createLogStore, type LogStore } from './log-store.ts'

const item = { text: 'Write tests', status: 'pending' as const }
const rows: CannedRow[] = [
  { kind: 'prompt', text: 'Go' },
  { kind: 'tool', tool: 1, text: 'npm test' },
  { kind: 'tool-error', pair: 1, tool: 1 },
  { kind: 'todo', items: [item] },
  { kind: 'record', severity: 'violation' },
  { kind: 'tool', tool: 2, text: 'src/a.ts' },
  { kind: 'tool-result', pair: 5, tool: 2 },
  { kind: 'todo', items: [{ ...item, status: 'completed' }] },
  { kind: 'turn' }
]

/** A host with one review. */
function keeping(first: Partial<Review> = {}, handlers: Partial<Handlers> = {}) {
  let revision = 0
  let kept: Review = { bookmarks: [], breakpoints: [], ...first }
  const served = testHost(
    rows,
    {},
    {
      'review.get': async () => ({ ...kept, revision }),
      'review.set': async ({ bookmarks = kept.bookmarks, breakpoints = kept.breakpoints }) => {
        kept = { bookmarks, breakpoints }
        return { revision: ++revision }
      },
      ...handlers
    }
  )
  return { ...served, kept: () => kept, revise: () => ++revision }
}

async function open(first: Partial<Review> = {}, handlers: Partial<Handlers> = {}) {
  const host = keeping(first, handlers)
  const store = createLogStore(host.host, host.status)
  await expect.poll(() => store.getState().isComplete && store.getState().review.phase !== 'loading').toBe(true)
  return { ...host, store, reviewing: store.getState().reviewing, log: store.getState() }
}

const bookmarked = (store: LogStore) => [...store.getState().reviewing.bookmarkedRows]
const names = (store: LogStore) => store.getState().review.bookmarks.map(({ note }) => note)

describe('bookmarks', () => {
  it('that were being sent when the page was reloaded are set by the next page', async () => {
    const kept = new Map<string, string>()
    const tabStorage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
      removeItem: (key: string) => void kept.delete(key)
    }
    const opened = async (host: ReturnType<typeof keeping>) => {
      const store = createLogStore(host.host, host.status, { tabStorage })
      await expect.poll(() => store.getState().isComplete && store.getState().review.phase !== 'loading').toBe(true)
      return store
    }
    const lost = await opened(keeping({}, { 'review.set': async () => await new Promise(() => {}) }))
    lost.getState().reviewing.toggleBookmark(2)
    expect(bookmarked(lost)).toEqual([2])

    const host = keeping()
    const store = await opened(host)
    expect(bookmarked(store)).toEqual([2])
    await expect.poll(() => host.kept().bookmarks.length).toBe(1)
    await expect.poll(() => kept.size).toBe(0)
    // What is stored is not set again: another page may have removed it meanwhile.
    store.getState().reviewing.toggleBookmark(2)
    await expect.poll(() => host.kept().bookmarks.length).toBe(0)
    await expect.poll(() => kept.size).toBe(0)
    expect(bookmarked(await opened(host))).toEqual([])
  })

  it('set before the review is loaded are added to it', async () => {
    const place = { file: null, line: 2, ordinal: 0, kind: 'tool' as const, time: null, text: '' }
    const host = keeping({ bookmarks: [{ id: 'a', place, note: 'of before' }] })
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    const get = host.host.call.bind(host.host)
    const slow: typeof host.host.call = async (method, params) => {
      if (method === 'review.get') await asked
      return await get(method, params)
    }
    const store = createLogStore({ ...host.host, call: slow }, host.status)
    await expect.poll(() => store.getState().isComplete).toBe(true)
    store.getState().reviewing.toggleBookmark(5)
    store.getState().reviewing.toggleBreakpointHere(5)
    expect(host.kept().bookmarks).toHaveLength(1)
    answer()
    await expect.poll(() => host.kept().bookmarks.map(({ note }) => note)).toEqual(['of before', ''])
    await expect.poll(() => host.kept().breakpoints).toHaveLength(1)
    expect(bookmarked(store)).toContain(5)
  })

  it('are set at a row, noted, selected, and stored by the host', async () => {
    const { store, reviewing, log, kept } = await open()
    reviewing.toggleBookmark(5)
    reviewing.toggleBookmark(1)
    expect(bookmarked(store)).toEqual([1, 5])
    const { id } = reviewing.bookmarkAt(5)!
    reviewing.setNote(id, '  here it broke ')
    expect(reviewing.bookmarkAt(5)?.note).toBe('here it broke')
    await expect.poll(() => kept().bookmarks.map(({ note }) => note)).toEqual(['here it broke', ''])
    expect(kept().bookmarks[0]?.place).toMatchObject({ line: 6, ordinal: 0, kind: 'tool' })
    log.stepping.home()
    log.stepping.stepTo('bookmark', 1)
    expect(store.getState().row).toBe(1)
    log.stepping.stepTo('bookmark', 1)
    expect(store.getState().row).toBe(5)
    log.stepping.stepTo('bookmark', 1)
    expect(store.getState()).toMatchObject({ row: 5, stepNote: { text: 'No later bookmark.' } })
    log.stepping.stepTo('bookmark', -1)
    expect(store.getState().row).toBe(1)
  })

  it('are removed by setting them again, and restored by undo', async () => {
    const { store, reviewing, kept } = await open()
    reviewing.toggleBookmark(2)
    reviewing.setNote(reviewing.bookmarkAt(2)!.id, 'why')
    reviewing.toggleBookmark(2)
    expect(bookmarked(store)).toEqual([])
    expect(store.getState().review.removed?.what).toBe('bookmark')
    reviewing.undoRemove()
    expect(reviewing.bookmarkAt(2)?.note).toBe('why')
    expect(store.getState().review.removed).toBeNull()
    await expect.poll(() => kept().bookmarks.length).toBe(1)
  })

  it('of another page are shown unless this page has changed them since', async () => {
    const { store, reviewing, notify, revise, kept } = await openNotified()
    reviewing.toggleBookmark(1)
    // The text of a row is requested if it is unknown.
    await expect.poll(() => kept().bookmarks.map(({ place }) => place.text)).toEqual(['npm test'])
    const [mine] = kept().bookmarks
    notify({ log: 'log-1', revision: 0, bookmarks: [], breakpoints: [] })
    notify({ log: 'log-1', revision: revise(), bookmarks: [{ ...mine!, note: 'theirs' }], breakpoints: [] })
    await expect.poll(() => names(store)).toEqual(['theirs'])
  })

  it('cannot be changed before they are loaded, so that none is overwritten', async () => {
    let fails = true
    const { store, reviewing, kept } = await open(
      {},
      {
        'review.get': async () => {
          if (fails) throw new Error('no')
          return { bookmarks: [], breakpoints: [], revision: 0 }
        }
      }
    )
    expect(store.getState().review).toMatchObject({ phase: 'failed' })
    reviewing.toggleBookmark(1)
    expect([bookmarked(store), kept().bookmarks]).toEqual([[], []])
    fails = false
    reviewing.load()
    await expect.poll(() => store.getState().review.phase).toBe('ready')
    reviewing.toggleBookmark(1)
    expect(bookmarked(store)).toEqual([1])
  })

  it('stay with an error when they cannot be stored', async () => {
    const { store, reviewing } = await open(
      {},
      {
        'review.set': () => Promise.reject(new Error('internal'))
      }
    )
    reviewing.toggleBookmark(1)
    await expect.poll(() => store.getState().review.error).not.toBeNull()
    expect(bookmarked(store)).toEqual([1])
  })

  it('stay at their event when the log grows or restarts, or are reported missing', async () => {
    const live = liveHost(rows)
    const store = createLogStore(live.host, live.status)
    await expect.poll(() => store.getState().isComplete && store.getState().review.phase === 'ready').toBe(true)
    const { reviewing } = store.getState()
    reviewing.toggleBookmark(1)
    reviewing.toggleBookmark(8)
    live.grow([{ kind: 'prompt' }, { kind: 'tool' }])
    await expect.poll(() => store.getState().columns.rows).toBe(11)
    expect(bookmarked(store)).toEqual([1, 8])
    const next = createLogStore(live.host, { ...live.now.status, generation: 2 })
    next.getState().resuming.resumeFrom(store.getState())
    await expect.poll(() => next.getState().columns.rows).toBe(11)
    expect(bookmarked(next)).toEqual([1, 8])
    for (const each of [store, next]) each.getState().dispose()
  })

  it('report that their line is missing or has another event', async () => {
    const place = { file: null, line: 2, ordinal: 0, kind: 'tool' as const, time: null, text: 'npm test' }
    const { store, reviewing } = await open({
      bookmarks: [
        { id: 'changed', place, note: '' },
        { id: 'gone', place: { ...place, line: 99 }, note: '' }
      ]
    })
    const found = store.getState().review.bookmarks.map((bookmark) => reviewing.placeOf(bookmark.place))
    expect(found).toEqual([
      { state: 'changed', row: 1 },
      { state: 'gone', row: -1 }
    ])
    expect(bookmarked(store)).toEqual([])
  })
})

/** With notices of another page. */
async function openNotified() {
  const heard: ((payload: never) => void)[] = []
  const opened = keeping()
  const host = {
    ...opened.host,
    call: opened.host.call.bind(opened.host),
    on: ((name: string, listener: (payload: never) => void) => {
      if (name === 'review.changed') heard.push(listener)
      return opened.host.on(name as 'log.progress', listener as never)
    }) as typeof opened.host.on
  }
  const store = createLogStore(host, opened.status)
  await expect.poll(() => store.getState().isComplete && store.getState().review.phase === 'ready').toBe(true)
  const notify = (payload: object) => heard.forEach((listener) => listener(payload as never))
  return { ...opened, store, reviewing: store.getState().reviewing, notify }
}

/** Waits until the rows of all breakpoints are found. */
async function found(store: LogStore): Promise<void> {
  const { review, reviewing } = store.getState()
  await expect
    .poll(() => review.breakpoints.some(({ id }) => reviewing.breakpoints.matchesOf(id).searching))
    .toBe(false)
}

describe('breakpoints', () => {
  it('stop at kinds, tools, a text or a todo change, and count their rows', async () => {
    const { store, reviewing } = await open()
    const matches = () => store.getState().review.breakpoints.map(({ id }) => reviewing.breakpoints.matchesOf(id).count)
    reviewing.addBreakpoint({ type: 'rows', kinds: ['tool-error', 'turn'], tools: [], text: null })
    reviewing.addBreakpoint({ type: 'rows', kinds: [], tools: ['Read'], text: null })
    reviewing.addBreakpoint({ type: 'rows', kinds: ['tool'], tools: [], text: query('A.TS') })
    reviewing.addBreakpoint({ type: 'todo', text: 'write', status: 'completed' })
    await expect.poll(matches).toEqual([2, 2, 1, 1])
    expect(reviewing.breakpoints.at(2)?.rule.type).toBe('rows')
    const at = rows.map((_, row) => reviewing.breakpoints.at(row) !== null)
    expect(at.flatMap((is, row) => (is ? [row] : []))).toEqual([2, 5, 6, 7, 8])
  })

  it('do not stop when disabled, and are still shown', async () => {
    const { store, reviewing, log } = await open()
    reviewing.addBreakpoint({ type: 'rows', kinds: ['turn'], tools: [], text: null })
    await found(store)
    const id = store.getState().review.breakpoints[0]?.id ?? ''
    reviewing.editBreakpoint(id, { enabled: false })
    expect(reviewing.breakpoints.at(8)).toMatchObject({ enabled: false })
    expect(reviewing.breakpoints.firstIn(0, 9)).toBeNull()
    log.stepping.home()
    log.stepping.stepTo('breakpoint', 1)
    expect(store.getState()).toMatchObject({ row: 0, stepNote: { text: 'No later breakpoint.' } })
  })

  it('of texts are limited by the number of searches', async () => {
    const { store, reviewing } = await open()
    for (let at = 0; at < 8; at++) {
      reviewing.addBreakpoint({ type: 'rows', kinds: [], tools: [], text: query(`text ${at}`) })
    }
    expect(store.getState().review.breakpoints).toHaveLength(7)
    expect(store.getState().review.error).toContain('Turn one off')
    reviewing.editBreakpoint(store.getState().review.breakpoints[0]?.id ?? '', { enabled: false })
    reviewing.addBreakpoint({ type: 'rows', kinds: [], tools: [], text: query('one more') })
    expect(store.getState().review).toMatchObject({ breakpoints: { length: 8 }, error: null })
  })

  it('at a row are set and removed there', async () => {
    const { store, reviewing } = await open()
    reviewing.toggleBreakpointHere(4)
    expect(reviewing.breakpoints.firstIn(0, 9)).toMatchObject({ row: 4 })
    reviewing.toggleBreakpointHere(4)
    expect(store.getState().review.breakpoints).toEqual([])
    reviewing.undoRemove()
    expect(reviewing.breakpoints.at(4)).not.toBeNull()
  })

  it('stop play, which names the breakpoint and continues from there', async () => {
    const { store, reviewing, log } = await open()
    reviewing.addBreakpoint({ type: 'rows', kinds: ['tool-error'], tools: [], text: null })
    await found(store)
    const id = store.getState().review.breakpoints[0]?.id ?? ''
    log.stepping.home()
    log.playing.setRate('step')
    log.playing.toggle()
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 2, player: { playing: false, stop: { breakpoint: id } } })
    log.playing.toggle()
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 8, player: { playing: false, stop: null } })
  })

  it('of a text pause play until it is known that the text is not next', async () => {
    const progress = { log: 'log-1', find: 1, generation: 1, bytes: 1000, error: null }
    const hits = Uint32Array.of(2, 5)
    const { store, reviewing, log, found } = await open(
      {},
      {
        'log.find': async () => ({ find: 1 }),
        'log.hits': async ({ from, count }) => ({ rows: hits.slice(from, from + count).buffer })
      }
    )
    reviewing.addBreakpoint({ type: 'rows', kinds: [], tools: [], text: query('test') })
    const { id } = store.getState().review.breakpoints[0]!
    const as = `breakpoint ${id}`
    log.stepping.home()
    log.playing.setRate('step')
    log.playing.toggle()
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 0, player: { playing: true, held: true } })
    found({ ...progress, as, searching: true, hits: 1, bytesSearched: 500 })
    await expect.poll(() => reviewing.breakpoints.matchesOf(id).count).toBe(1)
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 2, player: { playing: false, stop: { breakpoint: id } } })
    log.playing.toggle()
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 2, player: { playing: true, held: true } })
    found({ ...progress, as, searching: false, hits: 2, bytesSearched: 1000 })
    await expect.poll(() => reviewing.breakpoints.matchesOf(id)).toMatchObject({ count: 2, searching: false })
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 5, player: { playing: false, held: false } })
    // What a log has grown by is searched, and what was searched before is known.
    log.stepping.home()
    found({ ...progress, as, searching: true, hits: 2, bytesSearched: 1000, bytes: 2000 })
    log.playing.toggle()
    log.playing.advance(100_000)
    await expect.poll(() => store.getState()).toMatchObject({ row: 2, player: { playing: false, held: false } })
  })

  it('of a todo pause play until the history of the items is loaded', async () => {
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    const canned = testHandlers(rows)['log.todoLanes']
    const handlers: Partial<Handlers> = { 'log.todoLanes': async (params) => (await asked, await canned(params)) }
    const { store, reviewing, log } = await open({}, handlers)
    reviewing.addBreakpoint({ type: 'todo', text: 'write', status: 'completed' })
    log.stepping.home()
    log.playing.setRate('step')
    log.playing.toggle()
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 2, player: { playing: true, held: true } })
    answer()
    await expect.poll(() => reviewing.breakpoints.at(7)).not.toBeNull()
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 7, player: { playing: false, held: false } })
  })

  it('of a dropped todo stop play where it is dropped, not where it is edited or removed when done', async () => {
    const list = (...items: [string, 'pending' | 'in_progress' | 'completed'][]): CannedRow => ({
      kind: 'todo',
      items: items.map(([text, status]) => ({ text, status }))
    })
    const { host, status } = testHost([
      { kind: 'prompt' },
      list(['Write tests', 'pending'], ['Write docs', 'in_progress'], ['Read', 'pending']),
      list(['Write more tests', 'pending'], ['Write docs', 'completed'], ['Read', 'pending']),
      list(['Write more tests', 'pending'], ['Read', 'pending']),
      list(['Write more tests', 'pending']),
      list(),
      { kind: 'turn' }
    ])
    const store = createLogStore(host, status)
    await expect.poll(() => store.getState().isComplete && store.getState().review.phase === 'ready').toBe(true)
    const { reviewing, ...log } = store.getState()
    reviewing.addBreakpoint({ type: 'todo', text: 'write', status: 'dropped' })
    const id = store.getState().review.breakpoints[0]?.id ?? ''
    await expect.poll(() => reviewing.breakpoints.matchesOf(id)).toMatchObject({ count: 1, searching: false })
    log.stepping.home()
    log.playing.setRate('step')
    log.playing.toggle()
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 5, player: { playing: false, stop: { breakpoint: id } } })
    reviewing.editBreakpoint(id, { rule: { type: 'todo', text: '', status: 'dropped' } })
    await expect.poll(() => reviewing.breakpoints.matchesOf(id).count).toBe(2)
    expect(reviewing.breakpoints.at(4)).not.toBeNull()
  })

  it('at the first event stop play that starts at an earlier record', async () => {
    const first: CannedRow[] = [{ kind: 'record' }, { kind: 'record', severity: 'violation' }, ...rows]
    const { host, status } = testHost(first)
    const store = createLogStore(host, status)
    await expect.poll(() => store.getState().isComplete && store.getState().review.phase === 'ready').toBe(true)
    const { reviewing, ...log } = store.getState()
    reviewing.addBreakpoint({ type: 'rows', kinds: ['prompt'], tools: [], text: null })
    await found(store)
    log.playhead.select(0)
    log.playing.stopAtIssues(true)
    log.playing.setRate('step')
    for (const row of [1, 2]) {
      log.playing.toggle()
      log.playing.advance(100_000)
      expect(store.getState()).toMatchObject({ row, player: { playing: false } })
    }
  })

  it('and issues that are records stop play at their own row', async () => {
    const { store, log } = await open()
    log.stepping.home()
    log.playing.setRate('step')
    log.playing.stopAtIssues(true)
    log.playing.toggle()
    log.playing.advance(100_000)
    expect(store.getState()).toMatchObject({ row: 4, player: { playing: false, stop: { reason: 'issue' } } })
    log.playing.toggle()
    log.playing.advance(100_000)
    expect(store.getState().row).toBe(8)
  })

  it('are selected one after the other, only among shown rows', async () => {
    const { store, reviewing, log } = await open()
    reviewing.addBreakpoint({ type: 'rows', kinds: ['tool'], tools: [], text: null })
    reviewing.addBreakpoint({ type: 'rows', kinds: ['todo', 'tool'], tools: [], text: null })
    await found(store)
    const visited: number[] = []
    log.stepping.home()
    for (let step = 0; step < 4; step++) {
      log.stepping.stepTo('breakpoint', 1)
      visited.push(store.getState().row)
    }
    expect(visited).toEqual([1, 3, 5, 7])
    log.stepping.stepTo('breakpoint', -1)
    expect(store.getState().row).toBe(5)
    expect(reviewing.breakpoints.next(8, -1, (row) => row < 4)).toBe(3)
    expect(reviewing.breakpoints.next(0, 1, () => false)).toBe(-1)
  })
})

function query(text: string) {
  return { text, regex: false, caseSensitive: false }
}

describe('when a log grows and rows are taken back', () => {
  it('bookmarks and breakpoints have the same rows as in a log opened now', async () => {
    const kinds = fc.constantFrom('tool', 'todo', 'prompt', 'record', 'turn')
    const some = fc.array(fc.record({ kind: kinds }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        some,
        fc.array(fc.tuple(some, some), { maxLength: 4 }),
        fc.nat(5),
        async (first, growths, marked) => {
          const live = liveHost([{ kind: 'prompt' }, ...(first as CannedRow[])])
          const store = createLogStore(live.host, live.status)
          await expect.poll(() => store.getState().isComplete && store.getState().review.phase === 'ready').toBe(true)
          const { reviewing } = store.getState()
          reviewing.toggleBookmark(Math.min(marked, first.length))
          const kept = store.getState().review.bookmarks[0]!.place
          reviewing.addBreakpoint({ type: 'rows', kinds: ['tool', 'turn'], tools: [], text: null })
          for (const [added, ending] of growths) live.grow(added as CannedRow[], ending as CannedRow[])
          const all = live.now.rows
          await expect.poll(() => store.getState().columns.rows).toBe(all.length)
          const stops = all.flatMap(({ kind }, row) => (kind === 'tool' || kind === 'turn' ? [row] : []))
          const at = () => all.flatMap((_, row) => (reviewing.breakpoints.at(row) ? [row] : []))
          await expect.poll(at).toEqual(stops)
          expect(bookmarked(store)).toEqual([kept.line - 1])
          store.getState().dispose()
        }
      ),
      { numRuns: 25 }
    )
  })
})
