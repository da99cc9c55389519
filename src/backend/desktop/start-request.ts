import { resolve } from 'node:path'
import * as z from 'zod'
import { scheme } from './deep-link.ts'

/** What a start of the app asks for; also what a second start hands to the first. */
export const StartRequest = z.object({
  /** Absolute paths. */
  files: z.array(z.string().min(1).max(4096)).max(1000),
  /** As they came, not checked yet. */
  links: z.array(z.string().max(10_000)).max(10)
})
export type StartRequest = z.infer<typeof StartRequest>

/**
 * What words of a command line ask for: files in `folder`, and a link. Where the system hands over a link, it is the last word: what stands
 * behind one was put there by whoever made the link and got out of its quotes. Without `--` Electron refuses such a start itself
 * (`CheckCommandLineArguments`, shell/app/command_line_args.cc, its answer to CVE-2018-1000006); with `--` it leaves that to us.
 */
export function startRequest(words: readonly string[], folder: string): StartRequest {
  const asked = words.filter((word) => word !== '')
  const link = asked.findIndex((word) => word.toLowerCase().startsWith(`${scheme}:`))
  const files = link < 0 ? asked : asked.slice(0, link)
  return { files: files.map((path) => resolve(folder, path)), links: link < 0 ? [] : asked.slice(link, link + 1) }
}

/**
 * The words of the app's own command line that are no switches: Chromium reads those, up to a `--`. Left out are Electron's program and, where the
 * app is not packed, its folder.
 */
export function startWords(argv: readonly string[], isPackaged: boolean): string[] {
  const end = argv.indexOf('--')
  const before = (end < 0 ? argv : argv.slice(0, end)).filter((word) => !word.startsWith('-'))
  const behind = end < 0 ? [] : argv.slice(end + 1)
  return [...before.slice(isPackaged ? 1 : 2), ...behind]
}

/** What another process handed over; nothing where that is no request. */
export function readStartRequest(data: unknown): StartRequest {
  return StartRequest.safeParse(data).data ?? { files: [], links: [] }
}
