import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filePatch } from '#core/files/file-patch.ts'
import { knowledgeOf } from '#core/files/file-state.ts'
import { nameOnDisk } from '#core/paths/name-on-disk.ts'
import { corpusFiles, corpusIsHere, corpusPath, formatOfCorpusFile } from './corpus.ts'
import { exactLooks, knownEnds, otherLogs, wrongLooks } from './file-cases.ts'
import { blamed, type FileVersions, git, inFolder } from './file-oracles.ts'
import { type LogTruth, type Look, truthOf } from './file-truth.ts'

/** What is told of files of real logs is what these logs show later. */

if (!corpusIsHere) console.warn('files.test.ts: skipped, ../shared/corpus is not here')

/** Generated and recorded logs do what their scripts say, so they would flatter the figures. */
const ownLogs = corpusFiles().filter(
  (path) => formatOfCorpusFile(path) !== null && !/^recorded\/|\/generated\/|\/subagents\//.test(path)
)

/** Real logs of other agents that are about files. */
const furtherLogs = otherLogs.filter((path) => existsSync(corpusPath(path)))
const logs = [...ownLogs, ...furtherLogs]
const formatOf = (path: string): string =>
  (path.startsWith('../') ? path.split('/')[3] : formatOfCorpusFile(path)) ?? ''

/** Read once, for all tests. */
let read: Promise<ReadonlyMap<string, LogTruth>> | null = null
const truths = async (): Promise<ReadonlyMap<string, LogTruth>> =>
  await (read ??= (async () => {
    const all = new Map<string, LogTruth>()
    for (const log of logs) all.set(log, await truthOf(log))
    return all
  })())

const partOf = (looks: readonly Look[], holds: (look: Look) => boolean): number =>
  looks.filter(holds).length / looks.length
const linesOf = (looks: readonly Look[], lines: (look: Look) => number): number =>
  looks.reduce((sum, look) => sum + lines(look), 0)

describe.runIf(corpusIsHere)('files of real logs', () => {
  test('what a log shows is what was told before', async () => {
    const all = await truths()
    const every = [...all.values()].flatMap((truth) => truth.looks)
    const looks = every.filter(({ log }) => !log.startsWith('../'))
    const quiet = looks.filter(({ doubt }) => doubt === null)
    const figures: Record<string, unknown> = {}
    for (const [log, truth] of all) {
      const format = formatOf(log)
      const own = (figures[format] ??= {
        logs: 0,
        files: 0,
        full: 0,
        part: 0,
        steps: 0,
        looks: 0,
        exact: 0,
        quiet: 0,
        quietExact: 0
      }) as Record<string, number>
      const add = (name: string, count: number): void => void (own[name] = (own[name] ?? 0) + count)
      add('logs', 1)
      add('files', truth.ends.length)
      add('full', truth.ends.filter(({ content }) => knowledgeOf(content) === 'full').length)
      add('part', truth.ends.filter(({ content }) => knowledgeOf(content) === 'part').length)
      add('steps', truth.steps)
      add('looks', truth.looks.length)
      add('exact', truth.looks.filter(({ exact }) => exact).length)
      add('quiet', truth.looks.filter(({ doubt }) => doubt === null).length)
      add('quietExact', truth.looks.filter(({ doubt, exact }) => doubt === null && exact).length)
    }
    if (process.env['SHOW_FIGURES'] === '1') console.log(JSON.stringify(figures), looks.length)
    expect(looks.length).toBeGreaterThan(780)
    expect(partOf(looks, ({ exact }) => exact)).toBeGreaterThan(0.959)
    expect(partOf(quiet, ({ exact }) => exact)).toBeGreaterThan(0.99)
    const sure = linesOf(looks, ({ sureLines }) => sureLines)
    expect(sure).toBeGreaterThan(100_000)
    expect(1 - linesOf(looks, ({ wrongSureLines }) => wrongSureLines) / sure).toBeGreaterThan(0.995)
    // Of other agents there are too few looks for a share: all that were certain are right.
    const others = every.filter(({ log }) => log.startsWith('../'))
    expect(others.filter(({ doubt, exact }) => doubt === null && !exact)).toEqual([])
    expect(linesOf(others, ({ wrongSureLines }) => wrongSureLines)).toBe(0)
    if (furtherLogs.length > 0) expect(partOf(others, ({ exact }) => exact)).toBeGreaterThan(0.9)
  })

  test('every wrong case is known, and told as stale', async () => {
    const wrong = [...(await truths()).values()]
      .flatMap(({ looks }) => looks)
      .filter(({ exact }) => !exact)
      .map(({ log, line, doubt }) => `${log} ${line} ${doubt === null ? 'quiet' : 'stale'}`)
    expect(wrong).toEqual(wrongLooks)
    const told = [...(await truths()).values()].flatMap(({ looks }) => looks)
    for (const each of exactLooks)
      expect(told.find(({ log, line }) => `${log} ${line}` === each)).toMatchObject({ exact: true, whole: true })
    for (const [log, path, lines, isFull] of knownEnds) {
      const end = (await truths()).get(log)?.ends.find((one) => one.path.endsWith(path))
      expect({ path, lines: end?.content.knownLines, isFull: end?.content.isFull }).toEqual({ path, lines, isFull })
    }
  })

  test('git blames the same events for the lines', async () => {
    // Those with most versions: with one version, every line has one author.
    const size = (files: readonly FileVersions[]): number =>
      files.reduce((sum, { versions }) => sum + versions.length - 1, 0)
    const all = [...(await truths()).values()]
      .map(({ versions }) => versions.filter((file) => file.versions.length > 1))
      .sort((a, b) => size(b) - size(a))
    const most = process.env['SHOW_FIGURES'] === '1' ? all : all.slice(0, 3)
    const found = { lines: 0, same: 0, sameKind: 0 }
    for (const versions of most) {
      const own = blamed(versions)
      found.lines += own.lines
      found.same += own.same
      found.sameKind += own.sameKind
    }
    if (process.env['SHOW_FIGURES'] === '1') console.log('blame', JSON.stringify(found))
    expect(found.lines).toBeGreaterThan(1000)
    expect(found.same / found.lines).toBeGreaterThan(0.975)
    expect(found.sameKind / found.lines).toBeGreaterThan(0.99)
  })

  test('git applies the patch of every session to its start, which gives its end', async () => {
    const all = await truths()
    inFolder((folder) => {
      const ends = new Map<string, string | null>()
      const parts: string[] = []
      const put = (path: string, text: string): void => {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      for (const [number, truth] of [...all.values()].entries()) {
        for (const { path, content, former } of truth.ends) {
          if (former === undefined || former === null || !(content.isFull || content.deleted)) continue
          // One patch for all sessions is much faster.
          const name = `${number}/${nameOnDisk(path, truth.folder)}`
          const after = content.deleted ? null : content.text
          if (former.exists) put(name, former.text)
          const part = filePatch(name, former.exists ? former.text : null, after)
          if (part !== '') parts.push(part)
          ends.set(name, after)
        }
      }
      expect(parts.length).toBeGreaterThan(200)
      git(folder, ['init', '-q'])
      git(folder, ['apply', '--check', '--whitespace=nowarn'], parts.join(''))
      git(folder, ['apply', '--whitespace=nowarn'], parts.join(''))
      for (const [name, text] of ends) {
        if (text === null) expect(() => readFileSync(join(folder, name))).toThrow()
        else expect({ name, text: readFileSync(join(folder, name), 'utf8') }).toEqual({ name, text })
      }
    })
  })
})
