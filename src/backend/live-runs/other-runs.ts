import { messageOf } from '#contract/host-error.ts'
import { existsSync } from 'node:fs'
import type { LiveRun } from '#contract/live-runs.ts'
import { asOthersSee, type KeptRun, type KeptRuns, maxRuns } from './kept-runs.ts'
import type { RecoveryOptions } from './lost-run.ts'
import type { FeedListener } from './run-feed.ts'
import { runFiles, runsFolder } from './run-folder.ts'
import type { RunManifest } from './run-manifest.ts'

export interface OtherRunsOptions extends Omit<RecoveryOptions, 'listener'> {
  readonly state: string
  readonly kept: KeptRuns
  /** This host's runs, which are not reported. */
  readonly own: ReadonlyMap<string, { readonly run: { readonly isOver: boolean } }>
  /** For the events of a lost run. */
  readonly listener: (run: string) => FeedListener
  readonly changed: (run: LiveRun) => void
  /** The folder of a run was removed. */
  readonly removed: (run: string) => void
  readonly problem: (message: string) => void
  readonly lookEveryMs?: number | undefined
}

const lookEveryMs = 2000

/** Polls the runs of other hosts in the state folder, reports changes, and recovers lost runs. */
export class OtherRuns {
  readonly #options: OtherRunsOptions
  readonly #recovering = new Map<string, Promise<void>>()
  /** As last reported. */
  readonly #reported = new Map<string, { readonly manifest: RunManifest; readonly text: string }>()
  #hasPolled = false
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(options: OtherRunsOptions) {
    this.#options = options
  }

  /** Returns false if it polls already or is closed. */
  watch(): boolean {
    if (this.#timer !== null || this.#closed) return false
    const poll = async (): Promise<void> => {
      await this.#poll().catch((error: unknown) =>
        this.#options.problem(`Other runs cannot be listed: ${messageOf(error)}`)
      )
      if (this.#closed) return
      this.#timer = setTimeout(() => void poll(), this.#options.lookEveryMs ?? lookEveryMs)
      this.#timer.unref()
    }
    this.#timer = setTimeout(() => void poll())
    return true
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** Resolves when no lost run is being recovered. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#recovering.values())
  }

  /** The run of another host; null: none. Recovers a lost one in the background. */
  async get(run: string): Promise<LiveRun | null> {
    const kept = await this.#options.kept.get(run)
    if (kept === null) return null
    if (kept.isLost) this.#recover(run, kept)
    return await asOthersSee(kept)
  }

  forget(run: string): void {
    this.#reported.delete(run)
  }

  /** Polls the latest runs; older ones do not change any more. */
  async #poll(): Promise<void> {
    const { state, kept: keptRuns, own, removed } = this.#options
    const ids = (await keptRuns.ids()).slice(0, maxRuns)
    const isGone = (run: string): boolean => !ids.includes(run) && !existsSync(runFiles(runsFolder(state), run).folder)
    const over = [...own].filter(([, { run }]) => run.isOver).map(([run]) => run)
    for (const run of [...this.#reported.keys(), ...over].filter(isGone)) removed(run)
    for (const id of ids) {
      const kept = own.has(id) || this.#closed ? null : await keptRuns.get(id)
      if (kept === null) continue
      const { manifest } = kept
      const before = this.#reported.get(id)
      if (manifest.endedAt !== null && before?.manifest === manifest) continue
      if (kept.isLost) this.#recover(id, kept)
      // Runs that were over before the first poll are not reported.
      await this.#report(kept, this.#hasPolled || manifest.endedAt === null)
    }
    this.#hasPolled = true
  }

  /** Reports a run if it has changed. */
  async #report(kept: KeptRun, isNews: boolean): Promise<void> {
    const run = await asOthersSee(kept)
    const text = JSON.stringify({ ...run, prompt: '' })
    const before = this.#reported.get(run.run)
    this.#reported.set(run.run, { manifest: kept.manifest, text })
    if (before?.text !== text && isNews) this.#options.changed(run)
  }

  #recover(run: string, kept: KeptRun): void {
    if (this.#recovering.has(run) || this.#closed) return
    const { kept: keptRuns, listener, problem } = this.#options
    const recovered = import('./lost-run.ts')
      .then(async ({ recoverRun }) => await recoverRun(kept, { ...this.#options, listener: listener(run) }))
      .then(async (isDone) => {
        const settled = isDone ? await keptRuns.get(run) : null
        if (settled !== null) await this.#report(settled, true)
      })
      .catch((error: unknown) => problem(`The lost run ${run} cannot be settled: ${messageOf(error)}`))
      .finally(() => this.#recovering.delete(run))
    this.#recovering.set(run, recovered)
  }
}
