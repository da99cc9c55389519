import type { DescriptorPool } from './descriptor-pool.ts'
import { LogFile } from './log-file.ts'
import type { LogSource } from './log-source.ts'
import { UnpackedLog } from './unpacked-log.ts'
import { isZstd } from './zstd-frames.ts'

/** Opens a plain or compressed log; `pool` as in `LogFile.open`. Throws a `HostError` with advice. */
export async function openLog(path: string, pool?: DescriptorPool): Promise<LogSource> {
  const file = await LogFile.open(path, pool)
  try {
    return isZstd(await file.read(0, 4)) ? new UnpackedLog(file) : file
  } catch (error) {
    await file.close()
    throw error
  }
}
