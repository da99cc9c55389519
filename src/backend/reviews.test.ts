import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Review } from '#core/replay/review.ts'
import { Reviews } from './reviews.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-reviews-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const none: Review = { bookmarks: [], breakpoints: [] }
const place = { file: null, line: 3, ordinal: 0, kind: 'tool' as const, time: 5, text: 'npm test' }
const review = (note: string): Review => ({
  bookmarks: [{ id: 'a', place, note }],
  breakpoints: [{ id: 'b', enabled: false, rule: { type: 'todo', text: 'tests', status: 'completed' } }]
})
const kept = () => readdirSync(join(folder, 'reviews'))

const set = async (reviews: Reviews, path: string, review: Review) => await reviews.change(path, () => review)

describe('the review of a log', () => {
  test('is kept for this log only, also after a restart', async () => {
    const reviews = new Reviews(folder)
    expect(await reviews.get('/logs/a')).toEqual(none)
    await set(reviews, '/logs/a', review('wrong here'))
    await set(reviews, '/logs/b', review('and there'))
    expect(await reviews.get('/logs/a')).toEqual(review('wrong here'))
    expect(await new Reviews(folder).get('/logs/b')).toEqual(review('and there'))
    expect(await reviews.get('/logs/c')).toEqual(none)
  })

  test('is changed as it is stored, without drafts left', async () => {
    const reviews = new Reviews(folder)
    const noteOf = ({ bookmarks }: Review) => bookmarks[0]?.note ?? ''
    const written = [1, 2, 3].map((n) => reviews.change('/logs/a', (stored) => review(`${noteOf(stored)}${n}`)))
    await Promise.all(written)
    expect(
      noteOf(await reviews.get('/logs/a'))
        .split('')
        .toSorted()
    ).toEqual(['1', '2', '3'])
    expect(kept()).toHaveLength(1)
    expect(await set(reviews, '/logs/a', none)).toEqual(none)
    expect(kept()).toEqual([])
  })

  test('is for this user only', async () => {
    await set(new Reviews(folder), '/logs/a', review(''))
    expect(statSync(join(folder, 'reviews')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'reviews', kept()[0]!)).mode & 0o777).toBe(0o600)
  })

  test('that cannot be written is an error', async () => {
    writeFileSync(join(folder, 'reviews'), 'a file where the folder belongs')
    await expect(set(new Reviews(folder), '/logs/a', review('x'))).rejects.toThrow('cannot be saved')
  })

  test('stays, though there are many', async () => {
    const reviews = new Reviews(folder)
    mkdirSync(join(folder, 'reviews'))
    for (let number = 0; number < 600; number++) writeFileSync(join(folder, 'reviews', `${number}.json`), '{}')
    await set(reviews, '/logs/a', review('x'))
    expect(kept()).toHaveLength(601)
  })

  test('with more bookmarks than a log may have is refused, and the stored ones stay', async () => {
    const reviews = new Reviews(folder)
    const bookmarks = Array.from({ length: 1000 }, (_, id) => ({ id: `${id}`, place, note: '' }))
    await set(reviews, '/logs/a', { bookmarks, breakpoints: [] })
    const added = reviews.change('/logs/a', (stored) => ({
      ...stored,
      bookmarks: [...stored.bookmarks, ...review('x').bookmarks]
    }))
    await expect(added).rejects.toThrow('at most 1000 bookmarks')
    expect((await reviews.get('/logs/a')).bookmarks).toEqual(bookmarks)
  })
})
