import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { app, BrowserWindow, dialog, Menu, Notification, powerMonitor, session } from 'electron'
import { appMenu } from '#backend/desktop/app-menu.ts'
import { type DeepLink, parseDeepLink, scheme } from '#backend/desktop/deep-link.ts'
import { type RunEnd, RunEnds, runEndText } from '#backend/desktop/run-end.ts'
import {
  appArguments,
  readStartRequest,
  RequestQueue,
  startRequest,
  type StartRequest
} from '#backend/desktop/start-request.ts'
import { createBackend } from '#backend/handlers.ts'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { v8Flags } from '#backend/indexer/log-worker.ts'
import { foundHookCommand } from '#backend/live-runs/hook-command.ts'
import { RecentLogs } from '#backend/recent-logs.ts'
import { WindowMemory } from '#backend/desktop/window-place.ts'
import { report } from '#backend/report.ts'
import { cacheFolder } from '#backend/saved/cache-folder.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { checkForUpdate, updateAddress } from '#backend/update-check.ts'
import { HostError } from '#contract/host-error.ts'
import { serveHost, type ServedHost } from '#contract/serve.ts'
import { confine, confineSession, fetchOutside } from './confine.ts'
import { connectPages, registerPageScheme, servePage } from './page.ts'
import { showOpenDialog, showSaveDialog, confirmLink, confirmStop, showUpdateCheck } from './questions.ts'
import { openWindow, showWindow } from './window.ts'

const here = import.meta.dirname
const preload = join(here, '../preload/index.cjs')
const renderer = join(here, '../renderer')
// Logs are watched by inode, which files in the app's archive do not have, so the sample is beside it.
const resources = app.isPackaged ? process.resourcesPath : join(here, '../../resources')
const sample = join(resources, 'sample-run.jsonl')
// A packed app has no command line file that another program could run.
const hook = foundHookCommand(process.env, app.isPackaged ? null : join(here, '../../bin/playhead.js'))
const menuRecent = 10

async function start(): Promise<void> {
  await app.whenReady()
  const recent = new RecentLogs(stateFolder(), (message) => backend.problem(message))
  const pages = new Set<ServedHost>()
  const notify: ServedHost['notify'] = (name, payload) => {
    for (const page of pages) page.notify(name, payload)
    ends.onNotice(name, payload)
  }
  const backend = createBackend({
    createWorker,
    facts: {
      ...{ host: 'electron', version: app.getVersion(), sample, drops: null, hook },
      ...{ prices: join(resources, 'prices.json'), pageParts: join(here, '../shared') },
      ...{ openDialog: showOpenDialog, saveDialog: showSaveDialog }
    },
    recent: {
      list: () => recent.list(),
      async remember(log, why) {
        if (why === 'opened') app.addRecentDocument(log.path)
        await recent.remember(log, why).finally(showMenu)
      }
    },
    cache: cacheFolder(),
    state: stateFolder(),
    problem: (message) => report(`playhead: ${message}`),
    notify
  })
  const ends = new RunEnds(backend.handlers, (end) =>
    notifyRunEnd(end, () => {
      if (end.log === null) void show(end.path, {}, end.format)
      else notify('log.show', { log: end.log })
    })
  )
  const pageConnected = new Promise<void>((resolve) => {
    connectPages((transport) => {
      const onFault = (method: string, fault: unknown): void => report(`playhead: ${method} failed:`, fault)
      const page = serveHost(transport, backend.handlers, onFault)
      pages.add(page)
      transport.onClose(() => pages.delete(page))
      resolve()
    })
  })

  /** The id of the opened log; null: failed, which was shown. */
  async function open(path: string, format: string | null = null): Promise<string | null> {
    try {
      return (await backend.handlers['log.open']({ path, ...(format === null ? {} : { format }) })).log
    } catch (error) {
      dialog.showErrorBox('This log cannot be opened', error instanceof HostError ? error.message : path)
      return null
    }
  }

  async function show(
    path: string,
    { seq, where }: Partial<DeepLink> = {},
    format: string | null = null
  ): Promise<void> {
    const log = await open(path, format)
    await pageConnected
    if (log !== null)
      notify('log.show', { log, ...(seq !== undefined && { seq }), ...(where !== undefined && { where }) })
  }

  async function followLink(text: string): Promise<void> {
    const link = parseDeepLink(text, process.platform)
    await pageConnected
    showWindow()
    if ((await confirmLink(link)) && link) await show(link.path, link)
  }

  async function serve({ files, links }: StartRequest): Promise<void> {
    showWindow()
    for (const path of files) await show(path)
    await Promise.all(links.map(followLink))
  }

  const updates = updateAddress(JSON.parse(readFileSync(join(here, '../../package.json'), 'utf8')), process.env)

  async function showMenu(): Promise<void> {
    const known = (await recent.list()).filter(({ bytes }) => bytes !== null).map(({ path }) => path)
    const template = appMenu(process.platform, known.slice(0, menuRecent), {
      open: () => void showOpenDialog('files').then((paths) => paths.forEach((path) => void show(path))),
      openRecent: (path) => void show(path),
      clearRecent: () => void forgetRecent(),
      command: (command) => notify('host.command', { command }),
      checkForUpdates:
        updates === null ? null : () => void showUpdateCheck(checkForUpdate(updates, app.getVersion(), fetchOutside))
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
  // A network mount may have reported no changes during sleep.
  powerMonitor.on('resume', () => backend.lookAgain())
  app.once('will-quit', (event) => {
    // Threads may still have an index to save.
    event.preventDefault()
    void backend.close().finally(() => app.exit())
  })
  // The page shows logs that are open when it loads.
  const early = startRequests.drain()
  for (const { files } of early) for (const path of files) await open(path)
  backend.warm()
  await openWindow(preload, new WindowMemory(stateFolder(), backend.problem), () =>
    confirmStop(backend.runs?.working ?? 0)
  )
  for (const { links } of early) await Promise.all(links.map(followLink))
  await startRequests.serve(serve)
}

/** Until clicked or closed: a notification that is garbage collected emits no events. */
const openNotifications = new Set<Notification>()

/** Notifies of the end of a run if no window has the focus. A click focuses the window and calls `show`. */
export function notifyRunEnd(end: RunEnd, show: () => void): void {
  if (BrowserWindow.getFocusedWindow() !== null || !Notification.isSupported()) return
  const notification = new Notification(runEndText(end))
  openNotifications.add(notification)
  notification.on('close', () => openNotifications.delete(notification))
  notification.on('click', () => {
    openNotifications.delete(notification)
    showWindow()
    show()
  })
  notification.show()
}

// Electron drops events without listeners (electron#11814); macOS sends a start's files before the app is ready.
const startRequests = new RequestQueue<StartRequest>()
app.on('open-file', (event, path) => {
  event.preventDefault()
  startRequests.add({ files: [path], links: [] })
})
app.on('open-url', (event, link) => {
  event.preventDefault()
  startRequests.add({ files: [], links: [link] })
})
app.on('second-instance', (_event, _argv, _folder, data) => startRequests.add(readStartRequest(data)))

registerPageScheme()
// For this process and its threads: the switch js-flags reaches renderers only (electron#22705). Electron allows flags after
// V8's start (--no-freeze-flags-after-init in shell/browser/javascript_environment.cc).
setFlagsFromString(v8Flags)
app.enableSandbox()
app.on('web-contents-created', (_event, contents) => confine(contents))
app.on('window-all-closed', () => app.quit())
// Windows groups windows and notifications by it. As `appId` in packaging/electron-builder.config.js.
if (process.platform === 'win32') app.setAppUserModelId('dev.playhead.app')
// Not for a checkout, which would take over all links. Windows appends the link; after -- it is never a switch
// (electronjs.org/blog/protocol-handler-fix; electron#32953 quotes each argument).
if (app.isPackaged) app.setAsDefaultProtocolClient(scheme, process.execPath, ['--'])
const first = startRequest(appArguments(process.argv, app.isPackaged), process.cwd())
// A second start shows its files in the first one and ends.
if (app.requestSingleInstanceLock(first)) {
  startRequests.add(first)
  start().catch((fault: unknown) => {
    // Else a failed start would leave a process without a window.
    report('playhead: the app cannot start:', fault)
    app.exit(1)
  })
} else app.quit()
