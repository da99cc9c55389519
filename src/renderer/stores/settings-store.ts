import { createStore, type StoreApi } from 'zustand'
import { messageOf } from '#contract/host-error.ts'
import type { CommandId } from '#contract/commands.ts'
import { bindKeys, type KeyBindings } from '#contract/key-bindings.ts'
import type { Host } from '#contract/methods.ts'
import { noSettings, type SavedView, type SettingsState, viewsIn } from '#contract/settings.ts'

export interface SettingsValues extends SettingsState {
  readonly keys: KeyBindings
  /** Why the last change was not saved; null: it was. */
  readonly fault: string | null
}

export interface UserSettings extends SettingsValues {
  /** Reads the settings again: a person may have edited the file. */
  load(): Promise<void>
  /** Resolves to false, with a `fault`, if it could not be saved. */
  changeViews(change: {
    remove?: readonly Pick<SavedView, 'name' | 'of'>[]
    add?: readonly SavedView[]
  }): Promise<boolean>
  /** Adds the views of an exported file. Resolves to a sentence about the result. */
  importViews(text: string): Promise<string>
  /** Puts a query or a command at the top of the history. */
  remember(used: { query: string } | { command: CommandId }): void
}

export type SettingsStore = StoreApi<UserSettings>

/** Saved views, keys and what was used before: kept by the host, the same for all its pages. */
export function createSettingsStore(host: Host): SettingsStore {
  return createStore<UserSettings>((set, get) => {
    host.on('settings.changed', apply)

    function apply(state: SettingsState): void {
      const isSame = JSON.stringify(state.settings.keys) === JSON.stringify(get().settings.keys)
      set({ ...state, ...(!isSame && { keys: bindKeys(state.settings.keys) }) })
    }

    return {
      ...noSettings,
      keys: bindKeys({}),
      fault: null,

      async load() {
        await host.call('settings.get', {}).then(apply, () => {})
      },

      async changeViews({ remove = [], add = [] }) {
        try {
          apply(await host.call('settings.changeViews', { remove: [...remove], add: [...add] }))
          set({ fault: null })
          return true
        } catch (error) {
          set({ fault: messageOf(error) })
          return false
        }
      },

      async importViews(text) {
        const views = viewsIn(text)
        if (views === null) return 'This file has no views. Choose one that "Export views" has written.'
        const isSaved = await get().changeViews({ add: views })
        return isSaved ? `${views.length === 1 ? '1 view' : `${views.length} views`} imported.` : (get().fault ?? '')
      },

      remember(used) {
        const { queries, commands } = get().history
        const history =
          'query' in used
            ? { commands, queries: [used.query, ...queries.filter((query) => query !== used.query)] }
            : { queries, commands: [used.command, ...commands.filter((command) => command !== used.command)] }
        set({ history })
        // Without a file it lasts as long as the page.
        if (get().file !== null) void host.call('settings.remember', used).catch(() => {})
      }
    }
  })
}
