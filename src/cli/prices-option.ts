import { resolve } from 'node:path'
import type { PriceTable } from '#core/requests/prices.ts'
import { type PricesPlace, pricesInUse, shippedPrices } from '#backend/prices.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'

export const pricesOptions = { prices: { type: 'string' } } as const

/** For `--help`. */
export const pricesDetails = '--prices FILE   Estimate costs with the prices in FILE (docs/costs.md).'

type Flags = { readonly prices?: string | undefined }

export function pricesPlace({ prices }: Flags, { root, variables, platform }: Environment): PricesPlace {
  if (prices === '') throw new UsageError('--prices needs a file')
  const given = prices === undefined ? null : resolve(prices)
  return { given, state: stateFolder(variables, platform), shipped: shippedPrices(root) }
}

/** Null: no prices. A file of the settings that is not valid is reported; one of the command line ends the command. */
export async function pricesOf(values: Flags, environment: Environment): Promise<PriceTable | null> {
  const { table, problem } = await pricesInUse(pricesPlace(values, environment))
  if (problem !== null && values.prices !== undefined) throw new UsageError(problem)
  if (problem !== null) say(environment, problem)
  return table
}
