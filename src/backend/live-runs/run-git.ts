import { spawn } from 'node:child_process'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A git that takes longer, or fills its folder with more, is ended. */
const maxGitMs = 5000
export const maxGitBytes = 100_000_000
const watchMs = 200
/** Of what git prints, unless it is taken as it comes. */
const maxOutputBytes = 8 << 20

interface GitOptions {
  /** A folder that git fills. */
  readonly growing?: string
  /** Takes what git prints, which is not returned then. */
  readonly printed?: ((chunk: Buffer) => void) | undefined
  readonly input?: Buffer | undefined
}

/** How a git ended. */
export interface GitEnd {
  /** Null: it could not be started, took too long, or filled the folder `growing`. */
  readonly code: number | null
  /** What it printed. Longer output is cut. */
  readonly output: Buffer
}

/** Runs git without the settings of the person and the machine, unless `variables` name them. */
export async function runGit(
  cwd: string,
  variables: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  { growing, printed, input }: GitOptions = {}
): Promise<GitEnd> {
  // Settings of the person and the machine may name programs to run.
  const settings = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', GIT_OPTIONAL_LOCKS: '0' }
  const { PATH, HOME, XDG_CONFIG_HOME } = process.env
  const child = spawn('git', ['-c', 'core.fsmonitor=false', '-c', 'safe.directory=*', ...args], {
    cwd,
    env: { PATH, HOME, XDG_CONFIG_HOME, LC_ALL: 'C', ...settings, ...variables },
    stdio: ['pipe', 'pipe', 'ignore']
  })
  // It may end before it has read all.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const chunks: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => {
    if (printed !== undefined) return printed(chunk)
    if (bytes < maxOutputBytes) chunks.push(chunk)
    bytes += chunk.length
  })
  let isGivenUp = false
  const giveUp = (): void => {
    isGivenUp = true
    child.kill('SIGKILL')
  }
  const timer = setTimeout(giveUp, maxGitMs)
  const watch = setInterval(() => {
    if (growing !== undefined) void bytesBelow(growing).then((all) => all > maxGitBytes && giveUp())
  }, watchMs)
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (exit) => resolve(exit))
  })
  clearTimeout(timer)
  clearInterval(watch)
  return { code: isGivenUp ? null : code, output: Buffer.concat(chunks).subarray(0, maxOutputBytes) }
}

/** Bytes of the files in a folder, as far as they can be read. */
export async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
      if (bytes > maxGitBytes) break
    }
  } catch {
    // It does not exist yet.
  }
  return bytes
}
