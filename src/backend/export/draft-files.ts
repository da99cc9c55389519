import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

/**
 * Drafts of files that are written: `.run.html.HOST-PID-1f2e3d4c.playhead`, beside what they become. Those of a process that was killed are
 * known by that name, and removed by whoever writes into that folder next.
 */

/** Drafts of this process that are still written. */
const ours = new Set<string>()

/** Names may have 255 bytes; a character takes at most three. */
const maxName = 60
const draftName = /^\..*\.([\w-]+)-(\d+)-[0-9a-f]{8}\.playhead$/s

/** Another machine may share the folder, and its process ids say nothing here. */
const host = hostname().replace(/[^\w]/g, '').slice(0, 40) || 'host'

/** A name for a draft of `target`. The draft goes with the process, in whatever way that ends but SIGKILL, unless `forgetDraft` was told. */
export function draftOf(target: string): string {
  const name = `.${basename(target).slice(0, maxName)}.${host}-${process.pid}-${randomBytes(4).toString('hex')}.playhead`
  const draft = join(dirname(target), name)
  if (ours.size === 0) listen()
  ours.add(draft)
  return draft
}

/** The draft is gone: it was renamed or removed. */
export function forgetDraft(draft: string): void {
  ours.delete(draft)
  if (ours.size === 0) unlisten()
}

/** Removes from a folder what exports left there that were killed. Never a file of a process that runs, of another machine or user. */
export async function removeDeadDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, by, pid] = draftName.exec(name) ?? []
    const draft = join(folder, name)
    if (by !== host || ours.has(draft) || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue
    const stats = await lstat(draft).catch(() => null)
    if (stats?.isFile() !== true || stats.uid !== (process.getuid?.() ?? stats.uid)) continue
    await rm(draft, { force: true }).catch(() => {})
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, and is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function listen(): void {
  process.on('exit', removeOurs)
  for (const signal of signals) process.on(signal, onSignal)
}

function unlisten(): void {
  process.off('exit', removeOurs)
  for (const signal of signals) process.off(signal, onSignal)
}

function removeOurs(): void {
  for (const draft of ours) {
    try {
      rmSync(draft, { force: true })
    } catch {
      // The folder is gone, or may not be written to any more.
    }
  }
}

/** The process ends by the signal, as it would have without anybody listening. */
function onSignal(signal: NodeJS.Signals): void {
  removeOurs()
  unlisten()
  process.kill(process.pid, signal)
}
