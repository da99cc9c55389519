import type { PriceTable } from '#core/requests/prices.ts'
import { compareMethods } from './compare.ts'
import { exportMethods } from './exports.ts'
import { libraryMethods } from './library.ts'
import { liveRunMethods } from './live-runs.ts'
import { HostError } from './host-error.ts'
import type { Handlers } from './methods.ts'
import { noSettings, type settingsMethods } from './settings.ts'
import { taskMethods } from './tasks.ts'

/** The methods about runs and tasks, which only a host with a state folder has. */
type RunMethod = keyof typeof liveRunMethods | keyof typeof taskMethods

const runNames = [...Object.keys(liveRunMethods), ...Object.keys(taskMethods)] as RunMethod[]
const exportNames = Object.keys(exportMethods) as (keyof typeof exportMethods)[]
const compareNames = Object.keys(compareMethods) as (keyof typeof compareMethods)[]
const libraryNames = Object.keys(libraryMethods) as (keyof typeof libraryMethods)[]

/** The answers of a host without agents and tasks. `reason`: for the user, with what to do instead. */
export function withoutRuns(reason: string): Pick<Handlers, RunMethod> {
  return refused(runNames, reason)
}

/** The answers of a host without a library. */
export function withoutLibrary(reason: string): Pick<Handlers, keyof typeof libraryMethods> {
  return refused(libraryNames, reason)
}

/** The answers of a host without exports. */
export function withoutExports(reason: string): Pick<Handlers, keyof typeof exportMethods> {
  return refused(exportNames, reason)
}

/** The answers of a host with one log. */
export function withoutComparing(reason: string): Pick<Handlers, keyof typeof compareMethods> {
  return refused(compareNames, reason)
}

/** The answers of a host that keeps no settings. `prices`: to estimate costs with; null: none. */
export function withoutSettings(
  reason: string,
  prices: PriceTable | null = null
): Pick<Handlers, keyof typeof settingsMethods> {
  return {
    ...refused(['settings.changeViews', 'settings.remember'], reason),
    'settings.get': async () => ({ ...noSettings, prices: { table: prices, problem: null } })
  }
}

function refused<M extends keyof Handlers>(names: readonly M[], reason: string): Pick<Handlers, M> {
  const refuse = async (): Promise<never> => {
    throw new HostError('unavailable', reason)
  }
  return Object.fromEntries(names.map((name) => [name, refuse])) as unknown as Pick<Handlers, M>
}
