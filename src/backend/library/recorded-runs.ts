import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import type { LiveRun } from '#contract/live-runs.ts'
import { isAbandoned } from '../live-runs/kept-runs.ts'
import { isRunId, runFiles, runsFolder } from '../live-runs/run-folder.ts'
import { readManifestNow, type RunManifest } from '../live-runs/run-manifest.ts'
import { type LogFacts, logFactsAt } from './log-facts.ts'

/** A live run of Playhead, from its manifest. */
export interface RecordedRun {
  readonly run: string
  /** The recording: absolute, links resolved. */
  readonly path: string
  readonly format: string
  readonly sessionId: string | null
  /** The beginning of the prompt. */
  readonly prompt: string
  readonly cwd: string
  readonly model: string | null
  readonly startedAt: number
  readonly endedAt: number | null
  readonly finishReason: LiveRun['finishReason']
  readonly isRunning: boolean
}

export interface FoundRun {
  readonly own: RecordedRun
  readonly facts: LogFacts
}

const maxPromptBytes = 4096

/** A manifest as it was read, until the file changes. */
interface KnownRun {
  readonly fingerprint: string
  readonly own: RecordedRun
  readonly manifest: RunManifest
}

/** The live runs in a state folder, which several Playheads may share. */
export class RecordedRuns {
  readonly folder: string
  #known = new Map<string, KnownRun>()

  constructor(state: string) {
    this.folder = runsFolder(state)
  }

  /** All runs, latest first. Never rejects. */
  async list(): Promise<{ runs: FoundRun[]; isMissing: boolean }> {
    let names: string[]
    try {
      names = readdirSync(this.folder).filter(isRunId).sort().reverse()
    } catch {
      return { runs: [], isMissing: true }
    }
    const known = new Map<string, KnownRun>()
    const runs: FoundRun[] = []
    for (const [at, run] of names.entries()) {
      if (at % 200 === 199) await new Promise((resume) => setImmediate(resume))
      const entry = this.#read(run)
      if (entry === null) continue
      known.set(run, entry)
      const facts = logFactsAt(entry.own.path)
      if (facts === null) continue
      const files = runFiles(this.folder, run)
      const isRunning = entry.own.endedAt === null && !(await isAbandoned(entry.manifest, files))
      runs.push({ own: { ...entry.own, isRunning }, facts })
    }
    this.#known = known
    return { runs, isMissing: false }
  }

  #read(run: string): KnownRun | null {
    const files = runFiles(this.folder, run)
    try {
      const { mtimeMs, size, ino } = statSync(files.manifest)
      const fingerprint = `${mtimeMs} ${size} ${ino}`
      const known = this.#known.get(run)
      if (known?.fingerprint === fingerprint) return known
      const manifest = readManifestNow(files.manifest)
      if (manifest.run !== run) return null
      const { recording, format, sessionId, cwd, model, startedAt, endedAt, finishReason } = manifest
      const prompt = beginOf(files.prompt)
      const path = realpathSync(recording)
      const own = {
        run,
        path,
        format,
        sessionId,
        prompt,
        cwd,
        model,
        startedAt,
        endedAt,
        finishReason,
        isRunning: false
      }
      return { fingerprint, own, manifest }
    } catch {
      // It is being created or removed, or it is invalid, which the list of runs reports.
      return null
    }
  }
}

function beginOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(maxPromptBytes)
      return new TextDecoder().decode(bytes.subarray(0, readSync(descriptor, bytes, 0, maxPromptBytes, 0)), {
        stream: true
      })
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
