import { app, BrowserWindow, nativeTheme, screen } from 'electron'
import { pageUrl } from '#backend/desktop/page-address.ts'
import type { WindowMemory } from '#backend/desktop/window-place.ts'
import { report } from '#backend/report.ts'
import { offerReload } from './questions.ts'

/** Opens the page in a window at its last place. `mayClose` is called before it closes, also when the app quits. */
export async function openWindow(preload: string, memory: WindowMemory, mayClose: () => boolean): Promise<void> {
  const main = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
  const { maximized, ...place } = memory.place([main, ...others].map(({ workArea }) => workArea))
  const window = new BrowserWindow({
    ...place,
    minWidth: 800,
    minHeight: 500,
    show: false,
    title: 'Playhead',
    // Visible before the page is drawn, so it has the page's colour.
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
    // Closing the window while it loads is not an error.
    if (!window.isDestroyed()) throw fault
  })
}

/** The logs stay open in this process when the page crashes or hangs, so it can be reloaded. */
function watchPage(window: BrowserWindow): void {
  const contents = window.webContents
  /** Crashed on purpose for a reload, so no second question. */
  let ending = false
  contents.on('did-finish-load', () => (ending = false))
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || ending) return
    const detail = `The logs are still open. Reason: ${reason}.`
    void offerReload('The Playhead window has crashed', detail, 'Quit').then((reload) => {
      if (window.isDestroyed()) return
      if (reload) contents.reload()
      else app.quit()
    })
  })
  window.on('unresponsive', () => {
    const detail = 'It may be busy. Reloading keeps the logs open.'
    void offerReload('The Playhead window is not responding', detail, 'Wait').then((reload) => {
      if (!reload || window.isDestroyed()) return
      ending = true
      contents.forcefullyCrashRenderer()
      contents.reload()
    })
  })
}

export function showWindow(): void {
  const [window] = BrowserWindow.getAllWindows()
  if (window?.isMinimized()) window.restore()
  window?.focus()
}
