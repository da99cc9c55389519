import { createStore, type StoreApi } from 'zustand'
import type { Agent, AgentId, LiveRun, RunRequest } from '#contract/live-runs.ts'
import type { Host } from '#contract/methods.ts'

/** The agents of this machine, and the runs that were started here. Empty, and nothing is asked for, where the host starts none. */
export interface LiveRunsState {
  /** null: not known yet. */
  agents: readonly Agent[] | null
  /** They are looked for right now, which takes a while: each is asked for its version. */
  looking: boolean
  agentsError: string | null
  /** The latest first. */
  runs: readonly LiveRun[]
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
  /** As the method `run.start`; rejects as it does. */
  start(request: RunRequest, agreed: Agreed): Promise<LiveRun>
  stop(run: string): Promise<void>
  /** False where it could not be removed. */
  remove(run: string): Promise<boolean>
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
/** As many as `run.list` gives: older ones are not listed any more. */
const mostKept = 200

export function createLiveRunsStore(host: Host, storage: Pick<Storage, 'getItem' | 'setItem'>): LiveRunsStore {
  return createStore<LiveRunsState>((set, get) => {
    /** By id, what was heard while the list was on its way, which may be older; null: it was removed. */
    let meanwhile: Map<string, LiveRun | null> | null = null
    host.on('run.changed', (run) => hear(run.run, run))
    host.on('run.removed', ({ run }) => hear(run, null))

    function hear(id: string, now: LiveRun | null): void {
      meanwhile?.set(id, now)
      const { runs } = get()
      const known = runs.some(({ run }) => run === id)
      if (now === null) set({ runs: runs.filter(({ run }) => run !== id) })
      else if (known) set({ runs: runs.map((run) => (run.run === id ? now : run)) })
      else set({ runs: ordered([...runs, now]) })
    }

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
          const { runs } = await host.call('run.list', {})
          const now = new Map<string, LiveRun | null>(runs.map((run) => [run.run, run]))
          for (const [id, run] of heard) now.set(id, run)
          set({ runs: ordered([...now.values()].filter((run) => run !== null)), runsError: null })
        } catch (error) {
          set({ runsError: messageOf(error) })
        }
        if (meanwhile === heard) meanwhile = null
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
      remove: (run) =>
        ask(run, async () => {
          await host.call('run.remove', { run })
          hear(run, null)
        }),
      see(run) {
        const seen = new Set([...[...get().seen].slice(1 - mostKept), run])
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
  return runs
    .toSorted((one, other) => other.startedAt - one.startedAt || (one.run < other.run ? 1 : -1))
    .slice(0, mostKept)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
