import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { isAlive } from '#backend/live-runs/kept-runs.ts'
import { processStart } from '#backend/live-runs/process-start.ts'
import { RunOwner } from '#backend/live-runs/run-manifest.ts'
import { writeWhole } from '#backend/whole-file.ts'
import { stateWriteFailure } from '#backend/write-failure.ts'

const Port = z.int().min(1).max(65_535)

const ServerFile = z.object({
  version: z.literal(1),
  port: Port,
  token: z.string().regex(/^[\w-]{43}$/),
  /** The port was chosen by the user: the token is kept, so that open tabs reconnect to the next server. */
  keep: z.boolean(),
  /** Ms since the epoch. */
  startedAt: z.number(),
  /** Null: the server has ended, and only its token is kept. */
  owner: RunOwner.nullable()
})
type ServerFile = z.infer<typeof ServerFile>

/** A running server. */
export type LivingServer = ServerFile & { readonly owner: RunOwner }

/** Running servers by port: private files with the token. The process id shows whether a server is gone. */
export class ServerFiles {
  readonly #folder: string

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, 'servers')
  }

  /** The token of the last server on this port; null: none, or other users had access to the file. */
  async token(port: number): Promise<string | null> {
    return (await this.#read(this.#fileOf(port)))?.token ?? null
  }

  /** Registers this process on `port`. Throws with the file and the reason. */
  async put(server: Pick<ServerFile, 'port' | 'token' | 'keep'>): Promise<void> {
    const owner = { pid: process.pid, startTime: processStart(process.pid), host: hostname() }
    await this.#write({ version: 1, ...server, startedAt: Date.now(), owner })
  }

  /** Unregisters this process. An error is harmless, as the process id shows its end. */
  async leave(port: number): Promise<void> {
    const server = await this.#read(this.#fileOf(port))
    if (server?.owner?.pid !== process.pid) return
    if (server.keep) await this.#write({ ...server, owner: null }).catch(() => {})
    else await rm(this.#fileOf(port), { force: true })
  }

  /** Servers that run on this machine, by port. Other files are removed, unless their token is kept. */
  async running(): Promise<LivingServer[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const running: LivingServer[] = []
    for (const name of names.filter((each) => /^\d{1,5}\.json$/.test(each))) {
      const file = join(this.#folder, name)
      const server = await this.#read(file)
      const owner = server?.owner ?? null
      if (server === null || owner === null || owner.host !== hostname()) continue
      if (isAlive(owner)) running.push({ ...server, owner })
      else if (!server.keep) await rm(file, { force: true })
    }
    return running.sort((a, b) => a.port - b.port)
  }

  async #write(server: ServerFile): Promise<void> {
    const file = this.#fileOf(server.port)
    await writeWhole(file, JSON.stringify(server, null, 2), { makesFolder: true }).catch((error: unknown) => {
      throw stateWriteFailure(dirname(this.#folder), file, error)
    })
  }

  async #read(file: string): Promise<ServerFile | null> {
    try {
      const { uid, mode } = await stat(file)
      // Another user with access would know the token of the next server.
      if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) return null
      const server = ServerFile.parse(JSON.parse(await readFile(file, 'utf8')))
      return file === this.#fileOf(server.port) ? server : null
    } catch {
      return null
    }
  }

  #fileOf(port: number): string {
    return join(this.#folder, `${port}.json`)
  }
}
