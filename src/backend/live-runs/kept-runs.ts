import { readdir, readFile, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { LiveRun, RunDialogue } from '#contract/live-runs.ts'
import { processStart } from './process-start.ts'
import { isRunId, runFiles, type RunFiles, runsFolder } from './run-folder.ts'
import { type ProcessIdentity, readManifest, type RunManifest } from './run-manifest.ts'

/** The default length of the list, and the number of latest runs that are polled. */
export const maxRuns = 200

/** A run of another machine is abandoned after this time without a write. */
const silenceMs = 24 * 3_600_000

/** The message of a run whose Playhead died first. */
export const lostMessage = 'Playhead exited before this run ended. Output up to then is recorded.'

/** A run as stored in its folder. */
export interface KeptRun {
  readonly manifest: RunManifest
  readonly files: RunFiles
  /** It has no end, and its Playhead is gone. */
  readonly isLost: boolean
}

/** The stored live runs of all Playheads that share a state folder. */
export class KeptRuns {
  readonly #folder: string
  readonly #problem: (message: string) => void
  /** Parsed manifests with their file metadata. */
  readonly #read = new Map<string, { fingerprint: string; manifest: RunManifest }>()
  readonly #damaged = new Set<string>()

  /** `problem` is called once for each unreadable run. */
  constructor(state: string, problem: (message: string) => void) {
    this.#folder = runsFolder(state)
    this.#problem = problem
  }

  /** Ids of all runs, latest first. */
  async ids(): Promise<string[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const all = names.filter(isRunId).sort().reverse()
    // Older ones are read again on demand.
    const latest = new Set(all.slice(0, maxRuns))
    for (const run of this.#read.keys()) if (!latest.has(run)) this.#read.delete(run)
    return all
  }

  /** Null: no such run, or an invalid manifest. */
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
      const fingerprint = `${mtimeMs} ${size} ${ino}`
      const known = this.#read.get(run)
      if (known?.fingerprint === fingerprint) return known.manifest
      const manifest = await readManifest(file)
      if (manifest.run !== run) throw new Error('it names another run')
      this.#read.set(run, { fingerprint, manifest })
      return manifest
    } catch (error) {
      // A folder without a manifest belongs to a run that is being created or removed.
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!missing && !this.#damaged.has(run)) this.#problem(`The run in ${file} cannot be read and is not listed.`)
      if (!missing) this.#damaged.add(run)
      return null
    }
  }
}

/** A stored run in the form that the contract has for other hosts' runs. */
export async function asOthersSee({ manifest: kept, files, isLost }: KeptRun): Promise<LiveRun> {
  const { manifest: _manifest, owner: _owner, process: _process, ...run } = kept
  const prompt = await readFile(files.prompt, 'utf8').catch(() => '')
  const isOver = run.endedAt !== null
  const [stdoutBytes, stderrBytes] = isOver
    ? [run.stdoutBytes, run.stderrBytes]
    : await Promise.all([lengthOf(run.recording), lengthOf(files.stderr)])
  const dialogue = isLost && run.dialogue !== null ? lostDialogue(run.dialogue) : run.dialogue
  const lost = isLost ? ({ state: 'lost', message: lostMessage } as const) : {}
  // The stored time of an active run is outdated.
  const elapsedMs = isOver ? run.elapsedMs : null
  return { ...run, dialogue, ...lost, prompt, stdoutBytes, stderrBytes, elapsedMs, own: false }
}

/** Its asks are withdrawn: nobody can answer them any more. What was queued is kept to be read. */
export function lostDialogue(dialogue: RunDialogue): RunDialogue {
  return { ...dialogue, turn: 'lost', asks: [], wantedMode: null, waitingSince: null }
}

/** Whether the run's Playhead is gone. On another machine this is assumed after a day without a write. */
export async function isAbandoned({ owner, recording }: RunManifest, files: RunFiles): Promise<boolean> {
  if (owner.host === hostname()) return !isAlive(owner)
  const times = [files.manifest, recording, files.stderr].map(
    async (file) => (await stat(file).catch(() => null))?.mtimeMs ?? 0
  )
  return Date.now() - Math.max(...(await Promise.all(times))) > silenceMs
}

/** Whether the same process still runs. */
export function isAlive({ pid, startTime }: ProcessIdentity): boolean {
  return startTime !== null && processStart(pid) === startTime
}

async function lengthOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0
  )
}
