import { createStore, type StoreApi } from 'zustand'
import { AgentId, type LiveRun, type PermissionMode, RunRequest } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Agreed, LiveRunsStore } from './live-runs-store.ts'
import { draftOf, type DraftProblems, emptyDraft, requestOf, type RunDraft } from './run-draft.ts'

/** The form of a new run: one, wherever on the page it is shown, and kept while the page lives. */
export interface NewRunState {
  draft: RunDraft
  problems: DraftProblems
  /** Why it was not started, where no field is to blame. */
  fault: string | null
  /** What is dangerous about it, or how little room there is, which the person has to agree to first; null: nothing is asked. */
  asking: string | null
  /** It is about room. */
  asksForRoom: boolean
  starting: boolean
  /** A prompt that another one took the place of, until that is changed; null: none did. */
  replaced: string | null
  /** Grows whenever the form is to be looked at: its first field then takes the focus. */
  wanted: number

  change(part: Partial<RunDraft>): void
  /** What stood there can be put back. */
  replacePrompt(prompt: string): void
  putBack(): void
  /** With what was chosen for this agent the last time. */
  chooseAgent(agent: AgentId): void
  /** The run that was started; null: it was not, and the form says why, or what is to be agreed to. `confirmed`: the person agrees to what was asked. */
  start(confirmed: boolean): Promise<LiveRun | null>
  /** The same once more. Where it cannot be started at once, the form is filled in for it and says why. */
  again(run: LiveRun): Promise<LiveRun | null>
  /** The form is filled in as it was for this run. */
  fill(run: LiveRun): void
  /** The person does not agree. */
  goBack(): void
  want(): void
}

export type NewRunStore = StoreApi<NewRunState>

const keptKey = 'playhead.new-run'

/** What is kept from one visit to the next: never a mode that is dangerous. */
interface Kept {
  readonly agent: AgentId
  readonly cwd: string
  readonly choices: Readonly<Partial<Record<AgentId, Pick<RunDraft, 'mode' | 'model'>>>>
}

export function createNewRunStore(liveRuns: LiveRunsStore, storage: Pick<Storage, 'getItem' | 'setItem'>): NewRunStore {
  return createStore<NewRunState>((set, get) => {
    let kept = readKept(storage.getItem(keptKey))
    /** The person has filled something in. */
    let touched = false
    let agreed = toNothing
    liveRuns.subscribe(() => {
      if (!touched && storage.getItem(keptKey) === null) suggest()
    })

    const choiceOf = (agent: AgentId) => kept.choices[agent] ?? { mode: null, model: '' }

    function modeOf({ agent, mode }: Pick<RunRequest, 'agent' | 'mode'>): PermissionMode | undefined {
      const own = liveRuns.getState().agents?.find((known) => known.agent === agent)
      return own?.modes.find(({ id }) => id === mode)
    }

    function keep({ agent, cwd, mode, model }: RunRequest): void {
      const isSafe = modeOf({ agent, mode })?.dangerous === false
      const choice = { mode: isSafe ? mode : null, model: model ?? '' }
      kept = { agent, cwd, choices: { ...kept.choices, [agent]: choice } }
      storage.setItem(keptKey, JSON.stringify(kept))
    }

    /** Nothing is kept where the page was another time, at another address: the latest run says it as well, or else what is installed. */
    function suggest(): void {
      const { runs, agents } = liveRuns.getState()
      const [last] = runs
      if (last === undefined) {
        const { draft } = get()
        const isThere = (agent: AgentId) => agents?.find((known) => known.agent === agent)?.problem === null
        const installed = agents?.find(({ agent }) => isThere(agent))
        if (installed !== undefined && !isThere(draft.agent)) set({ draft: { ...draft, agent: installed.agent } })
        return
      }
      const { agent, cwd, mode, model } = last
      const isSafe = modeOf({ agent, mode })?.dangerous === false
      set({ draft: { ...get().draft, agent, cwd, model: model ?? '', mode: isSafe ? mode : null } })
    }

    function take(draft: RunDraft): void {
      touched = true
      const before = get().draft.prompt
      const isLost = before.trim() !== '' && before !== draft.prompt
      set({ draft, problems: {}, replaced: isLost ? before : null })
    }

    /** Where it is not started, `asking` or `fault` says why. */
    async function begin(request: RunRequest): Promise<LiveRun | null> {
      const mode = modeOf(request)
      if (mode?.dangerous === true && !agreed.confirmed) {
        set({ asksForRoom: false, asking: `${mode.title}: ${mode.note}` })
        return null
      }
      set({ starting: true, asking: null, fault: null, problems: {} })
      try {
        const run = await liveRuns.getState().start(request, agreed)
        if (run.state !== 'failed') return run
        set({ fault: run.message ?? 'The run could not be started. No reason was given.' })
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        const code = error instanceof HostError ? error.code : null
        if (code === 'not-confirmed' || code === 'low-disk') set({ asking: message, asksForRoom: code === 'low-disk' })
        // The folder is the one field of which only the host knows what is wrong with it.
        else if (error instanceof HostError && error.field === 'cwd') set({ problems: { cwd: message } })
        else set({ fault: message })
      } finally {
        set({ starting: false })
      }
      return null
    }

    return {
      draft: { ...emptyDraft, agent: kept.agent, cwd: kept.cwd, ...choiceOf(kept.agent) },
      problems: {},
      fault: null,
      asking: null,
      asksForRoom: false,
      starting: false,
      replaced: null,
      wanted: 0,

      change(part) {
        touched = true
        const problems = Object.fromEntries(Object.entries(get().problems).filter(([field]) => !(field in part)))
        const { draft, replaced } = get()
        set({
          draft: { ...draft, ...part },
          problems,
          fault: null,
          asking: null,
          replaced: 'prompt' in part ? null : replaced
        })
      },
      replacePrompt(prompt) {
        take({ ...get().draft, prompt })
        set({ fault: null, asking: null })
      },
      putBack() {
        const { draft, replaced } = get()
        if (replaced !== null) set({ draft: { ...draft, prompt: replaced }, replaced: null })
      },
      chooseAgent: (agent) => get().change({ agent, ...choiceOf(agent) }),
      async start(confirmed) {
        if (get().starting) return null
        const { asksForRoom } = get()
        if (!confirmed) agreed = toNothing
        else agreed = asksForRoom ? { ...agreed, lowDisk: true } : { ...agreed, confirmed: true }
        const asked = requestOf(get().draft)
        if ('problems' in asked) {
          set({ problems: asked.problems, asking: null })
          return null
        }
        const run = await begin(asked.request)
        if (run === null) return null
        keep(asked.request)
        // What is dangerous is chosen anew each time.
        set({ draft: { ...get().draft, prompt: '', extra: '', ...choiceOf(asked.request.agent) }, replaced: null })
        return run
      },
      async again(run) {
        if (get().starting) return null
        // A mode is dangerous or not by what its agent says.
        if (liveRuns.getState().agents === null) await liveRuns.getState().lookForAgents()
        agreed = toNothing
        const started = await begin(RunRequest.parse(run))
        if (started === null) {
          const { problems } = get()
          take(draftOf(run))
          set({ problems })
        }
        return started
      },
      fill(run) {
        take(draftOf(run))
        set({ fault: null, asking: null })
      },
      goBack: () => set({ asking: null }),
      want: () => set({ wanted: get().wanted + 1 })
    }
  })
}

const toNothing: Agreed = { confirmed: false, lowDisk: false }

/** What was kept, as far as it makes sense: another version, or a person, may have written it. */
function readKept(text: string | null): Kept {
  const nothing: Kept = { agent: emptyDraft.agent, cwd: '', choices: {} }
  try {
    const { agent, cwd, choices }: Partial<Record<keyof Kept, unknown>> = Object(JSON.parse(text ?? '{}'))
    const known = AgentId.safeParse(agent)
    const own: Partial<Record<AgentId, Pick<RunDraft, 'mode' | 'model'>>> = {}
    for (const [name, choice] of Object.entries(Object(choices ?? {}) as Record<string, unknown>)) {
      const { mode, model }: { mode?: unknown; model?: unknown } = Object(choice)
      const of = AgentId.safeParse(name)
      if (!of.success) continue
      own[of.data] = { mode: typeof mode === 'string' ? mode : null, model: typeof model === 'string' ? model : '' }
    }
    return { agent: known.data ?? nothing.agent, cwd: typeof cwd === 'string' ? cwd : '', choices: own }
  } catch {
    return nothing
  }
}
