import type { AppState } from '../../stores/app-state.ts'
import type { LibraryState } from '../../stores/library-store.ts'
import { openHere } from './open-session.ts'

/** Handles a key of the library, wherever the focus is; false if it has no meaning there. */
export function onLibraryKey(event: KeyboardEvent, app: AppState, library: LibraryState): boolean {
  if (event.ctrlKey || event.metaKey) return false
  const { key, altKey, shiftKey } = event
  if (altKey) {
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
    library.selection.moveByGroup(key === 'ArrowUp' ? -1 : 1)
    return true
  }
  switch (key) {
    case 'ArrowUp':
    case 'ArrowDown':
      library.selection.move(key === 'ArrowUp' ? -1 : 1, shiftKey)
      return true
    case 'PageUp':
    case 'PageDown':
      library.selection.moveByPage(key === 'PageUp' ? -1 : 1)
      return true
    case 'Home':
    case 'End':
      library.selection.moveToEnd(key === 'Home' ? 'first' : 'last')
      return true
    case 'ArrowLeft':
      library.selection.closeGroup()
      return true
    case 'ArrowRight':
      return library.selection.openInList()
    case 'Enter':
      void openHere(app, library)
      return true
    case ' ':
      app.layout.getState().togglePreview()
      return true
    case 'Escape':
      if (library.chosen.size > 0) library.selection.clear()
      else if (library.choice.text !== '') library.endSearch()
      else return false
      return true
    default:
      return false
  }
}
