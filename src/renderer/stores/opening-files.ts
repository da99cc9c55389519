import { HostError } from '#contract/host-error.ts'
import type { Host, Result } from '#contract/methods.ts'
import type { AppStore } from './app-store.ts'
import type { Given } from './given-files.ts'
import { FileSender, type SendFiles } from './sending.ts'

/** How a file that a person gives comes to the host: it lies where the host can read it, or has to be sent. */
export type FileAccess = { pathOf(file: File): string | null } | SendFiles

/** Of more sessions that are given at once a person chooses one. */
const mostAtOnce = 10

type Sessions = Result<'library.sessionsIn'>

/** Opens files and folders that a person drops, pastes or chooses: each session with the files of its subagents. */
export class OpeningFiles {
  readonly #host: Host
  readonly #app: Pick<AppStore, 'getState' | 'setState'>
  readonly #pathOf: ((file: File) => string | null) | null
  readonly #sender: FileSender | null

  /** `access`: null where the host takes no files. */
  constructor(host: Host, app: Pick<AppStore, 'getState' | 'setState'>, access: FileAccess | null) {
    this.#host = host
    this.#app = app
    this.#pathOf = access !== null && 'pathOf' in access ? (file) => access.pathOf(file) : null
    this.#sender =
      access !== null && 'send' in access ? new FileSender(access, (sending) => app.setState({ sending })) : null
  }

  /** Rejects where that cannot be done, with a sentence for people. */
  async open(given: Given): Promise<void> {
    if (this.#pathOf === null) await this.#send(given)
    else await this.openPaths(given.items.map(this.#pathOf))
  }

  cancel(): void {
    this.#sender?.cancel()
  }

  /** What lies where the host can read it. One path may mean what a person may type: a folder is that of a project, too. */
  async openPaths(paths: readonly (string | null)[]): Promise<void> {
    const known = paths.filter((path) => path !== null)
    if (known.length < paths.length) throw notHere()
    const [path] = known
    if (path === undefined) return
    if (known.length === 1) return await this.#app.getState().openTyped(path)
    await this.#show(await this.#sessionsIn(known), noneOf(known.length))
  }

  async #send(given: Given): Promise<void> {
    if (this.#sender === null || this.#app.getState().capabilities?.drops == null) throw notHere()
    const sent = await this.#sender.send(given)
    if (sent === null) return
    const { hasFolder } = sent.given
    const [path] = sent.paths
    const why = hasFolder ? 'The folder holds no session Playhead can read.' : noneOf(sent.paths.length)
    if (path === undefined) throw new HostError('not-found', why)
    // One that was meant is shown, whatever stands in it.
    if (sent.paths.length === 1 && !hasFolder) return await this.#app.getState().openLog(path)
    try {
      await this.#show(await this.#sessionsIn(sent.paths), why)
    } catch (error) {
      this.#sender.discard(sent)
      throw error
    }
  }

  async #sessionsIn(paths: readonly string[]): Promise<Sessions> {
    return await this.#host.call('library.sessionsIn', { paths: [...paths] })
  }

  /** Opens them, the latest last so that it is shown; of many one is to be chosen. */
  async #show({ logs, total, others }: Sessions, none: string): Promise<void> {
    if (logs.length === 0) throw new HostError('not-found', none)
    const { openLog } = this.#app.getState()
    if (total > mostAtOnce) this.#app.setState({ meant: logs, opening: null })
    else for (const { path } of logs.toReversed()) await openLog(path)
    this.#app.setState({ leftOut: others })
  }
}

function noneOf(count: number): string {
  return count === 1
    ? 'The file is no session log Playhead can read.'
    : 'None of the files is a session log Playhead can read.'
}

function notHere(): HostError {
  return new HostError('unavailable', 'Dropped files are not supported here. Enter the path of the log instead.')
}
