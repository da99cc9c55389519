import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { headBytes, headOf } from '#core/formats/head.ts'
import type { Head, LogFormat } from '#core/formats/log-format.ts'
import type { RunLink, RunSearch } from '#core/formats/run-search.ts'
import type { RunSource } from '#core/formats/run-reader.ts'
import type { JsonValue } from '#core/json.ts'
import { HostError } from '#contract/methods.ts'
import { type LogSource, openLog } from './log-source.ts'

const maxCandidates = 2000
const maxFiles = 500
const atOnce = 32
/** A first record may be longer than a head: the instructions of a model stand in it. */
const longHeadBytes = 1 << 20
const maxCompanionBytes = 1 << 20

/** The other files of a run, and what there is to say about those that are not shown. */
export interface RunFiles {
  /** In the order of their names: what the reading order rests on. */
  readonly files: readonly RunSource[]
  readonly notes: readonly string[]
}

interface Found {
  readonly source: RunSource
  readonly link: RunLink
}

/** Finds the other files of the run whose main file is `main`, by reading the heads of those that may belong. Never throws. */
export async function findRunFiles(main: LogSource, head: Head, format: LogFormat): Promise<RunFiles> {
  const search = format.runFiles?.({
    name: main.name,
    folders: dirname(main.path).split(sep),
    records: head.records,
    modified: await main.modified()
  })
  if (!search) return { files: [], notes: [] }
  const folder = dirname(main.path)
  const notes = new Notes()
  const paths = await candidatesOf(search, folder, basename(main.path))
  if (paths.length > maxCandidates) {
    notes.say(`only ${maxCandidates} of the ${paths.length} files that may belong to this run were looked at`)
  }
  const found: Found[] = []
  const looked = paths.slice(0, maxCandidates)
  for (const one of await severalAtOnce(looked, (path) => lookAt(search, folder, path))) {
    if (one instanceof Unreadable) notes.unreadable(one)
    else if (one) found.push(one)
  }
  return { files: ofThisRun(search.key, found, notes), notes: notes.all() }
}

/** Paths relative to `folder`, those of each folder searched sorted. A packed copy of a file that is there as well is left out. */
async function candidatesOf(search: RunSearch, folder: string, main: string): Promise<string[]> {
  const paths = new Set<string>()
  for (const { path, depth } of search.folders) {
    const here = new Set<string>()
    await walk(search, folder, path, depth, here)
    for (const found of [...here].sort(byCodeUnit)) paths.add(found)
  }
  paths.delete(main)
  return [...paths].filter((path) => !path.endsWith('.zst') || !paths.has(path.slice(0, -4)))
}

async function walk(search: RunSearch, root: string, path: string, depth: number, into: Set<string>): Promise<void> {
  // What is not there, or may not be read, has no files for us.
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    // A link to a folder may lead in a circle.
    if (entry.isDirectory()) {
      if (depth > 0) await walk(search, root, below, depth - 1, into)
    } else if (search.mayBelong(below)) into.add(below)
  }
}

async function lookAt(search: RunSearch, folder: string, path: string): Promise<Found | Unreadable | null> {
  try {
    const source = await openLog(join(folder, path))
    try {
      const { framing, records } = await headFrom(source)
      const companion = await companionOf(search, folder, path)
      const link = search.linkOf(companion === undefined ? { path, records } : { path, records, companion })
      if (!link) return null
      const named = { name: path, framing }
      return { link, source: link.callId === undefined ? named : { ...named, callId: link.callId } }
    } finally {
      await source.close()
    }
  } catch (error) {
    return new Unreadable(path, error)
  }
}

/** The head of a log, longer than usual where its first record is. */
async function headFrom(source: LogSource): Promise<Head> {
  const head = headOf(source.name, await firstBytes(source, headBytes))
  if (head.records.length > 0 || (await source.size()) <= headBytes) return head
  const [first = ''] = new TextDecoder().decode(await firstBytes(source, longHeadBytes)).split('\n', 1)
  try {
    return { ...head, records: [JSON.parse(first) as JsonValue] }
  } catch {
    return head
  }
}

async function firstBytes(source: LogSource, count: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of source.chunks({ to: count, chunkBytes: count })) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

async function companionOf(search: RunSearch, folder: string, path: string): Promise<JsonValue | undefined> {
  if (!search.companionOf) return undefined
  try {
    const file = join(folder, search.companionOf(path))
    const stats = await stat(file)
    if (!stats.isFile() || stats.size > maxCompanionBytes) return undefined
    return JSON.parse(await readFile(file, 'utf8')) as JsonValue
  } catch {
    // It is extra: most formats have none, and one that is damaged tells nothing.
    return undefined
  }
}

/** Those that hang together with the main file, its agents' agents included; each agent once. */
function ofThisRun(key: string, found: readonly Found[], notes: Notes): RunSource[] {
  const byParent = new Map<string, Found[]>()
  for (const one of found) {
    const siblings = byParent.get(one.link.parent)
    if (siblings) siblings.push(one)
    else byParent.set(one.link.parent, [one])
  }
  const known = new Set([key])
  const files: RunSource[] = []
  for (const parent of known) {
    for (const { link, source } of byParent.get(parent) ?? []) {
      if (known.has(link.key)) notes.count('copy of a file of this run', 'copies of files of this run')
      else if (link.hidden) notes.count(link.hidden.one, link.hidden.many)
      else {
        // A set grows while it is gone through.
        known.add(link.key)
        files.push(source)
      }
    }
  }
  files.sort((a, b) => byCodeUnit(a.name, b.name))
  if (files.length > maxFiles) notes.say(`only the first ${maxFiles} of ${files.length} files of agents are shown`)
  return files.slice(0, maxFiles)
}

/** What `work` gives for each item, in their order. A disk and a network answer many questions in the time of one. */
export async function severalAtOnce<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += atOnce) {
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))))
  }
  return results
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Why a file of a run is not shown. */
export class Unreadable {
  readonly path: string
  readonly why: string

  constructor(path: string, error: unknown) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    this.path = path
    this.why = error instanceof HostError ? error.message : `it cannot be read (${code})`
  }
}

/** What is said about the files that are not shown. */
export class Notes {
  readonly #said: string[] = []
  readonly #counts = new Map<string, { count: number; many: string }>()
  readonly #unreadable: Unreadable[] = []

  say(sentence: string): void {
    this.#said.push(sentence)
  }

  /** One more of what is not shown. */
  count(one: string, many: string): void {
    this.#counts.set(one, { count: (this.#counts.get(one)?.count ?? 0) + 1, many })
  }

  unreadable(file: Unreadable): void {
    this.#unreadable.push(file)
  }

  all(): string[] {
    const counted = [...this.#counts].map(([one, { count, many }]) =>
      count === 1 ? `1 ${one} not shown` : `${count} ${many} not shown`
    )
    const [first] = this.#unreadable
    const rest = this.#unreadable.length - 1
    const unreadable = first && `${first.path} is not shown: ${first.why}${rest > 0 ? `, and ${rest} more` : ''}`
    return [...counted, ...this.#said, ...(unreadable === undefined ? [] : [unreadable])]
  }
}
