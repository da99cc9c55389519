import * as z from 'zod'
import { type Cost, originOf } from '../requests/cost.ts'
import { days } from './days.ts'
import { projectNames } from './project-names.ts'
import type { SessionCard } from './session-card.ts'

export const totalsGroups = ['project', 'day', 'agent', 'model'] as const
export type TotalsGroup = (typeof totalsGroups)[number]

const Count = z.int().min(0)

/** A sum over the sessions for which it is known. */
const Sum = z.object({
  /** Null: known for no session. */
  value: z.number().nullable(),
  /** Of how many sessions. The others are not counted yet, or their logs do not state it. */
  sessions: Count
})

/** Numbers of several sessions. Subagents are in the numbers of their session. */
export const SessionTotals = z.object({
  sessions: Count,
  /** Sessions whose whole log is not read yet. They are in no sum. */
  uncounted: Count,
  /** Forks: their logs repeat requests of another session, which are counted again. */
  forks: Count,
  /** Time of the turns, in ms. */
  activeMs: Sum,
  inputTokens: Sum,
  /** `atLeast`: a log understates its output, so the sum is a lower bound. */
  outputTokens: Sum.extend({ atLeast: z.boolean() }),
  /**
   * In dollars. `from` and `pricesDate` as of a cost. `atLeast`: it leaves out a part of a session, or a session whose
   * cost is not known.
   */
  cost: z.object({
    usd: z.number().nullable(),
    from: z.enum(['stated', 'prices', 'both']).nullable(),
    atLeast: z.boolean(),
    pricesDate: z.string().nullable(),
    sessions: Count,
    /** Models without a price; at most 20. */
    unpriced: z.array(z.string())
  })
})
export type SessionTotals = z.infer<typeof SessionTotals>

/** The totals of a group. `key`: a project's folder, a local day, an agent or a model; empty: not known. */
export const GroupTotals = SessionTotals.extend({ key: z.string() })
export type GroupTotals = z.infer<typeof GroupTotals>

export interface TotalsOfGroups {
  readonly all: SessionTotals
  /** Days: the latest first; else the group with most sessions first. */
  readonly groups: readonly GroupTotals[]
}

const maxUnpriced = 20

/** Adds up sessions by the group. A session belongs to the day of its last update. */
export function totalsOf(cards: readonly SessionCard[], by: TotalsGroup): TotalsOfGroups {
  const all = new Adding()
  const groups = new Map<string, Adding>()
  const keyOf = keys[by](cards)
  for (const card of cards) {
    const key = keyOf(card)
    let group = groups.get(key)
    if (group === undefined) groups.set(key, (group = new Adding()))
    group.add(card)
    all.add(card)
  }
  const totals = [...groups].map(([key, group]): GroupTotals => ({ key, ...group.totals }))
  const byKey = (a: GroupTotals, b: GroupTotals): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
  totals.sort(by === 'day' ? (a, b) => byKey(b, a) : (a, b) => b.sessions - a.sessions || byKey(a, b))
  return { all: all.totals, groups: totals }
}

const keys: Readonly<Record<TotalsGroup, (cards: readonly SessionCard[]) => (card: SessionCard) => string>> = {
  project: projectNames,
  day: days,
  agent:
    () =>
    ({ agent }) =>
      agent ?? '',
  model:
    () =>
    ({ model }) =>
      model ?? ''
}

/** Whole numbers of 10⁻⁹ dollars, so that the order of sessions does not matter. */
const nanodollars = 1e9

class Adding {
  #sessions = 0
  #uncounted = 0
  #forks = 0
  readonly #active = new Known()
  readonly #input = new Known()
  readonly #output = new Known()
  readonly #cost = new Known()
  #atLeast = false
  #costAtLeast = false
  #from: Cost['from'] | null = null
  #pricesDate: string | null = null
  readonly #unpriced = new Set<string>()

  add({ counts, cost, costGaps, forkedFrom, state }: SessionCard): void {
    this.#sessions++
    if (forkedFrom !== null) this.#forks++
    if (counts === null) {
      this.#uncounted++
      this.#costAtLeast = true
      return
    }
    this.#active.add(counts.activeMs)
    this.#input.add(counts.inputTokens)
    this.#output.add(counts.outputTokens)
    this.#atLeast ||= counts.outputAtLeast
    this.#cost.add(cost === null ? null : Math.round(cost.usd * nanodollars))
    for (const model of costGaps?.models ?? []) {
      if (model !== null && this.#unpriced.size < maxUnpriced) this.#unpriced.add(model)
    }
    // Nothing was spent in a session without content.
    this.#costAtLeast ||= cost === null ? state !== 'empty' : cost.atLeast
    if (cost === null) return
    this.#from = originOf(this.#from, cost.from)
    const date = cost.pricesDate
    if (date !== null && (this.#pricesDate === null || date < this.#pricesDate)) this.#pricesDate = date
  }

  get totals(): SessionTotals {
    const cost = this.#cost.sum
    return {
      sessions: this.#sessions,
      uncounted: this.#uncounted,
      forks: this.#forks,
      activeMs: this.#active.sum,
      inputTokens: this.#input.sum,
      outputTokens: { ...this.#output.sum, atLeast: this.#atLeast },
      cost: {
        usd: cost.value === null ? null : cost.value / nanodollars,
        from: this.#from,
        atLeast: this.#costAtLeast,
        pricesDate: this.#pricesDate,
        sessions: cost.sessions,
        unpriced: [...this.#unpriced].toSorted()
      }
    }
  }
}

class Known {
  #value = 0
  #sessions = 0

  add(value: number | null): void {
    if (value === null) return
    this.#value += value
    this.#sessions++
  }

  get sum(): z.infer<typeof Sum> {
    return { value: this.#sessions === 0 ? null : this.#value, sessions: this.#sessions }
  }
}
