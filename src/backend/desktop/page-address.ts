import { scheme } from './deep-link.ts'

/** What a window loads: the only origin it may show is `playhead://app`. */
export const pageUrl = `${scheme}://app/`

/** True for our page, wherever in it. */
export function isPageUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === `${scheme}:` && new URL(url).host === 'app'
}

/** The page, what it makes itself, and the developer tools; nothing that comes from a network. */
export function isOwnUrl(url: string): boolean {
  return isPageUrl(url) || /^(blob|data|devtools):/i.test(url)
}
