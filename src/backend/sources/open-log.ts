import type { FewDescriptors } from './few-descriptors.ts'
import { LogFile } from './log-file.ts'
import type { LogSource } from './log-source.ts'
import { UnpackedLog } from './unpacked-log.ts'
import { isZstd } from './zstd-frames.ts'

/** Opens a log, plain or compressed; `few` as in `LogFile.open`. Throws a `HostError` that says what is wrong with `path` and what to do next. */
export async function openLog(path: string, few?: FewDescriptors): Promise<LogSource> {
  const file = await LogFile.open(path, few)
  try {
    return isZstd(await file.read(0, 4)) ? new UnpackedLog(file) : file
  } catch (error) {
    await file.close()
    throw error
  }
}
