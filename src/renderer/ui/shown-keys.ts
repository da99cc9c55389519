import { useContext, useSyncExternalStore } from 'react'
import { commands } from '#contract/commands.ts'
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
  const [shift, named] = key.startsWith('Shift+') ? ['⇧', key.slice('Shift+'.length)] : ['', key]
  return shift + (keyNames[named] ?? named)
}

const keysOfCommands = new Set(commands.flatMap(({ key, alternative }) => [key, alternative]))

/** Whether a shortcut works: single-character ones of commands may be off. Others belong to the focused part. */
export function useKeyWorks(): (key: string) => boolean {
  const layout = useContext(AppStoreContext)?.getState().layout
  const singleKeys = useSyncExternalStore(
    layout?.subscribe ?? neverChanges,
    () => layout?.getState().singleKeys ?? true
  )
  return (key) => singleKeys || !isCharacterKey(key) || !keysOfCommands.has(key)
}

const neverChanges = () => () => {}

/** Makes tooltips from a label and those of its keys that work. */
export function useTooltip(): (label: string, ...keys: readonly string[]) => string {
  const works = useKeyWorks()
  return (label, ...keys) => {
    const named = keys.filter(works).map(keyText).join(' ')
    return named === '' ? label : `${label}  ${named}`
  }
}
