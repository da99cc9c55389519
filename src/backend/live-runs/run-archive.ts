import { lstatSync, readdirSync, statSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Spared } from '#contract/live-runs.ts'
import { Reviews } from '../reviews.ts'
import { systemCode, whyNotWritten } from '../write-failure.ts'
import { isAbandoned } from './kept-runs.ts'
import { readManifestNow, type RunManifest } from './run-manifest.ts'
import { isRunId, runFiles, runsFolder } from './run-folder.ts'

export interface RunFolder {
  readonly run: string
  /** Of all its files. */
  readonly bytes: number
  /** Null: missing or invalid. */
  readonly manifest: RunManifest | null
}

/** Runs to remove, oldest first, and runs of the same age that are spared. */
export interface RemovalPlan {
  readonly runs: readonly RunFolder[]
  readonly spared: readonly Spared[]
}

/** Selects runs beyond the newest `keep` that ended before a time in ms since the epoch. Null: no such limit. */
export interface Prune {
  readonly keep: number | null
  readonly endedBefore: number | null
}

export interface RemovalOptions {
  readonly named: boolean
  readonly isDry?: boolean
  readonly removed?: (folder: RunFolder) => void
}

/** Folders read before yielding to the event loop. */
const sliceFolders = 50
/** A younger folder without a manifest belongs to a run that is being created. */
const makingMs = 60_000
/** Prefix of folders that are being removed. */
const removing = '.deleting-'

/** The disk usage and removal of all runs in a state folder. */
export class RunArchive {
  readonly #folder: string
  readonly #reviews: Reviews
  /** Finished runs, cached by the metadata of their manifest. */
  readonly #known = new Map<string, { readonly fingerprint: string; readonly folder: RunFolder }>()

  constructor(state: string) {
    this.#folder = runsFolder(state)
    this.#reviews = new Reviews(state)
  }

  /** All runs, latest first, invalid ones too. Never rejects. */
  async folders(): Promise<RunFolder[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter(isRunId).sort().reverse()
    const there = new Set(names)
    for (const run of this.#known.keys()) if (!there.has(run)) this.#known.delete(run)
    const found: RunFolder[] = []
    for (const [at, run] of names.entries()) {
      if (at % sliceFolders === sliceFolders - 1) await nextTurn()
      const folder = this.#look(run)
      if (folder !== null) found.push(folder)
    }
    return found
  }

  /** What a removal would remove and spare. Invalid runs are removed only by name. */
  async plan({ keep, endedBefore }: Prune): Promise<RemovalPlan> {
    const old = keep === null && endedBefore === null ? [] : (await this.folders()).slice(keep ?? 0)
    const candidates = endedBefore === null ? old : old.filter(({ manifest }) => isBefore(manifest, endedBefore))
    const runs: RunFolder[] = []
    const spared: Spared[] = []
    for (const folder of candidates.toReversed()) {
      const why = await this.#whyNot(folder, false)
      if (why === null) runs.push(folder)
      else spared.push({ run: folder.run, why })
    }
    return { runs, spared }
  }

  /** Deletes runs with their folders. `named`: the user named each, so that bookmarks and invalid manifests spare none. */
  async remove(
    runs: readonly string[],
    { named, isDry = false, removed }: RemovalOptions
  ): Promise<{ removed: RunFolder[]; spared: Spared[] }> {
    if (!isDry) await this.finishRemovals()
    const gone: RunFolder[] = []
    const spared: Spared[] = []
    for (const run of runs) {
      const folder = isRunId(run) ? this.#look(run, true) : null
      const why = folder === null ? 'there is no such run' : await this.#whyNot(folder, named)
      const failure = why ?? (isDry ? null : await this.#removeFolder(run))
      if (failure !== null || folder === null) {
        spared.push({ run, why: failure ?? '' })
        continue
      }
      gone.push(folder)
      removed?.(folder)
    }
    return { removed: gone, spared }
  }

  /** Finishes removals that were interrupted. Never rejects. */
  async finishRemovals(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    for (const name of names) {
      if (name.startsWith(removing))
        await rm(join(this.#folder, name), { recursive: true, force: true }).catch(() => {})
    }
  }

  /** Returns why it could not be removed; null: success. */
  async #removeFolder(run: string): Promise<string | null> {
    // Renamed first, so that a partly removed folder is no run.
    const leaving = join(this.#folder, `${removing}${run}`)
    try {
      await rename(join(this.#folder, run), leaving)
    } catch (error) {
      return systemCode(error) === 'ENOENT' ? 'there is no such run' : `it cannot be removed: ${whyNotWritten(error)}`
    }
    // The next removal deletes the rest.
    await rm(leaving, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    return null
  }

  async #whyNot({ run, manifest }: RunFolder, named: boolean): Promise<string | null> {
    if (manifest === null) return named ? null : 'it cannot be read'
    if (manifest.endedAt === null) {
      const isLost = await isAbandoned(manifest, runFiles(this.#folder, run))
      return isLost ? 'it was lost and is not settled; open Playhead to settle it' : 'it is active'
    }
    return !named && (await this.#reviews.has(manifest.recording)) ? 'it has bookmarks or breakpoints' : null
  }

  /** Null: not a run's folder. `isNamed`: also one that may be in creation. */
  #look(run: string, isNamed = false): RunFolder | null {
    const { folder, manifest: file } = runFiles(this.#folder, run)
    const fingerprint = fingerprintOf(file)
    const known = this.#known.get(run)
    if (fingerprint !== null && known?.fingerprint === fingerprint) return known.folder
    try {
      const facts = lstatSync(folder)
      if (!facts.isDirectory() || (fingerprint === null && !isNamed && Date.now() - facts.mtimeMs < makingMs))
        return null
      const found = { run, bytes: bytesIn(folder), manifest: manifestOf(file, run) }
      if (fingerprint !== null && found.manifest?.endedAt != null) this.#known.set(run, { fingerprint, folder: found })
      return found
    } catch {
      return null
    }
  }
}

function isBefore(manifest: RunManifest | null, time: number): boolean {
  return manifest !== null && (manifest.endedAt ?? manifest.startedAt) < time
}

function fingerprintOf(file: string): string | null {
  const facts = statSync(file, { throwIfNoEntry: false })
  return facts === undefined ? null : `${facts.mtimeMs} ${facts.size} ${facts.ino}`
}

function manifestOf(file: string, run: string): RunManifest | null {
  try {
    const manifest = readManifestNow(file)
    return manifest.run === run ? manifest : null
  } catch {
    return null
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce(
    (sum, name) => sum + (lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}
