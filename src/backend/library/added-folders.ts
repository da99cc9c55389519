import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { withFileLock } from '../file-lock.ts'
import { writeWhole } from '../whole-file.ts'
import { stateWriteFailure, systemCode } from '../write-failure.ts'

const AddedFile = z.object({ version: z.literal(1), folders: z.array(z.string()) })

/** Folders that the user added, in a file of the state folder that several Playheads share. An invalid file counts as empty. */
export class AddedFolders {
  readonly #state: string
  readonly #file: string

  constructor(state: string) {
    this.#state = state
    this.#file = join(state, 'library-folders.json')
  }

  async list(): Promise<string[]> {
    return await this.#read().catch(() => [])
  }

  async add(path: string): Promise<void> {
    await this.#change((folders) => (folders.includes(path) ? folders : [...folders, path]))
  }

  async remove(path: string): Promise<void> {
    await this.#change((folders) => folders.filter((folder) => folder !== path))
  }

  /** Rejects with a sentence for the user if the file cannot be written. */
  async #change(change: (folders: string[]) => string[]): Promise<void> {
    await withFileLock(this.#file, async () => {
      try {
        const folders = change(await this.#read())
        await writeWhole(this.#file, JSON.stringify({ version: 1, folders }, null, 2), { makesFolder: true })
      } catch (error) {
        throw stateWriteFailure(this.#state, this.#file, error)
      }
    })
  }

  /** Rejects if the file exists and cannot be read, so that it is not overwritten. */
  async #read(): Promise<string[]> {
    let text: string
    try {
      text = await readFile(this.#file, 'utf8')
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return []
      throw error
    }
    try {
      return AddedFile.parse(JSON.parse(text)).folders
    } catch {
      return []
    }
  }
}
