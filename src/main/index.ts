import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { app, dialog, Menu, powerMonitor, session } from 'electron'
import { appId } from '#backend/desktop/app-id.ts'
import { appMenu } from '#backend/desktop/app-menu.ts'
import { Arrivals } from '#backend/desktop/arrivals.ts'
import { parseDeepLink, scheme } from '#backend/desktop/deep-link.ts'
import { RunEnds } from '#backend/desktop/run-end.ts'
import { readStartRequest, startRequest, type StartRequest, startWords } from '#backend/desktop/start-request.ts'
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
import { HostError } from '#contract/host-error.ts'
import { serveHost, type ServedHost } from '#contract/serve.ts'
import { confine, confineSession, fetchOutside } from './confine.ts'
import { givePagePorts } from './page-ports.ts'
import { sayRunEnd } from './run-end-notice.ts'
import { registerPageScheme, servePage } from './page.ts'
import { agreesToLink, agreesToStop, askForFiles, askWhere, tellOfUpdate } from './questions.ts'
import { openWindow, showWindow } from './window.ts'

const here = import.meta.dirname
const preload = join(here, '../preload/index.cjs')
const renderer = join(here, '../renderer')
// A log is watched and told by its inode, which a file in an archive has not: so it lies beside the archive.
const sample = join(app.isPackaged ? process.resourcesPath : join(here, '../../resources'), 'sample-run.jsonl')
// A packed app has no file of the command line that another program could run.
const hook = foundHookCommand(process.env, app.isPackaged ? null : join(here, '../../bin/playhead.js'))
/** So many logs are in the menu of those that were open before. */
const menuRecent = 10

async function start(): Promise<void> {
  await app.whenReady()
  const recent = new RecentLogs(stateFolder())
  const pages = new Set<ServedHost>()
  const notify: ServedHost['notify'] = (name, payload) => {
    for (const page of pages) page.notify(name, payload)
    ends.hear(name, payload)
  }
  const backend = createBackend({
    createWorker,
    facts: {
      ...{ host: 'electron', version: app.getVersion(), sample, drops: null, hook },
      ...{ pageParts: join(here, '../shared'), openDialog: askForFiles, saveDialog: askWhere }
    },
    recent: {
      list: () => recent.list(),
      async remember(log, why) {
        if (why === 'opened') app.addRecentDocument(log.path)
        await recent.remember(log, why).finally(showMenu)
      }
    },
    reviews: new Reviews(stateFolder()),
    cache: cacheFolder(),
    state: stateFolder(),
    problem: (message) => report(`playhead: ${message}`),
    notify
  })
  const ends = new RunEnds(backend.handlers, (end) =>
    sayRunEnd(end, () => {
      if (end.log === null) void show(end.path, undefined, end.format)
      else notify('log.show', { log: end.log })
    })
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

  async function serve({ files, links }: StartRequest): Promise<void> {
    showWindow()
    for (const path of files) await show(path)
    await Promise.all(links.map(follow))
  }

  const updates = updateAddress(JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8')), process.env)

  async function showMenu(): Promise<void> {
    const known = (await recent.list()).filter(({ bytes }) => bytes !== null).map(({ path }) => path)
    const template = appMenu(process.platform, known.slice(0, menuRecent), {
      open: () => void askForFiles('files').then((paths) => paths.forEach((path) => void show(path))),
      openRecent: (path) => void show(path),
      clearRecent: () => void forgetRecent(),
      command: (command) => notify('host.command', { command }),
      checkForUpdates:
        updates === null ? null : () => void tellOfUpdate(checkForUpdate(updates, app.getVersion(), fetchOutside))
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }

  async function forgetRecent(): Promise<void> {
    app.clearRecentDocuments()
    await recent.clear().catch((error: unknown) => report('playhead:', error))
    await showMenu()
    notify('recent.changed', {})
  }

  servePage(session.defaultSession, renderer)
  confineSession(session.defaultSession)
  await showMenu()
  // A network mount may have said nothing of what was written meanwhile.
  powerMonitor.on('resume', () => backend.lookAgain())
  app.once('will-quit', (event) => {
    // Threads may have an index to keep; each is given a moment.
    event.preventDefault()
    void backend.close().finally(() => app.exit())
  })
  // Logs that are open before the page is there are shown by it as it loads.
  const early = arrivals.take()
  for (const { files } of early) for (const path of files) await open(path)
  backend.warm()
  await openWindow(preload, stateFolder(), () => agreesToStop(backend.runs?.working ?? 0))
  for (const { links } of early) await Promise.all(links.map(follow))
  await arrivals.serve(serve)
}

// Electron keeps no event that nobody hears (electron#11814), and macOS names what the app was started with before it is ready.
const arrivals = new Arrivals<StartRequest>()
app.on('open-file', (event, path) => {
  event.preventDefault()
  arrivals.add({ files: [path], links: [] })
})
app.on('open-url', (event, link) => {
  event.preventDefault()
  arrivals.add({ files: [], links: [link] })
})
app.on('second-instance', (_event, _argv, _folder, data) => arrivals.add(readStartRequest(data)))

registerPageScheme()
// For this process and all its threads. The switch js-flags reaches renderers only (electron#22705); Electron lets V8 take flags later
// (--no-freeze-flags-after-init in shell/browser/javascript_environment.cc).
setFlagsFromString(heapFlags)
app.enableSandbox()
app.on('web-contents-created', (_event, contents) => confine(contents))
app.on('window-all-closed', () => app.quit())
if (process.platform === 'win32') app.setAppUserModelId(appId)
// A checkout that is run is not what links of this person should open from then on. Windows puts the link behind these words: behind -- it is
// never a switch (electronjs.org/blog/protocol-handler-fix; electron#32953 writes each word in quotes).
if (app.isPackaged) app.setAsDefaultProtocolClient(scheme, process.execPath, ['--'])
const first = startRequest(startWords(process.argv, app.isPackaged), process.cwd())
// One Playhead for all logs: a second start shows its files in the first and ends.
if (app.requestSingleInstanceLock(first)) {
  arrivals.add(first)
  start().catch((fault: unknown) => {
    // Without this a start that fails would leave a process without a window.
    report('playhead: the app cannot start:', fault)
    app.exit(1)
  })
} else app.quit()
