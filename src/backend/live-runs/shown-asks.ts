import { maxAskJson, type OpenAsk } from '#contract/live-runs.ts'
import type { Ask } from '#core/dialogue/ask.ts'

/** Characters of all asks in a `LiveRun`. */
const maxAsksJson = 1 << 20
/** Of what else a cut ask states. */
const maxCutText = 1000

/** Open asks as pages get them: long ones are cut, and must be fetched whole before they can be allowed. */
export class ShownAsks {
  /** Ids of asks that were fetched whole. */
  readonly #fetched = new Set<string>()
  readonly #cut = new WeakMap<Ask, OpenAsk>()

  /** Later ones are cut if those before leave them no room. */
  of(asks: readonly Ask[]): OpenAsk[] {
    let room = maxAsksJson
    return asks.map((ask) => {
      const shown = this.#shown(ask, room)
      room -= shown.cut ? maxCutText : jsonLength(ask)
      return shown
    })
  }

  /** An ask with all that it states. */
  whole(ask: Ask): OpenAsk {
    this.#fetched.add(ask.id)
    return { ...ask, cut: false }
  }

  /** Whether pages have only a part of an open ask. */
  isCut(id: string, asks: readonly Ask[]): boolean {
    return !this.#fetched.has(id) && this.of(asks).some((ask) => ask.id === id && ask.cut)
  }

  /** An ask was answered or withdrawn. */
  forget(id: string): void {
    this.#fetched.delete(id)
  }

  #shown(ask: Ask, room: number): OpenAsk {
    const json = jsonLength(ask)
    if (json <= Math.min(maxAskJson, room)) return { ...ask, cut: false }
    const known = this.#cut.get(ask)
    if (known !== undefined) return known
    const cut: OpenAsk = {
      ...ask,
      trackId: ask.trackId?.slice(0, maxCutText) ?? null,
      toolId: ask.toolId?.slice(0, maxCutText) ?? null,
      tool: ask.tool?.slice(0, maxCutText) ?? null,
      input: JSON.stringify(ask.input).slice(0, Math.min(maxAskJson, Math.max(room, maxCutText))),
      folder: ask.folder?.slice(0, maxCutText) ?? null,
      reason: ask.reason?.slice(0, maxCutText) ?? null,
      scopes: [],
      questions: [],
      cut: true
    }
    this.#cut.set(ask, cut)
    return cut
  }
}

const lengths = new WeakMap<Ask, number>()

/** Characters of an ask as JSON. */
function jsonLength(ask: Ask): number {
  const length = lengths.get(ask) ?? JSON.stringify(ask).length
  lengths.set(ask, length)
  return length
}
