import { session, type Session, type WebContents } from 'electron'
import { isOwnUrl, isPageUrl } from '#backend/desktop/page-address.ts'
import { offerLink } from './questions.ts'

/** For all web contents: logs are untrusted, so nothing navigates. Links open outside, after a question. */
export function confine(contents: WebContents): void {
  contents.on('will-navigate', (event) => {
    if (!isPageUrl(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isPageUrl(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    void offerLink(url)
    return { action: 'deny' }
  })
  if (contents.session !== session.defaultSession) confineSession(contents.session)
}

/** A page may only copy and load its own files. */
export function confineSession(own: Session): void {
  const isAllowed = (permission: string, url: string): boolean =>
    permission === 'clipboard-sanitized-write' && isPageUrl(url)
  own.setPermissionRequestHandler((asking, permission, answer) => answer(isAllowed(permission, asking.getURL())))
  own.setPermissionCheckHandler((_asking, permission, origin) => isAllowed(permission, origin))
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwnUrl(url) }))
}

/** Fetches with the system's proxies. `net.fetch` would use the page's session, which refuses all requests. */
export function fetchOutside(url: string, options: RequestInit): Promise<Response> {
  return session.fromPartition('outside', { cache: false }).fetch(url, options)
}
