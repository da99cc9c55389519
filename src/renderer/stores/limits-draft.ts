import { defaultDialogueLimits, DialogueLimits } from '#contract/live-runs.ts'

/** The limits of an interactive run as a person writes them; "": none. */
export interface LimitsDraft {
  readonly askMinutes: string
  readonly usd: string
  readonly tokens: string
  readonly idleMinutes: string
  readonly toolMinutes: string
}

export type LimitField = keyof LimitsDraft

const minuteMs = 60_000
const limits = DialogueLimits.shape

interface Field {
  readonly limit: keyof DialogueLimits
  /** The limit for one unit of what is written. */
  readonly factor: number
  readonly problem: string
}

const fields: Readonly<Record<LimitField, Field>> = {
  askMinutes: { limit: 'askMs', factor: minuteMs, problem: 'Enter minutes from 1 to 1440, or leave this empty.' },
  usd: { limit: 'usd', factor: 1, problem: 'Enter an amount in US dollars, or leave this empty.' },
  tokens: { limit: 'tokens', factor: 1, problem: 'Enter a whole number of tokens, or leave this empty.' },
  idleMinutes: { limit: 'idleMs', factor: minuteMs, problem: 'Enter minutes from 1 to 10080, or leave this empty.' },
  toolMinutes: { limit: 'toolMs', factor: minuteMs, problem: 'Enter minutes, at most 10080, or leave this empty.' }
}
const names = Object.keys(fields) as LimitField[]

/** The limits, or the fields that cannot be read, with what to do. */
export function limitsOf(
  draft: LimitsDraft
): { limits: DialogueLimits } | { problems: Readonly<Partial<Record<LimitField, string>>> } {
  const problems: Partial<Record<LimitField, string>> = {}
  const read: Record<string, number | null> = {}
  for (const name of names) {
    const { limit, factor, problem } = fields[name]
    const text = draft[name].trim().replace(',', '.')
    const value = text === '' ? null : Number(text) * factor
    const rounded = value === null || limit === 'usd' ? value : Math.round(value)
    if (!limits[limit].safeParse(rounded).success) problems[name] = problem
    read[limit] = rounded
  }
  return Object.keys(problems).length > 0 ? { problems } : { limits: DialogueLimits.parse(read) }
}

/** These limits as a person would write them. */
export function limitsDraftOf(given: DialogueLimits = defaultDialogueLimits): LimitsDraft {
  const written = (name: LimitField): string => {
    const { limit, factor } = fields[name]
    const value = given[limit]
    return value === null ? '' : String(Number((value / factor).toFixed(3)))
  }
  return {
    askMinutes: written('askMinutes'),
    usd: written('usd'),
    tokens: written('tokens'),
    idleMinutes: written('idleMinutes'),
    toolMinutes: written('toolMinutes')
  }
}

/** Whether there are others than a run has by itself. */
export function hasOwnLimits(draft: LimitsDraft): boolean {
  const usual = limitsDraftOf()
  return names.some((name) => draft[name] !== usual[name])
}
