import { EventSequence } from '../event-sequence.ts'
import type { Fold, FoldContext, FoldResult, LinePosition, MissingLogs } from '../log-format.ts'
import { CopiedLines } from './copied-lines.ts'
import type { RolloutDecoded, SessionStep } from './rollout-decoded.ts'
import { RolloutThread } from './rollout-thread.ts'
import { ThreadTracks } from './thread-tracks.ts'

/** Limit of held lines: the record that explains a prompt follows within a few lines. */
const maxHeldLines = 200

/** The fold of a rollout and those of its subagents (docs/formats/codex-rollout.md#subagents). */
export class RolloutFold implements Fold<RolloutDecoded> {
  private readonly sequence: EventSequence
  private readonly tracks: ThreadTracks
  private readonly copies: CopiedLines
  /** By file; null is the main one. */
  private readonly threads = new Map<string | null, RolloutThread>()
  private heldLines = 0
  private started = false

  constructor(context: FoldContext) {
    const files = context.files ?? []
    this.sequence = new EventSequence(context)
    this.tracks = new ThreadTracks(files)
    this.copies = new CopiedLines(files.length > 0)
  }

  add(at: LinePosition, decoded: RolloutDecoded): FoldResult {
    const session = sessionOf(decoded)
    const known = this.threads.get(at.file ?? null)
    const thread = known ?? this.newThread(at.file, session)
    if (this.copies.isCopy(at.file, known === undefined, decoded)) {
      this.sequence.begin(at, decoded.time, undefined)
      this.sequence.markHere('duplicate')
      thread.skip(at)
      return this.result(thread)
    }
    thread.resolveHeld(decoded)
    if (this.heldLines >= maxHeldLines) this.flushHeld()
    this.sequence.begin(at, decoded.time, this.started || at.file !== undefined ? undefined : session?.id)
    if (session !== undefined && at.file === undefined) this.start(session, decoded, thread.track)
    thread.add(at, decoded)
    return this.result(thread)
  }

  end(): FoldResult {
    this.flushHeld()
    return this.sequence.drain()
  }

  missing(): MissingLogs {
    return this.tracks.missing
  }

  /** Only the first header is the session's; later ones are of resumed, forked or parent threads. */
  private start(session: SessionStep, decoded: RolloutDecoded, track: string | undefined): void {
    const draft = decoded.drafts[session.body]
    if (!this.started && draft !== undefined) this.sequence.emit(draft, session.body, track)
    this.started = true
  }

  private newThread(file: string | undefined, session: SessionStep | undefined): RolloutThread {
    const alone = session?.isSubagent === true ? session.id : undefined
    const track = file === undefined ? alone : this.tracks.trackOf(file, session)
    const thread = new RolloutThread(this.sequence, this.tracks, file, track)
    this.threads.set(file ?? null, thread)
    return thread
  }

  private flushHeld(): void {
    for (const thread of this.threads.values()) thread.flushHeld()
  }

  private result(thread: RolloutThread): FoldResult {
    const result = this.sequence.drain(thread.track)
    this.heldLines = this.isHolding(thread) ? this.heldLines + 1 : 0
    return this.heldLines > 0 ? { ...result, held: true } : result
  }

  private isHolding(thread: RolloutThread): boolean {
    if (thread.isHolding || this.heldLines === 0) return thread.isHolding
    for (const other of this.threads.values()) if (other.isHolding) return true
    return false
  }
}

function sessionOf({ steps }: RolloutDecoded): SessionStep | undefined {
  const [step] = steps
  return step?.kind === 'session' ? step : undefined
}
