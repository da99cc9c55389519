import { useEffect } from 'react'
import { canRun, commandOf, runCommand } from './commands.ts'
import type { AppState } from './stores/app-state.ts'
import { useAppStore } from './stores/app-store.ts'
import { isCharacterKey } from './ui/shown-keys.ts'

/** The keys of commands, except in dialogs; single ones also not in text fields and parts with own keys. */
export function useKeys(): void {
  const store = useAppStore()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      const app = store.getState()
      if (isTaken(event) || app.dialog !== 'none') return
      if (act(app, event)) event.preventDefault()
    }
    // Before dialogs and fields: the browser has its own meaning for these keys.
    function onChord(event: KeyboardEvent): void {
      const app = store.getState()
      const isChord = event.ctrlKey || event.metaKey || event.altKey
      const command = isChord ? commandOf(event, app.settings.getState().keys) : undefined
      if (command === undefined || !canRun(app, command)) return
      // The app has a menu with this key.
      if (command === 'open' && app.capabilities?.openDialog === true) return
      event.preventDefault()
      const inDialog = document.querySelector('dialog[open]') !== null
      if (!inDialog || (app.dialog === 'palette' && command === 'palette')) runCommand(app, command)
    }
    // A person may have edited the settings.
    const onFocus = () => void store.getState().settings.getState().load()
    window.addEventListener('focus', onFocus)
    window.addEventListener('keydown', onKeyDown)
    window.addEventListener('keydown', onChord, true)
    const stopHearing = store.getState().host.on('host.command', ({ command }) => {
      // A command of a menu ends a dialog.
      store.getState().setDialog('none')
      runCommand(store.getState(), command)
    })
    return () => {
      window.removeEventListener('focus', onFocus)
      window.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('keydown', onChord, true)
      stopHearing()
    }
  }, [store])
}

/** Handles a key; false if it has no meaning here. */
function act(app: AppState, event: KeyboardEvent): boolean {
  const command = commandOf(event, app.settings.getState().keys)
  if (command !== undefined) {
    return (app.layout.getState().singleKeys || !isCharacterKey(event.key)) && runCommand(app, command)
  }
  const log = app.active === null ? undefined : app.logStores.get(app.active)?.getState()
  if (log === undefined || event.key !== 'Escape') return false
  if (log.stepNote?.searching === true) log.stepping.stop()
  else if (log.find.searching) log.finding.stop()
  else if (log.find.text !== '') log.finding.end()
  else return log.ranging.widen()
  return true
}

/** Whether the focused part uses the key itself: a text field, a button for Space, tabs for arrows. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('dialog, [role="dialog"], [role="menu"]') !== null || isField(event)) return true
  if (event.key === ' ') return target.closest('button, a, summary, [role="button"], [role="tab"]') !== null
  const arrowsOf = target.closest('[role="tablist"], [role="radiogroup"], [role="listbox"]')
  return arrowsOf !== null && /^(Arrow|Home$|End$)/.test(event.key)
}

/** Whether the focus is in a text field. */
export function isField({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  )
}

export function focusTimeline(): void {
  document.querySelector<HTMLElement>('[role="grid"]')?.focus()
}
