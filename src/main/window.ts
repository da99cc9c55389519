import { BrowserWindow, dialog, shell, type WebContents } from 'electron'
import { isPageUrl, pageUrl } from './page.ts'

/** A window on the page. It can show nothing else, open nothing else and is asked nothing but what the contract has. */
export async function openWindow(preload: string): Promise<BrowserWindow> {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 800,
    minHeight: 500,
    show: false,
    title: 'Playhead',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false
    }
  })
  window.once('ready-to-show', () => window.show())
  await window.loadURL(pageUrl)
  return window
}

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
  // Copying is the only thing the page may do that a browser would ask for.
  const isAllowed = (permission: string, url: string): boolean =>
    permission === 'clipboard-sanitized-write' && isPageUrl(url)
  contents.session.setPermissionRequestHandler((asking, permission, answer) =>
    answer(isAllowed(permission, asking.getURL()))
  )
  contents.session.setPermissionCheckHandler((_asking, permission, origin) => isAllowed(permission, origin))
}

/** Leaves Playhead only for web addresses, and only if the person who clicked sees where to and agrees. */
async function offerLink(url: string): Promise<void> {
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) return
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Open this address in the browser?',
    detail: new URL(url).href.slice(0, 2000),
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1
  })
  if (response === 0) await shell.openExternal(new URL(url).href)
}
