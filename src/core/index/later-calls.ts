import { dropOldest } from '../drop-oldest.ts'
import { textHash } from '../formats/text-hash.ts'
import { SparseNumbers } from '../sparse-numbers.ts'

/** Calls that are awaited, and texts about each. */
const maxAwaited = 1000
const maxTexts = 100

/** Links texts to the calls that they are about and that come after them: an agent that logs a call when it is over asks for it before. */
export class LaterCalls {
  /** By text: its call. */
  private readonly calls = new SparseNumbers('uint32')
  /** The texts about calls that have not come, by the hash of the call's id. */
  private readonly awaited = new Map<number, number[]>()

  /** The row of the call that the text at `text` is about; -1 if none has come. */
  of(text: number): number {
    return this.calls.length === 0 ? -1 : (this.calls.at(text) ?? -1)
  }

  /** `id`: of the call, unique in the log. */
  await(id: string, text: number): void {
    const hash = textHash(id)
    const texts = this.awaited.get(hash)
    if (texts === undefined) {
      this.awaited.set(hash, [text])
      dropOldest(this.awaited, this.awaited.size - maxAwaited)
    } else if (texts.length < maxTexts) texts.push(text)
  }

  /** A call has come. */
  arrive(id: string, call: number): void {
    if (this.awaited.size === 0) return
    const hash = textHash(id)
    for (const text of this.awaited.get(hash) ?? []) this.calls.set(text, call)
    this.awaited.delete(hash)
  }
}
