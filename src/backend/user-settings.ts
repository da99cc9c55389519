import { join } from 'node:path'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { Handlers } from '#contract/methods.ts'
import {
  History,
  isSameView,
  maxViews,
  noSettings,
  type SavedView,
  type settingsMethods,
  type SettingsState
} from '#contract/settings.ts'
import { pricesInUse } from './prices.ts'
import { settingsFile, type SettingsContent } from './settings-file.ts'
import { InvalidState, listOf, StateFile } from './state-file.ts'

const maxQueries = 50
const maxCommands = 20

export interface UserSettingsOptions {
  readonly onChange: (state: SettingsState) => void
  /** See `StateFileOptions`. */
  readonly problem: (message: string) => void
  /** The price file that Playhead comes with; null: none. */
  readonly shippedPrices?: string | null
}

/** Saved views and keys in `settings.json`, which people may edit, and the history beside it, in the state folder. */
export class UserSettings {
  readonly #settings: StateFile<SettingsContent>
  readonly #history: StateFile<History>
  readonly #onChange: (state: SettingsState) => void
  readonly #state: string
  readonly #shippedPrices: string | null

  constructor(state: string, { onChange, problem, shippedPrices = null }: UserSettingsOptions) {
    const { queries, commands } = History.shape
    this.#settings = settingsFile(state)
    this.#history = new StateFile(join(state, 'history.json'), {
      members: { queries: listOf(queries.element), commands: listOf(commands.element) },
      instead: 'the history is empty',
      problem
    })
    this.#onChange = onChange
    this.#state = state
    this.#shippedPrices = shippedPrices
  }

  readonly handlers: Pick<Handlers, keyof typeof settingsMethods> = {
    'settings.get': async () => await this.#now(),
    'settings.changeViews': async ({ remove, add }) => {
      const isRemoved = (view: SavedView): boolean => remove.some((other) => isSameView(view, other))
      await this.#changeSettings((settings) => {
        const views = settings.views.filter((view) => !isRemoved(view))
        for (const view of add) {
          const at = views.findIndex((known) => isSameView(known, view))
          if (at < 0) views.push(view)
          else views[at] = { ...views[at], ...view }
        }
        if (views.length > maxViews)
          throw new HostError('bad-params', `At most ${maxViews} views can be saved. Remove some.`)
        return { ...settings, views }
      })
      return await this.#changed()
    },
    'settings.remember': async ({ query, command }) => {
      await this.#history.change(({ queries, commands }) => ({
        queries: query === undefined ? queries : latestFirst(query, queries, maxQueries),
        commands: command === undefined ? commands : latestFirst(command, commands, maxCommands)
      }))
      await this.#changed()
      return {}
    }
  }

  async #changeSettings(change: (settings: SettingsContent) => SettingsContent): Promise<void> {
    try {
      await this.#settings.change(change)
    } catch (error) {
      if (error instanceof InvalidState) throw new HostError('unavailable', this.#problemOf(error))
      throw error
    }
  }

  async #changed(): Promise<SettingsState> {
    const state = await this.#now()
    this.#onChange(state)
    return state
  }

  async #now(): Promise<SettingsState> {
    const { queries, commands } = await this.#history.read().catch(() => noSettings.history)
    const history = { queries, commands }
    const file = this.#settings.path
    const prices = await pricesInUse({ given: null, state: this.#state, shipped: this.#shippedPrices })
    try {
      const { views, keys, prices: path } = await this.#settings.readValid()
      const settings = { views, keys, ...(path !== undefined && { prices: path }) }
      return { file, settings, history, problem: null, prices }
    } catch (error) {
      return { ...noSettings, file, history, problem: this.#problemOf(error), prices }
    }
  }

  #problemOf(error: unknown): string {
    const file = this.#settings.path
    if (error instanceof InvalidState) return `${file} is not used until it is corrected. ${error.message}.`
    return `${file} cannot be read: ${messageOf(error)}.`
  }
}

function latestFirst(one: string, others: readonly string[], most: number): string[] {
  return [one, ...others.filter((other) => other !== one)].slice(0, most)
}
