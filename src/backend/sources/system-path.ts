import { readdir } from 'node:fs/promises'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { HostError } from '#contract/host-error.ts'

/** Node decodes bytes that are not UTF-8 to this, in file names and arguments. */
const replacement = '\ufffd'

/** The path for system calls: resolves U+FFFD, Node's text for invalid bytes in file names. Throws if several names match. */
export async function systemPath(path: string): Promise<string | Buffer> {
  if (!path.includes(replacement) || process.platform === 'win32' || path.includes('\0')) return path
  const [root = '', ...names] = (isAbsolute(path) ? path : resolve(path)).split(sep)
  let found = Buffer.from(root)
  for (const name of names) found = Buffer.concat([found, Buffer.from(sep), await bytesOfName(found, name, path)])
  return found
}

async function bytesOfName(folder: Buffer, name: string, path: string): Promise<Buffer> {
  const exact = Buffer.from(name)
  if (!name.includes(replacement)) return exact
  const at = folder.length === 0 ? sep : folder
  // If the folder cannot be listed, the system call with the path reports the error.
  const all = await readdir(at, { encoding: 'buffer' }).catch(() => [])
  const [first = exact, ...more] = all.filter((entry) => entry.toString() === name)
  if (more.length === 0) return first
  throw new HostError(
    'not-found',
    `${path}: ${more.length + 1} names in ${join(folder.toString(), sep)} are shown as ${name}, because they are not UTF-8; rename the file you mean`
  )
}
