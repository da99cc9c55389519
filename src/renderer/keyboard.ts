import { useEffect } from 'react'
import { commandOf } from './commands.ts'
import { useAppStore, type AppState } from './stores/app-store.ts'

/** The keys that work wherever the focus is, but in a field that takes text, a dialog, or a part with keys of its own. */
export function useKeys(): void {
  const store = useAppStore()
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTaken(event) || store.getState().dialog !== 'none') return
      if (act(store.getState(), event)) event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [store])
}

/** Does what the key means; false if it means nothing here. */
function act(app: AppState, event: KeyboardEvent): boolean {
  const { key } = event
  const log = app.active === null ? undefined : app.logStores.get(app.active)?.getState()
  const layout = app.layout.getState()
  const command = commandOf(event)
  if (key === '?') app.setDialog('keys')
  else if (log === undefined) return false
  else if (key === 'g') app.setDialog('go-to')
  else if (key === 'F') app.setDialog('filter')
  else if (key === 'w') layout.setWide(!layout.wide)
  else if (key === 'v') layout.setView(layout.view === 'todos' ? 'timeline' : 'todos')
  else if (key === 'I') layout.setIssuesOpen(!layout.issuesOpen)
  else if (key === '/') document.querySelector<HTMLInputElement>('input[type="search"]')?.select()
  else if (key === 'Escape' && log.stepNote?.searching === true) log.stopStepping()
  else if (key === 'Escape' && log.find.searching) log.stopFind()
  else if (key === 'Escape' && log.find.text !== '') log.endFind()
  else if (command === undefined || command.isEnabled?.(app, log) === false) return false
  // What is known of the log when its rows are here counts, not what is now.
  else log.whenLoaded(() => command.run(app.logStores.get(log.id)?.getState() ?? log))
  return true
}

/** The focused part takes the key itself: text goes into a field, Space presses a button, a tab list has its arrows. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('dialog, [role="dialog"]') !== null) return true
  if (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  ) {
    return true
  }
  if (event.key === ' ') return target.closest('button, a, summary, [role="button"], [role="tab"]') !== null
  const arrowsOf = target.closest('[role="tablist"], [role="radiogroup"], [role="listbox"], [role="menu"]')
  return arrowsOf !== null && /^(Arrow|Home$|End$)/.test(event.key)
}
