import { textHash } from '../text-hash.ts'
import type { RolloutBuilder } from './rollout-decoded.ts'

/** A thought of the model. Gives the hash of its text. */
export function sayThought(out: RolloutBuilder, text: string, by: 'item' | 'event'): number {
  // Apart from an answer of the same words.
  const hash = -1 - textHash(text)
  const body = out.draft({ type: 'text', text, role: 'assistant', category: 'reasoning' })
  out.steps.push({ kind: 'said', body, hash, by })
  return hash
}

/** An answer of the model, as the interface showed it. */
export function sayAnswer(out: RolloutBuilder, text: string | undefined): void {
  if (text === undefined || text === '') return
  const body = out.draft({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
  out.steps.push({ kind: 'said', body, hash: textHash(text), by: 'event' })
}

/** `text`: a summary, where there is one. `echo`: another record says so, too. */
export function sayCompacted(out: RolloutBuilder, text: string, echo: boolean): void {
  const body = out.draft({ type: 'text', text: text || 'Conversation compacted', role: 'system', category: 'status' })
  out.steps.push({ kind: 'compacted', body, echo })
}

const hidden: readonly (readonly [open: string, close: string])[] = [
  ['<proposed_plan>\n', '</proposed_plan>\n'],
  ['<oai-mem-citation>', '</oai-mem-citation>']
]

/** An answer as the interface shows it: without the plan it proposes and the memories it names, which are told of on their own. */
export function shownText(text: string): string {
  let shown = text
  for (const [open, close] of hidden) {
    if (!shown.includes(open)) continue
    const kept: string[] = []
    let from = 0
    for (;;) {
      const start = shown.indexOf(open, from)
      const end = start === -1 ? -1 : shown.indexOf(close, start)
      if (end === -1) break
      kept.push(shown.slice(from, start))
      from = end + close.length
    }
    shown = kept.join('') + shown.slice(from)
  }
  return shown
}
