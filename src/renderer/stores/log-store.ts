import { createContext, useContext } from 'react'
import { createStore, type StoreApi } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { Host, LogStatus } from '#contract/methods.ts'
import { Overview } from '#core/index/overview.ts'
import { TimeScale } from '#core/replay/event-scale.ts'
import { stoppedPlayer } from '#core/replay/player.ts'
import { Choosing, type ChoosingState } from './choosing.ts'
import { Collapsing } from './collapsing.ts'
import { FailedCalls } from './failed-calls.ts'
import { FileViewing, type FileViewingState } from './file-viewing.ts'
import { Filtering, type FilteringState } from './filtering.ts'
import { Finding, type FindingState } from './finding.ts'
import { Following } from './following.ts'
import { Inspecting, type InspectingState } from './inspecting.ts'
import { idleFromMs } from './laid-lines.ts'
import { LiveAnswer } from './live-answer.ts'
import { Loading, type LoadingState, notLoaded } from './loading.ts'
import type { LogAccess, LogContents, LogProgress } from './log-access.ts'
import { LogColumns } from './log-columns.ts'
import { noFind } from './log-find.ts'
import { LogSpans } from './log-spans.ts'
import { noPlayhead, Playhead, type PlayheadState } from './playhead.ts'
import { Playing, type PlayingState } from './playing.ts'
import { Ranging, type RangingState } from './ranging.ts'
import { RangeUsages } from './range-usages.ts'
import { Resuming, type ResumingState } from './resuming.ts'
import { noReview, Reviewing, type ReviewingState } from './reviewing.ts'
import { noFilter } from './row-filter.ts'
import { RowMarks } from './row-marks.ts'
import { RowSummaries } from './row-summaries.ts'
import { Stepping, type SteppingState } from './stepping.ts'
import { localEndOfDay, TimelineLayout } from './timeline-layout.ts'
import { storeHook } from './store-hook.ts'
import { TodoSnapshots } from './todo-snapshots.ts'
import { TouchedFiles } from './touched-files.ts'
import { type TabStorage, UnsentReview } from './unsent-review.ts'

/** The constant members of one generation of an open log: its contents, and the parts that act on it. */
export interface LogParts extends LogContents {
  /** Changes with the log, and with a generation that lost rows: components then start over. */
  readonly key: string
  readonly playhead: Playhead
  readonly stepping: Stepping
  readonly playing: Playing
  readonly finding: Finding
  readonly filtering: Filtering
  readonly ranging: Ranging
  readonly choosing: Choosing
  readonly collapsing: Collapsing
  readonly inspecting: Inspecting
  readonly fileViewing: FileViewing
  readonly reviewing: Reviewing
  readonly loading: Loading
  readonly resuming: Resuming
  /** The log is closed: stops all requests. */
  dispose(): void
}

/** The changing values: progress, and the place of the person. */
export interface LogValues
  extends
    LogProgress,
    LoadingState,
    PlayheadState,
    PlayingState,
    SteppingState,
    FindingState,
    FilteringState,
    RangingState,
    ChoosingState,
    InspectingState,
    FileViewingState,
    ReviewingState,
    ResumingState {}

export type LogState = LogParts & LogValues
export type LogStore = StoreApi<LogState> & { readonly parts: LogParts }

interface LogStoreOptions {
  readonly key?: string
  /** False: nothing is loaded before `loading.begin`. */
  readonly begins?: boolean
  /** Keeps changes of the review until the host answers. */
  readonly tabStorage?: TabStorage
}

/** Creates the store of a log and begins to load its columns. */
export function createLogStore(host: Host, status: LogStatus, options: LogStoreOptions = {}): LogStore {
  const { key = `${status.log} ${status.generation}`, begins = true, tabStorage = null } = options
  const id = status.log
  const get = () => store.getState()
  const set = (change: Partial<LogValues>) => store.setState(change)
  const columns = new LogColumns()
  const contents: LogContents = {
    host,
    id,
    columns,
    layout: new TimelineLayout(columns, localEndOfDay, status.format !== null),
    overview: new Overview(columns, idleFromMs),
    failedCalls: new FailedCalls(columns),
    timeScale: new TimeScale(columns),
    summaries: new RowSummaries(async (rows) => (await host.call('log.rows', { log: id, rows })).rows),
    usages: new RangeUsages(async (ranges) => (await host.call('log.usage', { log: id, ranges })).usages),
    summary: new LiveAnswer(
      () => host.call('log.summary', { log: id }),
      ({ counted, read, rows, problem }) => counted >= rows && (read >= rows || problem !== null)
    ),
    findings: new LiveAnswer(
      () => host.call('log.findings', { log: id }),
      () => true
    ),
    spans: new LogSpans((from, count) => host.call('log.spans', { log: id, from, count })),
    files: new TouchedFiles((from) => host.call('log.files', { log: id, ...from }), columns),
    marks: new RowMarks(columns, (from, count) => host.call('log.columns', { log: id, from, count }), {
      onChange: () => set({ version: get().version + 1 }),
      onError: (loadError) => set({ loadError })
    }),
    todos: new TodoSnapshots(
      async (from, count) => (await host.call('log.todos', { log: id, from, count })).snapshots,
      (from, count) => host.call('log.todoLanes', { log: id, from, count })
    )
  }
  const log: LogAccess<LogValues> = { ...contents, get, set }
  const collapsing = new Collapsing(log)
  const playhead = new Playhead(log, collapsing)
  const following = new Following(log, playhead)
  const filtering = new Filtering(log, following)
  const choosing = new Choosing(log)
  const reviewing = new Reviewing(log, new UnsentReview(tabStorage, status.path))
  const playing = new Playing(log, playhead, filtering, reviewing)
  const finding = new Finding(log, playhead, filtering, playing)
  const resuming = new Resuming(log, key, { playhead, following, filtering, finding, reviewing })
  const loading = new Loading(log, status, { playhead, following, resuming, filtering, finding, choosing, reviewing })
  const stops = [
    host.on('log.progress', (progress) => {
      if (progress.log === id) loading.onStatus(progress)
    }),
    host.on('log.found', (progress) => {
      if (progress.log !== id || progress.generation !== status.generation) return
      for (const search of [finding, filtering, choosing, reviewing.breakpoints]) search.onFound(progress)
    }),
    contents.summaries.changes.subscribe(() => {
      if (contents.summaries.error !== null) set({ loadError: contents.summaries.error })
    })
  ]
  const parts: LogParts = {
    ...contents,
    key,
    ...{ playhead, playing, finding, filtering, choosing, collapsing, reviewing, loading, resuming },
    stepping: new Stepping(log, { playhead, following, filtering, playing, reviewing }),
    inspecting: new Inspecting(log, playhead),
    fileViewing: new FileViewing(log),
    ranging: new Ranging(log, filtering),
    dispose() {
      for (const stop of stops) stop()
      const { summaries, usages, summary, spans, files } = contents
      for (const part of [summaries, usages, summary, spans, files, loading, finding, filtering, choosing, reviewing])
        part.dispose()
    }
  }
  const store = createStore<LogState>(() => ({
    ...parts,
    status,
    version: 0,
    ...notLoaded,
    ...noPlayhead,
    player: stoppedPlayer,
    stepNote: null,
    find: noFind,
    textHits: null,
    filter: noFilter,
    selection: null,
    chosen: null,
    inspectorTab: 'summary',
    viewedFile: null,
    review: noReview,
    reviewVersion: 0,
    generationNote: null,
    missingSeen: false
  }))
  store.subscribe(({ review }, before) => {
    if (review.bookmarks === before.review.bookmarks) return
    filtering.onBookmarks()
    reviewing.breakpoints.onBookmarks()
  })
  // The caller subscribes first.
  if (begins) queueMicrotask(() => loading.begin())
  return Object.assign(store, { parts })
}

export const LogStoreContext = createContext<LogStore | null>(null)

/** The store of the shown log. */
export function useLogStore(): LogStore {
  const store = useContext(LogStoreContext)
  if (store === null) throw new Error('useLog needs a LogStoreContext around it')
  return store
}

/** The contents and parts of the shown log. */
export function useLogParts(): LogParts {
  return useLogStore().parts
}

/** Values of the shown log. */
export const useLog = storeHook<LogState, keyof LogValues>(useLogStore)

/** Members of the log's status: `useStatus('phase', 'rows')`. Draws again only if one of them changes. */
export function useStatus<Name extends keyof LogStatus>(...names: readonly Name[]): Pick<LogStatus, Name> {
  const pick = ({ status }: LogState) => Object.fromEntries(names.map((name) => [name, status[name]]))
  return useLog(useShallow(pick)) as Pick<LogStatus, Name>
}
