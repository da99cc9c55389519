import { createContext, useContext } from 'react'
import { createStore } from 'zustand'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { Host, LogStatus, Notice, SharedLog } from '#contract/methods.ts'
import type { AppState, AppStore, Theme } from './app-state.ts'
import { createCompareStore } from './compare-store.ts'
import { KeepingPlace, type PlaceKeeper } from './keeping-place.ts'
import { createLayoutStore } from './layout-store.ts'
import { createLibraryStore } from './library-store.ts'
import { createDialogueStore } from './dialogue-store.ts'
import { createLiveRunsStore, isOngoing } from './live-runs-store.ts'
import { createLogStore, type LogState, type LogStore } from './log-store.ts'
import { createNewRunStore } from './new-run-store.ts'
import { type FileAccess, OpeningFiles } from './opening-files.ts'
import { storeHook } from './store-hook.ts'
import { createSettingsStore } from './settings-store.ts'
import { TasksBySession } from './tasks-by-session.ts'
import type { TabStorage } from './unsent-review.ts'

export interface AppStoreOptions {
  /** Absent: this host accepts no files. */
  readonly files?: FileAccess
  /** Stores the theme and the panel sizes. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Absent: changes of a review that are being sent are lost with the page. */
  readonly tabStorage?: TabStorage
  /** Absent: the place is not stored. */
  readonly place?: PlaceKeeper
  /** Absent: a lost host does not come back. */
  readonly reconnect?: () => void
}

/** How long a log may show an old generation while the next one is loaded, in ms. */
const maxStaleMs = 2000

const maxProblems = 3

const noCandidates = { candidates: [], moreCandidates: 0 } as const

/** Delay before the library is loaded if a log is shown first, in ms. */
const libraryAfterMs = 1500

const themeKey = 'playhead.theme'
const themes: readonly Theme[] = ['system', 'light', 'dark']

export function createAppStore(host: Host, options: AppStoreOptions): AppStore {
  const { storage, tabStorage } = options
  const kept = tabStorage === undefined ? {} : { tabStorage }
  const store = createStore<AppState>((set, get, api) => {
    const keeping = options.place === undefined ? null : new KeepingPlace(api, options.place)
    host.on('log.progress', onProgress)
    host.on('log.show', ({ log, ...at }) => void show(log, at))
    host.on('host.problem', ({ message }) => set({ problems: [...get().problems, message].slice(-maxProblems) }))
    host.on('recent.changed', () => void get().refreshRecent())

    /** The next generations of logs, shown when they are loaded, by log id. */
    const nextStores = new Map<string, LogStore>()
    const liveRuns = createLiveRunsStore(host, storage)
    const dialogue = createDialogueStore(host)
    const library = createLibraryStore(host)
    library.subscribe(({ presence }, before) => {
      // The start screen contains the form. An invisible dialog would block the keys.
      const isStart = presence === 'none' && before.presence === 'unknown' && get().active === null
      if (isStart && get().dialog === 'new-run') set({ dialog: 'none' })
    })
    const settings = createSettingsStore(host)
    const compare = createCompareStore(host, (log) => get().logStores.get(log))
    const newRun = createNewRunStore(liveRuns, storage)
    const openingFiles = new OpeningFiles(host, api, options.files ?? null)

    /** Each generation of a log has its own store. */
    function onProgress(status: LogStatus): void {
      const before = get().logStores.get(status.log)?.getState()
      if (before === undefined) return
      const known = get().logs.find((log) => log.log === status.log)
      set({ logs: get().logs.map((log) => (log === known ? status : log)) })
      if (status.grownAt !== known?.grownAt) setGrownAt(status, Date.now())
      const newest = nextStores.get(status.log)?.getState() ?? before
      if (newest.status.generation === status.generation) return
      newest.dispose()
      if (status.generationNote === null) showWhenComplete(status, before)
      else replace(status.log, createLogStore(host, status, { ...kept, begins: before.hasBegun }))
    }

    /** A generation without lost rows replaces the shown one when all of it is loaded. */
    function showWhenComplete(status: LogStatus, { key, hasBegun: begins }: LogState): void {
      const next = createLogStore(host, status, { ...kept, key, begins })
      nextStores.set(status.log, next)
      const show = () => {
        clearTimeout(timer)
        stop()
        if (nextStores.get(status.log) === next) replace(status.log, next)
      }
      const timer = setTimeout(show, maxStaleMs)
      const stop = next.subscribe(({ isComplete }) => {
        if (isComplete) show()
      })
    }

    function replace(id: string, next: LogStore): void {
      const before = get().logStores.get(id)
      nextStores.delete(id)
      if (before === undefined) return
      next.parts.resuming.resumeFrom(before.getState())
      set({ logStores: new Map(get().logStores).set(id, next) })
    }

    function setGrownAt({ log, grownAt }: LogStatus, at: number): void {
      if (grownAt !== null) set({ grownAt: new Map(get().grownAt).set(log, at) })
    }

    async function show(id: string, { seq, where }: Omit<Notice<'log.show'>, 'log'>): Promise<void> {
      if (!get().logStores.has(id)) {
        try {
          addLog(await host.call('log.status', { log: id }))
        } catch {
          return // it was closed meanwhile
        }
      }
      get().activate(id)
      if (where !== undefined) get().logStores.get(id)?.parts.filtering.set(where)
      if (seq !== undefined) showEvent(id, seq)
    }

    /** Moves to an event when it is loaded, or shows an error if there is none. */
    function showEvent(id: string, seq: number): void {
      showPlace(id, `#${seq}`, ({ columns }) => columns.events > seq)
    }

    function showLine(id: string, line: number): void {
      showPlace(id, String(line), ({ columns }) => (columns.line[columns.rows - 1] ?? 0) >= line)
    }

    function showPlace(id: string, place: string, isHere: (log: LogState) => boolean): void {
      const store = get().logStores.get(id)
      let stop = () => {}
      const look = (log: LogState) => {
        if (!isHere(log) && !log.isComplete && log.loadError === null) return
        stop()
        // Not while rows are being added.
        log.loading.whenLoaded(() => {
          const problem = log.stepping.goTo(place)
          if (problem !== null) fail(log.status.path, new HostError('not-found', problem))
        })
      }
      if (store === undefined) return
      stop = store.subscribe(look)
      look(store.getState())
    }

    /** Adds a log that is open in the host. */
    function addLog(status: LogStatus): void {
      const known = get().logStores.get(status.log)
      if (known !== undefined) {
        onProgress(status)
        for (const store of [known, nextStores.get(status.log)]) store?.parts.loading.onStatus(status)
        return
      }
      const logStores = new Map(get().logStores).set(
        status.log,
        createLogStore(host, status, { ...kept, begins: false })
      )
      set({ logs: [...get().logs, status], logStores })
      // It may have grown long ago.
      setGrownAt(status, Math.min(Date.now(), status.grownAt ?? 0))
    }

    function removeLog(id: string): void {
      get().logStores.get(id)?.parts.dispose()
      nextStores.get(id)?.parts.dispose()
      nextStores.delete(id)
      const logStores = new Map(get().logStores)
      logStores.delete(id)
      const grownAt = new Map(get().grownAt)
      grownAt.delete(id)
      const logs = get().logs.filter((log) => log.log !== id)
      const active = get().active === id ? (logs.at(-1)?.log ?? null) : get().active
      const lastShown = get().lastShown === id ? null : get().lastShown
      set({ logs, logStores, grownAt, active, lastShown })
      // A dialog about a log would be invisible and block the keys.
      const { dialog } = get()
      if (active === null && dialog !== 'keys' && dialog !== 'palette') set({ dialog: 'none' })
    }

    /** Shows the end of a running run's recording, unless the person has moved in it. */
    function followRun(id: string | null): void {
      const log = get()
        .logStores.get(id ?? '')
        ?.getState()
      const run = liveRuns.getState().runs.find(({ recording }) => recording === log?.status.path)
      if (log !== undefined && run !== undefined && isOngoing(run) && log.resuming.currentPlace() === null)
        log.stepping.follow(true)
    }

    function fail(path: string, error: unknown): void {
      const code = error instanceof HostError ? error.code : 'internal'
      set({ openError: { path, code, message: messageOf(error) } })
    }

    async function openGiven(name: string, open: () => Promise<void>): Promise<void> {
      set({ opening: name === '' ? null : name, openError: null, ...noCandidates, leftOut: 0 })
      try {
        await open()
      } catch (error) {
        fail(name, error)
      }
      set({ opening: null })
    }

    /** At first the host's logs; after a lost connection those of this page that the host no longer has. */
    async function onConnected(): Promise<void> {
      const [capabilities, { logs }] = await Promise.all([
        host.call('host.capabilities', {}),
        host.call('log.list', {})
      ])
      const known = new Set(logs.map((log) => log.log))
      void settings.getState().load()
      const runs = capabilities.runs ? liveRuns.getState().load() : undefined
      const gone = get().logs.filter((log) => !known.has(log.log))
      const shownPath = get().logs.find((log) => log.log === get().active)?.path
      for (const log of logs) addLog(log)
      for (const log of logs) get().logStores.get(log.log)?.parts.loading.reload()
      get().tasks.reload()
      // The state of a run is above its rows, and would move them if it arrived later.
      await runs
      // Later the person may have dismissed them.
      const isFirst = get().capabilities === null
      const problems = isFirst ? [...capabilities.problems, ...get().problems] : get().problems
      for (const log of gone) await get().reopenLog(log.log)
      for (const log of gone) removeLog(log.log)
      const isBack = isFirst && (await keeping?.restore()) === true
      const shown = get().logs.find((log) => log.path === shownPath) ?? get().logs.at(-1)
      // The library stays visible.
      if (!isBack && (isFirst || shownPath !== undefined)) set({ active: shown?.log ?? null })
      set({ capabilities, connection: 'open', retryAt: null, problems: [...new Set(problems)].slice(-maxProblems) })
      if (capabilities.shared !== null) library.setState({ presence: 'none' })
      // The shown log is loaded first.
      else setTimeout(() => void library.getState().connect(), get().active === null || !isFirst ? 0 : libraryAfterMs)
      followRun(get().active)
      await get().refreshRecent()
    }

    return {
      host,
      layout: createLayoutStore(storage),
      liveRuns,
      dialogue,
      library,
      newRun,
      settings,
      compare,
      tasks: new TasksBySession(host),
      capabilities: null,
      connection: 'connecting',
      refusal: null,
      retryAt: null,
      reconnect: options.reconnect ?? null,
      linkTo: options.place?.linkTo ?? null,
      logs: [],
      logStores: new Map(),
      active: null,
      lastShown: null,
      grownAt: new Map(),
      recent: [],
      opening: null,
      openError: null,
      sending: null,
      leftOut: 0,
      ...noCandidates,
      theme: themes.find((theme) => theme === storage.getItem(themeKey)) ?? 'system',
      dialog: 'none',

      async openLog(path) {
        set({ opening: path, openError: null, ...noCandidates })
        try {
          // The format of a recording is known before its first line.
          const format = liveRuns.getState().runs.find(({ recording }) => recording === path)?.format
          const status = await host.call('log.open', { path, ...(format !== undefined && { format }) })
          addLog(status)
          set({ active: status.log, dialog: 'none' })
          void get().refreshRecent()
        } catch (error) {
          fail(path, error)
        }
        set({ opening: null })
      },
      async openTyped(text) {
        if (library.getState().presence === 'none') return await get().openLog(text)
        set({ opening: text, openError: null, ...noCandidates })
        try {
          const logs = await library.getState().resolve(text)
          if (logs.length > 1) set({ candidates: logs })
          else await get().openLog(logs[0]?.path ?? text)
        } catch (error) {
          fail(text, error)
        } finally {
          set({ opening: null })
        }
      },
      async openAt({ path, seq, line, find }) {
        await get().openLog(path)
        const { active, openError } = get()
        if (openError !== null || active === null) return
        if (find !== null) get().logStores.get(active)?.parts.finding.setQuery(find)
        if (seq === null) showLine(active, line)
        else showEvent(active, seq)
      },
      async openRun(run) {
        if (run.state === 'lost') liveRuns.getState().markSeen(run.run)
        await get().openLog(run.recording)
        if (get().openError === null) followRun(get().active)
      },
      async startRun(confirmed) {
        const run = await newRun.getState().start(confirmed)
        if (run === null) return
        set({ dialog: 'none' })
        await get().openRun(run)
      },
      async runAgain(run) {
        if (run.state === 'lost') liveRuns.getState().markSeen(run.run)
        const again = await newRun.getState().again(run)
        if (again === null) get().showRunForm()
        else await get().openRun(again)
      },
      async goOn(path) {
        get().showRunForm()
        await newRun.getState().goOn(path)
      },
      async removeRun(run) {
        const answer = await liveRuns.getState().remove([run.run])
        if (answer?.removed.length !== 1) return
        const open = get().logs.find(({ path }) => path === run.recording)
        if (open !== undefined) await get().closeLog(open.log)
      },
      showRunForm() {
        if (get().active !== null || library.getState().presence !== 'none') set({ dialog: 'new-run' })
        newRun.getState().requestFocus()
      },
      async compareLogs(base, path, keepsPlace = false) {
        await get().openLog(base)
        const a = get().active
        if (get().openError !== null || a === null) return
        await get().openLog(path)
        const b = get().active
        if (get().openError !== null || b === null || a === b) return
        compare.getState().compare({ a, b }, keepsPlace)
        get().layout.getState().setView('compare')
      },
      async openFiles(given) {
        await openGiven(given.items[0]?.name ?? '', async () => await openingFiles.open(given))
      },
      async chooseFiles(what) {
        await openGiven('', async () => {
          await openingFiles.openPaths((await host.call('dialog.open', { what })).paths)
        })
      },
      isSent: (log) => openingFiles.isSent(log),
      completeLog: async (log, given) => await openingFiles.complete(log, given),
      cancelSending: () => openingFiles.cancel(),
      async closeLog(id) {
        removeLog(id)
        try {
          await host.call('log.close', { log: id })
        } catch {
          // The log is closed also if the host no longer has it.
        }
        void get().refreshRecent()
      },
      async reopenLog(id) {
        const before = get().logStores.get(id)?.getState()
        if (before === undefined) return
        await get().openLog(before.status.path)
        const { active, openError } = get()
        const next = active === null ? undefined : get().logStores.get(active)
        if (openError !== null || active === id || next === undefined) return
        const goOn = (log: LogState) => {
          if (!log.isComplete) return
          stop()
          if (!log.moved) log.resuming.resumeFrom(before)
        }
        const stop = next.subscribe(goOn)
        goOn(next.getState())
        await get().closeLog(id)
      },
      activate(id) {
        if (get().logStores.has(id)) set({ active: id, openError: null })
      },
      leaveLog() {
        const { active } = get()
        if (active !== null) set({ active: null, lastShown: active, dialog: 'none' })
      },
      returnToLog() {
        const { lastShown, logs } = get()
        const id = lastShown ?? logs.at(-1)?.log
        if (id !== undefined) get().activate(id)
      },
      async refreshRecent() {
        try {
          set({ recent: (await host.call('recent.list', {})).recent })
        } catch {
          // The list of recent logs is optional; the known ones stay.
        }
      },
      setTheme(theme) {
        storage.setItem(themeKey, theme)
        set({ theme })
      },
      setDialog: (dialog) => set({ dialog }),
      problems: [],
      dismissProblems: () => set({ problems: [] }),
      dismissLeftOut: () => set({ leftOut: 0 }),
      offer: (path) => set({ openError: null, ...noCandidates, candidates: [{ path, title: null, at: null }] }),
      dismissTyped: () => set({ openError: null, ...noCandidates }),
      setConnection(connection, refusal = null, retryAt = null) {
        // A lost connection does not undo a refusal.
        if (connection !== 'lost') set({ refusal })
        if (connection !== 'open') set({ connection, retryAt })
        else onConnected().catch((error: unknown) => fail('', error))
      }
    }
  })
  // A log loads nothing before it is shown.
  store.subscribe(({ logStores, active }) => logStores.get(active ?? '')?.parts.loading.begin())
  return store
}

export const AppStoreContext = createContext<AppStore | null>(null)

export function useAppStore(): AppStore {
  const store = useContext(AppStoreContext)
  if (store === null) throw new Error('useApp needs an AppStoreContext around it')
  return store
}

export const useApp = storeHook(useAppStore)

/** Whether the connection is lost. What ran before may have ended. */
export function useLost(): boolean {
  return useApp((app) => app.connection === 'lost')
}

/** Facts about the log of a shared page; null on other hosts. */
export function useShared(): SharedLog | null {
  return useApp((app) => app.capabilities?.shared ?? null)
}
