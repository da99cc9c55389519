import type { Dirent } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { headBytes, headOf } from '#core/formats/head.ts'
import type { Head, LogFormat } from '#core/formats/log-format.ts'
import type { RunLink, RunSearch } from '#core/formats/run-search.ts'
import type { RunSource } from '#core/formats/run-reader.ts'
import type { JsonValue } from '#core/json.ts'
import { HostError } from '#contract/host-error.ts'
import type { ChosenFormat } from './choose-format.ts'
import type { DescriptorPool } from './descriptor-pool.ts'
import { type FileFacts, factsAt, isUnchanged } from './file-facts.ts'
import type { LogSource } from './log-source.ts'
import { leadsOut } from './leads-out.ts'
import { openLog } from './open-log.ts'
import { systemPath } from './system-path.ts'

const maxCandidates = 2000
const maxFiles = 500
const maxParallel = 32
/** A first record with a model's instructions may be longer than a head. */
const longHeadBytes = 1 << 20
const maxCompanionBytes = 1 << 20

interface Found {
  readonly source: RunSource
  readonly link: RunLink
}

/** A file that may belong to the session. */
interface Candidate extends Answer {
  /** Null: no metadata. */
  readonly facts: FileFacts | null
  readonly hasCompanion: boolean
}

interface Answer {
  /** Null: it does not belong to this session. */
  readonly answer: Found | Unreadable | null
  /** Its identity is known, so additions to it do not matter. */
  readonly decided: boolean
}

/** The last search for session files. */
interface LastSearch {
  /** Searches with the same id would find the same candidates. */
  readonly id: string
  readonly head: Head
  readonly format: LogFormat
  readonly listed: Listed
}

/** The content of searched folders, with paths relative to the main file's folder. */
interface Listed {
  readonly paths: readonly string[]
  readonly companions: ReadonlySet<string>
  /** All paths in one text, for a comparison. */
  readonly names: string
  /** Absolute. */
  readonly folders: readonly string[]
  /** Existing folders without permission. */
  readonly unread: readonly Unreadable[]
}

/** The parent session that each of these files is known to name; null: none. Unknown files are left out. */
export type ParentsOf = (paths: readonly string[]) => Promise<ReadonlyMap<string, string | null>>

/** The files of a session, as found now. */
export interface FoundRun {
  readonly chosen: ChosenFormat
  /** The other files, sorted by name, which fixes the reading order. */
  readonly files: readonly RunSource[]
  /** Notes about files that are not shown, and about a main file of mixed formats. */
  readonly notes: readonly string[]
  /** Unreadable files and folders. */
  readonly unread: readonly Unreadable[]
}

/** Finds the other files of a session by their heads. A head is read once for each state of the file. */
export class RunFiles {
  readonly #main: LogSource
  readonly #folder: string
  readonly #pool: DescriptorPool
  readonly #parentsOf: ParentsOf | null
  /** By path relative to the folder. */
  #candidates = new Map<string, Candidate>()
  #last: LastSearch | null = null

  /** `parentsOf`: as in `FinderOptions`. */
  constructor(main: LogSource, pool: DescriptorPool, parentsOf: ParentsOf | null = null) {
    this.#main = main
    this.#pool = pool
    this.#parentsOf = parentsOf
    this.#folder = dirname(main.path)
  }

  /** Absolute paths of the folders of the last search; some may not exist. */
  get folders(): readonly string[] {
    return this.#last?.listed.folders ?? []
  }

  /** A candidate's identity is not known yet. */
  get hasUndecided(): boolean {
    for (const { decided } of this.#candidates.values()) if (!decided) return true
    return false
  }

  /** Never throws. */
  async find(head: Head, format: LogFormat): Promise<Omit<FoundRun, 'chosen'>> {
    const search = await this.#searchOf(head, format)
    if (!search) {
      this.#last = null
      return { files: [], notes: [], unread: [] }
    }
    const id = idOf(search, format)
    if (id !== this.#last?.id) this.#candidates = new Map()
    const listed = await this.#list(search)
    this.#last = { id, head, format, listed }
    const notes = new Notes()
    if (listed.paths.length > maxCandidates) {
      notes.add(
        `only ${maxCandidates} of the ${listed.paths.length} files that may belong to this session were checked`
      )
    }
    const paths = listed.paths.slice(0, maxCandidates)
    const checked = await mapParallel(paths, async (path) => {
      const hasCompanion = listed.companions.has(search.companionOf?.(path) ?? path)
      return [path, await this.#check(search, path, hasCompanion)] as const
    })
    this.#candidates = new Map(checked)
    const found: Found[] = []
    const unread = [...listed.unread]
    for (const [, { answer }] of checked) {
      if (answer instanceof Unreadable) unread.push(answer)
      else if (answer) found.push(answer)
    }
    return { files: ofThisRun(search.key, found, notes), notes: notes.all(), unread }
  }

  /** The `paths`, relative to the main file's folder, that the search would read if they existed. */
  async wantedOf(paths: readonly string[]): Promise<string[]> {
    const search = this.#last && (await this.#searchOf(this.#last.head, this.#last.format))
    if (!search) return []
    const logs = paths.filter((path) => isSearched(search, path) && search.mayBelong(path))
    const wanted = new Set(logs)
    if (search.companionOf) for (const path of logs) wanted.add(search.companionOf(path))
    return paths.filter((path) => wanted.has(path))
  }

  /** Whether `find` may have another result: compares names and undecided files. */
  async mayDiffer(): Promise<boolean> {
    const last = this.#last
    if (last === null) return false
    const search = await this.#searchOf(last.head, last.format)
    if (!search || idOf(search, last.format) !== last.id) return true
    if ((await this.#list(search)).names !== last.listed.names) return true
    const undecided = [...this.#candidates].filter(([, { decided }]) => !decided)
    const changed = await mapParallel(undecided, async ([path, { facts }]) => {
      return !isAsItWas(facts, await factsAt(join(this.#folder, path)).catch(() => null))
    })
    return changed.includes(true)
  }

  async #searchOf(head: Head, format: LogFormat): Promise<RunSearch | null> {
    const { name } = this.#main
    // Fails if a network mount is disconnected.
    const modified = await this.#main.modified().catch(() => 0)
    return format.runFiles?.({ name, folders: this.#folder.split(sep), records: head.records, modified }) ?? null
  }

  /** Candidates sorted within each folder. A packed copy of an existing file is left out. */
  async #list(search: RunSearch): Promise<Listed> {
    const paths = new Set<string>()
    const folders: string[] = []
    const all = new Set<string>()
    const unread: Unreadable[] = []
    const refused = new Map<string, Unreadable>()
    for (const { path, depth } of search.folders) {
      const here = new Set<string>()
      await walk(search, this.#folder, path, depth, { candidates: here, all, folders, unread, refused })
      for (const found of [...here].sort(byCodeUnit)) paths.add(found)
    }
    paths.delete(basename(this.#main.path))
    const unpacked = [...paths].filter((path) => !path.endsWith('.zst') || !paths.has(path.slice(0, -4)))
    const listed = await this.#withoutOthers(search, unpacked)
    const wanted = search.companionOf ? listed.map(search.companionOf) : []
    const companions = new Set(wanted.filter((path) => all.has(path)))
    unread.push(...new Set(wanted.flatMap((path) => refused.get(path) ?? [])))
    return { paths: listed, companions, folders, unread, names: [...listed, ...companions].join('\n') }
  }

  /** Without files that are known to belong to other sessions. */
  async #withoutOthers(search: RunSearch, paths: readonly string[]): Promise<readonly string[]> {
    if (this.#parentsOf === null || search.mayHaveParent === undefined || paths.length === 0) return paths
    const placeOf = (path: string): string => join(this.#folder, path)
    const parents = await this.#parentsOf(paths.map(placeOf))
    return paths.filter((path) => {
      const parent = parents.get(placeOf(path))
      return parent === undefined || search.mayHaveParent?.(path, parent)
    })
  }

  async #check(search: RunSearch, path: string, hasCompanion: boolean): Promise<Candidate> {
    const known = this.#candidates.get(path)
    if (known?.decided && known.hasCompanion === hasCompanion) return known
    const facts = await factsAt(join(this.#folder, path)).catch(() => null)
    if (known && known.hasCompanion === hasCompanion && isAsItWas(known.facts, facts)) return known
    return {
      facts,
      hasCompanion,
      ...(await answerOf(search, { folder: this.#folder, path, pool: this.#pool }, hasCompanion))
    }
  }
}

/** Whether the file lies in a searched folder, within its depth. */
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
  readonly all: Set<string>
  readonly folders: string[]
  readonly unread: Unreadable[]
  /** What is not read, whatever it may be of. */
  readonly refused: Map<string, Unreadable>
}

async function walk(search: RunSearch, root: string, path: string, depth: number, into: Walk): Promise<void> {
  const folder = join(root, path)
  into.folders.push(folder)
  // `../` leads to other days of the agent's own folder.
  const [above = ''] = /^(?:\.\.\/)*/.exec(path) ?? []
  if (await leadsOut(join(root, above), folder)) return void into.unread.push(linkOut(path))
  const entries = await systemPath(folder)
    .then((named) => readdir(named, { withFileTypes: true, encoding: 'utf8' }))
    .catch((error: unknown) => {
      const unreadable = new Unreadable(path, error)
      // A missing folder is no problem.
      if (!unreadable.isGone) into.unread.push(unreadable)
      return []
    })
  for (const entry of entries) {
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    // Links to folders, which may form cycles, are no directories here.
    if (entry.isDirectory()) {
      if (depth > 0) await walk(search, root, below, depth - 1, into)
      continue
    }
    const refusal = await refusalOf(entry, folder, below)
    if (refusal !== null) {
      if (search.mayBelong(below)) into.unread.push(refusal)
      else into.refused.set(below, refusal)
    } else {
      into.all.add(below)
      if (search.mayBelong(below)) into.candidates.add(below)
    }
  }
}

/** Why an entry of a folder is not read; null: it may be. */
async function refusalOf(entry: Dirent, folder: string, path: string): Promise<Unreadable | null> {
  if (entry.isSymbolicLink()) return (await leadsOut(folder, join(folder, entry.name))) ? linkOut(path) : null
  if (entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice())
    return refused(path, 'it is a pipe or a device')
  return null
}

function linkOut(path: string): Unreadable {
  return refused(path, 'it is a link that leads out of the folder of the session')
}

function refused(path: string, why: string): Unreadable {
  return new Unreadable(path, new HostError('no-permission', why))
}

async function answerOf(
  search: RunSearch,
  { folder, path, pool }: { readonly folder: string; readonly path: string; readonly pool: DescriptorPool },
  hasCompanion: boolean
): Promise<Answer> {
  try {
    const source = await openLog(join(folder, path), pool)
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

/** The head of a log, extended for a long first record. */
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
    // The companion is optional.
    return undefined
  }
}

/** The files that are linked to the main file, directly or through other agents; each agent once. */
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
        // Iteration includes added elements.
        known.add(link.key)
        files.push(source)
      }
    }
  }
  files.sort((a, b) => byCodeUnit(a.name, b.name))
  if (files.length > maxFiles) notes.add(`only the first ${maxFiles} of ${files.length} subagent files are shown`)
  return files.slice(0, maxFiles)
}

/** Maps items in order, several at a time: disks and networks answer parallel requests faster. */
export async function mapParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += maxParallel) {
    results.push(...(await Promise.all(items.slice(at, at + maxParallel).map(work))))
  }
  return results
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** A file or folder of a session that is not shown, or not completely. */
export class Unreadable {
  readonly path: string
  readonly why: string
  /** It does not exist. */
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

/** One sentence for all. */
export function summaryOf([first, ...rest]: readonly Unreadable[]): string[] {
  return first === undefined ? [] : [`${first.sentence}${rest.length > 0 ? `, and ${rest.length} more` : ''}`]
}

/** Notes about files that are not shown. */
export class Notes {
  readonly #sentences: string[] = []
  readonly #counts = new Map<string, { count: number; many: string }>()

  add(sentence: string): void {
    this.#sentences.push(sentence)
  }

  /** Counts one more. */
  count(one: string, many: string): void {
    this.#counts.set(one, { count: (this.#counts.get(one)?.count ?? 0) + 1, many })
  }

  all(): string[] {
    const counted = [...this.#counts].map(([one, { count, many }]) =>
      count === 1 ? `1 ${one} not shown` : `${count} ${many} not shown`
    )
    return [...counted, ...this.#sentences]
  }
}
