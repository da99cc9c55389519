import type { SessionTeller } from '../formats/log-store.ts'
import { oneLine } from '../index/one-line.ts'

/** Characters. */
export const maxTitle = 200

/** More of a prompt than any title is made of. */
const readOfPrompt = 100_000

/** Commands of the programs themselves, whose names say nothing of the work. */
const commands =
  'agents|chat|clear|compact|compress|config|context|cost|doctor|exit|fast|help|hooks|ide|init|login|logout|mcp|memory|model|new|permissions|plugin|quit|resume|review|settings|stats|status|theme|tools|usage|vim'

/** What is a poor title, if anything else can be one: such a command without words, a picture. */
const poor = new RegExp(`^(?:/(?:${commands})|(?:\\[(?:image|Image #\\d+|Pasted text #\\d+[^\\]]*)\\]\\s*)+)$`)

/** A text as the title of a session: one line; null where nothing of it can be seen. */
export function titleOf(text: string): string | null {
  const line = wellFormed(oneLine(text.slice(0, readOfPrompt).trimStart(), maxTitle))
  return line === '' ? null : line
}

/** What a person wrote of a prompt, null where that is nothing. */
export function personsWords(text: string, teller: SessionTeller | undefined): string | null {
  const words = teller?.wordsOf?.(text) ?? text
  return words.trim() === '' || teller?.isInjected?.(words) === true ? null : words
}

/** The title that the prompts of a session make: the first that says something, else the first. */
export class PromptTitle {
  readonly #teller: SessionTeller | undefined
  #poor: string | null = null
  #title: string | null = null

  constructor(teller: SessionTeller | undefined) {
    this.#teller = teller
  }

  prompt(text: string): void {
    if (this.#title !== null) return
    const words = personsWords(text.slice(0, readOfPrompt), this.#teller)
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

/** JSON may state halves of characters, which neither a database nor a screen has. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
