import { join, resolve } from 'node:path'
import { app, BrowserWindow, dialog, session } from 'electron'
import { createBackend, type Backend } from '#backend/handlers.ts'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { heapFlags } from '#backend/indexer/log-worker.ts'
import { RecentLogs } from '#backend/recent-logs.ts'
import { Reviews } from '#backend/reviews.ts'
import { cacheFolder } from '#backend/saved/cache-folder.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { HostError } from '#contract/methods.ts'
import { setMenu } from './menu.ts'
import { servePagePorts } from './page-ports.ts'
import { registerPageScheme, servePage } from './page.ts'
import { confine, openWindow } from './window.ts'

const here = import.meta.dirname
const preload = join(here, '../preload/index.cjs')
const renderer = join(here, '../renderer')
const sample = join(here, '../../resources/sample-run.jsonl')

/** Files named on the command line, of this process or of one that was started while this one runs. */
function filesOf(argv: readonly string[], folder: string): string[] {
  const words = argv.filter((argument) => !argument.startsWith('-'))
  return words.slice(app.isPackaged ? 1 : 2).map((path) => resolve(folder, path))
}

async function start(): Promise<void> {
  await app.whenReady()
  const backend: Backend = createBackend({
    createWorker,
    facts: { host: 'electron', version: app.getVersion(), sample, dropUpload: false, openDialog: askForFiles },
    recent: new RecentLogs(stateFolder()),
    reviews: new Reviews(stateFolder()),
    cache: cacheFolder(),
    notify: (name, payload) => ports.notify(name, payload)
  })
  const ports = servePagePorts(
    () => backend.handlers,
    (method, fault) => console.error(`playhead: ${method} failed:`, fault)
  )

  async function show(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      try {
        const { log } = await backend.handlers['log.open']({ path })
        ports.notify('log.show', { log })
      } catch (error) {
        dialog.showErrorBox('This log cannot be opened', error instanceof HostError ? error.message : path)
      }
    }
  }

  servePage(session.defaultSession, renderer)
  setMenu(() => void askForFiles().then(show))
  app.on('second-instance', (_event, _argv, _folder, data) => {
    const [window] = BrowserWindow.getAllWindows()
    if (window?.isMinimized()) window.restore()
    window?.focus()
    void show(isFileList(data) ? data.files : [])
  })
  app.on('open-file', (_event, path) => void show([path]))
  app.on('will-quit', () => void backend.close())
  await show([...filesOf(process.argv, process.cwd()), ...early.splice(0)])
  backend.warm()
  await openWindow(preload)
}

async function askForFiles(): Promise<string[]> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Open a log',
    properties: ['openFile', 'multiSelections'],
    filters: [
      { name: 'Logs', extensions: ['jsonl', 'json', 'ndjson', 'log', 'txt'] },
      { name: 'All files', extensions: ['*'] }
    ]
  })
  return filePaths
}

function isFileList(data: unknown): data is { files: string[] } {
  if (typeof data !== 'object' || data === null || !('files' in data) || !Array.isArray(data.files)) return false
  return data.files.every((path) => typeof path === 'string')
}

// macOS names the file it was started with before the app is ready.
const early: string[] = []
app.on('open-file', (event, path) => {
  event.preventDefault()
  if (!app.isReady()) early.push(path)
})

registerPageScheme()
app.commandLine.appendSwitch('js-flags', heapFlags)
app.enableSandbox()
app.on('web-contents-created', (_event, contents) => confine(contents))
app.on('window-all-closed', () => app.quit())
// One Playhead for all logs: a second start shows its files in the first and ends.
if (app.requestSingleInstanceLock({ files: filesOf(process.argv, process.cwd()) })) {
  start().catch((fault: unknown) => {
    // Without this a start that fails would leave a process without a window.
    console.error('playhead: the app cannot start:', fault)
    app.exit(1)
  })
} else app.quit()
