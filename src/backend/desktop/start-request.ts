import { resolve } from 'node:path'
import * as z from 'zod'
import { scheme } from './deep-link.ts'

/** The files and links of a start; a second start sends it to the first. */
export const StartRequest = z.object({
  /** Absolute paths. */
  files: z.array(z.string().min(1).max(4096)).max(1000),
  /** Not checked yet. A path and a query of the greatest length fit, each byte of which may be three characters. */
  links: z.array(z.string().max(150_000)).max(10)
})
export type StartRequest = z.infer<typeof StartRequest>

/**
 * The files, relative to `folder`, and the link of a command line. The system passes a link as the last argument, so later
 * arguments come from a link that broke out of its quotes, and are dropped. Without `--`, Electron refuses such a start
 * (`CheckCommandLineArguments`, shell/app/command_line_args.cc, CVE-2018-1000006); with `--` it does not.
 */
export function startRequest(words: readonly string[], folder: string): StartRequest {
  const asked = words.filter((word) => word !== '')
  const link = asked.findIndex((word) => word.toLowerCase().startsWith(`${scheme}:`))
  const files = link < 0 ? asked : asked.slice(0, link)
  return { files: files.map((path) => resolve(folder, path)), links: link < 0 ? [] : asked.slice(link, link + 1) }
}

/** The arguments without Chromium's switches, which end at `--`, without the program and a checkout's folder. */
export function appArguments(argv: readonly string[], isPackaged: boolean): string[] {
  const end = argv.indexOf('--')
  const before = (end < 0 ? argv : argv.slice(0, end)).filter((word) => !word.startsWith('-'))
  const behind = end < 0 ? [] : argv.slice(end + 1)
  return [...before.slice(isPackaged ? 1 : 2), ...behind]
}

/** The request of another process; empty if invalid. */
export function readStartRequest(data: unknown): StartRequest {
  return StartRequest.safeParse(data).data ?? { files: [], links: [] }
}

/** A queue of requests that arrive before the app can serve them. Each is served once, in order. */
export class RequestQueue<T> {
  readonly #waiting: T[] = []
  #serve: ((request: T) => Promise<void>) | null = null

  add(request: T): void {
    if (this.#serve) void this.#serve(request)
    else this.#waiting.push(request)
  }

  /** Removes and returns the queued requests. */
  drain(): T[] {
    return this.#waiting.splice(0)
  }

  /** Serves queued requests one after the other, later ones at once. */
  async serve(serve: (request: T) => Promise<void>): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await serve(next)
    this.#serve = serve
  }
}
