import { join } from 'node:path'
import * as z from 'zod'
import { StateFile } from '../state-file.ts'

const AddedFile = z.object({ version: z.literal(1), folders: z.array(z.string()) })

/** Folders that the user added, in a file of the state folder. An invalid file counts as empty. */
export class AddedFolders {
  readonly #file: StateFile<z.infer<typeof AddedFile>>

  constructor(state: string) {
    this.#file = new StateFile(join(state, 'library-folders.json'), AddedFile, { version: 1, folders: [] })
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
    await this.#file.change(({ folders }) => ({ version: 1, folders: change(folders) }))
  }
}
