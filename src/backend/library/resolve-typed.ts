import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, parse, resolve } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { TypedLog } from '#contract/library.ts'
import { isWithin } from '#core/library/is-within.ts'
import { lastOf, type SessionCard } from '#core/library/session-card.ts'
import { type TypedPath, typedPath } from '#core/library/typed-path.ts'
import { fileError } from '../sources/log-file.ts'
import { systemPath } from '../sources/system-path.ts'
import { filesOfGlob } from './files-of-glob.ts'

export interface TypedOptions {
  readonly home: string
  /** Where relative paths begin. */
  readonly folder: string
  readonly platform: NodeJS.Platform
  /**
   * All sessions of the library, those of subagents too; null: there is none. Not asked where a file has the name that was typed: the library may have to
   * look for them first.
   */
  readonly sessions: (() => Promise<readonly SessionCard[]>) | null
  /** The sessions whose logs lie in a folder that is none of the library's. */
  readonly sessionsIn: (folder: string) => Promise<readonly TypedLog[]>
}

/** So many are told at most. */
const mostLogs = 50
/** Fewer characters are no beginning of an id: nearly every word would be one. */
const leastBeginning = 4

/**
 * The logs that a text may mean, the latest first, at most 50: what the whole name of a file is, then what `typedPath` makes of it. Never none: throws a
 * `HostError` that says what to do.
 */
export async function resolveTyped(text: string, options: TypedOptions): Promise<TypedLog[]> {
  const { home, folder, platform, sessions } = options
  if (await isFile(resolve(folder, text))) return [await toldLog(resolve(folder, text))]
  const typed = typedPath(text, { home, windows: platform === 'win32' })
  if (typed.kind === 'wrong') throw new HostError('bad-params', typed.why)
  const path = resolve(folder, typed.path)
  const there = await kindOf(path)
  if (there === 'file') return [await toldLog(path)]
  const inside = mayBeProject(typed, path, there) ? await inFolder(path, options) : []
  // Some agents keep a folder beside a log that has the session's id as its name.
  const named = inside.length > 0 ? inside : await byName(typed, options)
  const found = named.length > 0 || there !== 'folder' ? named : await options.sessionsIn(path)
  if (found.length > 0) return found.slice(0, mostLogs)
  throw new HostError(there === 'folder' ? 'not-a-file' : 'not-found', noneOf(typed, path, there, sessions !== null))
}

/** The folder of a project may be gone, and its sessions are still there. The library is not asked for an id, or for a file of another name. */
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
  return told(withId(await sessions(), typed.id))
}

/** Those of subagents only where nothing else is meant: some agents write the session's id into them, too. */
function withId(sessions: readonly SessionCard[], id: string): readonly SessionCard[] {
  const wanted = id.toLowerCase()
  const namesOf = ({ sessionId, path }: SessionCard): string[] =>
    [sessionId ?? '', stemOf(path)].map((name) => name.toLowerCase())
  const exact = sessions.filter((card) => namesOf(card).includes(wanted))
  const begins = (card: SessionCard): boolean => namesOf(card).some((name) => name.startsWith(wanted))
  const found = exact.length > 0 || wanted.length < leastBeginning ? exact : sessions.filter(begins)
  const main = found.filter(({ parent }) => parent === null)
  return main.length > 0 ? main : found
}

/** `rollout-….jsonl.zst` is `rollout-…`. */
function stemOf(path: string): string {
  return parse(path).base.replace(/\.jsonl?(?:\.zst)?$/i, '')
}

/** Sessions that worked in a folder or below it, or whose logs lie there. */
async function inFolder(path: string, { sessions, platform }: TypedOptions): Promise<TypedLog[]> {
  if (sessions === null) return []
  const ignoresCase = platform === 'win32'
  const folders = [...new Set([path, await realpath(path).catch(() => path)])]
  // What other systems wrote is no path of this one.
  const isIn = (place: string | null): boolean =>
    place !== null && isAbsolute(place) && folders.some((folder) => isWithin(resolve(place), folder, ignoresCase))
  const found = (await sessions()).filter((card) => card.parent === null && (isIn(card.project) || isIn(card.path)))
  return told(found)
}

function told(cards: readonly SessionCard[]): TypedLog[] {
  return cards
    .toSorted((a, b) => lastOf(b) - lastOf(a))
    .map((card) => ({ path: card.path, title: card.title, at: lastOf(card) }))
}

async function toldLog(path: string): Promise<TypedLog> {
  const stats = await stat(await systemPath(path)).catch(() => null)
  return { path, title: null, at: stats?.mtimeMs ?? null }
}

type Kind = 'file' | 'folder' | 'nothing'

async function isFile(path: string): Promise<boolean> {
  return (await kindOf(path)) === 'file'
}

/** What may not be looked at, and a pipe, is a file here: whoever opens it says what is wrong with it. */
async function kindOf(path: string): Promise<Kind> {
  try {
    return (await stat(await systemPath(path))).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    if (error instanceof HostError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const isNothing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'].includes(String(code))
    return isNothing ? 'nothing' : 'file'
  }
}
