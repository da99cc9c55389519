import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, parse, resolve } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { TypedLog } from '#contract/library.ts'
import { isInFolder } from '#core/paths/path-names.ts'
import { lastOf, type SessionCard } from '#core/library/session-card.ts'
import { type TypedPath, typedPath } from '#core/library/typed-path.ts'
import { sessionIn } from '#core/formats/session-database.ts'
import { isDatabase } from '../sources/database-file.ts'
import { fileError } from '../sources/log-file.ts'
import { systemPath } from '../sources/system-path.ts'
import { filesOfGlob } from './files-of-glob.ts'

export interface TypedOptions {
  readonly home: string
  /** The base of relative paths. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  /** All sessions and subagents; null: no library. Not called for file names, as the library may have to scan first. */
  readonly sessions: (() => Promise<readonly SessionCard[]>) | null
  /** The sessions of a folder outside the library. */
  readonly sessionsIn: (folder: string) => Promise<readonly TypedLog[]>
}

const maxLogs = 50
/** Shorter texts are no prefix of an id: nearly every word would match. */
const minBeginning = 4

/** Resolves a typed text to the newest 50 logs: a file name as it is, else by `typedPath`. Throws if there is none. */
export async function resolveTyped(text: string, options: TypedOptions): Promise<TypedLog[]> {
  const { home, folder, platform, sessions } = options
  const file = resolve(folder, text)
  if (isDatabase(file)) return await sessionsOf(file, options)
  if (await isFile(file)) return [await typedLog(file)]
  const typed = typedPath(text, { home, windows: platform === 'win32' })
  if (typed.kind === 'wrong') throw new HostError('bad-params', typed.why)
  const path = resolve(folder, typed.path)
  const there = await kindOf(path)
  if (isDatabase(path)) return await sessionsOf(path, options)
  if (there === 'file') return [await typedLog(path)]
  const inside = mayBeProject(typed, path, there) ? await inFolder(path, options) : []
  // Some agents keep a folder beside the log, named after the session's id.
  const named = inside.length > 0 ? inside : await byName(typed, options)
  const found = named.length > 0 || there !== 'folder' ? named : await options.sessionsIn(path)
  if (found.length > 0) return found.slice(0, maxLogs)
  throw new HostError(there === 'folder' ? 'not-a-file' : 'not-found', noneOf(typed, path, there, sessions !== null))
}

/** Sessions may outlive their project's folder. Ids, and names with an extension, are no folders. */
function mayBeProject(typed: TypedPath, path: string, there: Kind): boolean {
  return there === 'folder' || (typed.kind === 'path' && typed.id === null && parse(path).ext === '')
}

function noneOf(typed: TypedPath, path: string, there: Kind, hasLibrary: boolean): string {
  if (there === 'folder') {
    return `${path} is a directory without a session; give the path of a log`
  }
  if (typed.kind === 'glob') return `no file matches ${path}; check the pattern`
  if (typed.kind === 'path' && typed.id !== null && hasLibrary)
    return `${path} does not exist, and no session id begins with "${typed.id}"; "playhead sessions" lists them`
  return fileError(path, Object.assign(new Error('gone'), { code: 'ENOENT' })).message
}

async function byName(typed: TypedPath, options: TypedOptions): Promise<TypedLog[]> {
  const { folder, platform, sessions } = options
  if (typed.kind === 'glob') {
    const files = await filesOfGlob(typed.glob, { folder, ignoresCase: platform === 'win32' })
    return files.map(({ path, modifiedAt }) => ({ path, title: null, at: modifiedAt }))
  }
  if (typed.kind !== 'path' || typed.id === null || sessions === null) return []
  return typedLogs(withId(await sessions(), typed.id))
}

/** Subagents only if nothing else matches: some agents write the session's id into their logs, too. */
function withId(sessions: readonly SessionCard[], id: string): readonly SessionCard[] {
  const wanted = id.toLowerCase()
  const namesOf = ({ sessionId, path }: SessionCard): string[] =>
    [sessionId ?? '', stemOf(path)].map((name) => name.toLowerCase())
  const exact = sessions.filter((card) => namesOf(card).includes(wanted))
  const begins = (card: SessionCard): boolean => namesOf(card).some((name) => name.startsWith(wanted))
  const found = exact.length > 0 || wanted.length < minBeginning ? exact : sessions.filter(begins)
  const main = found.filter(({ parent }) => parent === null)
  return main.length > 0 ? main : found
}

/** `rollout-….jsonl.zst` gives `rollout-…`. */
function stemOf(path: string): string {
  return parse(path).base.replace(/\.jsonl?(?:\.zst)?$/i, '')
}

/** Sessions whose project or log is the folder or below it. */
async function inFolder(path: string, { sessions }: TypedOptions): Promise<TypedLog[]> {
  if (sessions === null) return []
  const folders = [...new Set([path, await realpath(path).catch(() => path)])]
  // A path of another system is not absolute here.
  const isIn = (place: string | null): boolean =>
    place !== null && isAbsolute(place) && folders.some((folder) => isInFolder(resolve(place), folder))
  const found = (await sessions()).filter((card) => card.parent === null && (isIn(card.project) || isIn(card.path)))
  return typedLogs(found)
}

function typedLogs(cards: readonly SessionCard[]): TypedLog[] {
  return cards
    .toSorted((a, b) => lastOf(b) - lastOf(a))
    .map((card) => ({ path: card.path, title: card.title, at: lastOf(card) }))
}

/** The sessions of a database, latest first. */
async function sessionsOf(database: string, { sessionsIn }: TypedOptions): Promise<TypedLog[]> {
  const found = await sessionsIn(database)
  if (found.length > 0) return found.slice(0, maxLogs)
  // Opening it tells why there is none.
  return [await typedLog(database)]
}

async function typedLog(path: string): Promise<TypedLog> {
  const stats = await stat(await systemPath(path)).catch(() => null)
  return { path, title: null, at: stats?.mtimeMs ?? null }
}

type Kind = 'file' | 'folder' | 'nothing'

async function isFile(path: string): Promise<boolean> {
  return (await kindOf(path)) === 'file'
}

/** Pipes and files without permission count as files: opening them reports the problem. */
async function kindOf(path: string): Promise<Kind> {
  try {
    return (await stat(await systemPath(path))).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (error instanceof HostError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (isDatabase(sessionIn(path)?.database ?? '')) return 'file'
    const isNothing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(String(code))
    return isNothing ? 'nothing' : 'file'
  }
}
