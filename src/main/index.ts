import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, Menu, powerMonitor, session } from 'electron'
import { appMenu } from '#backend/desktop/app-menu.ts'
import { parseDeepLink, scheme } from '#backend/desktop/deep-link.ts'
import { RunEnds } from '#backend/desktop/run-end.ts'
import { readStartRequest, startRequest, type StartRequest } from '#backend/desktop/start-request.ts'
import { createBackend } from '#backend/handlers.ts'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { heapFlags } from '#backend/indexer/log-worker.ts'
import { foundHookCommand } from '#backend/live-runs/hook-command.ts'
import { RecentLogs } from '#backend/recent-logs.ts'
import { report } from '#backend/report.ts'
import { Reviews } from '#backend/reviews.ts'
import { cacheFolder } from '#backend/saved/cache-folder.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { checkForUpdate, updateAddress } from '#backend/update-check.ts'
import { HostError } from '#contract/methods.ts'
import { serveHost, type ServedHost } from '#contract/serve.ts'
import { confine, confineSession } from './confine.ts'
import { givePagePorts } from './page-ports.ts'
import { sayRunEnd } from './run-end-notice.ts'
import { registerPageScheme, servePage } from './page.ts'
import { agreesToLink, agreesToStop, askForFiles, tellOfUpdate } from './questions.ts'
import { openWindow, showWindow } from './window.ts'

const here = import.meta.dirname
const preload = join(here, '../preload/index.cjs')
const renderer = join(here, '../renderer')
// A log is watched and told by its inode, which a file in an archive has not: so it lies beside the archive.
const sample = app.isPackaged
  ? join(process.resourcesPath, 'sample-run.jsonl')
  : join(here, '../../resources/sample-run.jsonl')
const manifest = join(here, '../../package.json')
// A packed app has no file of the command line that another program could run.
const hook = foundHookCommand(process.env, app.isPackaged ? null : join(here, '../../bin/playhead.js'))
/** So many logs are in the menu of those that were open before. */
const menuRecent = 10

async function start(first: StartRequest): Promise<void> {
  await app.whenReady()
  const recent = new RecentLogs(stateFolder())
  const pages = new Set<ServedHost>()
  const notify: ServedHost['notify'] = (name, payload) => {
    for (const page of pages) page.notify(name, payload)
    ends.hear(name, payload)
  }
  const backend = createBackend({
    createWorker,
    facts: { host: 'electron', version: app.getVersion(), sample, dropUpload: false, openDialog: askForFiles, hook },
    recent: {
      list: () => recent.list(),
      async remember(log) {
        await recent.remember(log)
        app.addRecentDocument(log.path)
        await showMenu()
      }
    },
    reviews: new Reviews(stateFolder()),
    cache: cacheFolder(),
    state: stateFolder(),
    problem: (message) => report(`playhead: ${message}`),
    notify
  })
  const ends = new RunEnds(
    backend.handlers,
    (end) =>
      sayRunEnd(end, () => {
        if (end.log === null) void show(end.path, undefined, end.format)
        else notify('log.show', { log: end.log })
      }),
    (run, ms) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    }
  )
  const met = new Promise<void>((resolve) => {
    givePagePorts((transport) => {
      const onFault = (method: string, fault: unknown): void => report(`playhead: ${method} failed:`, fault)
      const page = serveHost(transport, backend.handlers, onFault)
      pages.add(page)
      transport.onClose(() => pages.delete(page))
      resolve()
    })
  })

  /** The id of the log that is open now; null: it cannot be opened, which is said. */
  async function open(path: string, format: string | null = null): Promise<string | null> {
    try {
      return (await backend.handlers['log.open']({ path, ...(format === null ? {} : { format }) })).log
    } catch (error) {
      dialog.showErrorBox('This log cannot be opened', error instanceof HostError ? error.message : path)
      return null
    }
  }

  async function show(path: string, seq?: number, format: string | null = null): Promise<void> {
    const log = await open(path, format)
    await met
    if (log !== null) notify('log.show', { log, ...(seq === undefined ? {} : { seq }) })
  }

  async function follow(text: string): Promise<void> {
    const link = parseDeepLink(text, process.platform)
    await met
    showWindow()
    if ((await agreesToLink(link)) && link) await show(link.path, link.seq)
  }

  const updates = updateAddress(JSON.parse(readFileSync(manifest, 'utf8')), process.env)

  async function showMenu(): Promise<void> {
    const known = (await recent.list()).filter(({ bytes }) => bytes !== null).map(({ path }) => path)
    const template = appMenu(process.platform, known.slice(0, menuRecent), {
      open: () => void askForFiles().then((paths) => paths.forEach((path) => void show(path))),
      openRecent: (path) => void show(path),
      clearRecent: () => void forgetRecent(),
      command: (command) => notify('host.command', { command }),
      checkForUpdates:
        updates === null ? null : () => void tellOfUpdate(checkForUpdate(updates, app.getVersion(), fetch))
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }

  async function forgetRecent(): Promise<void> {
    app.clearRecentDocuments()
    await recent.clear()
    await showMenu()
    notify('recent.changed', {})
  }

  servePage(session.defaultSession, renderer)
  confineSession(session.defaultSession)
  await showMenu()
  app.on('second-instance', (_event, _argv, _folder, data) => {
    const { files, links } = readStartRequest(data)
    showWindow()
    for (const path of files) void show(path)
    for (const link of links) void follow(link)
  })
  app.on('open-file', (_event, path) => void show(path))
  app.on('open-url', (_event, link) => void follow(link))
  // A network mount may have said nothing of what was written meanwhile.
  powerMonitor.on('resume', () => backend.lookAgain())
  app.once('will-quit', (event) => {
    // Threads may have an index to keep; each is given a moment.
    event.preventDefault()
    void backend.close().finally(() => app.exit())
  })
  for (const path of [...first.files, ...early.files]) await open(path)
  backend.warm()
  await openWindow(preload, stateFolder(), () => agreesToStop(backend.runs?.working ?? 0))
  for (const link of [...first.links, ...early.links]) await follow(link)
}

// macOS names what it was started with before the app is ready.
const early: StartRequest = { files: [], links: [] }
app.on('open-file', (event, path) => {
  event.preventDefault()
  if (!app.isReady()) early.files.push(path)
})
app.on('open-url', (event, link) => {
  event.preventDefault()
  if (!app.isReady()) early.links.push(link)
})

registerPageScheme()
app.commandLine.appendSwitch('js-flags', heapFlags)
app.enableSandbox()
app.on('web-contents-created', (_event, contents) => confine(contents))
app.on('window-all-closed', () => app.quit())
// A checkout that is run is not what links of this person should open from then on.
if (app.isPackaged) app.setAsDefaultProtocolClient(scheme)
// Electron's program is the first word; started on a checkout, its folder is the second.
const words = process.argv.filter((word) => !word.startsWith('-')).slice(app.isPackaged ? 1 : 2)
const first = startRequest(words, process.cwd())
// One Playhead for all logs: a second start shows its files in the first and ends.
if (app.requestSingleInstanceLock(first)) {
  start(first).catch((fault: unknown) => {
    // Without this a start that fails would leave a process without a window.
    report('playhead: the app cannot start:', fault)
    app.exit(1)
  })
} else app.quit()
