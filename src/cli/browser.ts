import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Environment } from './environment.ts'

/** Linux needs a display server. Other platforms always have a display. */
export function hasDisplay({ platform, variables }: Pick<Environment, 'platform' | 'variables'>): boolean {
  if (platform === 'darwin' || platform === 'win32') return true
  return Boolean(variables['DISPLAY'] || variables['WAYLAND_DISPLAY'])
}

export interface OpenedBrowser {
  /** False: no program opens URLs. */
  readonly started: boolean
  /** Removes the temporary page. */
  end(): Promise<void>
}

/**
 * Opens `url` in the default browser through a private file. The URL holds a single-use code, and every user of the
 * machine can read the arguments of a process.
 */
export async function openBrowser(url: string, platform: NodeJS.Platform): Promise<OpenedBrowser> {
  const page = await pageThatLeadsTo(url).catch(() => null)
  // The address is printed, too.
  if (page === null) return { started: false, end: async () => {} }
  const [command, ...args] = opener(platform, pathToFileURL(page).href)
  const started = command !== undefined && (await canStart(command, args))
  return { started, end: () => rm(dirname(page), { recursive: true, force: true }) }
}

async function pageThatLeadsTo(url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'playhead-open-'))
  const page = join(folder, 'open.html')
  const text = `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><title>Playhead</title>`
  try {
    await writeFile(page, text, { mode: 0o600 })
    return page
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

function opener(platform: NodeJS.Platform, url: string): string[] {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['cmd', '/c', 'start', '""', url]
  return ['xdg-open', url]
}

function canStart(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
