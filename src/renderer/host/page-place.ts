import { codeOfFragment } from '#contract/access.ts'
import type { PlaceKeeper } from '../stores/keeping-place.ts'
import { placeAt, placeText } from '../stores/place.ts'

const keptKey = 'playhead.place'
const askedKey = 'playhead.asked-place'

/** For the desktop app, which has one window: the last place is restored at the next start. */
export function appPlace(): PlaceKeeper {
  return {
    asked: () => null,
    kept: () => stored(localStorage, keptKey),
    keep: (text) => store(localStorage, keptKey, text),
    onAsked() {},
    linkTo(path, seq, filter) {
      const where = filter === '' ? '' : `&where=${encodeURIComponent(filter)}`
      return `playhead://open?path=${encodeURIComponent(path)}&seq=${seq}${where}`
    },
    onLeaving
  }
}

/** The place is in the tab's address, for copies of it, and in its storage, in case the address is replaced. */
export function tabPlace(): PlaceKeeper {
  const asked = textOf(location.hash)
  const isEntered = codeOfFragment(location.hash) !== null
  if (asked !== null) store(sessionStorage, askedKey, asked)
  return {
    asked: () => {
      // The address may lack the last changes before a reload.
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
    linkTo: (path, seq, filter) => addressOf(placeText({ ...placeAt(path, seq), filter })),
    onLeaving
  }
}

/** The page's address with a place as fragment. The old fragment may contain a code. */
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

/** Without storage, only the address has the place. */
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
