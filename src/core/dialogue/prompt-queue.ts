import type { QueuedPrompt } from './dialogue.ts'

export const mostPromptCharacters = 1_000_000
/** Prompts that wait in one run. */
export const mostQueuedPrompts = 50

/** The prompts of a person that wait for the end of a turn. Playhead keeps them: agents fold a second prompt into a turn, or end it. */
export class PromptQueue {
  #prompts: readonly QueuedPrompt[] = []
  #held = false

  get prompts(): readonly QueuedPrompt[] {
    return this.#prompts
  }

  get held(): boolean {
    return this.#held
  }

  get isFull(): boolean {
    return this.#prompts.length >= mostQueuedPrompts
  }

  has(id: string): boolean {
    return this.#prompts.some((prompt) => prompt.id === id)
  }

  hold(): void {
    this.#held = true
  }

  release(): void {
    this.#held = false
  }

  add(prompt: QueuedPrompt): void {
    this.#prompts = [...this.#prompts, prompt]
  }

  putFirst(prompt: QueuedPrompt): void {
    this.#prompts = [prompt, ...this.#prompts]
  }

  edit(id: string, text: string): void {
    this.#prompts = this.#prompts.map((prompt) => (prompt.id === id ? { id, text } : prompt))
  }

  move(id: string, to: number): void {
    const rest = this.#prompts.filter((prompt) => prompt.id !== id)
    this.#prompts = [...rest.slice(0, to), ...this.#prompts.filter((prompt) => prompt.id === id), ...rest.slice(to)]
  }

  drop(id: string): void {
    this.#prompts = this.#prompts.filter((prompt) => prompt.id !== id)
    // What was held is gone.
    if (this.#prompts.length === 0) this.#held = false
  }

  /** Takes the first; undefined: none waits, or they are held. */
  next(): QueuedPrompt | undefined {
    if (this.#held) return undefined
    const [first, ...rest] = this.#prompts
    if (first !== undefined) this.#prompts = rest
    return first
  }
}
