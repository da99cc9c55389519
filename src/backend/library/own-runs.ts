import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import type { LiveRun } from '#contract/live-runs.ts'
import { isAbandoned } from '../live-runs/kept-runs.ts'
import { isRunId, runFiles, runsFolder } from '../live-runs/run-folder.ts'
import { readManifestNow, type RunManifest } from '../live-runs/run-manifest.ts'
import { type LogFacts, logFactsAt } from './log-facts.ts'

/** A live run of Playhead, as its folder tells of it. */
export interface OwnRun {
  readonly run: string
  /** Its recording: absolute, links resolved. */
  readonly path: string
  readonly format: string
  readonly sessionId: string | null
  /** The begin of what the agent was asked. */
  readonly prompt: string
  readonly cwd: string
  readonly model: string | null
  readonly startedAt: number
  readonly endedAt: number | null
  readonly finishReason: LiveRun['finishReason']
  readonly isGoing: boolean
}

export interface FoundRun {
  readonly own: OwnRun
  readonly facts: LogFacts
}

const promptBytes = 4096

/** The live runs of all Playheads that share a state folder. A manifest is read again only where it changed. */
export class OwnRuns {
  readonly folder: string
  #known = new Map<string, { readonly print: string; readonly own: OwnRun; readonly manifest: RunManifest }>()

  constructor(state: string) {
    this.folder = runsFolder(state)
  }

  /** All of them, the latest first. Never rejects. */
  async look(): Promise<{ runs: FoundRun[]; isMissing: boolean }> {
    let names: string[]
    try {
      names = readdirSync(this.folder).filter(isRunId).sort().reverse()
    } catch {
      return { runs: [], isMissing: true }
    }
    const known = new Map<string, { readonly print: string; readonly own: OwnRun; readonly manifest: RunManifest }>()
    const runs: FoundRun[] = []
    for (const [at, run] of names.entries()) {
      if (at % 200 === 199) await new Promise((resume) => setImmediate(resume))
      const entry = this.#look(run)
      if (entry === null) continue
      known.set(run, entry)
      const facts = logFactsAt(entry.own.path)
      if (facts === null) continue
      const files = runFiles(this.folder, run)
      const isGoing = entry.own.endedAt === null && !(await isAbandoned(entry.manifest, files))
      runs.push({ own: { ...entry.own, isGoing }, facts })
    }
    this.#known = known
    return { runs, isMissing: false }
  }

  #look(run: string): { readonly print: string; readonly own: OwnRun; readonly manifest: RunManifest } | null {
    const files = runFiles(this.folder, run)
    try {
      const { mtimeMs, size, ino } = statSync(files.manifest)
      const print = `${mtimeMs} ${size} ${ino}`
      const known = this.#known.get(run)
      if (known?.print === print) return known
      const manifest = readManifestNow(files.manifest)
      if (manifest.run !== run) return null
      const { recording, format, sessionId, cwd, model, startedAt, endedAt, finishReason } = manifest
      const prompt = beginOf(files.prompt)
      const path = realpathSync(recording)
      const own = { run, path, format, sessionId, prompt, cwd, model, startedAt, endedAt, finishReason, isGoing: false }
      return { print, own, manifest }
    } catch {
      // It is being made or removed, or cannot be understood, which the list of runs says.
      return null
    }
  }
}

function beginOf(file: string): string {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const bytes = Buffer.alloc(promptBytes)
      return new TextDecoder().decode(bytes.subarray(0, readSync(descriptor, bytes, 0, promptBytes, 0)), {
        stream: true
      })
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return ''
  }
}
