import { lastName } from '#core/paths/path-names.ts'
import { HostError } from '#contract/host-error.ts'
import type { Host, Result } from '#contract/methods.ts'
import type { AppStore } from './app-state.ts'
import type { Given, GivenFile, GivenFiles } from './given-files.ts'
import { FileSender, type SendFiles } from './sending.ts'

/** How the host gets a file: by its path, or by an upload. */
export type FileAccess = { pathOf(file: File): string | null } | SendFiles

/** With more sessions, the person chooses one. */
const maxAtOnce = 10

type Sessions = Result<'library.sessionsIn'>

/** Opens files and folders that a person dropped, pasted or chose: each session with the files of its subagents. */
export class OpeningFiles {
  readonly #host: Host
  readonly #app: Pick<AppStore, 'getState' | 'setState'>
  readonly #pathOf: ((file: File) => string | null) | null
  readonly #sender: FileSender | null

  /** `access`: null if the host accepts no files. */
  constructor(host: Host, app: Pick<AppStore, 'getState' | 'setState'>, access: FileAccess | null) {
    this.#host = host
    this.#app = app
    this.#pathOf = access !== null && 'pathOf' in access ? (file) => access.pathOf(file) : null
    this.#sender =
      access !== null && 'send' in access ? new FileSender(access, (sending) => app.setState({ sending })) : null
  }

  /** Rejects with a sentence for people. */
  async open(given: Given): Promise<void> {
    if (this.#pathOf === null) await this.#send(given)
    else await this.openPaths(given.items.map(this.#pathOf))
  }

  cancel(): void {
    this.#sender?.cancel()
  }

  /** The group and folder of an uploaded log; null if it was not uploaded. */
  #placeOf(log: string): { readonly group: string; readonly folder: string } | null {
    const drops = this.#app.getState().capabilities?.drops ?? null
    if (drops === null || !log.startsWith(drops)) return null
    const [none, group, ...parts] = log.slice(drops.length).split(/[\\/]/)
    return none !== '' || group === undefined || parts.length === 0
      ? null
      : { group, folder: parts.slice(0, -1).join('/') }
  }

  isSent(log: string): boolean {
    return this.#placeOf(log) !== null
  }

  /** Uploads the missing subagent files of an uploaded log. Rejects if `given` has none of them, or on an error. */
  async complete(log: string, given: Given): Promise<void> {
    const place = this.#placeOf(log)
    if (this.#sender === null || place === null) throw notHere()
    const choose = async ({ files }: GivenFiles): Promise<readonly GivenFile[]> => {
      const found = await this.#missingOf(log, files)
      if (found.length === 0)
        throw new HostError('not-found', 'The folder holds no missing subagent log of this session.')
      return found.map(({ file, path }) => ({ file, path: place.folder === '' ? path : `${place.folder}/${path}` }))
    }
    await this.#sender.send(given, { group: place.group, choose })
  }

  /** Paths are relative to the log or to its subagents' folder; if that finds nothing, only file names count. */
  async #missingOf(log: string, files: readonly GivenFile[]): Promise<readonly GivenFile[]> {
    const name = lastName(log)
    const main = files.find(({ path }) => path.split('/').at(-1) === name)
    const above = main === undefined ? '' : main.path.slice(0, -name.length)
    const inPlace = files.flatMap(({ file, path }) =>
      path.startsWith(above) ? [{ file, path: path.slice(above.length) }] : []
    )
    const flat = files.map(({ file, path }) => ({ file, path: path.split('/').at(-1) ?? '' }))
    for (const placed of [inPlace, flat]) {
      const byPath = new Map(placed.map((each) => [each.path, each]))
      const { paths } = await this.#host.call('library.missingFiles', { log, paths: [...byPath.keys()] })
      const found = paths.flatMap((path) => byPath.get(path) ?? [])
      if (found.length > 0) return found
    }
    return []
  }

  /** Opens paths on the host. A single one may also be the folder of a project. */
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
    // A single file is always opened, whatever it contains.
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

  /** Opens the sessions, the latest last so that it is shown; of many, the person chooses one. */
  async #show({ logs, total, others }: Sessions, none: string): Promise<void> {
    if (logs.length === 0) throw new HostError('not-found', none)
    const { openLog } = this.#app.getState()
    if (total > maxAtOnce) this.#app.setState({ candidates: logs, moreCandidates: total - logs.length, opening: null })
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
