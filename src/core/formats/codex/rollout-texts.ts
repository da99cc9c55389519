import { textHash } from '../text-hash.ts'
import type { RolloutBuilder } from './rollout-decoded.ts'

/** The draft of a user's prompt; -1 without a text. */
export function promptDraft(out: RolloutBuilder, text: string | undefined): number {
  return text === undefined ? -1 : out.draft({ type: 'text', text, role: 'user', category: 'user-message' })
}

/** Adds a prompt, as the interface recorded it. */
export function addPrompt(out: RolloutBuilder, text: string | undefined): void {
  out.steps.push({ kind: 'prompt', body: promptDraft(out, text) })
}

/** Adds a thought of the model. */
export function addThought(out: RolloutBuilder, text: string, by: 'item' | 'event'): void {
  // Distinct from an answer with the same text.
  const hash = -1 - textHash(text)
  const body = out.draft({ type: 'text', text, role: 'assistant', category: 'reasoning' })
  out.steps.push({ kind: 'model-text', body, hash, by })
}

/** Adds an answer of the model, as the interface showed it. */
export function addAnswer(out: RolloutBuilder, text: string | undefined): void {
  if (text === undefined || text === '') return
  const body = out.draft({ type: 'text', text, role: 'assistant', category: 'assistant-message' })
  out.steps.push({ kind: 'model-text', body, hash: textHash(text), by: 'event' })
}

/** Adds a compaction. `text`: its summary, if any. `echo`: a repetition. */
export function addCompacted(out: RolloutBuilder, text: string, echo: boolean): void {
  const body = out.draft({ type: 'text', text: text || 'Conversation compacted', role: 'system', category: 'status' })
  out.steps.push({ kind: 'compacted', body, echo })
}

const hidden: readonly (readonly [open: string, close: string])[] = [
  ['<proposed_plan>\n', '</proposed_plan>\n'],
  ['<oai-mem-citation>', '</oai-mem-citation>']
]

/** An answer as the interface shows it: without proposed plans and memory citations, which have their own records. */
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
