import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { headBytes, headOf } from '#core/formats/head.ts'
import type { Head, LogFormat } from '#core/formats/log-format.ts'
import type { RunLink, RunSearch } from '#core/formats/run-search.ts'
import type { RunSource } from '#core/formats/run-reader.ts'
import type { JsonValue } from '#core/json.ts'
import { HostError } from '#contract/host-error.ts'
import type { ChosenFormat } from './choose-format.ts'
import type { FewDescriptors } from './few-descriptors.ts'
import { type FileFacts, factsAt, isUnchanged } from './file-facts.ts'
import type { LogSource } from './log-source.ts'
import { openLog } from './open-log.ts'
import { systemPath } from './system-path.ts'

const maxCandidates = 2000
const maxFiles = 500
const atOnce = 32
/** A first record may be longer than a head: the instructions of a model stand in it. */
const longHeadBytes = 1 << 20
const maxCompanionBytes = 1 << 20

interface Found {
  readonly source: RunSource
  readonly link: RunLink
}

/** What was seen of a file that may belong to the run. */
interface Candidate extends Answer {
  /** Null: it could not be asked about. */
  readonly facts: FileFacts | null
  readonly hasCompanion: boolean
}

interface Answer {
  /** Null: it belongs to another run, or to none. */
  readonly answer: Found | Unreadable | null
  /** It has said what it is, so it does not matter what is added to it. */
  readonly decided: boolean
}

/** Where the files of a run were looked for, and what was there. */
interface Looked {
  /** Two searches for one main file that have the same are the same. */
  readonly id: string
  readonly head: Head
  readonly format: LogFormat
  readonly listed: Listed
}

/** What lies in the folders searched. Paths are relative to that of the main file. */
interface Listed {
  readonly paths: readonly string[]
  readonly companions: ReadonlySet<string>
  /** All that may tell something, in one text. */
  readonly names: string
  /** Absolute. */
  readonly folders: readonly string[]
  /** Folders that are there and may not be looked into. */
  readonly unread: readonly Unreadable[]
}

/** What a run consists of, as far as its main file and the folders around that say now. */
export interface FoundRun {
  readonly chosen: ChosenFormat
  /** The other files, in the order of their names: what the reading order rests on. */
  readonly files: readonly RunSource[]
  /** What there is to say about those that are not shown, and about a main file that is not of one format. */
  readonly notes: readonly string[]
  /** Files and folders that could not be read. */
  readonly unread: readonly Unreadable[]
}

/** The other files of a run. They are told by their heads; a head is read once, as long as it stays what it is. */
export class RunFiles {
  readonly #main: LogSource
  readonly #folder: string
  readonly #few: FewDescriptors
  /** By path, relative to the folder. */
  #candidates = new Map<string, Candidate>()
  #looked: Looked | null = null

  constructor(main: LogSource, few: FewDescriptors) {
    this.#main = main
    this.#few = few
    this.#folder = dirname(main.path)
  }

  /** Absolute paths of the folders that were looked into last; some may not exist. */
  get folders(): readonly string[] {
    return this.#looked?.listed.folders ?? []
  }

  /** One of them has not said yet what it is. */
  get waits(): boolean {
    for (const { decided } of this.#candidates.values()) if (!decided) return true
    return false
  }

  /** Looks for them. In the order of their names, and what there is to say about those that are not shown. Never throws. */
  async find(head: Head, format: LogFormat): Promise<Omit<FoundRun, 'chosen'>> {
    const search = await this.#searchOf(head, format)
    if (!search) {
      this.#looked = null
      return { files: [], notes: [], unread: [] }
    }
    const id = idOf(search, format)
    if (id !== this.#looked?.id) this.#candidates = new Map()
    const listed = await this.#list(search)
    this.#looked = { id, head, format, listed }
    const notes = new Notes()
    if (listed.paths.length > maxCandidates) {
      notes.say(
        `only ${maxCandidates} of the ${listed.paths.length} files that may belong to this session were checked`
      )
    }
    const paths = listed.paths.slice(0, maxCandidates)
    const looked = await severalAtOnce(paths, async (path) => {
      const hasCompanion = listed.companions.has(search.companionOf?.(path) ?? path)
      return [path, await this.#lookAt(search, path, hasCompanion)] as const
    })
    this.#candidates = new Map(looked)
    const found: Found[] = []
    const unread = [...listed.unread]
    for (const [, { answer }] of looked) {
      if (answer instanceof Unreadable) unread.push(answer)
      else if (answer) found.push(answer)
    }
    return { files: ofThisRun(search.key, found, notes), notes: notes.all(), unread }
  }

  /**
   * Those of `paths`, relative to the main file's folder, that would be looked at if they were there, and what says more about them; none where
   * nothing was looked for.
   */
  async wantedOf(paths: readonly string[]): Promise<string[]> {
    const search = this.#looked && (await this.#searchOf(this.#looked.head, this.#looked.format))
    if (!search) return []
    const logs = paths.filter((path) => isSearched(search, path) && search.mayBelong(path))
    const wanted = new Set(logs)
    if (search.companionOf) for (const path of logs) wanted.add(search.companionOf(path))
    return paths.filter((path) => wanted.has(path))
  }

  /** Whether `find` may find others than the last time, as far as names tell, and files that did not say yet what they are. */
  async mayDiffer(): Promise<boolean> {
    const looked = this.#looked
    if (looked === null) return false
    const search = await this.#searchOf(looked.head, looked.format)
    if (!search || idOf(search, looked.format) !== looked.id) return true
    if ((await this.#list(search)).names !== looked.listed.names) return true
    const undecided = [...this.#candidates].filter(([, { decided }]) => !decided)
    const changed = await severalAtOnce(undecided, async ([path, { facts }]) => {
      return !isAsItWas(facts, await factsAt(join(this.#folder, path)).catch(() => null))
    })
    return changed.includes(true)
  }

  async #searchOf(head: Head, format: LogFormat): Promise<RunSearch | null> {
    const { name } = this.#main
    // It is gone with the connection to a network mount.
    const modified = await this.#main.modified().catch(() => 0)
    return format.runFiles?.({ name, folders: this.#folder.split(sep), records: head.records, modified }) ?? null
  }

  /** Paths relative to the folder, those of each folder searched sorted. A packed copy of a file that is there as well is left out. */
  async #list(search: RunSearch): Promise<Listed> {
    const paths = new Set<string>()
    const folders: string[] = []
    const all = new Set<string>()
    const unread: Unreadable[] = []
    for (const { path, depth } of search.folders) {
      const here = new Set<string>()
      await walk(search, this.#folder, path, depth, { candidates: here, all, folders, unread })
      for (const found of [...here].sort(byCodeUnit)) paths.add(found)
    }
    paths.delete(basename(this.#main.path))
    const listed = [...paths].filter((path) => !path.endsWith('.zst') || !paths.has(path.slice(0, -4)))
    const companions = new Set(search.companionOf ? listed.map(search.companionOf).filter((path) => all.has(path)) : [])
    return { paths: listed, companions, folders, unread, names: [...listed, ...companions].join('\n') }
  }

  async #lookAt(search: RunSearch, path: string, hasCompanion: boolean): Promise<Candidate> {
    const known = this.#candidates.get(path)
    if (known?.decided && known.hasCompanion === hasCompanion) return known
    const facts = await factsAt(join(this.#folder, path)).catch(() => null)
    if (known && known.hasCompanion === hasCompanion && isAsItWas(known.facts, facts)) return known
    return {
      facts,
      hasCompanion,
      ...(await answerOf(search, { folder: this.#folder, path, few: this.#few }, hasCompanion))
    }
  }
}

/** Whether it lies in one of the folders, and not too deep. */
function isSearched({ folders }: RunSearch, file: string): boolean {
  return folders.some(({ path, depth }) => {
    const above = path === '' ? '' : `${path}/`
    return file.startsWith(above) && file.slice(above.length).split('/').length <= depth + 1
  })
}

function idOf({ key, folders }: RunSearch, format: LogFormat): string {
  return JSON.stringify([format.id, key, folders])
}

function isAsItWas(before: FileFacts | null, now: FileFacts | null): boolean {
  if (before === null || now === null) return before === now
  return isUnchanged(before, now) && before.changed === now.changed
}

interface Walk {
  readonly candidates: Set<string>
  /** Every file. */
  readonly all: Set<string>
  readonly folders: string[]
  readonly unread: Unreadable[]
}
async function walk(search: RunSearch, root: string, path: string, depth: number, into: Walk): Promise<void> {
  const folder = join(root, path)
  into.folders.push(folder)
  const entries = await systemPath(folder)
    .then((named) => readdir(named, { withFileTypes: true, encoding: 'utf8' }))
    .catch((error: unknown) => {
      const unreadable = new Unreadable(path, error)
      // What is not there has no files for us.
      if (!unreadable.isGone) into.unread.push(unreadable)
      return []
    })
  for (const entry of entries) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    // A link to a folder may lead in a circle.
    if (entry.isDirectory()) {
      if (depth > 0) await walk(search, root, below, depth - 1, into)
    } else {
      into.all.add(below)
      if (search.mayBelong(below)) into.candidates.add(below)
    }
  }
}

async function answerOf(
  search: RunSearch,
  { folder, path, few }: { readonly folder: string; readonly path: string; readonly few: FewDescriptors },
  hasCompanion: boolean
): Promise<Answer> {
  try {
    const source = await openLog(join(folder, path), few)
    try {
      const { framing, records } = await headFrom(source)
      const companion = hasCompanion ? await companionOf(search, folder, path) : undefined
      const decided = records.length > 0 && hasCompanion === (companion !== undefined)
      const link = search.linkOf(companion === undefined ? { path, records } : { path, records, companion })
      if (!link) return { answer: null, decided }
      const named = { name: path, framing }
      return {
        answer: { link, source: link.callId === undefined ? named : { ...named, callId: link.callId } },
        decided
      }
    } finally {
      await source.close()
    }
  } catch (error) {
    return { answer: new Unreadable(path, error), decided: false }
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
    const file = await systemPath(join(folder, search.companionOf(path)))
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
      if (known.has(link.key)) notes.count('duplicate file of this session', 'duplicate files of this session')
      else if (link.hidden) notes.count(link.hidden.one, link.hidden.many)
      else {
        // A set grows while it is gone through.
        known.add(link.key)
        files.push(source)
      }
    }
  }
  files.sort((a, b) => byCodeUnit(a.name, b.name))
  if (files.length > maxFiles) notes.say(`only the first ${maxFiles} of ${files.length} subagent files are shown`)
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

/** Why a file of a run, or a folder, is not shown, or not to its end. */
export class Unreadable {
  readonly path: string
  readonly why: string
  /** It is not there, or no longer. */
  readonly isGone: boolean
  readonly #isPart: boolean

  constructor(path: string, error: unknown, isPart = false) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    this.path = path
    this.why = error instanceof HostError ? error.message : `it cannot be read (${code})`
    this.isGone = code === 'ENOENT' || code === 'ENOTDIR' || code === 'not-found'
    this.#isPart = isPart
  }

  get sentence(): string {
    return `${this.path} is not shown${this.#isPart ? ' completely' : ''}: ${this.why}`
  }
}

/** What is said of all of them in one sentence. */
export function summaryOf([first, ...rest]: readonly Unreadable[]): string[] {
  return first === undefined ? [] : [`${first.sentence}${rest.length > 0 ? `, and ${rest.length} more` : ''}`]
}

/** What is said about the files that are not shown. */
export class Notes {
  readonly #said: string[] = []
  readonly #counts = new Map<string, { count: number; many: string }>()

  say(sentence: string): void {
    this.#said.push(sentence)
  }

  /** One more of what is not shown. */
  count(one: string, many: string): void {
    this.#counts.set(one, { count: (this.#counts.get(one)?.count ?? 0) + 1, many })
  }

  all(): string[] {
    const counted = [...this.#counts].map(([one, { count, many }]) =>
      count === 1 ? `1 ${one} not shown` : `${count} ${many} not shown`
    )
    return [...counted, ...this.#said]
  }
}
