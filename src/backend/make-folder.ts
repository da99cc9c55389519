import { existsSync, mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemCode } from './write-failure.ts'

const ownerOnly = 0o700

/** Creates a folder and its parents, for this user only. Rejects with the system's error. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: ownerOnly })
  } catch (error) {
    throw systemReason(path, error)
  }
}

export function makeFolderNow(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: ownerOnly })
  } catch (error) {
    throw systemReason(path, error)
  }
}

/** On a read-only disk, Node's recursive mkdir reports ENOENT. Creating the first missing folder gives the real error. */
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
