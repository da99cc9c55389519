import { type AgentId, agentIds, promptProblem, type Resumed, RunRequest } from '#contract/live-runs.ts'
import { argumentWords, textOfWords } from './argument-words.ts'
import { type LimitField, type LimitsDraft, limitsDraftOf, limitsOf } from './limits-draft.ts'

/** The input of the form for a new run. */
export interface RunDraft {
  readonly agent: AgentId
  readonly prompt: string
  readonly cwd: string
  /** "": the agent's default. */
  readonly model: string
  /** Null: the agent's first mode. */
  readonly mode: string | null
  readonly extra: string
  /** The time limit; "" for none. */
  readonly minutes: string
  /** Null: a new session. */
  readonly resumes: Resumed | null
  /** What changes in the folder is kept, to be shown as a diff. */
  readonly keepsChanges: boolean
  /** A person is asked, and can prompt again. The fields below are only of such a run. */
  readonly interactive: boolean
  readonly mayBecomeDangerous: boolean
  readonly limits: LimitsDraft
}

export type DraftField = 'prompt' | 'cwd' | 'model' | 'extra' | 'minutes' | LimitField
/** Problems that prevent the start, by field. */
export type DraftProblems = Readonly<Partial<Record<DraftField, string>>>

export const emptyDraft: RunDraft = {
  agent: agentIds[0],
  prompt: '',
  cwd: '',
  model: '',
  mode: null,
  extra: '',
  minutes: '',
  resumes: null,
  keepsChanges: false,
  interactive: false,
  mayBecomeDangerous: false,
  limits: limitsDraftOf()
}

const fields = RunRequest.shape
const longestMinutes = (fields.timeLimitMs.unwrap().maxValue ?? Infinity) / 60_000

/** The request, or the problems that prevent it. */
export function requestOf(draft: RunDraft): { request: RunRequest } | { problems: DraftProblems } {
  const words = argumentWords(draft.extra)
  const minutes = draft.minutes.trim() === '' ? null : Number(draft.minutes.replace(',', '.'))
  const cwd = draft.cwd.trim()
  const model = draft.model.trim()
  const problems: Partial<Record<DraftField, string>> = {}
  const limits = draft.interactive ? limitsOf(draft.limits) : null
  if (limits !== null && 'problems' in limits) Object.assign(problems, limits.problems)
  if (draft.prompt.trim() === '') problems.prompt = 'Describe the task.'
  else {
    const problem = promptProblem(draft.prompt)
    if (problem !== null) problems.prompt = problem
  }
  if (cwd === '') problems.cwd = 'Enter the folder in which the agent works.'
  else if (!isAbsolute(cwd)) problems.cwd = 'Enter the absolute path of the folder. ~ is not supported.'
  else if (!fields.cwd.safeParse(cwd).success) problems.cwd = 'The path is too long.'
  if (model !== '' && !fields.model.safeParse(model).success) problems.model = 'The name is too long.'
  if (typeof words === 'string') problems.extra = words
  else if (!fields.extraArguments.safeParse(words).success)
    problems.extra = 'At most 100 arguments of 10,000 characters each.'
  const timeLimitMs = minutes === null ? null : Math.round(minutes * 60_000)
  if (!fields.timeLimitMs.safeParse(timeLimitMs).success) {
    problems.minutes = `Enter minutes, at most ${longestMinutes}, or leave this empty.`
  }
  if (Object.keys(problems).length > 0 || typeof words === 'string') return { problems }
  const { agent, prompt, mode, resumes } = draft
  return {
    request: {
      ...{ agent, prompt, cwd, model: model === '' ? null : model, mode, extraArguments: words, timeLimitMs, resumes },
      ...(draft.keepsChanges ? { keepsChanges: true } : {}),
      ...(limits !== null && 'limits' in limits
        ? { interactive: true, mayBecomeDangerous: draft.mayBecomeDangerous, limits: limits.limits }
        : {})
    }
  }
}

/** The form for the request of an earlier run. */
export function draftOf(request: RunRequest): RunDraft {
  const { agent, prompt, cwd, model, mode, extraArguments, timeLimitMs, resumes } = request
  const minutes = timeLimitMs === null ? '' : String(Number((timeLimitMs / 60_000).toFixed(3)))
  return {
    ...{ agent, prompt, cwd, model: model ?? '', mode, extra: textOfWords(extraArguments), minutes, resumes },
    keepsChanges: request.keepsChanges === true,
    interactive: request.interactive === true,
    // A danger must be accepted again each time.
    mayBecomeDangerous: false,
    limits: limitsDraftOf(request.limits)
  }
}

/** The host may run on another platform. */
function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)
}
