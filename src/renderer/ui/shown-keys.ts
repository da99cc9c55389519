import { useContext, useSyncExternalStore } from 'react'
import { type CommandId, commands } from '#contract/commands.ts'
import { AppStoreContext } from '../stores/app-store.ts'

/** macOS uses Command instead of Ctrl, which moves the caret there. */
export const isMac = /^(Mac|iP)/.test(navigator.platform)

/** Single-character shortcuts, which a person can switch off (WCAG 2.1.4). */
export function isCharacterKey(key: string): boolean {
  return key.length === 1
}

const keyNames: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Escape: 'Esc'
}

/** The name of a key. */
export function keyText(key: string): string {
  if (key.startsWith('Mod+')) return `${isMac ? '⌘' : 'Ctrl '}${key.slice('Mod+'.length).toUpperCase()}`
  if (key.startsWith('Alt+')) return `${isMac ? '⌥' : 'Alt '}${key.slice('Alt+'.length).toUpperCase()}`
  const [shift, named] = key.startsWith('Shift+') ? ['⇧', key.slice('Shift+'.length)] : ['', key]
  return shift + (keyNames[named] ?? named)
}

const commandOfKey: ReadonlyMap<string, CommandId> = new Map(
  commands.flatMap(({ id, key, alternative = key }) => [
    [key, id],
    [alternative, id]
  ])
)

/** The keys that work in place of a command's own key: those of the settings, without single characters where they are off. */
export function useWorkingKeys(): (key: string) => readonly string[] {
  const app = useContext(AppStoreContext)?.getState()
  const singleKeys = useSyncExternalStore(
    app?.layout.subscribe ?? neverChanges,
    () => app?.layout.getState().singleKeys ?? true
  )
  const bindings = useSyncExternalStore(app?.settings.subscribe ?? neverChanges, () => app?.settings.getState().keys)
  return (key) => {
    const command = commandOfKey.get(key)
    if (command === undefined) return [key]
    const keys = bindings?.keysOf.get(command) ?? [key]
    return (keys.includes(key) ? [key] : keys).filter((each) => singleKeys || !isCharacterKey(each))
  }
}

const neverChanges = () => () => {}

/** Makes tooltips from a label and the keys that work. `keys`: as in `commands`. */
export function useTooltip(): (label: string, ...keys: readonly string[]) => string {
  const working = useWorkingKeys()
  return (label, ...keys) => {
    const named = keys.flatMap(working).map(keyText).join(' ')
    return named === '' ? label : `${label}  ${named}`
  }
}
