import * as z from 'zod'
import { createStore, type StoreApi } from 'zustand'
import {
  type Agent,
  AgentId,
  type LiveRun,
  type PermissionMode,
  type Resumable,
  RunRequest
} from '#contract/live-runs.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import { parsedJson } from '#core/parsed-json.ts'
import { textOfWords } from './argument-words.ts'
import type { Agreed, LiveRunsStore } from './live-runs-store.ts'
import { draftOf, type DraftProblems, emptyDraft, requestOf, type RunDraft } from './run-draft.ts'

/** The form of a new run. All parts of the page share one, and it is kept while the page is open. */
export interface NewRunState {
  draft: RunDraft
  problems: DraftProblems
  /** Why the start failed, if no field is the reason. */
  fault: string | null
  /** A risk that the person must accept before the start; null for none. */
  asking: string | null
  /** Whether the risk is little disk space. */
  asksForRoom: boolean
  starting: boolean
  /** The session to go on with is being looked for. */
  looking: boolean
  /** What the host says of the session in `draft.resumes`; null: nothing. */
  session: Pick<Resumable, 'title' | 'note' | 'warnings'> | null
  /** The prompt that was replaced, until the new one is edited; null for none. */
  replaced: string | null
  /** Number of requests to show the form; each one focuses its first field. */
  focusRequests: number

  change(part: Partial<RunDraft>): void
  /** The former prompt can be restored. */
  replacePrompt(prompt: string): void
  putBack(): void
  /** With the last choices for this agent. */
  chooseAgent(agent: AgentId): void
  /** `confirmed`: the person accepts the risk in `asking`. Null if the run was not started; the form shows why. */
  start(confirmed: boolean): Promise<LiveRun | null>
  /** Starts the same run again. If that fails, the form shows its input and the reason. */
  again(run: LiveRun): Promise<LiveRun | null>
  /** Fills the form with the input of this run. */
  fill(run: LiveRun): void
  /** Fills the form for a run that goes on with the session of a log, or shows why that is not possible. */
  goOn(path: string): Promise<void>
  /** The form is for a new session again. */
  leaveSession(): void
  /** The person does not accept the risk. */
  goBack(): void
  requestFocus(): void
}

export type NewRunStore = StoreApi<NewRunState>

const keptKey = 'playhead.new-run'
const noChoice = { mode: null, model: '', interactive: false }

/** Stored choices, also of agents that only another version knows. A dangerous mode is never stored. */
const Kept = z.object({
  agent: AgentId.catch(emptyDraft.agent),
  cwd: z.string().catch(''),
  choices: z
    .record(
      z.string(),
      z
        .object({
          mode: z.string().nullable().catch(null),
          model: z.string().catch(''),
          interactive: z.boolean().catch(false)
        })
        .catch(noChoice)
    )
    .catch({})
})

export function createNewRunStore(liveRuns: LiveRunsStore, storage: Pick<Storage, 'getItem' | 'setItem'>): NewRunStore {
  return createStore<NewRunState>((set, get) => {
    let kept = parsedJson(Kept, storage.getItem(keptKey) ?? '{}') ?? Kept.parse({})
    /** The person has changed the form. */
    let touched = false
    let agreed = nothingAccepted
    /** Calls of `goOn` so far; only the answer to the last one counts. */
    let asks = 0
    liveRuns.subscribe(() => {
      if (!touched && storage.getItem(keptKey) === null) suggest()
    })

    const choiceOf = (agent: AgentId) => kept.choices[agent] ?? noChoice

    function modeOf({ agent, mode, interactive }: ChosenMode): PermissionMode | undefined {
      const own = liveRuns.getState().agents?.find((known) => known.agent === agent)
      return own === undefined ? undefined : modesOf(own, interactive === true).find(({ id }) => id === mode)
    }

    function keep(request: RunRequest): void {
      const { agent, cwd, mode, model, interactive = false } = request
      const isSafe = modeOf(request)?.dangerous === false
      const choice = { mode: isSafe ? mode : null, model: model ?? '', interactive }
      kept = { agent, cwd, choices: { ...kept.choices, [agent]: choice } }
      storage.setItem(keptKey, JSON.stringify(kept))
    }

    /** Without stored choices: those of the latest run, else the first installed agent. */
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
      const { agent, cwd, mode, model, interactive = false } = last
      const isSafe = modeOf(last)?.dangerous === false
      set({ draft: { ...get().draft, agent, cwd, model: model ?? '', mode: isSafe ? mode : null, interactive } })
    }

    function replaceDraft(draft: RunDraft): void {
      touched = true
      const before = get().draft.prompt
      const isLost = before.trim() !== '' && before !== draft.prompt
      set({ draft, problems: {}, session: null, replaced: isLost ? before : null })
    }

    /** Null if the run was not started; `asking` or `fault` says why. */
    async function begin(request: RunRequest): Promise<LiveRun | null> {
      const mode = modeOf(request)
      if (mode?.dangerous === true && !agreed.confirmed) {
        // The host asks of arguments, but not after this yes.
        const words = textOfWords(request.extraArguments)
        const also = words === '' ? '' : ` Arguments are added: ${words}`
        set({ asksForRoom: false, asking: `${mode.title}: ${mode.note}${also}` })
        return null
      }
      set({ starting: true, asking: null, fault: null, problems: {} })
      try {
        const run = await liveRuns.getState().start(request, agreed)
        if (run.state !== 'failed') return run
        set({ fault: run.message ?? 'The run could not be started. No reason was given.' })
      } catch (error) {
        const message = messageOf(error)
        const code = error instanceof HostError ? error.code : null
        if (code === 'not-confirmed' || code === 'low-disk') set({ asking: message, asksForRoom: code === 'low-disk' })
        // Only the host can check the folder.
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
      looking: false,
      session: null,
      replaced: null,
      focusRequests: 0,

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
        replaceDraft({ ...get().draft, prompt })
        set({ fault: null, asking: null })
      },
      putBack() {
        const { draft, replaced } = get()
        if (replaced !== null) set({ draft: { ...draft, prompt: replaced }, replaced: null })
      },
      chooseAgent: (agent) => get().change({ agent, ...choiceOf(agent) }),
      async start(confirmed) {
        if (get().starting || get().looking) return null
        const { asksForRoom } = get()
        if (!confirmed) agreed = nothingAccepted
        else agreed = asksForRoom ? { ...agreed, lowDisk: true } : { ...agreed, confirmed: true }
        const asked = requestOf(get().draft)
        if ('problems' in asked) {
          set({ problems: asked.problems, asking: null })
          return null
        }
        const run = await begin(asked.request)
        if (run === null) return null
        keep(asked.request)
        // A dangerous mode must be chosen again each time.
        const next = {
          prompt: '',
          extra: '',
          mayBecomeDangerous: false,
          resumes: null,
          ...choiceOf(asked.request.agent)
        }
        set({ draft: { ...get().draft, ...next }, session: null, replaced: null })
        return run
      },
      async again(run) {
        if (get().starting) return null
        // The agent's modes state which of them are dangerous.
        if (liveRuns.getState().agents === null) await liveRuns.getState().lookForAgents()
        agreed = nothingAccepted
        const started = await begin(RunRequest.parse(run))
        if (started === null) {
          const { problems } = get()
          replaceDraft(draftOf(run))
          set({ problems })
        }
        return started
      },
      fill(run) {
        replaceDraft(draftOf(run))
        set({ fault: null, asking: null })
      },
      async goOn(path) {
        get().leaveSession()
        const asked = ++asks
        replaceDraft({ ...get().draft, prompt: '' })
        set({ looking: true, fault: null, asking: null })
        const answer = await liveRuns.getState().resumable(path).catch(messageOf)
        if (asked !== asks) return
        set({ looking: false })
        if (typeof answer === 'string') return set({ fault: answer })
        const { request, ...session } = answer
        // The person may have begun to write.
        set({ draft: draftOf({ ...request, prompt: get().draft.prompt }), problems: {}, session })
      },
      leaveSession() {
        asks++
        set({ draft: { ...get().draft, resumes: null }, session: null, looking: false })
      },
      goBack: () => set({ asking: null }),
      requestFocus: () => set({ focusRequests: get().focusRequests + 1 })
    }
  })
}

type ChosenMode = Pick<RunRequest, 'agent' | 'mode' | 'interactive'>

/** The modes that an agent has in a run of this kind. */
export function modesOf(agent: Agent, interactive: boolean): readonly PermissionMode[] {
  return interactive && agent.dialogue !== null ? agent.dialogue.modes : agent.modes
}

const nothingAccepted: Agreed = { confirmed: false, lowDisk: false }
