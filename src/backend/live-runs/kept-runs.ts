import { readdir, readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { type LiveRun } from '#contract/live-runs.ts'
import { processStart } from './process-start.ts'
import { isRunId, runFiles, type RunFiles, runsFolder } from './run-folder.ts'
import { type ProcessMark, readManifest, type RunManifest } from './run-manifest.ts'

/** So many runs are listed where nobody asks for more, and are looked at again and again, the latest ones. */
export const maxRuns = 200

const silenceMs = 24 * 3_600_000

/** What is said of a run whose Playhead ended before it did. */
export const lostMessage = 'Playhead exited before this run ended. Output up to then is recorded.'

/** A run as its folder tells of it. */
export interface KeptRun {
  readonly manifest: RunManifest
  readonly files: RunFiles
  /** It never came to an end that was written down, and nobody is there any more to do so. */
  readonly isLost: boolean
}

/** The live runs of all Playheads that share a state folder, as they wrote them down. */
export class KeptRuns {
  readonly #folder: string
  readonly #problem: (message: string) => void
  /** Manifests as they were read, by their time and size. */
  readonly #read = new Map<string, { print: string; manifest: RunManifest }>()
  readonly #damaged = new Set<string>()

  /** `problem`: hears once of each run that cannot be read. */
  constructor(state: string, problem: (message: string) => void) {
    this.#folder = runsFolder(state)
    this.#problem = problem
  }

  /** The ids of all runs, the latest first. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const all = names.filter(isRunId).sort().reverse()
    // Older ones are read again when they are asked for.
    const latest = new Set(all.slice(0, maxRuns))
    for (const run of this.#read.keys()) if (!latest.has(run)) this.#read.delete(run)
    return all
  }

  /** null: there is no such run, or its manifest cannot be understood. */
  async get(run: string): Promise<KeptRun | null> {
    if (!isRunId(run)) return null
    const files = runFiles(this.#folder, run)
    const manifest = await this.#manifest(run, files.manifest)
    if (manifest === null) return null
    return { manifest, files, isLost: manifest.endedAt === null && (await isAbandoned(manifest, files)) }
  }

  async #manifest(run: string, file: string): Promise<RunManifest | null> {
    try {
      const { mtimeMs, size, ino } = await stat(file)
      const print = `${mtimeMs} ${size} ${ino}`
      const known = this.#read.get(run)
      if (known?.print === print) return known.manifest
      const manifest = await readManifest(file)
      if (manifest.run !== run) throw new Error('it names another run')
      this.#read.set(run, { print, manifest })
      return manifest
    } catch (error) {
      // A folder without a manifest is of a run that is being made or removed.
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!missing && !this.#damaged.has(run)) this.#problem(`The run in ${file} cannot be read and is not listed.`)
      if (!missing) this.#damaged.add(run)
      return null
    }
  }
}

/** The run as a page of another host sees it. */
export async function asOthersSee({ manifest: kept, files, isLost }: KeptRun): Promise<LiveRun> {
  const { manifest: _manifest, owner: _owner, process: _process, ...run } = kept
  const prompt = await readFile(files.prompt, 'utf8').catch(() => '')
  const isOver = run.endedAt !== null
  const [stdoutBytes, stderrBytes] = isOver
    ? [run.stdoutBytes, run.stderrBytes]
    : await Promise.all([lengthOf(run.recording), lengthOf(files.stderr)])
  const lost = isLost ? ({ state: 'lost', message: lostMessage } as const) : {}
  // What was written down of a run that goes on is of some time ago.
  const elapsedMs = isOver ? run.elapsedMs : null
  return { ...run, ...lost, prompt, stdoutBytes, stderrBytes, elapsedMs, own: false }
}

/** Whether nobody will ever bring it to its end. Of a Playhead on another machine that is not known until nothing was written for a day. */
export async function isAbandoned({ owner, recording }: RunManifest, files: RunFiles): Promise<boolean> {
  if (owner.host === hostname()) return !isAlive(owner)
  const times = [files.manifest, recording, files.stderr].map(
    async (file) => (await stat(file).catch(() => null))?.mtimeMs ?? 0
  )
  return Date.now() - Math.max(...(await Promise.all(times))) > silenceMs
}

/** Whether it is still the process that was marked. */
export function isAlive({ pid, startTime }: ProcessMark): boolean {
  return startTime !== null && processStart(pid) === startTime
}

async function lengthOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0
  )
}
