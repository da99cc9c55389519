import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** What this thread opens or reads by its path, in `act`. Files of SQLite, which is native code, are not seen. */
export async function openedBy(act: () => Promise<unknown>): Promise<string[]> {
  const opened: string[] = []
  const restore: (() => void)[] = []
  const watch = <T extends object>(owner: T, name: keyof T & string): void => {
    const before = owner[name]
    const watched = (...args: unknown[]): unknown => {
      const [path] = args
      if (typeof path === 'string' || Buffer.isBuffer(path)) opened.push(path.toString())
      return Reflect.apply(before as (...args: unknown[]) => unknown, owner, args)
    }
    Object.assign(owner, { [name]: watched })
    restore.push(() => Object.assign(owner, { [name]: before }))
  }
  for (const name of ['open', 'openSync', 'readFile', 'readFileSync', 'createReadStream'] as const) watch(fs, name)
  for (const name of ['open', 'readFile'] as const) watch(fsPromises, name)
  syncBuiltinESMExports()
  try {
    await act()
  } finally {
    for (const back of restore) back()
    syncBuiltinESMExports()
  }
  return opened
}
