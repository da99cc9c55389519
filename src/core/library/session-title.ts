import type { SessionFormat } from '../formats/log-store.ts'
import { oneLine } from '../index/one-line.ts'

/** Characters. */
export const maxTitle = 200

/** Characters read of a prompt. */
const maxPromptRead = 100_000

/** Built-in commands, which do not describe the work. */
const commands =
  'agents|chat|clear|compact|compress|config|context|cost|doctor|exit|fast|help|hooks|ide|init|login|logout|mcp|memory|model|new|permissions|plugin|quit|resume|review|settings|stats|status|theme|tools|usage|vim'

/** Poor titles, used only without a better one: a built-in command without words, an image. */
const poor = new RegExp(`^(?:/(?:${commands})|(?:\\[(?:image|Image #\\d+|Pasted text #\\d+[^\\]]*)\\]\\s*)+)$`)

/** A text as a title: one line; null if nothing is visible. */
export function titleOf(text: string): string | null {
  const line = wellFormed(oneLine(text.slice(0, maxPromptRead).trimStart(), maxTitle))
  return line === '' ? null : line
}

/** The user's part of a prompt; null if there is none. */
export function userPart(text: string, session: SessionFormat | undefined): string | null {
  const words = session?.wordsOf?.(text) ?? text
  return words.trim() === '' || session?.isInjected?.(words) === true ? null : words
}

/** The title from prompts: the first that is not poor, else the first. */
export class PromptTitle {
  readonly #session: SessionFormat | undefined
  #poor: string | null = null
  #title: string | null = null

  constructor(session: SessionFormat | undefined) {
    this.#session = session
  }

  prompt(text: string): void {
    if (this.#title !== null) return
    const words = userPart(text.slice(0, maxPromptRead), this.#session)
    const title = words === null ? null : titleOf(words)
    if (title === null) return
    if (poor.test(title)) this.#poor ??= title
    else this.#title = title
  }

  get isFound(): boolean {
    return this.#title !== null
  }

  get title(): string | null {
    return this.#title ?? this.#poor
  }
}

/** JSON may contain lone surrogates, which databases reject. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
