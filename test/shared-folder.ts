import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * `../shared`, beside the checkout: real logs (`corpus`, `corpus-next`) and the specifications that Playhead started from (`seeds`). None of
 * them is ours to publish, so every test does without. All that reads them asks here, and `test/corpus-tests.js` finds those tests by that.
 */
const shared = new URL('../../shared/', import.meta.url)

/** The path of a folder of `../shared`, with a `/` at its end; null where it is absent. `PLAYHEAD_CORPUS=off`: as if all were absent. */
export function sharedFolder(name: string): string | null {
  const folder = fileURLToPath(new URL(`${name}/`, shared))
  return process.env['PLAYHEAD_CORPUS'] !== 'off' && existsSync(folder) ? folder : null
}
