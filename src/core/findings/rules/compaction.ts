import { textHash } from '../../formats/text-hash.ts'
import { counted, type Finding, FindingEvents, grouped } from '../finding.ts'
import { doneTraits, Rule } from '../rule.ts'
import type { CallEnd, SeenEvent } from '../seen-event.ts'
import { stateOf } from '../track-states.ts'

/** Files of a track that are followed. */
const maxFiles = 5000
/** Longer paths are followed by a number. */
const maxPath = 400

interface Track {
  /** The files read since the compaction before, or since the start. */
  shown: Set<string>
  last: Compaction | null
}

interface Compaction {
  readonly events: FindingEvents
  readonly before: Set<string>
  readonly again: Set<string>
}

/** The conversation was replaced by a summary. Only reads that name their file count, not those of a shell. */
export class Compacted extends Rule {
  override readonly looksAt = doneTraits.reads
  private readonly tracks = new Map<string, Track>()

  override compaction({ seq, track }: SeenEvent): void {
    const state = stateOf(this.tracks, track, newTrack)
    if (state.last !== null) this.run.found.add(findingOf(state.last))
    const events = new FindingEvents()
    events.add(seq)
    state.last = { events, before: state.shown, again: new Set() }
    state.shown = new Set()
  }

  override end({ call, counts, seq }: CallEnd): void {
    if (call.kind !== 'read' || counts !== 'done') return
    const state = stateOf(this.tracks, call.track, newTrack)
    if (call.file === undefined) return
    const file = call.file.length <= maxPath ? call.file : String(textHash(call.file))
    const { last } = state
    if (last?.before.has(file) === true && !last.again.has(file)) {
      last.again.add(file)
      last.events.add(seq)
    }
    if (state.shown.size < maxFiles) state.shown.add(file)
  }

  override open(): readonly Finding[] {
    return [...this.tracks.values()].flatMap(({ last }) => (last === null ? [] : [findingOf(last)]))
  }
}

function newTrack(): Track {
  return { shown: new Set(), last: null }
}

function findingOf({ events, before, again }: Compaction): Finding {
  const files =
    before.size === 0
      ? ''
      : `: ${counted(before.size, 'file')} had been read before, ${grouped(again.size)} again after`
  return {
    rule: 'compaction',
    text: `The conversation was compacted${files}`,
    short: 'compacted',
    events: [...events.list],
    more: events.more,
    facts: { filesBefore: before.size, filesAgain: again.size }
  }
}
