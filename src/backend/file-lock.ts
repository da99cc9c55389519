import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Locks are held for a few milliseconds; an older one belongs to a process that died. */
const abandonedMs = 5000
const retryMs = 15

/** Runs `work` with a lock between processes, or without one where none can be created (read-only folder). */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  const handle = await lockWith(lock)
  try {
    return await work()
  } finally {
    await handle?.close().catch(() => {})
    if (handle !== null) await rm(lock, { force: true }).catch(() => {})
  }
}

/** Null: no lock can be created. */
async function lockWith(lock: string): Promise<FileHandle | null> {
  const folder = dirname(lock)
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  for (;;) {
    try {
      return await open(lock, 'wx', 0o600)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return null
    }
    if (!(await isAbandoned(lock))) await new Promise((resume) => setTimeout(resume, retryMs))
    else if (!(await breakLock(lock))) return null
  }
}

async function isAbandoned(lock: string): Promise<boolean> {
  return await stat(lock).then(
    // Also after the clock was set back.
    ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs) > abandonedMs,
    () => false
  )
}

/** False if it cannot be renamed. Several processes never rename the same file; a new lock is put back. */
async function breakLock(lock: string): Promise<boolean> {
  const taken = `${lock}.${process.pid}-${Math.random().toString(36).slice(2, 8)}`
  try {
    await rename(lock, taken)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
  if (await isAbandoned(taken)) await rm(taken, { force: true }).catch(() => {})
  else await rename(taken, lock).catch(() => {})
  return true
}
