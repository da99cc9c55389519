import { existsSync, mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemCode } from './write-failure.ts'

const ownerOnly = 0o700

/** Makes a folder, for its person only, with those above it, where it is not there. Rejects with what the system says. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: ownerOnly })
  } catch (error) {
    throw systemReason(path, error)
  }
}

/** As `makeFolder`, before it returns. */
export function makeFolderNow(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: ownerOnly })
  } catch (error) {
    throw systemReason(path, error)
  }
}

/** On a disk that is read-only Node calls the folder above missing, though it is there (ENOENT): so the system is asked for the first one that is not. */
function systemReason(path: string, error: unknown): unknown {
  if (systemCode(error) !== 'ENOENT') return error
  let missing = resolve(path)
  while (dirname(missing) !== missing && !existsSync(dirname(missing))) missing = dirname(missing)
  try {
    mkdirSync(missing, { mode: ownerOnly })
  } catch (real) {
    if (systemCode(real) !== 'EEXIST') return real
  }
  return error
}
