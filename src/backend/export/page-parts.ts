import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { terminalSafeText } from '#core/terminal-safe-text.ts'

/** The built code and styles of the page. */
export interface PageParts {
  readonly page: string
  readonly style: string
  readonly thread: string
}

/** Reads the parts from the folder of the build. Throws 'unavailable' if they are not built. */
export async function pageParts(folder: string): Promise<PageParts> {
  const part = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
  try {
    const [page, style, thread] = await Promise.all([part('page.js'), part('page.css'), part('thread.js')])
    return { page: inElement(page), style, thread: inElement(thread) }
  } catch {
    throw new HostError('unavailable', 'the page is not built; run npm run build in the folder of Playhead')
  }
}

/** Escapes what would end a script element, and control characters: `Output` would escape these after the hash was taken. */
function inElement(code: string): string {
  return terminalSafeText(code).replace(/<(?=\/script|!--)/gi, '\\x3c')
}
