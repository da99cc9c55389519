import { homedir } from 'node:os'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, LogStatus, Notice, NoticeName, Params, RecentLog, Result } from '#contract/methods.ts'
import { withoutExports, withoutLibrary, withoutRuns, withoutSettings } from '#contract/refused-methods.ts'
import { LogReviews, type ReviewStore } from '#queries/log-reviews.ts'
import type { LogMethod } from '#queries/log-answers.ts'
import type { LookAtDisk } from './disk-space.ts'
import type { CreateWorker } from './indexer/log-worker.ts'
import { Comparisons } from './compare/comparisons.ts'
import { Exports } from './export/exports.ts'
import { createLibrary, type Library } from './library/library.ts'
import { LiveRuns } from './live-runs/live-runs.ts'
import { OpenLogs } from './open-logs.ts'
import { pricesInUse } from './prices.ts'
import { RecentLogs } from './recent-logs.ts'
import { type RecentStore, RememberedLogs } from './remembered-logs.ts'
import { Reviews } from './reviews.ts'
import { tasksFile } from './state-folder.ts'
import { TaskHandlers } from './tasks/task-handlers.ts'
import { UserSettings } from './user-settings.ts'
import type { liveRunMethods } from '#contract/live-runs.ts'

/** Different problems kept for pages that connect later. */
const maxProblems = 1000

export interface HostFacts {
  readonly host: 'electron' | 'browser'
  readonly version: string
  /** Path of the sample log; null: there is none. */
  readonly sample: string | null
  /** Path of the price file that Playhead comes with; absent: there is none. */
  readonly prices?: string
  /** As `drops` of `host.capabilities`. */
  readonly drops: string | null
  /** The command line of `playhead hook` for `sh`; absent or null: unknown. */
  readonly hook?: string | null
  /** Absent without native dialogs. */
  readonly openDialog?: (what: Params<'dialog.open'>['what']) => Promise<string[]>
  /** The chosen path, null if cancelled; absent without native dialogs. */
  readonly saveDialog?: (name: string) => Promise<string | null>
  /** Folder with the built parts of a shared page; absent: no exports. */
  readonly pageParts?: string
}

export interface HandlersOptions {
  readonly createWorker: CreateWorker
  readonly facts: HostFacts
  /** Absent: in the `state` folder. */
  readonly recent?: RecentStore
  /** Absent: in the `state` folder. */
  readonly reviews?: ReviewStore
  /** The folder for saved indexes and the library; absent: none. */
  readonly cache?: string
  /** The folder for live runs, tasks, settings, recent logs and reviews; absent: none. */
  readonly state?: string
  /** Why this host never starts a program, a sentence for people; absent: it does, if there is a `state` folder. */
  readonly noRuns?: string
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** Failures outside of calls, as sentences for the host's operator. */
  readonly problem?: (message: string) => void
  /** Replace the folders of the agents' logs below the home folder. */
  readonly libraryRoots?: readonly string[]
  /** As in `OpenLogsOptions`. */
  readonly maxThreads?: number
  /** Absent: `statfs`. */
  readonly lookAtDisk?: LookAtDisk
  /** Milliseconds since the epoch. */
  readonly now?: () => number
}

export interface Backend {
  readonly handlers: Handlers
  /** Null: this host starts no agents. */
  readonly runs: LiveRuns | null
  /** Tells the operator and all pages, once each, what happened outside of calls. A sentence. */
  readonly problem: (message: string) => void
  /** Starts the threads of the library and the first log ahead, if no log is open. */
  warm(): void
  /** Checks all open logs now: the file system may have reported nothing while the machine slept. */
  lookAgain(): void
  /** Stops all live runs of this host and ends all threads. */
  close(): Promise<void>
}

const noRecent: RecentStore = { list: async () => [], remember: async () => {} }
const noReviews: ReviewStore = {
  get: async () => ({ bookmarks: [], breakpoints: [] }),
  change: async (_, change) => change({ bookmarks: [], breakpoints: [] })
}

/** The methods of the contract and the open logs. One for all pages of a host. */
export function createBackend(given: HandlersOptions): Backend {
  const problems = new Set<string>()
  const options = { ...given, problem: problemsOnce(given, problems) }
  const { createWorker, facts, cache, state, notify, now, problem } = options
  const recent = options.recent ?? (state === undefined ? noRecent : new RecentLogs(state, problem))
  const reviews = options.reviews ?? (state === undefined ? noReviews : new Reviews(state, problem))
  const logReviews = new LogReviews(reviews, notify, () => logs.list())
  const logs = new OpenLogs({
    createWorker,
    cache: cache ?? null,
    notify,
    ...(options.maxThreads === undefined ? {} : { maxThreads: options.maxThreads }),
    onStatus: (status) => remembered.onStatus(status)
  })
  const remembered = new RememberedLogs({
    recent,
    todo: async (status) => await lastTodo(logs, status),
    problem,
    now: now ?? Date.now
  })
  const noRuns = options.noRuns ?? (state === undefined ? 'Agents cannot be started here.' : null)
  const runs = state === undefined || noRuns !== null ? null : startRuns(state, options)
  const tasks = state === undefined ? null : startTasks(state, options)
  const library = cache === undefined ? null : startLibrary(cache, options)
  const exports = facts.pageParts === undefined ? null : startExports(facts.pageParts, options, logs, logReviews)
  const comparisons = new Comparisons({
    createWorker,
    source: (log) => logs.source(log),
    progress: (progress) => notify('compare.progress', progress)
  })
  const settings =
    state === undefined
      ? withoutSettings('Settings are not kept here.')
      : new UserSettings(state, {
          onChange: (changed) => notify('settings.changed', changed),
          problem,
          shippedPrices: facts.prices ?? null
        }).handlers
  const forward =
    <M extends LogMethod>(method: M) =>
    async (params: Params<M>): Promise<Result<M>> =>
      await logs.call(method, params)
  const handlers: Handlers = {
    ...withoutRuns(noRuns ?? ''),
    ...(library?.handlers ?? withoutLibrary('The session library is not available here.')),
    ...(runs === null ? {} : liveRunHandlers(runs)),
    ...tasks?.handlers,
    ...settings,
    ...(exports?.handlers ?? withoutExports('This host exports nothing.')),
    ...comparisons.handlers,
    'host.capabilities': async () => ({
      host: facts.host,
      version: facts.version,
      openDialog: facts.openDialog !== undefined,
      drops: facts.drops,
      sample: facts.sample,
      platform: process.platform,
      runs: runs !== null,
      tasks: tasks !== null,
      exports: exports !== null,
      shared: null,
      problems: [...problems]
    }),
    'log.list': async () => ({ logs: logs.list() }),
    'log.open': async ({ path, format }) => await logs.open(path, format ?? null),
    'log.close': async ({ log }) => {
      await remembered.forget(log)
      await logs.close(log)
      return {}
    },
    'log.status': async ({ log }) => logs.status(log),
    'log.columns': forward('log.columns'),
    'log.requests': forward('log.requests'),
    'log.usage': forward('log.usage'),
    'log.summary': forward('log.summary'),
    'log.spans': forward('log.spans'),
    'log.timeSplit': forward('log.timeSplit'),
    'log.callTable': forward('log.callTable'),
    'log.context': forward('log.context'),
    'log.findings': forward('log.findings'),
    'log.rows': forward('log.rows'),
    'log.event': forward('log.event'),
    'log.text': forward('log.text'),
    'log.images': forward('log.images'),
    'log.raw': forward('log.raw'),
    'log.sameFile': forward('log.sameFile'),
    'log.files': forward('log.files'),
    'log.fileAt': forward('log.fileAt'),
    'log.fileLines': forward('log.fileLines'),
    'log.todoColumns': forward('log.todoColumns'),
    'log.todos': forward('log.todos'),
    'log.todoLanes': forward('log.todoLanes'),
    'log.issues': forward('log.issues'),
    'log.find': forward('log.find'),
    'log.hits': forward('log.hits'),
    'log.endFind': forward('log.endFind'),
    'review.get': async ({ log }) => await logReviews.get(logs.status(log)),
    'review.set': async ({ log, ...change }) => await logReviews.set(logs.status(log), change),
    'recent.list': async () => ({ recent: await remembered.list() }),
    'dialog.open': async ({ what }) => {
      if (!facts.openDialog)
        throw new HostError('unavailable', 'File dialogs are not available here. Enter the path of the log.')
      return { paths: await facts.openDialog(what) }
    }
  }
  return {
    handlers,
    runs,
    problem,
    warm() {
      if (!logs.isEmpty) return
      logs.warm()
      library?.warm()
    },
    lookAgain: () => logs.lookAgain(),
    async close() {
      await exports?.close()
      await comparisons.close()
      await runs?.close()
      await tasks?.close()
      await library?.close()
      await remembered.settle()
      await logs.closeAll()
    }
  }
}

/** Reports each problem once to the operator and all pages: a full disk refuses every write. */
function problemsOnce({ problem, notify }: HandlersOptions, reported: Set<string>): (message: string) => void {
  return (message) => {
    if (reported.has(message)) return
    if (reported.size < maxProblems) reported.add(message)
    problem?.(message)
    notify('host.problem', { message })
  }
}

function startRuns(
  state: string,
  { createWorker, facts, notify, problem, lookAtDisk, now }: HandlersOptions
): LiveRuns {
  const runs = new LiveRuns({
    version: facts.version,
    state,
    createWorker,
    hook: facts.hook ?? null,
    tasks: tasksFile(state),
    notify,
    ...(problem === undefined ? {} : { problem }),
    ...(lookAtDisk === undefined ? {} : { lookAtDisk }),
    ...(now === undefined ? {} : { now })
  })
  runs.watch()
  return runs
}

function startTasks(state: string, { notify, problem, now }: HandlersOptions): TaskHandlers {
  return new TaskHandlers({ path: tasksFile(state), notify, problem: problem ?? (() => {}), now: now ?? Date.now })
}

function startExports(
  pageParts: string,
  { createWorker, facts, state, now }: HandlersOptions,
  logs: OpenLogs,
  reviews: LogReviews
): Exports {
  const place = { given: null, state: state ?? null, shipped: facts.prices ?? null }
  return new Exports({
    createWorker,
    version: facts.version,
    pageParts,
    now: now ?? Date.now,
    prices: async () => (await pricesInUse(place)).table,
    ...(facts.saveDialog === undefined ? {} : { saveDialog: facts.saveDialog }),
    status: (log) => logs.status(log),
    source: (log) => logs.source(log),
    bookmarks: async (status) => (await reviews.get(status)).bookmarks
  })
}

function startLibrary(
  cache: string,
  { createWorker, facts, state, noRuns, libraryRoots, notify, problem, now }: HandlersOptions
): Library {
  return createLibrary({
    createWorker,
    cache,
    state: state ?? null,
    roots: libraryRoots ?? null,
    prices: { given: null, state: state ?? null, shipped: facts.prices ?? null },
    variables: process.env,
    home: homedir(),
    ...(noRuns === undefined ? {} : { noPrograms: noRuns }),
    notify,
    problem: problem ?? (() => {}),
    now: now ?? Date.now
  })
}

/** The last todo list of the main agent; without one, the list that changed last. */
async function lastTodo(logs: OpenLogs, { log, todoSnapshots }: LogStatus): Promise<RecentLog['todo']> {
  if (todoSnapshots === 0) return null
  const columns = await logs.call('log.todoColumns', { log, from: 0 })
  const main = new Uint16Array(columns.track).lastIndexOf(0)
  const last = main < 0 ? columns.count - 1 : main
  return { completed: new Uint16Array(columns.completed)[last] ?? 0, total: new Uint16Array(columns.total)[last] ?? 0 }
}

/** The handlers for agents and live runs. */
function liveRunHandlers(runs: LiveRuns): Pick<Handlers, keyof typeof liveRunMethods> {
  return {
    'agent.list': async () => ({ agents: await runs.agents.list() }),
    'agent.setCommand': async ({ agent, command }) => await runs.agents.setCommand(agent, command),
    'run.start': async ({ request, confirmed, lowDisk = false }) => await runs.start(request, { confirmed, lowDisk }),
    'run.resumable': async ({ path }) => await runs.resumable(path),
    'run.list': async (page) => await runs.page(page),
    'run.stop': async ({ run }) => await runs.stop(run),
    'run.answer': async ({ run, ask, answer }) => await runs.talk(run, (dialogue) => dialogue.answer(ask, answer)),
    'run.ask': async ({ run, ask }) => ({ ask: await runs.ask(run, ask) }),
    'run.prompt': async ({ run, text, when }) => await runs.talk(run, (dialogue) => dialogue.prompt(text, when)),
    'run.queue': async ({ run, change }) => await runs.talk(run, (dialogue) => dialogue.changeQueue(change)),
    'run.queued': async ({ run, id }) => ({ text: await runs.queued(run, id) }),
    'run.interrupt': async ({ run }) => await runs.talk(run, (dialogue) => dialogue.interrupt()),
    'run.finish': async ({ run }) => await runs.talk(run, (dialogue) => dialogue.finish()),
    'run.setMode': async ({ run, mode, confirmed }) =>
      await runs.talk(run, (dialogue) => dialogue.setMode(mode, confirmed)),
    'run.setLimits': async ({ run, limits }) => await runs.talk(run, (dialogue) => dialogue.setLimits(limits)),
    'run.changes': async ({ run, turn }) => await runs.changes(run, turn),
    'run.stderr': async ({ run, from, count }) => await runs.stderr(run, from, count),
    'run.removable': async (prune) => await runs.removable(prune),
    'run.remove': async ({ runs: ids, named }) => await runs.remove(ids, named)
  }
}
