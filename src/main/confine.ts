import { session, type Session, type WebContents } from 'electron'
import { isOwnUrl, isPageUrl } from '#backend/desktop/page-address.ts'
import { offerLink } from './questions.ts'

/** For every web contents there will ever be. A log is untrusted: nothing in it may lead anywhere without a click. */
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

/** What a page may ask of the machine and the network: to copy, and its own files. */
export function confineSession(own: Session): void {
  const isAllowed = (permission: string, url: string): boolean =>
    permission === 'clipboard-sanitized-write' && isPageUrl(url)
  own.setPermissionRequestHandler((asking, permission, answer) => answer(isAllowed(permission, asking.getURL())))
  own.setPermissionCheckHandler((_asking, permission, origin) => isAllowed(permission, origin))
  own.setDevicePermissionHandler(() => false)
  own.on('will-download', (event) => event.preventDefault())
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwnUrl(url) }))
}

/**
 * The one way of Playhead itself to a network: that of Chromium, which knows the system's proxies and certificates. `net.fetch` would use the
 * session of the page, where `onBeforeRequest` hears it, too, and refuses it. This session is kept in memory and has no page.
 */
export function fetchOutside(url: string, options: RequestInit): Promise<Response> {
  return session.fromPartition('outside', { cache: false }).fetch(url, options)
}
