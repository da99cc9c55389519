import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { DataSet } from './data-set.ts'
import type { WriteExport } from './export-request.ts'
import { ZipArchive } from './zip-archive.ts'

/** The tables of one session as a zip archive, for who saves a single file. */
export const writeTables: WriteExport = async (output, request) => {
  const folder = await mkdtemp(join(tmpdir(), 'playhead-tables-'))
  try {
    const set = await DataSet.open(folder, { texts: true })
    const log = await set.add(request)
    if (log === null) throw new TypeError('an empty data set has no session')
    const archive = new ZipArchive(output)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    for (const file of files.sort())
      await archive.add(relative(folder, file).replaceAll(sep, '/'), createReadStream(file))
    await archive.end()
    return { ...log, what: 'tables' }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
