import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { agentPrograms } from './agent-programs.ts'
import { endLeftovers } from './end-leftovers.ts'
import { isAbandoned, isAlive, lostMessage, type KeptRun } from './kept-runs.ts'
import type { FeedOutcome } from './feed-messages.ts'
import { RunFeed, type FeedListener } from './run-feed.ts'
import { finalOutcome } from './run-outcome.ts'
import { saysDiskFull } from './last-words.ts'
import type { DiskEvidence } from './feed-messages.ts'
import { RunDisks } from './run-disks.ts'
import { ProcessMark, readManifest, type RunManifest, writeManifest } from './run-manifest.ts'

/** A lock that is empty for longer was left by a host that died while it made it, in ms. */
const writingMs = 10_000

export interface RecoveryOptions {
  readonly createWorker: CreateWorker
  /** The database of tasks; null: there is none. */
  readonly tasks: string | null
  /** This host. */
  readonly owner: ProcessMark
  readonly now: () => number
  readonly listener: FeedListener
}

/**
 * Brings a run to an end whose Playhead died: what is left of its processes is ended, its stream is written to the end, and its manifest
 * says what is known. The recording is not touched. Of several hosts one does it. False: another one does, or has.
 */
export async function recoverRun({ files }: KeptRun, options: RecoveryOptions): Promise<boolean> {
  const lock = join(files.folder, 'recovery.lock')
  if (!(await takeLock(lock, options.owner))) return false
  try {
    const manifest = await readManifest(files.manifest)
    if (manifest.endedAt !== null || !(await isAbandoned(manifest, files))) return false
    // Room for what is written now, also on a disk that is full.
    await rm(files.reserve, { force: true })
    await endLeftovers(manifest.run, manifest.process?.pid ?? 0, manifest.process?.startTime ?? 'never')
    const endedAt = (await lastWriting([manifest.recording, files.stderr])) ?? options.now()
    await writeManifest(files.manifest, { ...manifest, ...(await lastFacts(manifest, files.folder, options)), endedAt })
    return true
  } finally {
    await rm(lock, { force: true })
  }
}

async function lastFacts(
  { run, agent, recording, format, timeLimitMs }: RunManifest,
  folder: string,
  { createWorker, tasks, listener }: RecoveryOptions
): Promise<Partial<RunManifest>> {
  const logs = agentPrograms[agent].logs(process.env)
  const feed = new RunFeed(
    createWorker,
    { run, folder, recording, format, timeLimitMs, logs, tasks, shrinks: true },
    listener
  )
  const outcome: FeedOutcome = {
    finishReason: 'error',
    lastTurnDecides: true,
    exitCode: null,
    signal: null,
    message: lostMessage,
    lastWords: '',
    disk: await evidenceNow(recording, folder)
  }
  const facts = await feed.end(outcome)
  const { sessionId, stdoutBytes, stderrBytes, tokens, todo, denied } = facts
  const told = { sessionId, stdoutBytes, stderrBytes, tokens, todo, denied }
  // Whoever measured how long it took is gone.
  return { state: 'lost', ...finalOutcome(outcome, facts), ...told, elapsedMs: null }
}

/** As far as it can be told now that the run is over. */
async function evidenceNow(recording: string, folder: string): Promise<DiskEvidence> {
  const disks = new RunDisks({ recording, folder, low: () => {}, stop: () => {} })
  await disks.watch()
  return { ...(await disks.end()), saidFull: await saysDiskFull(join(folder, 'stderr.txt')) }
}

async function takeLock(lock: string, owner: ProcessMark): Promise<boolean> {
  for (let tries = 0; tries < 2; tries++) {
    try {
      await writeFile(lock, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
      return true
    } catch {
      if (await isHeld(lock)) return false
      await rm(lock, { force: true })
    }
  }
  return false
}

/** Whether who made it is alive. For a moment after it was made it does not say who that is. */
async function isHeld(lock: string): Promise<boolean> {
  try {
    return isAlive(ProcessMark.parse(JSON.parse(await readFile(lock, 'utf8'))))
  } catch {
    const facts = await stat(lock).catch(() => null)
    return facts !== null && Date.now() - facts.mtimeMs < writingMs
  }
}

/** When the last of these files was written to, ms since the epoch; null: none is there. */
async function lastWriting(files: readonly string[]): Promise<number | null> {
  const times = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.mtimeMs ?? -Infinity))
  const last = Math.max(...times)
  return Number.isFinite(last) ? Math.round(last) : null
}
