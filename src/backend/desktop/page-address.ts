import { scheme } from './deep-link.ts'

/** Windows show only the origin `playhead://app`. */
export const pageUrl = `${scheme}://app/`

export function isPageUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === `${scheme}:` && new URL(url).host === 'app'
}

/** The page, its own blobs and data URLs, and the developer tools; nothing from a network. */
export function isOwnUrl(url: string): boolean {
  return isPageUrl(url) || /^(blob|data|devtools):/i.test(url)
}
