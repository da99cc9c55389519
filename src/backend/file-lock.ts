import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A lock is held for some milliseconds; one that is older was left behind by a program that died. */
const abandonedMs = 5000
const retryMs = 15

/**
 * Does `work` while no other program of Playhead does, as long as they all ask for the lock of the same file: what is read, changed and written
 * meanwhile loses nothing that another one writes. Where there can be no lock, such as in a folder that may not be written, it is done without.
 */
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

/** Null: there can be no lock. */
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
    // A clock that was set back would make one last for long.
    ({ mtimeMs }) => Math.abs(Date.now() - mtimeMs) > abandonedMs,
    () => false
  )
}

/** False where it cannot be taken away. Of several that try, each takes another file or none; one that is in use again is put back. */
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
