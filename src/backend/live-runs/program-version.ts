import { spawn } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** The slowest agent takes six seconds on a slow machine. */
const timeoutMs = 15_000
/** Larger output is no version. */
const maxBytes = 65_536

/** Versions of programs, cached for each state of the file. */
export class ProgramVersions {
  readonly #known = new Map<string, Promise<string | null>>()
  readonly #asking = new Set<() => void>()
  readonly #timeoutMs: number
  #closed = false

  constructor(limitMs = timeoutMs) {
    this.#timeoutMs = limitMs
  }

  /** The version that a program reports; null: none, or a timeout. Never rejects. */
  async of(file: string, args: readonly string[], variables: NodeJS.ProcessEnv): Promise<string | null> {
    const key = await fingerprintOf(file)
    if (key === null || this.#closed) return null
    let version = this.#known.get(key)
    if (version === undefined) {
      version = this.#ask(file, args, variables)
      this.#known.set(key, version)
    }
    return await version
  }

  /** Ends running queries, and refuses new ones. */
  close(): void {
    this.#closed = true
    for (const end of this.#asking) end()
  }

  /** Runs the program without a shell, in a process group that is killed as a whole at the timeout. */
  async #ask(file: string, args: readonly string[], variables: NodeJS.ProcessEnv): Promise<string | null> {
    return await new Promise((resolve) => {
      const chunks: Buffer[] = []
      let bytes = 0
      // Outside of any project, whose settings could apply.
      const child = spawn(file, args, {
        ...{ cwd: tmpdir(), env: variables, detached: true, windowsHide: true },
        stdio: ['ignore', 'pipe', 'ignore']
      })
      const finish = (version: string | null): void => {
        clearTimeout(timer)
        this.#asking.delete(end)
        // Descendants would keep the output open.
        if (child.pid !== undefined) endGroup(child.pid)
        child.stdout.destroy()
        resolve(version)
      }
      const end = (): void => finish(null)
      const timer = setTimeout(end, this.#timeoutMs)
      this.#asking.add(end)
      child.on('error', end)
      child.stdout.on('error', end)
      child.stdout.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) end()
      })
      // Not on the end of output, which descendants may keep open.
      child.on('exit', () => setImmediate(() => finish(versionIn(Buffer.concat(chunks).toString('utf8')))))
    })
  }
}

/** Changes when the file is replaced or modified. Unpacked packages keep old mtimes, so more than mtime is compared. */
async function fingerprintOf(file: string): Promise<string | null> {
  try {
    const target = await realpath(file)
    const { ino, size, mtimeMs, ctimeMs } = await stat(target)
    return [file, target, ino, size, mtimeMs, ctimeMs].join('\n')
  } catch {
    return null
  }
}

function versionIn(text: string): string | null {
  return /(?<![\w.])v?(\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,60})?)(?![\w.])/.exec(text)?.[1] ?? null
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Whether a version is older than another one. A preview of a version counts as that version. */
export function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split(/[-.]/, 3).map(Number)) as [number[], number[]]
  const at = own.findIndex((number, place) => number !== other[place])
  return at >= 0 && (own[at] ?? 0) < (other[at] ?? 0)
}
