import type { AgentEvent } from '#core/events/agent-event.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import type { RunIndex } from '#core/index/run-index.ts'

/** The folder is stated in the first rows or not at all. */
const firstRows = 4096
const sessionKind = rowKinds.indexOf('session')

/** The working folder of a run's session. */
export class SessionFolder {
  readonly #eventAt: (shown: RunIndex, row: number) => Promise<AgentEvent | null>
  #known: { readonly shown: RunIndex; readonly folder: string | null } | null = null

  constructor(eventAt: (shown: RunIndex, row: number) => Promise<AgentEvent | null>) {
    this.#eventAt = eventAt
  }

  /** Null if not stated. */
  async of(shown: RunIndex): Promise<string | null> {
    if (this.#known?.shown !== shown) this.#known = { shown, folder: await this.#read(shown) }
    return this.#known.folder
  }

  async #read(shown: RunIndex): Promise<string | null> {
    const kinds = new Uint8Array(shown.rows.columns(0, firstRows).kind)
    const row = kinds.indexOf(sessionKind)
    const event = row < 0 ? null : await this.#eventAt(shown, row)
    return event?.type === 'session.started' ? (event.cwd ?? null) : null
  }
}
