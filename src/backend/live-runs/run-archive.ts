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

/** A folder of a run, as it stands there. */
export interface RunFolder {
  readonly run: string
  /** All files in it. */
  readonly bytes: number
  /** null: it cannot be understood, or is not there. */
  readonly manifest: RunManifest | null
}

/** Runs that would be removed, the oldest first, and those that stay though they are as old. */
export interface RemovalPlan {
  readonly runs: readonly RunFolder[]
  readonly spared: readonly Spared[]
}

/** Which runs are to be removed: those that are not among the newest `keep`, and ended before a time (ms since the epoch). null: no such limit. */
export interface Prune {
  readonly keep: number | null
  readonly endedBefore: number | null
}

export interface RemovalOptions {
  readonly named: boolean
  readonly isDry?: boolean
  readonly removed?: (folder: RunFolder) => void
}

/** So many folders are looked at before others have their turn. */
const sliceFolders = 50
/** A folder without a manifest is of a run that is just being made, unless it is older, in ms. */
const makingMs = 60_000
/** A folder that is being removed has this before its name. */
const removing = '.deleting-'

/** All runs in a state folder: how much room they take, and their removal. */
export class RunArchive {
  readonly #folder: string
  readonly #reviews: Reviews
  /** What is known of runs that are over, by what their manifest looks like on the disk. */
  readonly #known = new Map<string, { readonly print: string; readonly folder: RunFolder }>()

  constructor(state: string) {
    this.#folder = runsFolder(state)
    this.#reviews = new Reviews(state)
  }

  /** Every run, the latest first; those that cannot be understood as well. Never rejects. */
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

  /** What would be removed, and what is not. What cannot be understood is never removed unless it is named. */
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

  /**
   * Removes runs with all that lies in their folders, which cannot be undone. `named`: a person has named each of them, so that those with bookmarks,
   * and those that cannot be understood, are removed as well. A recording that lies elsewhere stays. Calls `removed` after each. `isDry`: only says which would be.
   */
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

  /** Ends what somebody began who was killed before it was done. Never rejects. */
  async finishRemovals(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => [])
    for (const name of names) {
      if (name.startsWith(removing))
        await rm(join(this.#folder, name), { recursive: true, force: true }).catch(() => {})
    }
  }

  /** Gives why it could not be removed; null: it is gone. */
  async #removeFolder(run: string): Promise<string | null> {
    // Under another name first: of one that is half gone nobody takes the rest for a run.
    const leaving = join(this.#folder, `${removing}${run}`)
    try {
      await rename(join(this.#folder, run), leaving)
    } catch (error) {
      return systemCode(error) === 'ENOENT' ? 'there is no such run' : `it cannot be removed: ${whyNotWritten(error)}`
    }
    // What is left of it is removed the next time.
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

  /** `isNamed`: also one that looks as if it were being made. null: it is no folder of a run. */
  #look(run: string, isNamed = false): RunFolder | null {
    const { folder, manifest: file } = runFiles(this.#folder, run)
    const print = printOf(file)
    const known = this.#known.get(run)
    if (print !== null && known?.print === print) return known.folder
    try {
      const facts = lstatSync(folder)
      if (!facts.isDirectory() || (print === null && !isNamed && Date.now() - facts.mtimeMs < makingMs)) return null
      const found = { run, bytes: bytesIn(folder), manifest: manifestOf(file, run) }
      if (print !== null && found.manifest?.endedAt != null) this.#known.set(run, { print, folder: found })
      return found
    } catch {
      return null
    }
  }
}

function isBefore(manifest: RunManifest | null, time: number): boolean {
  return manifest !== null && (manifest.endedAt ?? manifest.startedAt) < time
}

function printOf(file: string): string | null {
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
