import { useContext, useSyncExternalStore } from 'react'
import { noSettings, type SettingsState } from '#contract/settings.ts'
import { AppStoreContext } from './app-store.ts'

const neverChanges = () => () => {}

/** What costs are estimated with. */
export function usePrices(): SettingsState['prices'] {
  const settings = useContext(AppStoreContext)?.getState().settings
  return useSyncExternalStore(
    settings?.subscribe ?? neverChanges,
    () => settings?.getState().prices ?? noSettings.prices
  )
}
