import { createStore, type StoreApi } from 'zustand'
import type { Agent, AgentId, LiveRun, RunRequest } from '#contract/live-runs.ts'
import type { Host, Params, Result } from '#contract/methods.ts'
import { heardOf } from './run-clock.ts'

/** The agents of this machine, and the runs that were started here. Empty, and nothing is asked for, where the host starts none. */
export interface LiveRunsState {
  /** null: not known yet. */
  agents: readonly Agent[] | null
  /** They are looked for right now, which takes a while: each is asked for its version. */
  looking: boolean
  agentsError: string | null
  /** The latest first, as far as they are known. */
  runs: readonly LiveRun[]
  /** What each takes on the disk, in bytes, where that was told. */
  sizes: ReadonlyMap<string, number>
  /** How many there are, also those that are not known, and what they take in bytes. */
  total: number
  bytes: number
  /** Runs that cannot be read, by the names of their folders. */
  unreadable: Result<'run.list'>['unreadable']
  runsError: string | null
  /** What was asked last of a run, and failed. */
  fault: { readonly run: string; readonly message: string } | null
  /** Lost runs that the person needs not be told of again. */
  seen: ReadonlySet<string>

  /** What is known stays until there is an answer. */
  lookForAgents(): Promise<void>
  /** Gives why the command cannot be used; null where it can. */
  setCommand(agent: AgentId, command: string | null): Promise<string | null>
  /** Never rejects: `runsError` says what went wrong. */
  load(): Promise<void>
  /** The next older ones. Never rejects either. */
  loadMore(): Promise<void>
  /** As the method `run.start`; rejects as it does. */
  start(request: RunRequest, agreed: Agreed): Promise<LiveRun>
  stop(run: string): Promise<void>
  /** Removes runs that a person has named, or, without `named`, that are old. null: it failed; `fault` says why, also of a single one that stays. */
  remove(runs: readonly string[], named?: boolean): Promise<Result<'run.remove'> | null>
  /** As the method; rejects as it does. */
  removable(prune: Params<'run.removable'>): Promise<Result<'run.removable'>>
  /** The person has seen that it was lost. */
  see(run: string): void
}

/** What a person agreed to before a run is started: to what is dangerous about it, and to a disk with little room. */
export interface Agreed {
  readonly confirmed: boolean
  readonly lowDisk: boolean
}

export type LiveRunsStore = StoreApi<LiveRunsState>

const seenKey = 'playhead.seen-lost-runs'
const mostSeen = 200
const pageRuns = 200

export function createLiveRunsStore(host: Host, storage: Pick<Storage, 'getItem' | 'setItem'>): LiveRunsStore {
  return createStore<LiveRunsState>((set, get) => {
    /** By id, what was heard while the list was on its way, which may be older; null: it was removed. */
    let meanwhile: Map<string, LiveRun | null> | null = null
    host.on('run.changed', (run) => hear(run.run, run))
    host.on('run.removed', ({ run }) => hear(run, null))

    function hear(id: string, now: LiveRun | null): void {
      meanwhile?.set(id, now)
      if (now !== null) heardOf(now)
      const { runs } = get()
      const known = runs.find(({ run }) => run === id)
      const { total, bytes, sizes } = get()
      if (now === null) {
        if (known === undefined) return
        set({ runs: runs.filter((run) => run !== known), total: total - 1, bytes: bytes - (sizes.get(id) ?? 0) })
        return
      }
      if (known === undefined) set({ runs: ordered([...runs, now]), total: total + 1 })
      else set({ runs: runs.map((run) => (run === known ? now : run)) })
      // What it takes beside what it printed is little.
      const size = isGoing(now) ? undefined : now.stdoutBytes + now.stderrBytes
      if (size === undefined || (sizes.has(id) && known !== undefined && !isGoing(known))) return
      set({ sizes: new Map(sizes).set(id, size), bytes: bytes + size - (sizes.get(id) ?? 0) })
    }

    function take({ runs, sizes, total, bytes, unreadable }: Result<'run.list'>, before: readonly LiveRun[]): void {
      runs.forEach(heardOf)
      const known = new Map([...before, ...runs].map((run) => [run.run, run]))
      const told = new Map([...get().sizes, ...runs.map((run, at): [string, number] => [run.run, sizes[at] ?? 0])])
      set({ runs: ordered([...known.values()]), sizes: told, total, bytes, unreadable, runsError: null })
    }

    let loadingMore = false

    async function ask(run: string, call: () => Promise<void>): Promise<boolean> {
      set({ fault: null })
      try {
        await call()
        return true
      } catch (error) {
        set({ fault: { run, message: messageOf(error) } })
        return false
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
        const heard = meanwhile
        try {
          const answer = await host.call('run.list', { count: pageRuns })
          take(answer, [])
          meanwhile = null
          for (const [id, run] of heard) hear(id, run)
        } catch (error) {
          set({ runsError: messageOf(error) })
        }
        if (meanwhile === heard) meanwhile = null
      },
      async loadMore() {
        const oldest = get().runs.reduce<string | null>((id, { run }) => (id === null || run < id ? run : id), null)
        if (loadingMore || oldest === null) return
        loadingMore = true
        try {
          const more = await host.call('run.list', { before: oldest, count: pageRuns })
          take(more, get().runs)
        } catch (error) {
          set({ runsError: messageOf(error) })
        }
        loadingMore = false
      },
      async start(request, agreed) {
        const run = await host.call('run.start', { request, ...agreed })
        // The notice of its end may have come before.
        if (!get().runs.some((known) => known.run === run.run)) hear(run.run, run)
        return run
      },
      async stop(run) {
        await ask(run, async () => {
          const now = await host.call('run.stop', { run })
          const before = get().runs.find((known) => known.run === run)
          if (before?.state === 'running' || before?.state === 'starting') hear(run, now)
        })
      },
      async remove(runs, named = true) {
        let answer: Result<'run.remove'> | null = null
        await ask(runs[0] ?? '', async () => {
          answer = await host.call('run.remove', { runs: [...runs], named })
          for (const run of answer.removed) hear(run, null)
          const [stays] = answer.spared
          if (stays !== undefined && runs.length === 1) throw new Error(`Not deleted: ${stays.why}.`)
        })
        return answer
      },
      removable: async (prune) => await host.call('run.removable', prune),
      see(run) {
        const seen = new Set([...[...get().seen].slice(1 - mostSeen), run])
        storage.setItem(seenKey, [...seen].join(' '))
        set({ seen })
      }
    }
  })
}

/** It has not come to its end. */
export function isGoing({ state }: LiveRun): boolean {
  return state === 'starting' || state === 'running' || state === 'stopping'
}

function ordered(runs: readonly LiveRun[]): LiveRun[] {
  return runs.toSorted((one, other) => other.startedAt - one.startedAt || (one.run < other.run ? 1 : -1))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
