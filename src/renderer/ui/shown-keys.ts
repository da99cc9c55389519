import { useContext, useSyncExternalStore } from 'react'
import { commands } from '#contract/commands.ts'
import { AppStoreContext } from '../stores/app-store.ts'

/** Command does there what Ctrl does elsewhere; Ctrl moves the caret. */
export const isMac = /^(Mac|iP)/.test(navigator.platform)

/** A key that types something when it is pressed alone: a person may want that it does nothing else (WCAG 2.1.4). */
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

/** A key as people read it. */
export function keyText(key: string): string {
  if (key.startsWith('Mod+')) return `${isMac ? '⌘' : 'Ctrl '}${key.slice('Mod+'.length).toUpperCase()}`
  const [shift, named] = key.startsWith('Shift+') ? ['⇧', key.slice('Shift+'.length)] : ['', key]
  return shift + (keyNames[named] ?? named)
}

const keysOfCommands = new Set(commands.flatMap(({ key, alternative }) => [key, alternative]))

/** Tells whether a key does what is said of it: those of commands that type something may be switched off. Others are of the part that has the focus. */
export function useKeyWorks(): (key: string) => boolean {
  const layout = useContext(AppStoreContext)?.getState().layout
  const singleKeys = useSyncExternalStore(
    layout?.subscribe ?? neverChanges,
    () => layout?.getState().singleKeys ?? true
  )
  return (key) => singleKeys || !isCharacterKey(key) || !keysOfCommands.has(key)
}

const neverChanges = () => () => {}

/** Makes tooltips: what a click does, and which keys do it as well, of those that work. */
export function useTooltip(): (label: string, ...keys: readonly string[]) => string {
  const works = useKeyWorks()
  return (label, ...keys) => {
    const named = keys.filter(works).map(keyText).join(' ')
    return named === '' ? label : `${label}  ${named}`
  }
}
