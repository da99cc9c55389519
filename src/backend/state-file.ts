import { constants, copyFileSync, existsSync, readFileSync } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '#core/json.ts'
import { withFileLock } from './file-lock.ts'
import { writeWhole, writeWholeNow } from './whole-file.ts'
import { stateWriteFailure, systemCode } from './write-failure.ts'

/** No state file comes near it. A larger one would fill the memory. */
const maxFileBytes = 64 << 20

/** Entries of a list or a table that are not understood, with their keys. */
type Others = readonly (readonly [string, JsonValue])[]

/** A member of a state file. */
export interface StateMember<T> {
  readonly empty: T
  /** Throws an `InvalidState` for a value of another kind. */
  read(value: JsonValue, name: string): { readonly known: T; readonly others: Others }
  written(known: T, others: Others): unknown
}

/** Each entry on its own: one that this version does not understand stays in the file, behind the others. */
export function listOf<T>(entry: z.ZodType<T>): StateMember<T[]> {
  return {
    empty: [],
    read(value, name) {
      if (!Array.isArray(value)) throw new InvalidState(`${name}: expected array`)
      const known: T[] = []
      const others: [string, JsonValue][] = []
      for (const [key, one] of Object.entries(value as readonly JsonValue[])) {
        const parsed = entry.safeParse(one)
        if (parsed.success) known.push(parsed.data)
        else others.push([key, one])
      }
      return { known, others }
    },
    written: (known, others) => [...known, ...others.map(([, one]) => one)]
  }
}

/** As `listOf`, by name. */
export function tableOf<K extends string, T>(
  key: z.ZodType<K>,
  entry: z.ZodType<T>
): StateMember<Readonly<Partial<Record<K, T>>>> {
  const empty: Partial<Record<K, T>> = {}
  return {
    empty,
    read(value, name) {
      if (!isJsonObject(value)) throw new InvalidState(`${name}: expected object`)
      const known: [string, T][] = []
      const others: [string, JsonValue][] = []
      for (const [id, one] of Object.entries(value as Readonly<Record<string, JsonValue>>)) {
        const parsed = entry.safeParse(one)
        if (parsed.success && key.safeParse(id).success) known.push([id, parsed.data])
        else others.push([id, one])
      }
      return { known: Object.fromEntries(known) as Partial<Record<K, T>>, others }
    },
    written: (known, others) => ({ ...Object.fromEntries(others), ...known })
  }
}

/** All or nothing. */
export function valueOf<T>(schema: z.ZodType<T>, empty: T): StateMember<T> {
  return {
    empty,
    read(value, name) {
      const parsed = schema.safeParse(value)
      if (parsed.success) return { known: parsed.data, others: [] }
      const [issue] = parsed.error.issues
      throw new InvalidState(`${[name, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'invalid'}`)
    },
    written: (known) => known
  }
}

export interface StateFileOptions<T> {
  readonly members: { readonly [K in keyof T]: StateMember<T[K]> }
  /** The end of "It is not used: ", of a file that is not valid. */
  readonly instead: string
  /** What a person has to know, a sentence. Told again with each use, so the listener drops what it knows. */
  readonly problem?: ((message: string) => void) | undefined
  /** True: a person writes this file too, and corrects it. An invalid one is not replaced. */
  readonly isEdited?: boolean
}

interface Content<T> {
  readonly state: T
  /** Members that are not understood. */
  readonly rest: JsonObject
  /** By member. */
  readonly others: ReadonlyMap<string, Others>
}

/** The format of all state files. A file without a version is of this one. */
const version = 1

/**
 * A JSON file of the state folder that several Playheads change. A missing file counts as empty. What a newer Playhead
 * wrote beside what is known stays in the file. A file that is damaged or wholly of a newer Playhead is not used; reading
 * leaves it as it is, and a change keeps it beside the new one: docs/stored-data.md.
 */
export class StateFile<T extends object> {
  readonly path: string
  readonly #options: StateFileOptions<T>

  constructor(path: string, options: StateFileOptions<T>) {
    this.path = path
    this.#options = options
  }

  /** An invalid file counts as empty, which is told. Rejects if it exists and cannot be read. */
  async read(): Promise<T> {
    try {
      return await this.readValid()
    } catch (error) {
      if (!(error instanceof InvalidState)) throw error
      this.#options.problem?.(this.#unused(error))
      return this.#empty
    }
  }

  /** Rejects with an `InvalidState` if the file is invalid. */
  async readValid(): Promise<T> {
    return this.#content(await this.#text()).state
  }

  /** As `read`, synchronous. Unreadable counts as missing. */
  readNow(): T {
    try {
      return this.#content(this.#textNow()).state
    } catch (error) {
      if (error instanceof InvalidState) this.#options.problem?.(this.#unused(error))
      return this.#empty
    }
  }

  /**
   * Changes what was read, under a lock. Null: nothing is left, so the file is removed. Rejects with a sentence for the user
   * if the file cannot be written, with an `InvalidState` if it is invalid and a person writes it too.
   */
  async change(change: (state: T) => T | null): Promise<T> {
    return await withFileLock(this.path, async () => {
      try {
        // An unreadable file is not overwritten.
        const before = await this.#contentToChange()
        const state = change(before.state)
        const text = this.#written(state, before)
        if (text === null) await rm(this.path, { force: true })
        else await writeWhole(this.path, text, { makesFolder: true })
        return state ?? this.#empty
      } catch (error) {
        if (error instanceof InvalidState) throw error
        throw stateWriteFailure(dirname(this.path), this.path, error)
      }
    })
  }

  /** Synchronous and without a lock, for writes while the process ends. Throws as `change` rejects. */
  writeNow(state: T): void {
    try {
      let before = this.#nothing
      try {
        before = this.#content(this.#textNow())
      } catch (error) {
        if (error instanceof InvalidState) this.#keepAside(error)
        else throw error
      }
      writeWholeNow(this.path, this.#written(state, before) ?? '', { makesFolder: true })
    } catch (error) {
      throw stateWriteFailure(dirname(this.path), this.path, error)
    }
  }

  async #contentToChange(): Promise<Content<T>> {
    try {
      return this.#content(await this.#text())
    } catch (error) {
      if (!(error instanceof InvalidState) || this.#options.isEdited === true) throw error
      this.#keepAside(error)
      return this.#nothing
    }
  }

  /** Null: no such file. */
  async #text(): Promise<string | null> {
    try {
      const { size } = await stat(this.path)
      if (size > maxFileBytes) throw new InvalidState(`it has ${size} bytes`)
      return await readFile(this.path, 'utf8')
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  #textNow(): string | null {
    try {
      return readFileSync(this.path, 'utf8')
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  #content(text: string | null): Content<T> {
    if (text === null) return this.#nothing
    const value = jsonOf(text)
    if (!isJsonObject(value)) throw new InvalidState('expected object')
    const { version: stated = version } = value
    if (typeof stated === 'number' && stated > version) throw new InvalidState(`version ${stated}`, true)
    if (stated !== version) throw new InvalidState(`version: expected ${version}`)
    const reads = this.#names.flatMap((name) => {
      const own = value[name]
      return own === undefined ? [] : [[name, this.#options.members[name].read(own, name)] as const]
    })
    const others = new Map(reads.map(([name, read]) => [name, read.others]))
    const unknown = countOf(others)
    if (unknown > 0) {
      const entries = unknown === 1 ? '1 entry' : `${unknown} entries`
      this.#options.problem?.(
        `${this.path} has ${entries} that this version of Playhead does not understand. The file keeps ${unknown === 1 ? 'it' : 'them'}.`
      )
    }
    return {
      state: { ...this.#empty, ...Object.fromEntries(reads.map(([name, read]) => [name, read.known])) },
      rest: Object.fromEntries(Object.entries(value).filter(([name]) => !Object.hasOwn(this.#options.members, name))),
      others
    }
  }

  /** Null: nothing is left. */
  #written(state: T | null, { rest, others }: Content<T>): string | null {
    if (state === null && countOf(others) === 0 && Object.keys(rest).every((name) => name === 'version')) return null
    const known = state ?? this.#empty
    const members = this.#names.map((name) => {
      return [name, this.#options.members[name].written(known[name], others.get(name) ?? [])]
    })
    const head = this.#options.isEdited === true ? {} : { version }
    return `${JSON.stringify({ ...head, ...rest, ...Object.fromEntries(members) }, null, 2)}\n`
  }

  get #names(): (keyof T & string)[] {
    return Object.keys(this.#options.members) as (keyof T & string)[]
  }

  get #empty(): T {
    return Object.fromEntries(this.#names.map((name) => [name, this.#options.members[name].empty])) as T
  }

  get #nothing(): Content<T> {
    return { state: this.#empty, rest: {}, others: new Map() }
  }

  #unused(error: InvalidState): string {
    const next = this.#options.isEdited === true ? 'Correct it.' : `The next change keeps a copy as ${this.#aside()}.`
    return `${this.#fault(error)} It is not used: ${this.#options.instead}. ${next}`
  }

  #fault({ isNewer, message }: InvalidState): string {
    return isNewer
      ? `${this.path} was written by a newer version of Playhead (${message}).`
      : `${this.path} is damaged (${message}).`
  }

  /** Keeps the file under a free name, once. The file itself stays until it is replaced. */
  #keepAside(error: InvalidState): void {
    const aside = this.#aside()
    // Else kept by a change that then failed.
    if (!existsSync(aside)) copyFileSync(this.path, aside, constants.COPYFILE_EXCL)
    this.#options.problem?.(`${this.#fault(error)} It is kept as ${aside}, and a new file takes its place.`)
  }

  /** Where the file is kept, or is to be: the first name that is free, or has its content. As for the database of tasks. */
  #aside(): string {
    for (let number = 1; ; number++) {
      const aside = `${this.path}.aside-${number}`
      if (!existsSync(aside) || readFileSync(this.path).equals(readFileSync(aside))) return aside
    }
  }
}

/** What is wrong with the content of a state file: the first member that is not valid, and why. */
export class InvalidState extends Error {
  /** Written by a newer Playhead, not damaged. */
  readonly isNewer: boolean

  constructor(message: string, isNewer = false) {
    super(message)
    this.isNewer = isNewer
  }
}

function countOf(others: ReadonlyMap<string, Others>): number {
  return [...others.values()].reduce((sum, { length }) => sum + length, 0)
}

function isMissing(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
