import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestHost, testHost } from '../../../test/page/host.ts'
import { cannedLibrary, libraryNow, testCard } from '../../../test/page/library.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import { createLibraryStore } from './library-store.ts'

const day = 86_400_000

beforeEach(() => {
  vi.useFakeTimers({ now: libraryNow })
})
afterEach(() => {
  vi.useRealTimers()
})

/** `count` sessions, one per hour, in a list 520 px high. */
async function shown(count: number, changes: Parameters<typeof testCard>[0] = {}) {
  const cards = Array.from({ length: count }, (_, at) => {
    const endedAt = libraryNow - at * 3_600_000
    return testCard({ id: `s${at}`, title: `Session ${at}`, endedAt, modifiedAt: endedAt, ...changes })
  })
  let host: TestHost
  const library = cannedLibrary(cards, () => host)
  host = testHost([], {}, library.handlers)
  const store = createLibraryStore(host.host)
  const wait = (ms = 400) => vi.advanceTimersByTimeAsync(ms)
  await store.getState().connect()
  store.getState().scroll.see(0, 520)
  store.getState().setShown(true)
  await wait()
  const now = () => store.getState()
  /** The session at a line. */
  const idAt = (line: number) => {
    const at = now().lines.get(line)
    return at?.kind === 'card' ? now().cards.get(at.index)?.id : undefined
  }
  return { library, store, wait, now, idAt, host }
}

it('does not exist if the host refuses', async () => {
  const store = createLibraryStore(testHost([]).host)
  await store.getState().connect()
  expect(store.getState().presence).toBe('none')
})

describe('the list', () => {
  it('loads visible sessions, a hundred at a time', async () => {
    const { library, now, wait, idAt } = await shown(1000)
    expect([now().overview?.total, now().cards.size]).toEqual([1000, 100])
    const line = now().lines.lineOfCard(640)
    now().scroll.see(now().lines.topOf(line), 520)
    await wait()
    expect(idAt(line)).toBe('s640')
    expect(now().cards.has(300)).toBe(false)
    expect(library.calls.get('library.cards')).toBe(2)
  })

  it('keeps visible sessions in place when new ones arrive above', async () => {
    const { library, now, wait, idAt } = await shown(300)
    const line = now().lines.lineOfCard(150)
    const top = now().lines.topOf(line)
    now().scroll.see(top - 100, 520)
    await wait()
    for (const id of ['new1', 'new2']) library.cards.push(testCard({ id, endedAt: libraryNow + 1000 }))
    library.changed()
    await wait()
    const moved = now().lines.lineOfCard(152)
    expect(idAt(moved)).toBe('s150')
    expect(now().lines.topOf(moved) - now().place.offset).toBe(100)
    expect(now().newer).toBe(2)
    now().scroll.to(0)
    expect([now().place.offset, now().newer]).toEqual([0, 0])
  })

  it('shows new sessions at its top if nothing is selected', async () => {
    const { library, now, wait, idAt } = await shown(30)
    library.cards.push(testCard({ id: 'new', endedAt: libraryNow + 1000 }))
    library.changed()
    await wait()
    expect([idAt(1), now().newer, now().place.offset]).toEqual(['new', 0, 0])
  })

  it('keeps the selection when the session moves', async () => {
    const { library, now, wait, idAt } = await shown(30)
    now().selection.select(now().lines.lineOfCard(3))
    const at = library.cards.findIndex(({ id }) => id === 's3')
    library.cards[at] = testCard({ id: 's3', endedAt: libraryNow + 5000, state: 'live', bytes: 5 })
    library.changed()
    await wait()
    expect(idAt(now().cursor?.line ?? -1)).toBe('s3')
    expect(now().preview?.card).toMatchObject({ id: 's3', state: 'live' })
  })

  it('reads the preview again when the session was counted', async () => {
    const { library, now, wait } = await shown(30)
    now().selection.select(now().lines.lineOfCard(3))
    await wait()
    const read = library.calls.get('library.session') ?? 0
    const at = library.cards.findIndex(({ id }) => id === 's3')
    const { counts, ...card } = library.cards[at] as SessionCard
    library.cards[at] = { ...card, counts: counts && { ...counts, events: counts.events + 1 } }
    library.changed()
    await wait()
    expect(library.calls.get('library.session')).toBe(read + 1)
    library.changed()
    await wait()
    expect(library.calls.get('library.session')).toBe(read + 1)
  })

  it('sorts by a column, reverses at the second click, and then has no groups', async () => {
    const { now, wait, idAt } = await shown(30)
    now().sortBy('title')
    await wait()
    expect([now().choice.descending, now().lines.count, idAt(0)]).toEqual([false, 30, 's0'])
    now().sortBy('title')
    await wait()
    expect(idAt(0)).toBe('s9')
    now().sortBy('last')
    await wait()
    expect([now().choice.descending, now().lines.get(0)?.kind]).toEqual([true, 'group'])
  })

  it('is restricted by the query, and stays as it is where the text is none', async () => {
    const { library, now, wait } = await shown(10)
    library.cards.push(
      testCard({ id: 'f', state: 'error', project: '/work/other' }),
      testCard({ id: 'c', agent: 'openai-codex' })
    )
    library.changed()
    await wait()
    const total = async (text: string) => {
      now().choose({ text })
      await wait()
      return now().overview?.total
    }
    expect(await total('state:failed')).toBe(1)
    expect(await total('project:/work')).toBe(1)
    expect(await total('-project:other')).toBe(11)
    expect(await total('is:failed OR agent:codex')).toBe(2)
    expect(await total('state:green')).toBe(2)
    expect(now().queryError).toMatchObject({ message: expect.stringMatching(/^state: is one of/) as string, from: 6 })
    expect(await total('')).toBe(12)
    expect(now().queryError).toBeNull()
  })

  it('waits a moment with a word that may become a key', async () => {
    const { now, wait } = await shown(10)
    now().choose({ text: 'proj' }, true)
    await wait(500)
    expect([now().choice.text, now().search]).toEqual(['proj', null])
    await wait(500)
    expect(now().search?.named?.total).toBe(10)
  })

  it('reports errors', async () => {
    const { library, now, wait } = await shown(3)
    library.refuse('library.overview', 'The library cannot be read. Delete its cache.')
    now().choose({ text: 'state:live' })
    await wait()
    expect(now().fault).toBe('The library cannot be read. Delete its cache.')
    now().choose({ text: '' })
    await wait()
    expect(now().fault).toBeNull()
  })
})

describe('keys', () => {
  it('move between sessions, over group heads, and to sessions that are not loaded', async () => {
    const { now, wait } = await shown(300)
    now().selection.move(1)
    expect(now().cursor?.key).toBe('card:s0')
    now().selection.move(1)
    expect(now().cursor?.key).toBe('card:s1')
    now().selection.moveToEnd('last')
    await wait()
    expect(now().cursor?.key).toBe('card:s299')
    now().selection.moveToEnd('first')
    expect([now().cursor?.key, now().place.offset]).toEqual(['card:s0', 0])
    now().selection.moveByPage(1)
    const far = now().cursor?.line ?? 0
    expect(far).toBeGreaterThan(7)
    now().selection.moveByPage(-1)
    expect(now().cursor?.key).toBe('card:s0')
  })

  it('move between groups, and collapse and expand them', async () => {
    const { now, wait } = await shown(100)
    const first = now().overview?.groups[0]?.count ?? 0
    now().selection.moveByGroup(1)
    expect(now().cursor?.key).toBe(`card:s${first}`)
    now().selection.move(1)
    now().selection.moveByGroup(-1)
    expect(now().cursor?.key).toBe(`card:s${first}`)
    now().selection.closeGroup()
    expect(now().cursor?.key).toMatch(/^group:/)
    expect(now().selection.openInList()).toBe(true)
    expect(now().cursor?.key).toBe(`card:s${first}`)
    now().selection.moveByGroup(-1)
    await wait()
    expect(now().cursor?.key).toBe('card:s0')
  })

  it('select several sessions, also with a click', async () => {
    const { now, wait } = await shown(20)
    const line = now().lines.lineOfCard(2)
    now().selection.select(line)
    now().selection.select(line + 3, { range: true })
    await wait()
    expect([...now().chosen.keys()]).toEqual(['s2', 's3', 's4', 's5'])
    now().selection.select(line + 1, { range: true })
    await wait()
    expect([...now().chosen.keys()]).toEqual(['s2', 's3'])
    now().selection.select(line + 5, { add: true })
    expect([...now().chosen.keys()]).toEqual(['s2', 's3', 's7'])
    now().selection.move(1)
    expect(now().chosen.size).toBe(0)
  })
})

describe('the search', () => {
  async function searched(text: string) {
    const all = await shown(200)
    all.library.texts.set('s90', ['nothing', 'the sessions branch', ...Array(8).fill('a sessions branch')])
    all.library.texts.set('s120', ['sessions branch'])
    all.library.texts.set('s7', ['Session 7 says sessions branch'])
    all.now().choose({ text })
    await all.wait(1000)
    const lines = Array.from({ length: all.now().lines.count }, (_, at) => {
      const line = all.now().lines.get(at)
      if (line?.kind === 'found') return line.card.id
      return line?.kind === 'more' ? `${line.count} more` : line?.kind
    })
    return { ...all, lines }
  }

  it('finds texts, the latest session first, with at most four matches each', async () => {
    const { lines, now } = await searched('"sessions branch"')
    expect(lines).toEqual(['heading', 's7', 'hit', 's90', 'hit', 'hit', 'hit', 'hit', '5 more', 's120', 'hit'])
    expect(now().search?.found).toMatchObject({ hits: 11, sessionsWithHits: 3, searching: false })
  })

  it('lists sessions with a matching name first, with their matches', async () => {
    const { lines } = await searched('session 7')
    expect(lines.slice(0, 3)).toEqual(['heading', 's7', 'hit'])
    expect(lines.at(-1)).toBe('33 more')
  })

  it('shows more of a session, and the cursor stays on its match', async () => {
    const { now, wait } = await searched('"sessions branch"')
    now().selection.move(1)
    now().selection.move(1)
    expect(now().cursor).toMatchObject({ key: 'hit:s7:0', hit: { line: 1 } })
    now().selection.showMore(now().lines.get(8)!)
    await wait()
    expect(now().lines.count).toBe(15)
    expect(now().cursor?.line).toBe(2)
  })

  it('ends, and the list returns to its place', async () => {
    const { now, wait } = await shown(200)
    now().scroll.see(3000, 520)
    now().selection.select(now().lines.lineAt(3100))
    const { cursor } = now()
    now().choose({ text: 'something' })
    await wait(1000)
    now().endSearch()
    await wait()
    expect([now().search, now().place.offset, now().cursor?.key]).toEqual([null, 3000, cursor?.key])
  })

  it('keeps its results when stopped, although the host drops them', async () => {
    const { library, now, wait, host } = await searched('"sessions branch"')
    const find = library.calls.get('library.find')!
    host.say('library.found', { ...now().search!.found!, find, searching: true })
    await wait(50)
    const before = now().search!.sessions.map(({ card, shown: hits }) => [card.id, hits.length])
    now().find.stop()
    host.say('library.found', { ...now().search!.found!, find, searching: true })
    await wait(2000)
    const { sessions, found } = now().search!
    expect(sessions.map(({ card, hits }) => [card.id, hits])).toEqual(before)
    expect(found).toMatchObject({ searching: false, isCut: true, hits: 6, sessionsWithHits: 3 })
  })

  it('keeps its results when the host ends it, and states the reason', async () => {
    const { library, now, wait, host } = await searched('"sessions branch"')
    const find = library.calls.get('library.find')!
    const before = now().search!.sessions.map(({ card, shown: hits }) => [card.id, hits.length])
    await library.handlers['library.endFind']({ find })
    host.say('library.found', { ...now().search!.found!, find, error: 'It was ended, as others were begun.' })
    await wait(1000)
    const { sessions, found, error } = now().search!
    expect(sessions.map(({ card, hits }) => [card.id, hits])).toEqual(before)
    expect(found).toMatchObject({ searching: false, isCut: true, hits: 6, sessionsWithHits: 3 })
    expect(error).toBe('It was ended, as others were begun.')
  })

  it('is repeated after a lost connection', async () => {
    const { library, now, wait } = await searched('"sessions branch"')
    const before = now().search!.sessions
    await library.handlers['library.endFind']({ find: library.calls.get('library.find')! })
    await now().connect()
    await wait(1000)
    expect(library.calls.get('library.find')).toBe(2)
    expect(now().search).toMatchObject({ error: null, found: { find: 2, searching: false, hits: 11 } })
    expect(now().search!.sessions).toEqual(before)
  })

  it('for one letter filters names and searches no texts', async () => {
    const { library, now } = await searched('7')
    expect(library.calls.get('library.find')).toBeUndefined()
    expect(now().search?.named?.total).toBe(38)
  })

  it('reports an invalid expression', async () => {
    const { now, wait } = await shown(5)
    now().choose({ text: '/(a/' })
    await wait(1000)
    expect([now().search, now().queryError?.message]).toEqual([null, 'Invalid regular expression: Unterminated group.'])
  })
})

it('returns titles of logs by their paths', async () => {
  const { now, wait, library } = await shown(5, {})
  const path = library.cards[2]?.path ?? ''
  now().loadTitles([path, '/elsewhere/x.jsonl'])
  await wait()
  expect([now().titles.get(path), now().titles.get('/elsewhere/x.jsonl')]).toEqual(['Session 2', null])
})

it('reports that it is shown, every half minute', async () => {
  const { library, now, wait } = await shown(1)
  await wait(60_000)
  expect(library.calls.get('library.watch')).toBe(3)
  now().setShown(false)
  await wait(day)
  expect(library.calls.get('library.watch')).toBe(4)
})
