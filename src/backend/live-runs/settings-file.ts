import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { withoutSecrets } from './command-line.ts'

/** One argument of a program has at most 128 KB on Linux. */
const mostBytes = 64 << 10

/** The text of a settings file of an agent that starts in `cwd`, or why it is not put on a command line. */
export function settingsFile(cwd: string, path: string): { readonly text: string } | { readonly why: string } {
  const bytes = head(resolve(cwd, path))
  if (bytes === null) return { why: 'The file of --settings cannot be read.' }
  if (bytes.length > mostBytes) return { why: 'The file of --settings is too long.' }
  const text = bytes.toString('utf8')
  return withoutSecrets([text])[0] === text ? { text } : { why: 'The file of --settings has secrets.' }
}

/** The first bytes, one more than are used; null: no file that can be read. A pipe is not waited for. */
function head(path: string): Buffer | null {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      if (!fstatSync(file).isFile()) return null
      const bytes = Buffer.alloc(mostBytes + 1)
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
