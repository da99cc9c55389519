import type { DescriptorPool } from './descriptor-pool.ts'
import { sessionIn } from '#core/formats/session-database.ts'
import { isDatabaseStart } from './database-file.ts'
import { LogFile } from './log-file.ts'
import type { LogSource } from './log-source.ts'
import { isZstd } from './zstd-frames.ts'

/** Opens a plain or compressed log, or a session of a database; `pool` as in `LogFile.open`. Throws a `HostError` with advice. */
export async function openLog(path: string, pool?: DescriptorPool): Promise<LogSource> {
  const stored = sessionIn(path) === null ? null : await storedLog(path)
  if (stored !== null) return stored
  const file = await LogFile.open(path, pool)
  try {
    const start = await file.read(0, 16)
    if (isZstd(start)) return new (await import('./unpacked-log.ts')).UnpackedLog(file)
    const only = isDatabaseStart(start) ? await storedLog(path) : null
    if (only === null) return file
    await file.close()
    return only
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Loads what only databases need, such as all formats, which a search for texts does without. */
async function storedLog(path: string): Promise<LogSource | null> {
  return await (await import('./stored-log.ts')).StoredLog.open(path)
}
