import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { logsFolder } from './live-notes.ts'
import { isAbandoned, isAlive, type KeptRun, lostDialogue, lostMessage } from './kept-runs.ts'
import type { DiskEvidence, FeedOutcome } from './feed-messages.ts'
import { type FeedListener, RunFeed } from './run-feed.ts'
import { toolLimitOf } from './own-run.ts'
import { printedOf } from './recording-of.ts'
import { finalOutcome } from './run-outcome.ts'
import { diskFullWords, stderrSays } from './stderr-tail.ts'
import { RunDisks } from './run-disks.ts'
import { ProcessIdentity, readManifest, type RunManifest, writeManifest } from './run-manifest.ts'
import { endProcesses } from './end-processes.ts'
import { processRow } from './process-table.ts'
import { processStart } from './process-start.ts'
import { RunProcesses } from './run-processes.ts'

/** An empty lock that is older was left by a host that died while creating it. */
const writingMs = 10_000

export interface RecoveryOptions {
  readonly createWorker: CreateWorker
  /** The task database; null: none. */
  readonly tasks: string | null
  /** This host. */
  readonly owner: ProcessIdentity
  readonly now: () => number
  readonly listener: FeedListener
}

/** Settles a run whose Playhead died: ends its processes, completes stream and manifest. False: another host does it. */
export async function recoverRun({ files }: KeptRun, options: RecoveryOptions): Promise<boolean> {
  const lock = join(files.folder, 'recovery.lock')
  if (!(await takeLock(lock, options.owner))) return false
  try {
    const manifest = await readManifest(files.manifest)
    if (manifest.endedAt !== null || !(await isAbandoned(manifest, files))) return false
    // Makes space for the final writes, even on a full disk.
    await rm(files.reserve, { force: true })
    await endLeftovers(manifest.run, manifest.process?.pid ?? 0, manifest.process?.startTime ?? 'never')
    const endedAt = (await lastWriting([printedOf(manifest, files), files.stderr])) ?? options.now()
    await writeManifest(files.manifest, { ...manifest, ...(await lastFacts(manifest, files.folder, options)), endedAt })
    return true
  } finally {
    await rm(lock, { force: true })
  }
}

async function lastFacts(
  manifest: RunManifest,
  folder: string,
  { createWorker, tasks, listener }: RecoveryOptions
): Promise<Partial<RunManifest>> {
  const { run, agent, recording, format, dialogue } = manifest
  const logs = logsFolder(agent, process.env)
  const feed = new RunFeed(
    createWorker,
    {
      ...{ run, folder, recording, format, timeLimitMs: toolLimitOf(manifest) },
      ...{ interactive: dialogue !== null, logs, tasks, shrinks: true, isOver: true }
    },
    listener
  )
  const outcome: FeedOutcome = {
    finishReason: 'error',
    lastTurnDecides: true,
    exitCode: null,
    signal: null,
    message: lostMessage,
    stderrTail: '',
    disk: await evidenceNow(recording, folder)
  }
  const facts = await feed.end(outcome)
  const { sessionId, stdoutBytes, stderrBytes, tokens, todo, denied } = facts
  const reported = { sessionId, stdoutBytes, stderrBytes, tokens, todo, denied }
  // The duration was measured by the dead process.
  const lost = { state: 'lost', dialogue: dialogue && lostDialogue(dialogue) } as const
  return { ...lost, ...finalOutcome(outcome, facts), ...reported, elapsedMs: null }
}

/** The evidence that remains after the run. */
async function evidenceNow(recording: string, folder: string): Promise<DiskEvidence> {
  const disks = new RunDisks({ recording, folder, low: () => {}, stop: () => {} })
  await disks.watch()
  return { ...(await disks.end()), saidFull: await stderrSays(join(folder, 'stderr.txt'), diskFullWords) }
}

async function takeLock(lock: string, owner: ProcessIdentity): Promise<boolean> {
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

/** Whether its owner is alive. A new lock is empty for a moment. */
async function isHeld(lock: string): Promise<boolean> {
  try {
    return isAlive(ProcessIdentity.parse(JSON.parse(await readFile(lock, 'utf8'))))
  } catch {
    const facts = await stat(lock).catch(() => null)
    return facts !== null && Date.now() - facts.mtimeMs < writingMs
  }
}

/** The latest mtime of these files, in ms since the epoch; null: no file exists. */
async function lastWriting(files: readonly string[]): Promise<number | null> {
  const times = await Promise.all(files.map(async (file) => (await stat(file).catch(() => null))?.mtimeMs ?? -Infinity))
  const last = Math.max(...times)
  return Number.isFinite(last) ? Math.round(last) : null
}

const graceMs = 3000

/** Ends the processes of a run whose Playhead and watchdog died. Returns their number; on Windows 0, as ids are reused. */
export async function endLeftovers(run: string, pid: number, startTime: string): Promise<number> {
  const row = processStart(pid) === startTime ? processRow(pid) : null
  return await endProcesses(new RunProcesses(run, row), graceMs)
}
