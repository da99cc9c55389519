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

/** The words of a command line, without the program: what begins with `-` is Electron's, the rest are files in `folder` or links. */
export function startRequest(words: readonly string[], folder: string): StartRequest {
  const asked = words.filter((word) => !word.startsWith('-') && word !== '')
  const isLink = (word: string): boolean => word.toLowerCase().startsWith(`${scheme}:`)
  return {
    files: asked.filter((word) => !isLink(word)).map((path) => resolve(folder, path)),
    links: asked.filter(isLink)
  }
}

/** What another process handed over; nothing where that is no request. */
export function readStartRequest(data: unknown): StartRequest {
  return StartRequest.safeParse(data).data ?? { files: [], links: [] }
}
