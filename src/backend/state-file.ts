import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type * as z from 'zod'
import { withFileLock } from './file-lock.ts'
import { writeWhole } from './whole-file.ts'
import { stateWriteFailure, systemCode } from './write-failure.ts'

/** A JSON file of the state folder that several Playheads change. A missing file counts as empty. */
export class StateFile<T> {
  readonly path: string
  readonly #schema: z.ZodType<T>
  readonly #empty: T

  constructor(path: string, schema: z.ZodType<T>, empty: T) {
    this.path = path
    this.#schema = schema
    this.#empty = empty
  }

  /** An invalid file counts as empty. Rejects if it exists and cannot be read. */
  async read(): Promise<T> {
    return await this.readValid().catch((error: unknown) => {
      if (error instanceof InvalidState) return this.#empty
      throw error
    })
  }

  /** Rejects with an `InvalidState` if the file is invalid. */
  async readValid(): Promise<T> {
    let text: string
    try {
      text = await readFile(this.path, 'utf8')
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return this.#empty
      throw error
    }
    const parsed = this.#schema.safeParse(jsonOf(text))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    throw new InvalidState(place + (issue?.message ?? 'invalid'))
  }

  /** Changes what was read, under a lock. Rejects with a sentence for the user if the file cannot be written. */
  async change(change: (state: T) => T, read: () => Promise<T> = () => this.read()): Promise<T> {
    return await withFileLock(this.path, async () => {
      try {
        // An unreadable file is not overwritten.
        const changed = change(await read())
        await writeWhole(this.path, `${JSON.stringify(changed, null, 2)}\n`, { makesFolder: true })
        return changed
      } catch (error) {
        if (error instanceof InvalidState) throw error
        throw stateWriteFailure(dirname(this.path), this.path, error)
      }
    })
  }
}

/** What is wrong with the content of a state file: the first member that is not valid, and why. */
export class InvalidState extends Error {}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
