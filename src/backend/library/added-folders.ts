import { join } from 'node:path'
import * as z from 'zod'
import { listOf, StateFile } from '../state-file.ts'

/** Folders that the user added, in a file of the state folder. */
export class AddedFolders {
  readonly #file: StateFile<{ folders: string[] }>

  constructor(state: string, problem: (message: string) => void) {
    const instead = 'the library has only the usual folders'
    this.#file = new StateFile(join(state, 'library-folders.json'), {
      ...{ members: { folders: listOf(z.string()) }, instead, problem }
    })
  }

  async list(): Promise<string[]> {
    return (await this.#file.read().catch(() => ({ folders: [] }))).folders
  }

  async add(path: string): Promise<void> {
    await this.#change((folders) => (folders.includes(path) ? folders : [...folders, path]))
  }

  async remove(path: string): Promise<void> {
    await this.#change((folders) => folders.filter((folder) => folder !== path))
  }

  /** Rejects with a sentence for the user if the file cannot be written. */
  async #change(change: (folders: string[]) => string[]): Promise<void> {
    await this.#file.change(({ folders }) => ({ folders: change(folders) }))
  }
}
