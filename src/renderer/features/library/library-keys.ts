import type { AppState } from '../../stores/app-state.ts'
import type { LibraryState } from '../../stores/library-state.ts'
import { openHere } from './open-session.ts'

/** Handles a key of the library, wherever the focus is; false if it has no meaning there. */
export function onLibraryKey(event: KeyboardEvent, app: AppState, library: LibraryState): boolean {
  if (event.ctrlKey || event.metaKey) return false
  const { key, altKey, shiftKey } = event
  if (altKey) {
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false
    library.moveByGroup(key === 'ArrowUp' ? -1 : 1)
    return true
  }
  switch (key) {
    case 'ArrowUp':
    case 'ArrowDown':
      library.move(key === 'ArrowUp' ? -1 : 1, shiftKey)
      return true
    case 'PageUp':
    case 'PageDown':
      library.moveByPage(key === 'PageUp' ? -1 : 1)
      return true
    case 'Home':
    case 'End':
      library.moveToEnd(key === 'Home' ? 'first' : 'last')
      return true
    case 'ArrowLeft':
      library.closeGroup()
      return true
    case 'ArrowRight':
      return library.openInList()
    case 'Enter':
      void openHere(app, library)
      return true
    case ' ':
      app.layout.getState().togglePreview()
      return true
    case 'Escape':
      if (library.chosen.size > 0) library.clearChosen()
      else if (library.choice.text !== '') library.endSearch()
      else return false
      return true
    default:
      return false
  }
}
