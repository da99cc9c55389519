import { join } from 'node:path'
import { maxViews, SavedView, Settings } from '#contract/settings.ts'
import { StateFile, valueOf } from './state-file.ts'

export interface SettingsContent {
  readonly views: SavedView[]
  readonly keys: Settings['keys']
  readonly prices: Settings['prices']
}

const { keys, prices } = Settings.shape

/** `settings.json` of the state folder. A person edits it, so all of it is used, or nothing; members of newer versions stay. */
export function settingsFile(state: string): StateFile<SettingsContent> {
  return new StateFile(join(state, 'settings.json'), {
    members: {
      views: valueOf(SavedView.loose().array().max(maxViews), []),
      keys: valueOf(keys, {}),
      prices: valueOf(prices, undefined)
    },
    instead: 'there are no saved views and no own keys',
    isEdited: true
  })
}
