import * as z from 'zod'
import { IdSet } from '../formats/id-set.ts'
import { oneLine } from '../index/one-line.ts'

/** Calls that were denied. `tools`: the first ten tools, each once. */
export const DeniedCalls = z.object({ calls: z.int().min(1), tools: z.array(z.string()) })
export type DeniedCalls = z.infer<typeof DeniedCalls>

const maxTools = 10
const maxNameLength = 60
/** Tools named in a short text. */
const namedTools = 3

/** Counts denied calls; a call with an id counts once. */
export class DeniedCount {
  #calls = 0
  readonly #ids = new IdSet()
  readonly #tools = new Set<string>()

  /** Null: none. */
  get total(): DeniedCalls | null {
    return this.#calls === 0 ? null : { calls: this.#calls, tools: [...this.#tools] }
  }

  /** Returns false if it was counted before. */
  add(toolId: string | undefined, toolName: string | undefined): boolean {
    if (toolId !== undefined) {
      if (this.#ids.has(toolId)) return false
      this.#ids.add(toolId)
    }
    this.#calls += 1
    const name = oneLine(toolName ?? '', maxNameLength)
    if (name !== '' && this.#tools.size < maxTools) this.#tools.add(name)
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
