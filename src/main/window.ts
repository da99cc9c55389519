import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import { pageUrl } from '#backend/desktop/page-address.ts'
import { WindowMemory } from '#backend/desktop/window-place.ts'
import { report } from '#backend/report.ts'
import { offersReload } from './questions.ts'

/**
 * A window on the page, where it was the last time. It can show nothing else, open nothing else and is asked nothing but what the contract has.
 * `mayClose` is asked before it closes, also where the app quits.
 */
export async function openWindow(preload: string, stateFolder: string, mayClose: () => boolean): Promise<void> {
  const memory = new WindowMemory(stateFolder)
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  const { maximized, ...place } = memory.place([main, ...others].map(({ workArea }) => workArea))
  const window = new BrowserWindow({
    ...place,
    minWidth: 800,
    minHeight: 500,
    show: false,
    title: 'Playhead',
    // What is seen before the page is: its own, in the scheme of the system.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#131418' : '#ffffff',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      navigateOnDragDrop: false,
      webviewTag: false,
      spellcheck: false
    }
  })
  window.once('ready-to-show', () => {
    if (maximized) window.maximize()
    window.show()
  })
  window.on('close', (event) => {
    if (!mayClose()) return event.preventDefault()
    const problem = memory.keep(window.getNormalBounds(), window.isMaximized())
    if (problem !== null) report(`playhead: ${problem}`)
  })
  watchPage(window)
  await window.loadURL(pageUrl).catch((fault: unknown) => {
    // Closed before it was there: that is no fault.
    if (!window.isDestroyed()) throw fault
  })
}

/** The logs live on in this process when their page dies or hangs: it can be loaded again. */
function watchPage(window: BrowserWindow): void {
  const contents = window.webContents
  /** It is being ended, since the person wants it loaded anew: nobody needs to be asked again. */
  let ending = false
  contents.on('did-finish-load', () => (ending = false))
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || ending) return
    const detail = `The logs are still open. Reason: ${reason}.`
    void offersReload('The Playhead window has crashed', detail, 'Quit').then((reload) => {
      if (window.isDestroyed()) return
      if (reload) contents.reload()
      else app.quit()
    })
  })
  window.on('unresponsive', () => {
    const detail = 'It may be busy. Reloading keeps the logs open.'
    void offersReload('The Playhead window is not responding', detail, 'Wait').then((reload) => {
      if (!reload || window.isDestroyed()) return
      ending = true
      contents.forcefullyCrashRenderer()
      contents.reload()
    })
  })
}

/** Another start, or a file from elsewhere: the window comes to the front. */
export function showWindow(): void {
  const [window] = BrowserWindow.getAllWindows()
  if (window?.isMinimized()) window.restore()
  window?.focus()
}
