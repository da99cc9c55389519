import { codeOfFragment } from '#contract/access.ts'
import type { PlaceKeeper } from '../stores/keeping-place.ts'
import { placeAt, placeText } from '../stores/place.ts'

const keptKey = 'playhead.place'
const askedKey = 'playhead.asked-place'

/** In the desktop app, which has one window: what was shown last is shown by its next start. */
export function appPlace(): PlaceKeeper {
  return {
    asked: () => null,
    kept: () => stored(localStorage, keptKey),
    keep: (text) => store(localStorage, keptKey, text),
    onAsked() {},
    linkTo: (path, seq) => `playhead://open?path=${encodeURIComponent(path)}&seq=${seq}`,
    onLeaving
  }
}

/**
 * In a browser: in the address of the tab, so that a copy of it leads there, and with what the browser keeps for this tab alone. An address of
 * the server replaces that of the place, in a tab that was refused or whose server was started again: the tab still knows what it was asked for.
 */
export function tabPlace(): PlaceKeeper {
  const asked = textOf(location.hash)
  const isEntered = codeOfFragment(location.hash) !== null
  if (asked !== null) store(sessionStorage, askedKey, asked)
  return {
    asked: () => {
      // The last keys before the page was loaded again may have come too late for the address.
      const kept = stored(sessionStorage, keptKey)
      return isReload() && !isEntered && kept !== null ? kept : stored(sessionStorage, askedKey)
    },
    kept: () => stored(sessionStorage, keptKey),
    keep(text) {
      history.replaceState(history.state, '', addressOf(text))
      store(sessionStorage, keptKey, text)
      store(sessionStorage, askedKey, null)
    },
    onAsked(listener) {
      addEventListener('hashchange', () => {
        const text = textOf(location.hash)
        if (text !== null) listener(text)
      })
    },
    linkTo: (path, seq) => addressOf(placeText(placeAt(path, seq))),
    onLeaving
  }
}

/** The page's own address with a place in its fragment. The fragment may have held a code. */
function addressOf(place: string): string {
  return `${location.origin}${location.pathname}${location.search}#${place}`
}

function textOf(hash: string): string | null {
  return hash.length > 1 && codeOfFragment(hash) === null ? hash.slice(1) : null
}

function isReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming && entry.type === 'reload'
}

function onLeaving(listener: () => void): void {
  addEventListener('pagehide', listener)
}

/** Where the browser keeps nothing for a page, the address alone knows. */
function stored(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key)
  } catch {
    return null
  }
}

function store(storage: Storage, key: string, text: string | null): void {
  try {
    if (text === null) storage.removeItem(key)
    else storage.setItem(key, text)
  } catch {
    // As above.
  }
}
