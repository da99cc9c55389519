import { readFileSync } from 'node:fs'

/** A file of /proc as Latin-1. Null: ended, or of another user. Throws if no file can be opened. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM') throw error
    return null
  }
}
