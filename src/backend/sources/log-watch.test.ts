import * as fs from 'node:fs'
import * as fsPromises from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LogSource } from './log-source.ts'
import { openLog } from './open-log.ts'
import { type Reset, LogWatch, type LogWatchOptions, type FileState } from './log-watch.ts'

vi.mock('node:fs', { spy: true })
vi.mock('node:fs/promises', { spy: true })

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-log-watch-'))
afterAll(() => fs.rmSync(root, { recursive: true }))

let folder = ''
let path = ''
let followers: Follower[] = []

beforeEach(() => {
  folder = fs.mkdtempSync(join(root, 'run-'))
  path = join(folder, 'log')
})

afterEach(async () => {
  vi.resetAllMocks()
  await Promise.all(followers.map((follower) => follower.close()))
  followers = []
})

/** A reader that does nothing but what the watch tells it. */
class Follower {
  /** What it has of the file. */
  text = ''
  sight: FileState | null = null
  /** Why it began anew, each time. */
  readonly reset: Reset[] = []
  readonly stirs: number[] = []
  looks = 0
  readonly #options: LogWatchOptions
  #source: LogSource
  #watch: LogWatch
  #readTo = 0
  #work: Promise<void> = Promise.resolve()
  #closed = false

  private constructor(source: LogSource, options: LogWatchOptions) {
    this.#options = options
    this.#source = source
    this.#watch = new LogWatch(source, () => this.#onChange(), options)
  }

  static async open(at: string, options: LogWatchOptions = { pollMs: 50, quietMs: 5 }): Promise<Follower> {
    const follower = new Follower(await openLog(at), options)
    followers.push(follower)
    await follower.step()
    return follower
  }

  /** Looks once, and does what has to be done. */
  async step(): Promise<void> {
    this.#work = this.#work.then(() => this.#step())
    await this.#work
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#watch.close()
    await this.#work
    await this.#source.close()
  }

  #onChange(): void {
    this.stirs.push(performance.now())
    void this.step()
  }

  async #step(): Promise<void> {
    if (this.#closed) return
    this.looks++
    const sight = await this.#watch.look(this.#readTo)
    this.sight = sight
    if (sight.reset !== null) return await this.#begin(sight.reset)
    for await (const chunk of this.#source.chunks({ from: this.#readTo, to: sight.bytes })) {
      this.text += Buffer.from(chunk).toString('latin1')
      this.#readTo += chunk.length
    }
  }

  async #begin(reset: Reset): Promise<void> {
    const source = await openLog(this.#source.given).catch(() => null)
    // It went in this moment: the watch will tell.
    if (source === null) return
    this.#watch.close()
    await this.#source.close()
    this.#source = source
    this.#watch = new LogWatch(source, () => this.#onChange(), this.#options)
    this.#readTo = 0
    this.text = ''
    this.reset.push(reset)
    await this.#step()
  }
}

async function until(holds: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 5 })
}

function systemSays(code: string): Error {
  return Object.assign(new Error(code), { code })
}

const polling: LogWatchOptions = { pollMs: 10, quietMs: 5 }

const { watch } = await vi.importActual<typeof fs>('node:fs')

describe.each([
  ['with watchers', () => true],
  ['where only files can be watched', (at: string) => fs.statSync(at).isFile()],
  ['where the system has no watchers to give', () => false]
])('a log that is watched %s', (_, canWatch) => {
  beforeEach(() => {
    vi.mocked(fs.watch).mockImplementation((at, options) => {
      if (!canWatch(String(at))) throw systemSays('ENOSPC')
      return watch(at, options as fs.WatchOptions)
    })
  })

  test('is read on when it grows', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path)
    fs.appendFileSync(path, 'two\n')
    await until(() => follower.text === 'one\ntwo\n')
    fs.appendFileSync(path, 'thr')
    fs.appendFileSync(path, 'ee\n')
    await until(() => follower.text === 'one\ntwo\nthree\n')
    expect(follower.reset).toEqual([])
    expect(follower.sight).toEqual({ state: 'there', bytes: 14, reset: null, changing: false })
  })

  test('begins anew when it is truncated', async () => {
    fs.writeFileSync(path, 'one\ntwo\n')
    const follower = await Follower.open(path)
    fs.truncateSync(path, 4)
    await until(() => follower.text === 'one\n')
    fs.truncateSync(path, 0)
    await until(() => follower.text === '')
    fs.appendFileSync(path, 'anew\n')
    await until(() => follower.text === 'anew\n')
    expect(follower.reset).toEqual(['truncated', 'truncated'])
  })

  test('begins anew when another file takes its place', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path)
    fs.writeFileSync(`${path}.new`, 'one\ntwo\n')
    fs.renameSync(`${path}.new`, path)
    await until(() => follower.text === 'one\ntwo\n')
    expect(follower.reset).toEqual(['replaced'])
    fs.appendFileSync(path, 'three\n')
    await until(() => follower.text === 'one\ntwo\nthree\n')
    expect(follower.reset).toEqual(['replaced'])
  })

  test('begins anew after a rotation, and follows the new file', async () => {
    fs.writeFileSync(path, 'old\n')
    const follower = await Follower.open(path)
    fs.renameSync(path, `${path}.1`)
    fs.writeFileSync(path, 'n')
    fs.appendFileSync(`${path}.1`, 'late\n')
    fs.appendFileSync(path, 'ew\n')
    await until(() => follower.text === 'new\n')
    expect(new Set(follower.reset)).toEqual(new Set(['replaced']))
  })

  test('begins anew when it is copied away, truncated and longer again', async () => {
    fs.writeFileSync(path, 'one\n'.repeat(10))
    const follower = await Follower.open(path)
    fs.copyFileSync(path, `${path}.1`)
    fs.writeFileSync(path, 'two\n'.repeat(20))
    await until(() => follower.text === 'two\n'.repeat(20))
    expect(follower.reset.length).toBeGreaterThan(0)
  })

  test('begins anew when it is rewritten and keeps its length', async () => {
    fs.writeFileSync(path, 'one\n'.repeat(10_000))
    const follower = await Follower.open(path)
    const handle = fs.openSync(path, 'r+')
    fs.writeSync(handle, 'two', 20_000)
    fs.closeSync(handle)
    await until(() => follower.text.startsWith('two', 20_000))
    expect(follower.reset).toEqual(['rewritten'])
  })

  test('keeps what was read when it is deleted, and comes back', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path)
    fs.linkSync(path, `${path}.kept`)
    fs.rmSync(path)
    await until(() => follower.sight?.state === 'gone')
    expect(follower).toMatchObject({ text: 'one\n', reset: [], sight: { bytes: 4 } })
    fs.renameSync(`${path}.kept`, path)
    await until(() => follower.sight?.state === 'there')
    fs.appendFileSync(path, 'two\n')
    await until(() => follower.text === 'one\ntwo\n')
    expect(follower.reset).toEqual([])
    fs.rmSync(path)
    await until(() => follower.sight?.state === 'gone')
    fs.writeFileSync(path, 'another\n')
    await until(() => follower.text === 'another\n')
    expect(follower.reset).toEqual(['replaced'])
  })

  test('is read on while nothing stands under its path, if its writer goes on', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path)
    const writer = fs.openSync(path, 'a')
    fs.rmSync(path)
    fs.writeSync(writer, 'two\n')
    await until(() => follower.sight?.state === 'gone' && follower.text === 'one\ntwo\n')
    fs.writeSync(writer, 'three\n')
    await until(() => follower.text === 'one\ntwo\nthree\n')
    fs.closeSync(writer)
  })

  test('is found again when its folder is removed and made again', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path)
    fs.rmSync(folder, { recursive: true })
    await until(() => follower.sight?.state === 'gone')
    fs.mkdirSync(folder)
    fs.writeFileSync(path, 'two\n')
    await until(() => follower.text === 'two\n')
    fs.appendFileSync(path, 'three\n')
    await until(() => follower.text === 'two\nthree\n')
    expect(follower.reset).toEqual(['replaced'])
  })

  test('is found again when its folder makes way for another', async () => {
    fs.mkdirSync(join(folder, 'a'))
    fs.mkdirSync(join(folder, 'b'))
    fs.writeFileSync(join(folder, 'a', 'log'), 'one\n')
    fs.writeFileSync(join(folder, 'b', 'log'), 'two\n')
    const follower = await Follower.open(join(folder, 'a', 'log'))
    const watchersMade = vi.mocked(fs.watch).mock.calls.length
    fs.renameSync(join(folder, 'a'), join(folder, 'c'))
    fs.renameSync(join(folder, 'b'), join(folder, 'a'))
    await until(() => follower.text === 'two\n')
    // The watcher went with the folder that it was for.
    await until(() => vi.mocked(fs.watch).mock.calls.length > watchersMade)
    fs.appendFileSync(join(folder, 'a', 'log'), 'three\n')
    await until(() => follower.text === 'two\nthree\n')
  })

  test('is found again when a folder above makes way for another', async () => {
    for (const name of ['a', 'b']) fs.mkdirSync(join(folder, name, 'c'), { recursive: true })
    const file = join(folder, 'a', 'c', 'log')
    fs.writeFileSync(file, 'one\n')
    fs.writeFileSync(join(folder, 'b', 'c', 'log'), 'two\n')
    const follower = await Follower.open(file)
    fs.renameSync(join(folder, 'a'), join(folder, 'd'))
    fs.renameSync(join(folder, 'b'), join(folder, 'a'))
    await until(() => follower.text === 'two\n')
    fs.appendFileSync(file, 'three\n')
    await until(() => follower.text === 'two\nthree\n')
  })

  test('begins anew when the link to it is turned to another file', async () => {
    fs.mkdirSync(join(folder, 'links'))
    const link = join(folder, 'links', 'latest')
    fs.writeFileSync(path, 'one\n')
    fs.writeFileSync(`${path}.2`, 'two\n')
    fs.symlinkSync(path, link)
    const follower = await Follower.open(link)
    fs.appendFileSync(path, 'more\n')
    await until(() => follower.text === 'one\nmore\n')
    fs.symlinkSync(`${path}.2`, `${link}.new`)
    fs.renameSync(`${link}.new`, link)
    await until(() => follower.text === 'two\n')
    fs.appendFileSync(`${path}.2`, 'more\n')
    await until(() => follower.text === 'two\nmore\n')
    expect(follower.reset).toEqual(['replaced'])
  })

  test('is gone while its link leads nowhere or to itself', async () => {
    const link = join(folder, 'link')
    fs.writeFileSync(path, 'one\n')
    fs.symlinkSync(path, link)
    const follower = await Follower.open(link)
    fs.symlinkSync(link, `${link}.new`)
    fs.renameSync(`${link}.new`, link)
    await until(() => follower.sight?.state === 'gone')
    expect(follower.text).toBe('one\n')
    fs.symlinkSync(path, `${link}.new`)
    fs.renameSync(`${link}.new`, link)
    fs.appendFileSync(path, 'two\n')
    await until(() => follower.text === 'one\ntwo\n')
    expect(follower.reset).toEqual([])
  })

  test('is unreadable while a folder stands in its place', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path)
    fs.rmSync(path)
    fs.mkdirSync(path)
    await until(() => follower.sight?.state === 'unreadable')
    expect(follower).toMatchObject({ text: 'one\n', reset: [] })
    fs.rmdirSync(path)
    fs.writeFileSync(path, 'two\n')
    await until(() => follower.text === 'two\n')
  })
})

describe('a log that is watched', () => {
  test.each(['EACCES', 'EPERM', 'EIO', 'ESTALE'])('keeps what was read while the system says %s', async (code) => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path, polling)
    vi.mocked(fsPromises.access).mockRejectedValue(systemSays(code))
    fs.chmodSync(path, 0)
    await until(() => follower.sight?.state === 'unreadable')
    expect(follower).toMatchObject({ text: 'one\n', reset: [] })
    // Not even what has to be read anew is, while that cannot be.
    fs.writeFileSync(`${path}.new`, 'two\n')
    fs.renameSync(`${path}.new`, path)
    await follower.step()
    expect(follower).toMatchObject({ text: 'one\n', reset: [], sight: { state: 'unreadable' } })
    vi.mocked(fsPromises.access).mockReset()
    fs.chmodSync(path, 0o600)
    await until(() => follower.text === 'two\n')
    expect(follower.sight).toMatchObject({ state: 'there' })
  })

  test('is unreadable where its path may not even be asked about, or its bytes fail', async () => {
    fs.writeFileSync(path, 'one\n')
    const source = await openLog(path)
    const watch = new LogWatch(source, () => {})
    vi.mocked(fsPromises.stat).mockRejectedValueOnce(systemSays('EACCES'))
    expect(await watch.look(4)).toMatchObject({ state: 'unreadable', bytes: 4, reset: null })
    vi.spyOn(source, 'read').mockRejectedValueOnce(systemSays('EIO'))
    expect(await watch.look(4)).toMatchObject({ state: 'unreadable', bytes: 4, reset: null })
    expect(await watch.look(4)).toMatchObject({ state: 'there', bytes: 4, reset: null })
    watch.close()
    await source.close()
    expect(await watch.look(4)).toMatchObject({ bytes: 4 })
  })

  test('that has to be read anew is left until its writer is done', async () => {
    fs.writeFileSync(path, 'one\n'.repeat(100))
    const follower = await Follower.open(path, { quietMs: 60_000 })
    const writer = fs.openSync(path, 'w')
    for (let i = 0; i < 200; i++) {
      fs.writeSync(writer, 'two\n')
      await follower.step()
      expect(follower.sight).toEqual({ state: 'there', bytes: 400, reset: null, changing: true })
    }
    fs.closeSync(writer)
    expect(follower).toMatchObject({ text: 'one\n'.repeat(100), reset: [] })
  })

  test('that is never left alone is read anew all the same', async () => {
    fs.writeFileSync(path, 'one\n'.repeat(100_000))
    const follower = await Follower.open(path, { pollMs: 50, quietMs: 30 })
    fs.truncateSync(path, 0)
    const writing = setInterval(() => fs.appendFileSync(path, 'two\n'), 2)
    await until(() => follower.reset.length > 0 && follower.text.startsWith('two'))
    clearInterval(writing)
    await until(() => follower.text === fs.readFileSync(path, 'latin1'))
    expect(follower.reset).toEqual(['truncated'])
  })

  test('stirs seldom, however often it is written to, and never misses the end', async () => {
    fs.writeFileSync(path, '')
    const follower = await Follower.open(path)
    let written = 0
    const begun = performance.now()
    const writer = fs.openSync(path, 'a')
    while (performance.now() - begun < 500) {
      // 10,000 a second.
      for (const due = (performance.now() - begun) * 10; written < due; written++) fs.writeSync(writer, `${written}\n`)
      await new Promise((resume) => setImmediate(resume))
    }
    fs.closeSync(writer)
    await until(() => follower.text.endsWith(`\n${written - 1}\n`))
    expect(follower.text).toBe(Array.from({ length: written }, (_, i) => `${i}\n`).join(''))
    expect(follower.reset).toEqual([])
    const gaps = follower.stirs.slice(1).map((at, i) => at - (follower.stirs[i] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(18)
  })

  test('is told of until it could be opened anew', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path, polling)
    const { open } = await vi.importActual<typeof fsPromises>('node:fs/promises')
    let refused = 0
    vi.mocked(fsPromises.open).mockImplementation(async (...given) => {
      if (refused++ < 5) throw systemSays('EMFILE')
      return await open(...given)
    })
    fs.writeFileSync(`${path}.new`, 'two\n')
    fs.renameSync(`${path}.new`, path)
    await until(() => follower.text === 'two\n')
    expect(refused).toBeGreaterThan(5)
  })

  test('that is packed is read anew once it is another', async () => {
    const packed = fs.readFileSync(join(import.meta.dirname, '../../../test/fixtures/compressed/rollout.jsonl.zst'))
    fs.writeFileSync(path, packed)
    const source = await openLog(path)
    const text: Buffer[] = []
    for await (const chunk of source.chunks()) text.push(Buffer.from(chunk))
    const { length } = Buffer.concat(text)
    const stirred = vi.fn()
    const watch = new LogWatch(source, stirred, { pollMs: 10, quietMs: 20 })
    expect(await watch.look(length)).toEqual({ state: 'there', bytes: length, reset: null, changing: false })
    fs.appendFileSync(path, packed)
    // Who writes it may not be done: what is told is what is known.
    expect(await watch.look(length)).toEqual({ state: 'there', bytes: length, reset: null, changing: true })
    await vi.waitFor(async () => expect(await watch.look(length)).toMatchObject({ reset: 'rewritten' }), 20_000)
    expect(stirred).toHaveBeenCalled()
    watch.close()
    await source.close()
  })

  test('stirs no more once it is closed', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path, polling)
    const other = await Follower.open(path, polling)
    await follower.close()
    const { looks } = follower
    fs.appendFileSync(path, 'two\n')
    await until(() => other.text === 'one\ntwo\n')
    expect(follower.looks).toBe(looks)
  })

  test('rests where nothing happens', async () => {
    fs.writeFileSync(path, 'one\n')
    const follower = await Follower.open(path, { pollMs: 1, quietMs: 1 })
    const { looks } = follower
    const polls = vi.mocked(fsPromises.stat).mock.calls.length
    await until(() => vi.mocked(fsPromises.stat).mock.calls.length > polls + 20)
    expect(follower.looks).toBe(looks)
  })
})

const operation = fc.oneof(
  fc.record({ does: fc.constant('append' as const), text: fc.string({ minLength: 1, maxLength: 40 }) }),
  fc.record({ does: fc.constant('append' as const), text: fc.string({ minLength: 1, maxLength: 40 }) }),
  fc.record({ does: fc.constant('rewrite' as const), text: fc.string({ maxLength: 60 }) }),
  fc.record({ does: fc.constant('replace' as const), text: fc.string({ maxLength: 60 }) }),
  fc.record({ does: fc.constant('overwrite' as const), at: fc.nat(50), text: fc.string({ maxLength: 5 }) }),
  fc.record({ does: fc.constant('truncate' as const), to: fc.nat(60) }),
  fc.record({ does: fc.constantFrom('rotate' as const, 'remove' as const, 'wait' as const, 'look' as const) })
)

describe('a follower', () => {
  test('has what the file holds, whatever was done to it', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
        const file = join(folder, `log-${run++}`)
        fs.writeFileSync(file, 'the first line\n')
        const follower = await Follower.open(file, { pollMs: 20, quietMs: 2 })
        for (const one of operations) {
          if (one.does === 'append') fs.appendFileSync(file, one.text)
          else if (one.does === 'rewrite') fs.writeFileSync(file, one.text)
          else if (one.does === 'replace') {
            fs.writeFileSync(`${file}.new`, one.text)
            fs.renameSync(`${file}.new`, file)
          } else if (one.does === 'overwrite') {
            const handle = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT)
            fs.writeSync(handle, one.text, one.at)
            fs.closeSync(handle)
          } else if (one.does === 'truncate') {
            if (fs.existsSync(file)) fs.truncateSync(file, one.to)
          } else if (one.does === 'rotate') fs.renameSync(ensured(file), `${file}.1`)
          else if (one.does === 'remove') fs.rmSync(file, { force: true })
          else if (one.does === 'look') await follower.step()
          else await new Promise((resume) => setTimeout(resume, 8))
        }
        if (fs.existsSync(file)) {
          const content = fs.readFileSync(file, 'latin1')
          await until(() => follower.sight?.state === 'there' && follower.text === content)
        } else await until(() => follower.sight?.state === 'gone')
        await follower.close()
      }),
      { numRuns: 100 }
    )
  })
})

function ensured(file: string): string {
  if (!fs.existsSync(file)) fs.writeFileSync(file, '')
  return file
}
