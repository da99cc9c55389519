import { session, type Session, type WebContents } from 'electron'
import { isPageUrl } from './page.ts'
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
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !isOwn(url) }))
}

/** The page, what it makes itself, and the developer tools; nothing that comes from a network. */
function isOwn(url: string): boolean {
  return isPageUrl(url) || /^(blob|data|devtools):/i.test(url)
}
