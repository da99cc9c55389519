import type { AgentEvent } from '../events/agent-event.ts'
import type { RecordFacts } from '../formats/record-facts.ts'
import type { RunIndex } from '../index/run-index.ts'
import { FileContent } from './file-content.ts'
import { isChangeStep, type ResolvedEffect, RunFiles } from './run-files.ts'

/** What a file held before something, as far as it is known. */
export type FormerContent = { readonly exists: true; readonly text: string } | { readonly exists: false } | null

/** All files of a run at one event, with their contents. For a command that asks once; a host reads single files. */
export class RunContents {
  readonly files = new RunFiles()
  /** By file. */
  readonly contents: FileContent[] = []
  /** What a file held before its first change after `from`; null: not known. */
  readonly former = new Map<number, FormerContent>()
  private readonly from: number

  /** `from`: changes after this event are told in `former`. */
  constructor(from = -1) {
    this.from = from
  }

  needsEvent(index: RunIndex): boolean {
    return this.files.needsEvent(index)
  }

  /** As `RunFiles.add`. `onEffect`: called before an effect changes the content. */
  add(
    index: RunIndex,
    event: AgentEvent | null,
    facts: RecordFacts,
    onEffect?: (effect: ResolvedEffect, content: FileContent, seq: number) => void
  ): void {
    const seq = index.rows.seqOf(this.files.rows)
    for (const effect of this.files.add(index, event, facts)) {
      const content = (this.contents[effect.file] ??= new FileContent())
      onEffect?.(effect, content, seq)
      if (seq > this.from && isChangeStep(effect) && !this.former.has(effect.file))
        this.former.set(effect.file, formerOf(effect, content))
      const source = effect.fromFile === undefined ? null : (this.contents[effect.fromFile] ?? null)
      content.apply(seq, effect, source)
    }
  }
}

function formerOf(effect: ResolvedEffect, content: FileContent): FormerContent {
  if (content.deleted) return { exists: false }
  const { text } = content
  if (text !== null) return { exists: true, text }
  const isNew = effect.what === 'written' && effect.created === true
  return isNew && content.knownLines === 0 ? { exists: false } : null
}
