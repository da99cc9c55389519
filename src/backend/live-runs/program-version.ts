import { spawn } from 'node:child_process'
import { realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** A program that has not said its version within so many ms is not waited for: the slowest agent takes six seconds on a slow machine. */
const longestMs = 15_000
/** More than this is no version. */
const maxBytes = 65_536

/** Versions of programs, asked for once for each file as it is. */
export class ProgramVersions {
  readonly #known = new Map<string, Promise<string | null>>()
  readonly #asking = new Set<() => void>()
  readonly #longestMs: number
  #closed = false

  constructor(limitMs = longestMs) {
    this.#longestMs = limitMs
  }

  /** The version a program states; null: none, or not in time. Never rejects. */
  async of(file: string, args: readonly string[], variables: NodeJS.ProcessEnv): Promise<string | null> {
    const key = await printOf(file)
    if (key === null || this.#closed) return null
    let version = this.#known.get(key)
    if (version === undefined) {
      version = this.#ask(file, args, variables)
      this.#known.set(key, version)
    }
    return await version
  }

  /** Ends the programs that are being asked; no others are. */
  close(): void {
    this.#closed = true
    for (const end of this.#asking) end()
  }

  /** Runs it without a shell, in a group of its own that is ended as a whole when the time is over. */
  async #ask(file: string, args: readonly string[], variables: NodeJS.ProcessEnv): Promise<string | null> {
    return await new Promise((resolve) => {
      const chunks: Buffer[] = []
      let bytes = 0
      // In no project, whose settings it might follow.
      const child = spawn(file, args, {
        ...{ cwd: tmpdir(), env: variables, detached: true, windowsHide: true },
        stdio: ['ignore', 'pipe', 'ignore']
      })
      const finish = (version: string | null): void => {
        clearTimeout(timer)
        this.#asking.delete(end)
        // Also what it left behind, which would hold its output open.
        if (child.pid !== undefined) endGroup(child.pid)
        child.stdout.destroy()
        resolve(version)
      }
      const end = (): void => finish(null)
      const timer = setTimeout(end, this.#longestMs)
      this.#asking.add(end)
      child.on('error', end)
      child.stdout.on('error', end)
      child.stdout.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes > maxBytes) end()
      })
      // Not its end of output: what it started may keep that open.
      child.on('exit', () => setImmediate(() => finish(versionIn(Buffer.concat(chunks).toString('utf8')))))
    })
  }
}

/** Another one where another file lies there, or its content is another one. Packages are unpacked with times of long ago: so not only by those. */
async function printOf(file: string): Promise<string | null> {
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
    // It has ended, as it should.
  }
}
