import { readFileSync } from 'node:fs'

/** A file of /proc, a character for each byte. null: its process has ended, or is another person's. Throws where there is no room to open it. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM') throw error
    return null
  }
}
