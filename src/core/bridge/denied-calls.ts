import * as z from 'zod'
import { IdSet } from '../formats/id-set.ts'
import { oneLine } from '../index/one-line.ts'

/** Calls that the agent was not allowed to make. `tools`: the first ten of which they are, each once. */
export const DeniedCalls = z.object({ calls: z.int().min(1), tools: z.array(z.string()) })
export type DeniedCalls = z.infer<typeof DeniedCalls>

const mostTools = 10
const mostNameCharacters = 60
/** So many are named where there is little room. */
const namedTools = 3

/** Counts them as they are told: a call with an id once. */
export class DeniedCount {
  #calls = 0
  readonly #ids = new IdSet()
  readonly #tools = new Set<string>()

  /** null: none was denied. */
  get total(): DeniedCalls | null {
    return this.#calls === 0 ? null : { calls: this.#calls, tools: [...this.#tools] }
  }

  /** False: it was counted before. */
  add(toolId: string | undefined, toolName: string | undefined): boolean {
    if (toolId !== undefined) {
      if (this.#ids.has(toolId)) return false
      this.#ids.add(toolId)
    }
    this.#calls += 1
    const name = oneLine(toolName ?? '', mostNameCharacters)
    if (name !== '' && this.#tools.size < mostTools) this.#tools.add(name)
    return true
  }
}

/** "2 calls denied". */
export function deniedText({ calls }: DeniedCalls): string {
  return calls === 1 ? '1 call denied' : `${calls} calls denied`
}

/** "2 calls denied (Write, Bash)". */
export function deniedTextWithTools(denied: DeniedCalls): string {
  const { tools } = denied
  const named = tools.slice(0, namedTools).join(', ')
  const more = tools.length > namedTools ? ', …' : ''
  return named === '' ? deniedText(denied) : `${deniedText(denied)} (${named}${more})`
}
