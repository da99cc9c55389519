import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { withHome } from '#core/library/home-path.ts'
import { PriceTable } from '#core/requests/prices.ts'
import { messageOf } from '#contract/host-error.ts'
import { settingsFile } from './settings-file.ts'

/** Larger files are not price files. */
const maxBytes = 1 << 20

/** Where prices may be. */
export interface PricesPlace {
  /** A file that a person named for now; null: none. */
  readonly given: string | null
  /** The state folder with `settings.json`, which may name a file; null: none. */
  readonly state: string | null
  /** The file that Playhead comes with; null: none. */
  readonly shipped: string | null
}

export interface PricesInUse {
  /** Null: no prices, so no cost is estimated. */
  readonly table: PriceTable | null
  /** Why a named file is not used, a sentence; null: none is named, or it is used. */
  readonly problem: string | null
}

/** The shipped price file below the folder of package.json. */
export function shippedPrices(root: string): string {
  return join(root, 'resources', 'prices.json')
}

/** The prices of the given file, else of the one in the settings, else those that Playhead comes with. */
export async function pricesInUse({ given, state, shipped }: PricesPlace): Promise<PricesInUse> {
  const path = given ?? (state === null ? null : await pathInSettings(state)) ?? shipped
  if (path === null) return { table: null, problem: null }
  try {
    return { table: await readPrices(path), problem: null }
  } catch (error) {
    // Other prices are not used instead: a person chose these.
    return { table: null, problem: `The prices of ${path} are not used. ${messageOf(error)}` }
  }
}

/** A path in the settings is relative to their folder. */
async function pathInSettings(state: string): Promise<string | null> {
  const file = settingsFile(state)
  const { prices } = await file.read().catch(() => ({ prices: undefined }))
  return prices === undefined ? null : resolve(dirname(file.path), withHome(prices, homedir()))
}

/** Rejects with a sentence. */
async function readPrices(path: string): Promise<PriceTable> {
  const file = await open(path).catch(() => {
    throw new Error('The file does not exist or cannot be read.')
  })
  try {
    const { size } = await file.stat()
    if (size > maxBytes) throw new Error('The file is larger than 1 MB.')
    return parsed(await file.readFile('utf8'))
  } finally {
    await file.close()
  }
}

function parsed(text: string): PriceTable {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('It is not JSON.')
  }
  const prices = PriceTable.safeParse(value)
  if (prices.success) return prices.data
  const [issue] = prices.error.issues
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
  throw new Error(`${place}${issue?.message ?? 'invalid'}.`)
}
