import { readdir } from 'node:fs/promises'
import { isAbsolute, join, resolve, sep } from 'node:path'
import { HostError } from '#contract/host-error.ts'

/** What stands in a text for bytes that are not UTF-8: Node reads names, and the words of a command line, so. */
const replacement = '\ufffd'

/**
 * What to hand to the system for `path`. On Linux a name is bytes, and may be no UTF-8; everywhere in Playhead it is the text that Node makes of it, with U+FFFD for
 * what is none. Here, and only here, such a text is led back to the one file whose name reads so: as bytes, which every function of `node:fs` takes. Throws a
 * `HostError` where several names read the same, since nobody can tell which of them is meant.
 */
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
  // A folder that cannot be listed: whoever uses the path is told why.
  const all = await readdir(at, { encoding: 'buffer' }).catch(() => [])
  const [first = exact, ...more] = all.filter((entry) => entry.toString() === name)
  if (more.length === 0) return first
  throw new HostError(
    'not-found',
    `${path}: ${more.length + 1} names in ${join(folder.toString(), sep)} are shown as ${name}, because they are not UTF-8; rename the file you mean`
  )
}
