/** The address that a link of a log may open; null: none. Only http and https, and only whole ones. */
export function safeAddress(href: string): string | null {
  if (!URL.canParse(href)) return null
  const url = new URL(href)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
}
