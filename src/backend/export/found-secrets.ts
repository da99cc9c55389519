import { createHash } from 'node:crypto'
import { type ListedSecret, maxListed } from '#contract/exports.ts'
import type { FoundSecret } from '#core/export/redact.ts'

/** Shorter secrets are masked completely. */
const shownFrom = 16
const shownCharacters = 4

/** The secrets of an export, each once and masked, and the ids of those to keep. */
export class FoundSecrets {
  readonly #keep: ReadonlySet<string>
  readonly #listed = new Map<string, ListedSecret>()
  readonly #others = new Set<string>()

  constructor(keep: readonly string[]) {
    this.#keep = new Set(keep)
  }

  get listed(): ListedSecret[] {
    return [...this.#listed.values()]
  }

  /** The number of secrets that are not listed. */
  get others(): number {
    return this.#others.size
  }

  /** For a `Redactor`: whether the secret stays. */
  keeps({ kind, text, place }: FoundSecret): boolean {
    const id = createHash('sha256').update(`${kind} ${text}`).digest('base64url').slice(0, 32)
    const known = this.#listed.get(id)
    if (known !== undefined) this.#listed.set(id, { ...known, count: known.count + 1, place: known.place ?? place })
    else if (this.#listed.size < maxListed) this.#listed.set(id, { id, kind, masked: masked(text), count: 1, place })
    else if (this.#others.size < maxOthers) this.#others.add(id)
    return this.#keep.has(id)
  }
}

/** Further ones are not counted. */
const maxOthers = 100_000

/** `ghp_••••••` */
function masked(text: string): string {
  const shown = text.length < shownFrom ? '' : text.slice(0, shownCharacters).replace(/[^\x21-\x7e]/g, '•')
  return `${shown}${'•'.repeat(6)}`
}
