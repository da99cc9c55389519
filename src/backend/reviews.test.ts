import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
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

describe('the review of a log', () => {
  test('is kept for this log only, also after a restart', async () => {
    const reviews = new Reviews(folder)
    expect(await reviews.get('/logs/a')).toEqual(none)
    await reviews.set('/logs/a', review('wrong here'))
    await reviews.set('/logs/b', review('and there'))
    expect(await reviews.get('/logs/a')).toEqual(review('wrong here'))
    expect(await new Reviews(folder).get('/logs/b')).toEqual(review('and there'))
    expect(await reviews.get('/logs/c')).toEqual(none)
  })

  test('is the last one written, without drafts left', async () => {
    const reviews = new Reviews(folder)
    const written = [1, 2, 3].map((number) => reviews.set('/logs/a', review(`${number}`)))
    expect(await reviews.get('/logs/a')).toEqual(review('3'))
    await Promise.all(written)
    expect(kept()).toHaveLength(1)
    await reviews.set('/logs/a', none)
    expect(kept()).toEqual([])
  })

  test('is for this user only', async () => {
    await new Reviews(folder).set('/logs/a', review(''))
    expect(statSync(join(folder, 'reviews')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'reviews', kept()[0]!)).mode & 0o777).toBe(0o600)
  })

  test('that is invalid is renamed, not lost', async () => {
    const reviews = new Reviews(folder)
    await reviews.set('/logs/a', review('x'))
    const [name] = kept()
    for (const text of [
      '{"version":1',
      '{"version":2}',
      '{"version":1,"path":"/logs/a","bookmarks":[{}],"breakpoints":[]}'
    ]) {
      writeFileSync(join(folder, 'reviews', name!), text)
      expect(await reviews.get('/logs/a')).toEqual(none)
      expect(kept()).toEqual([`${name}.damaged`])
    }
  })

  test('that cannot be written is an error', async () => {
    writeFileSync(join(folder, 'reviews'), 'a file where the folder belongs')
    await expect(new Reviews(folder).set('/logs/a', review('x'))).rejects.toThrow('cannot be saved')
  })

  test('written longest ago is deleted above the limit', async () => {
    const reviews = new Reviews(folder)
    mkdirSync(join(folder, 'reviews'))
    for (let number = 0; number < 500; number++) {
      const file = join(folder, 'reviews', `${number}.json`)
      writeFileSync(file, '{}')
      utimesSync(file, 1000 + number, 1000 + number)
    }
    await reviews.set('/logs/a', review('x'))
    expect(kept()).toHaveLength(500)
    expect(kept()).not.toContain('0.json')
    expect(await reviews.get('/logs/a')).toEqual(review('x'))
  })
})
