import { createHash } from 'node:crypto'
import { type ListedSecret, maxListed } from '#contract/exports.ts'
import type { FoundSecret } from '#core/export/redact.ts'

/** Nothing is shown of a shorter secret. */
const shownFrom = 16
const shownCharacters = 4

/** The secrets of an export, each once, without what they are; and which of them a person wants to keep. */
export class FoundSecrets {
  readonly #keep: ReadonlySet<string>
  readonly #listed = new Map<string, ListedSecret>()
  readonly #others = new Set<string>()

  /** `keep`: by their ids. */
  constructor(keep: readonly string[]) {
    this.#keep = new Set(keep)
  }

  get listed(): ListedSecret[] {
    return [...this.#listed.values()]
  }

  /** How many are not listed. */
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

/** More are not told apart. */
const maxOthers = 100_000

/** `ghp_••••••`: enough to know it by, not enough to use it. */
function masked(text: string): string {
  const shown = text.length < shownFrom ? '' : text.slice(0, shownCharacters).replace(/[^\x21-\x7e]/g, '•')
  return `${shown}${'•'.repeat(6)}`
}
