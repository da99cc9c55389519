import fs from 'node:fs'
import fsPromises, { type FileHandle } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'
import type { ConnectionClass } from '#backend/tasks/task-database.ts'

/**
 * A disk that fails, as SQLite's tests have one: what this thread asks the disk to write below some folders is counted, and one of it
 * fails. What Node's own functions do within one call is not seen; of SQLite, whose writes are native code, each statement that changes
 * something is one write (`failStatements`).
 */

/** `full`: half of the bytes are written, and the disk stays full. `broken`: half of them, this once. `short`: half of them, and no error. */
export type Fault = 'full' | 'broken' | 'short'
export const faults: readonly Fault[] = ['full', 'broken', 'short']

const codes = { full: 'ENOSPC', broken: 'EIO' } as const
/** As SQLite says it. */
const databaseCodes: Partial<Record<Fault, string>> = { full: 'SQLITE_FULL', broken: 'SQLITE_IOERR_WRITE' }

interface Plan {
  readonly folders: readonly string[]
  /** Which write fails, from 0. */
  readonly at: number
  readonly fault: Fault
}

let plan: Plan | null = null
let seen: string[] = []
let failedOnes: string[] = []
/** Files that are open, by descriptor. */
const paths = new Map<number, string>()

/** From now on the `at`-th write below `folders` fails; -1: none does. */
export function failWrite(at: number, fault: Fault, folders: readonly string[]): void {
  install()
  plan = { at, fault, folders: folders.map((folder) => resolve(folder) + sep) }
  seen = []
  failedOnes = []
}

/** All goes well again. Gives what was to be written since `failWrite`, "rename /folder/run.json", and what of it failed. */
export function endFailing(): { readonly writes: readonly string[]; readonly failed: readonly string[] } {
  plan = null
  return { writes: seen, failed: failedOnes }
}

/** What a full disk refuses. */
const takesRoom = new Set([
  'open',
  'write',
  'writev',
  'writeFile',
  'appendFile',
  'mkdir',
  'mkdtemp',
  'copyFile',
  'link',
  'statement'
])

/** What becomes of a write of `length` bytes; null: nothing is in its way. `bytes`: so many are written. */
function faultOf(
  what: string,
  path: string | undefined,
  length: number
): { error: Error | null; bytes: number } | null {
  if (plan === null || path === undefined || !plan.folders.some((folder) => path.startsWith(folder))) return null
  const { at, fault } = plan
  // What writes one byte, or none, cannot write fewer; and Node's own functions write on.
  const isShortened = length > 1 && what.startsWith('write') && what !== 'writeFile'
  if (fault === 'short' && !isShortened) return null
  const number = seen.push(`${what} ${path}`) - 1
  const staysFull = fault === 'full' && at >= 0 && number > at && takesRoom.has(what)
  if (number !== at && !staysFull) return null
  failedOnes.push(`${what} ${path}`)
  const bytes = Math.floor(length / 2)
  if (fault === 'short') return { error: null, bytes }
  const code = codes[fault]
  return { error: Object.assign(new Error(`${code}: ${what} '${path}'`), { code, syscall: what, path }), bytes }
}

type Call = (this: unknown, ...given: unknown[]) => unknown
type Done = (error: unknown, ...results: unknown[]) => void

/** Bytes on their way to a file, and where they go; null: at its end. */
interface Piece {
  readonly bytes: Buffer
  readonly position: number | null
}

let installed = false

function install(): void {
  if (installed) return
  installed = true
  const module = fs as unknown as Record<string, Call>
  const promises = fsPromises as unknown as Record<string, Call>
  const real = { ...module }
  const realPromises = { ...promises }
  const { openSync, writeSync, closeSync } = fs

  const write = (descriptor: number, { bytes, position }: Piece, count: number): void => {
    if (count > 0) writeSync(descriptor, bytes, 0, count, position)
  }

  // Calls that name a file: what is asked before, and what is kept of the answer.
  const before: Record<string, (given: readonly unknown[]) => void> = {
    open: ([path, flags]) => isForWriting(flags) && refuse('open', pathOf(path)),
    rename: ([, to]) => refuse('rename', pathOf(to)),
    copyFile: ([, to]) => refuse('copyFile', pathOf(to)),
    link: ([, to]) => refuse('link', pathOf(to)),
    mkdir: ([path]) => refuse('mkdir', pathOf(path)),
    mkdtemp: ([path]) => refuse('mkdtemp', pathOf(path)),
    chmod: ([path]) => refuse('chmod', pathOf(path)),
    truncate: ([path]) => refuse('truncate', pathOf(path)),
    ftruncate: ([descriptor]) => refuse('truncate', pathOf(descriptor)),
    fsync: ([descriptor]) => refuse('sync', pathOf(descriptor)),
    fdatasync: ([descriptor]) => refuse('sync', pathOf(descriptor)),
    writeFile: (given) => writeHalf('writeFile', 'w', given),
    appendFile: (given) => writeHalf('appendFile', 'a', given)
  }
  function writeHalf(what: string, flags: string, [path, content, options]: readonly unknown[]): void {
    const bytes = bytesOf(content)
    const fault = faultOf(what, pathOf(path), bytes.length)
    if (fault === null) return
    const given = (typeof options === 'object' ? options : null) as { flag?: string } | null
    const descriptor = openSync(path as string, given?.flag ?? flags)
    write(descriptor, { bytes, position: null }, fault.bytes)
    closeSync(descriptor)
    throw fault.error
  }
  function opened(name: string, given: readonly unknown[], result: unknown): void {
    const path = pathOf(given[0])
    const descriptor = typeof result === 'number' ? result : (result as FileHandle | undefined)?.fd
    if (name === 'open' && path !== undefined && descriptor !== undefined) paths.set(descriptor, path)
  }
  for (const [name, ask] of Object.entries(before)) {
    module[`${name}Sync`] = (...given) => {
      ask(given)
      const result = real[`${name}Sync`]?.(...given)
      opened(name, given, result)
      return result
    }
    module[name] = withCallback(ask, (given, done) => {
      real[name]?.(...given, (error: unknown, ...results: unknown[]) => {
        opened(name, given, results[0])
        done(error, ...results)
      })
    })
    if (realPromises[name] === undefined) continue
    promises[name] = async (...given) => {
      ask(given)
      const result = await realPromises[name]?.(...given)
      if (name === 'open') patchHandles(result as FileHandle)
      opened(name, given, result)
      return result
    }
  }

  /** Writes a part of it and throws, or gives how much it wrote; null: nothing is in its way. */
  const writtenOf = (what: string, descriptor: number, piece: Piece): number | null => {
    const fault = faultOf(what, paths.get(descriptor), piece.bytes.length)
    if (fault === null) return null
    write(descriptor, piece, fault.bytes)
    if (fault.error) throw fault.error
    return fault.bytes
  }
  for (const [name, pieceOf] of [
    ['write', pieceOfOne],
    ['writev', pieceOfMany]
  ] as const) {
    module[`${name}Sync`] = (descriptor, ...given) =>
      writtenOf(name, descriptor as number, pieceOf(given)) ?? real[`${name}Sync`]?.(descriptor, ...given)
    let written: number | null = null
    module[name] = withCallback(
      ([descriptor, ...given]) => (written = writtenOf(name, descriptor as number, pieceOf(given))),
      (given, done) =>
        written === null ? real[name]?.(...given, done) : process.nextTick(done, null, written, given[1])
    )
  }

  // Whatever it says, it is closed.
  module['closeSync'] = (descriptor) => {
    const fault = closing(descriptor as number)
    real['closeSync']?.(descriptor)
    if (fault?.error) throw fault.error
  }
  module['close'] = (descriptor, done) => {
    const fault = closing(descriptor as number)
    real['close']?.(descriptor, (error: unknown) => (done as Done | undefined)?.(error ?? fault?.error ?? null))
  }

  let patched = false
  /** The class of open files has no name of its own. */
  function patchHandles(handle: FileHandle): void {
    if (patched) return
    patched = true
    const methods = Object.getPrototypeOf(handle) as Record<string, Call>
    const {
      write: one,
      writev: many,
      writeFile,
      appendFile,
      truncate,
      sync,
      datasync,
      close
    } = methods as Record<string, Call>
    const descriptorOf = (file: unknown): number => (file as FileHandle).fd
    methods['write'] = async function (...given) {
      const bytesWritten = writtenOf('write', descriptorOf(this), pieceOfOne(given))
      return bytesWritten === null ? await one?.apply(this, given) : { bytesWritten, buffer: given[0] }
    }
    methods['writev'] = async function (...given) {
      const bytesWritten = writtenOf('writev', descriptorOf(this), pieceOfMany(given))
      return bytesWritten === null ? await many?.apply(this, given) : { bytesWritten, buffers: given[0] }
    }
    for (const [name, method] of [
      ['writeFile', writeFile],
      ['appendFile', appendFile]
    ] as const) {
      methods[name] = async function (...given) {
        writtenOf(name, descriptorOf(this), { bytes: bytesOf(given[0]), position: null })
        return await method?.apply(this, given)
      }
    }
    for (const [name, method, what] of [
      ['truncate', truncate, 'truncate'],
      ['sync', sync, 'sync'],
      ['datasync', datasync, 'sync']
    ] as const) {
      methods[name] = async function (...given) {
        refuse(what, paths.get(descriptorOf(this)))
        return await method?.apply(this, given)
      }
    }
    methods['close'] = async function () {
      const fault = closing(descriptorOf(this))
      await close?.apply(this)
      if (fault?.error) throw fault.error
    }
  }
  syncBuiltinESMExports()
}

const changes = /^\s*(?:BEGIN|COMMIT|INSERT|UPDATE|DELETE|CREATE|PRAGMA \w+ =)/i

let failsStatements = false

/** Of a statement of SQLite only that it can be run is of interest here. */
interface Statement {
  run(...values: unknown[]): unknown
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
}
interface DatabaseMethods {
  exec(sql: string): unknown
  prepare(sql: string): Statement
}

/** SQLite's statements count as writes to the file of their database, and fail as SQLite says it. They cannot be shortened. */
export function failStatements(Database: ConnectionClass): void {
  if (failsStatements) return
  failsStatements = true
  const methods = Database.prototype as unknown as DatabaseMethods
  const { exec, prepare } = methods
  const ask = (db: DatabaseMethods, sql: string): void => {
    if (plan === null || !changes.test(sql)) return
    const [main] = prepare.call(db, 'PRAGMA database_list').all() as { file: string }[]
    const error = faultOf('statement', main?.file, 0)?.error
    if (error) throw Object.assign(error, { code: databaseCodes[plan.fault] })
  }
  methods.exec = function (sql) {
    ask(this, sql)
    return exec.call(this, sql)
  }
  methods.prepare = function (sql) {
    const statement = prepare.call(this, sql)
    const { run, get, all } = statement
    const asked =
      (method: (...values: unknown[]) => unknown) =>
      (...values: unknown[]) => {
        ask(this, sql)
        return method.apply(statement, values)
      }
    // A pragma is read, also one that sets something.
    return Object.assign(statement, { run: asked(run), get: asked(get), all: asked(all) })
  }
}

function refuse(what: string, path: string | undefined): void {
  const error = faultOf(what, path, 0)?.error
  if (error) throw error
}

function closing(descriptor: number): { error: Error | null } | null {
  const fault = faultOf('close', paths.get(descriptor), 0)
  paths.delete(descriptor)
  return fault
}

function withCallback(ask: (given: readonly unknown[]) => void, go: (given: unknown[], done: Done) => void): Call {
  return (...all) => {
    const done = all.at(-1) as Done
    const given = all.slice(0, -1)
    try {
      ask(given)
    } catch (error) {
      return void process.nextTick(done, error)
    }
    go(given, done)
  }
}

function isForWriting(flags: unknown): boolean {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
  return typeof flags === 'string' && /[wa+]/.test(flags)
}

function pathOf(path: unknown): string | undefined {
  if (typeof path === 'number') return paths.get(path)
  return typeof path === 'string' ? resolve(path) : undefined
}

function bytesOf(content: unknown): Buffer {
  if (ArrayBuffer.isView(content)) return Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return Buffer.from(String(content))
}

/** Of the arguments of `write` after the file, in each of its forms. */
function pieceOfOne([content, ...given]: readonly unknown[]): Piece {
  const bytes = bytesOf(content)
  if (typeof content === 'string') return { bytes, position: numberOf(given[0]) }
  const options = typeof given[0] === 'object' && given[0] !== null ? (given[0] as Record<string, unknown>) : null
  const [offset, length, position] = options ? [options['offset'], options['length'], options['position']] : given
  const from = numberOf(offset) ?? 0
  return { bytes: bytes.subarray(from, from + (numberOf(length) ?? bytes.length)), position: numberOf(position) }
}

function pieceOfMany([buffers, position]: readonly unknown[]): Piece {
  return { bytes: Buffer.concat(buffers as Buffer[]), position: numberOf(position) }
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
