import { createStore, type StoreApi } from 'zustand'
import { messageOf } from '#contract/host-error.ts'
import type { Agent, AgentId, LiveRun, OpenAsk, Resumable, RunRequest } from '#contract/live-runs.ts'
import type { Host, Params, Result } from '#contract/methods.ts'
import { recordStart } from './run-clock.ts'

/** The agents of this machine and the runs started on it. Stays empty on a host without live runs. */
export interface LiveRunsState {
  /** Null: not loaded yet. */
  agents: readonly Agent[] | null
  /** Agents are being searched for. That takes a while, because each is asked for its version. */
  looking: boolean
  agentsError: string | null
  /** The loaded runs, latest first. */
  runs: readonly LiveRun[]
  /** Disk use of a run in bytes, if known. */
  sizes: ReadonlyMap<string, number>
  /** Number and disk use in bytes of all runs, also of those that are not loaded. */
  total: number
  bytes: number
  /** Runs that cannot be read, by folder name. */
  unreadable: Result<'run.list'>['unreadable']
  runsError: string | null
  /** The last failed action on a run. */
  fault: { readonly run: string; readonly message: string } | null
  /** Lost runs that the person has dismissed. */
  seen: ReadonlySet<string>

  /** Known agents stay until the host answers. */
  lookForAgents(): Promise<void>
  /** Resolves to the reason if the command cannot be used, else null. */
  setCommand(agent: AgentId, command: string | null): Promise<string | null>
  /** Never rejects: `runsError` has the error. */
  load(): Promise<void>
  /** Loads the next older runs. Never rejects. */
  loadMore(): Promise<void>
  resumable(path: string): Promise<Resumable>
  /** Rejects like the method `run.start`. */
  start(request: RunRequest, agreed: Agreed): Promise<LiveRun>
  stop(run: string): Promise<void>
  /** `named`: the person chose these runs. Null on failure; `fault` then has the reason, also for a spared run. */
  remove(runs: readonly string[], named?: boolean): Promise<Result<'run.remove'> | null>
  removable(prune: Params<'run.removable'>): Promise<Result<'run.removable'>>
  /** Dismisses a lost run. */
  markSeen(run: string): void
}

/** The risks that a person accepted: dangerous permissions, and little disk space. */
export interface Agreed {
  readonly confirmed: boolean
  readonly lowDisk: boolean
}

export type LiveRunsStore = StoreApi<LiveRunsState>

const seenKey = 'playhead.seen-lost-runs'
const maxSeen = 200
const pageRuns = 200
const frameMs = 16

export function createLiveRunsStore(
  host: Host,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  isHidden: () => boolean = () => typeof document !== 'undefined' && document.hidden
): LiveRunsStore {
  return createStore<LiveRunsState>((set, get) => {
    /** Changes that arrived while the list was loaded, which may be older, by run. Null: removed. */
    let meanwhile: Map<string, LiveRun | null> | null = null
    /** Changes of this frame, by run. Many runs change more often than a page can be drawn. */
    const noticed = new Map<string, LiveRun | null>()
    let timer: ReturnType<typeof setTimeout> | null = null
    host.on('run.changed', (run) => onNotice(run.run, run))
    host.on('run.removed', ({ run }) => onNotice(run, null))

    function onNotice(id: string, now: LiveRun | null): void {
      noticed.set(id, now)
      // The timers of a hidden page can be a minute late, and it draws nothing.
      if (isHidden()) applyNotices()
      else timer ??= setTimeout(applyNotices, frameMs)
    }

    /** At the end of a frame, and before an answer is used: what was noticed before it is older. */
    function applyNotices(): void {
      if (timer !== null) clearTimeout(timer)
      timer = null
      const changes = [...noticed]
      noticed.clear()
      for (const [id, now] of changes) onChange(id, now)
    }

    function onChange(id: string, now: LiveRun | null): void {
      meanwhile?.set(id, now)
      if (now !== null) recordStart(now)
      const { runs, total, bytes, sizes } = get()
      const known = runs.find(({ run }) => run === id)
      if (now === null) {
        if (known === undefined) return
        set({ runs: runs.filter((run) => run !== known), total: total - 1, bytes: bytes - (sizes.get(id) ?? 0) })
        return
      }
      if (known === undefined) set({ runs: latestFirst([...runs, now]), total: total + 1 })
      else {
        const next = sharing(now, known)
        set({ runs: runs.map((run) => (run === known ? next : run)) })
      }
      // The other files of a run are small.
      const size = isOngoing(now) ? undefined : now.stdoutBytes + now.stderrBytes
      if (size === undefined || (sizes.has(id) && known !== undefined && !isOngoing(known))) return
      set({ sizes: new Map(sizes).set(id, size), bytes: bytes + size - (sizes.get(id) ?? 0) })
    }

    function addPage({ runs, sizes, total, bytes, unreadable }: Result<'run.list'>, before: readonly LiveRun[]): void {
      runs.forEach(recordStart)
      const known = new Map([...before, ...runs].map((run) => [run.run, run]))
      const diskUse = new Map([...get().sizes, ...runs.map((run, at): [string, number] => [run.run, sizes[at] ?? 0])])
      set({ runs: latestFirst([...known.values()]), sizes: diskUse, total, bytes, unreadable, runsError: null })
    }

    let loadingMore = false

    async function act(run: string, call: () => Promise<void>): Promise<void> {
      set({ fault: null })
      try {
        await call()
      } catch (error) {
        set({ fault: { run, message: messageOf(error) } })
      }
    }

    return {
      agents: null,
      looking: false,
      agentsError: null,
      runs: [],
      sizes: new Map(),
      total: 0,
      bytes: 0,
      unreadable: [],
      runsError: null,
      fault: null,
      seen: new Set(storage.getItem(seenKey)?.split(' ')),

      async lookForAgents() {
        if (get().looking) return
        set({ looking: true, agentsError: null })
        try {
          set({ agents: (await host.call('agent.list', {})).agents })
        } catch (error) {
          set({ agentsError: messageOf(error) })
        }
        set({ looking: false })
      },
      async setCommand(agent, command) {
        try {
          const now = await host.call('agent.setCommand', { agent, command })
          set({ agents: get().agents?.map((known) => (known.agent === agent ? now : known)) ?? null })
          return now.problem
        } catch (error) {
          return messageOf(error)
        }
      },
      async load() {
        meanwhile = new Map()
        const changes = meanwhile
        try {
          addPage(await host.call('run.list', { count: pageRuns }), [])
          meanwhile = null
          for (const [id, run] of changes) onChange(id, run)
        } catch (error) {
          set({ runsError: messageOf(error) })
        }
        if (meanwhile === changes) meanwhile = null
      },
      async loadMore() {
        const oldest = get().runs.reduce<string | null>((id, { run }) => (id === null || run < id ? run : id), null)
        if (loadingMore || oldest === null) return
        loadingMore = true
        try {
          addPage(await host.call('run.list', { before: oldest, count: pageRuns }), get().runs)
        } catch (error) {
          set({ runsError: messageOf(error) })
        }
        loadingMore = false
      },
      async start(request, agreed) {
        const run = await host.call('run.start', { request, ...agreed })
        applyNotices()
        // The notice of its end may have arrived first.
        if (!get().runs.some((known) => known.run === run.run)) onChange(run.run, run)
        return run
      },
      resumable: async (path) => await host.call('run.resumable', { path }),
      async stop(run) {
        await act(run, async () => {
          const now = await host.call('run.stop', { run })
          applyNotices()
          const before = get().runs.find((known) => known.run === run)
          if (before?.state === 'running' || before?.state === 'starting') onChange(run, now)
        })
      },
      async remove(runs, named = true) {
        let answer: Result<'run.remove'> | null = null
        await act(runs[0] ?? '', async () => {
          answer = await host.call('run.remove', { runs: [...runs], named })
          applyNotices()
          for (const run of answer.removed) onChange(run, null)
          const [stays] = answer.spared
          if (stays !== undefined && runs.length === 1) throw new Error(`Not deleted: ${stays.why}.`)
        })
        return answer
      },
      removable: async (prune) => await host.call('run.removable', prune),
      markSeen(run) {
        const seen = new Set([...[...get().seen].slice(1 - maxSeen), run])
        storage.setItem(seenKey, [...seen].join(' '))
        set({ seen })
      }
    }
  })
}

/** Whether the run has not ended. */
export function isOngoing({ state }: LiveRun): boolean {
  return state === 'starting' || state === 'running' || state === 'stopping'
}

function latestFirst(runs: readonly LiveRun[]): LiveRun[] {
  return runs.toSorted((one, other) => other.startedAt - one.startedAt || (one.run < other.run ? 1 : -1))
}

/** Runs of this host with requests that wait for a person, the one that waits longest first. */
export function runsWithAsks(runs: readonly LiveRun[]): LiveRun[] {
  const since = ({ dialogue }: LiveRun): number => dialogue?.asks[0]?.since ?? Infinity
  return runs
    .filter(({ own, dialogue }) => own && (dialogue?.asks.length ?? 0) > 0)
    .toSorted((a, b) => since(a) - since(b))
}

/** `now` with the requests and queued prompts of before that are the same: they may be many, and are not drawn again. */
function sharing(now: LiveRun, { dialogue: before }: LiveRun): LiveRun {
  if (now.dialogue === null || before === null) return now
  const { asks, queue } = now.dialogue
  const known = new Map(before.asks.map((ask) => [ask.id, ask]))
  // All of it is compared: an agent can use the id of a request again, and what is shown is what is allowed.
  const isSame = (a: OpenAsk, b: OpenAsk): boolean => JSON.stringify(a) === JSON.stringify(b)
  const prompts = new Map(before.queue.map((prompt) => [prompt.id, prompt]))
  const shared = <T>(each: T, old: T | undefined, same: (a: T, b: T) => boolean): T =>
    old !== undefined && same(each, old) ? old : each
  return {
    ...now,
    dialogue: {
      ...now.dialogue,
      asks: asks.map((ask) => shared(ask, known.get(ask.id), isSame)),
      queue: queue.map((prompt) =>
        shared(prompt, prompts.get(prompt.id), (a, b) => a.text === b.text && a.cut === b.cut)
      )
    }
  }
}
