import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DescriptorPool } from '../sources/descriptor-pool.ts'
import { openLog } from '../sources/open-log.ts'
import { RunFinder } from '../sources/run-finder.ts'

/** The missing `paths` that may be session files by name. Throws a `HostError` if the log is unreadable. */
export async function missingFilesOf(log: string, paths: readonly string[]): Promise<string[]> {
  const main = await openLog(log)
  try {
    const finder = new RunFinder(main, { format: null, single: false }, new DescriptorPool())
    await finder.find()
    const wanted = await finder.wantedOf(paths)
    return wanted.filter((path) => !existsSync(join(dirname(main.path), path)))
  } finally {
    await main.close()
  }
}
