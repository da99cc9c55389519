import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

/** Drafts beside their targets, `.run.html.HOST-PID-1f2e3d4c.playhead`. The next export removes those of dead processes. */

/** Drafts of this process. */
const ours = new Set<string>()

/** Names are limited to 255 bytes; a character takes at most three. */
const maxName = 60
const draftName = /^\..*\.([\w-]+)-(\d+)-[0-9a-f]{8}\.playhead$/s

/** Process ids of another machine that shares the folder mean nothing here. */
const host = hostname().replace(/[^\w]/g, '').slice(0, 40) || 'host'

/** A name for a draft of `target`. It is removed when the process ends, except by SIGKILL, unless `forgetDraft` is called. */
export function draftOf(target: string): string {
  const name = `.${basename(target).slice(0, maxName)}.${host}-${process.pid}-${randomBytes(4).toString('hex')}.playhead`
  const draft = join(dirname(target), name)
  if (ours.size === 0) listen()
  ours.add(draft)
  return draft
}

/** The draft was renamed or removed. */
export function forgetDraft(draft: string): void {
  ours.delete(draft)
  if (ours.size === 0) unlisten()
}

/** Removes drafts of dead processes of this machine and user. */
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
    // It is alive, and belongs to another user.
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
      // The folder is gone or read-only.
    }
  }
}

/** Ends the process by the signal, as without a listener. */
function onSignal(signal: NodeJS.Signals): void {
  removeOurs()
  unlisten()
  process.kill(process.pid, signal)
}
