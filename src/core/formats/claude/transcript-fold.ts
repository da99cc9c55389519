import type { Fold, FoldContext, FoldResult, LinePosition, MissingLogs } from '../log-format.ts'
import { Branches, type Branch } from './branches.ts'
import { tokensOf } from '../../requests/tokens.ts'
import type { SaidMessage, Step, TranscriptDecoded } from './decoded.ts'
import { ClaudeFold } from './fold.ts'
import { SubagentTracks } from './subagent-tracks.ts'
import { textHash } from '../text-hash.ts'
import { TranscriptTurn } from './transcript-turn.ts'

/**
 * Puts a transcript in order, with the files of its subagents where they are read with it: sessions, tracks, branches and the ends of
 * turns. docs/formats/claude-transcript.md#the-order-is-that-of-the-file.
 */
export class TranscriptFold implements Fold<TranscriptDecoded> {
  private readonly fold: ClaudeFold
  private readonly branches = new Branches()
  private readonly tracks: SubagentTracks
  private readonly turn: TranscriptTurn
  private readonly sessions = new Set<string>()

  constructor(context: FoldContext) {
    this.fold = new ClaudeFold(context)
    this.tracks = new SubagentTracks(context.files ?? [])
    this.turn = new TranscriptTurn(this.fold)
  }

  add(at: LinePosition, decoded: TranscriptDecoded): FoldResult {
    const { parentUuid } = decoded.origin
    const parent = parentUuid === undefined ? -1 : this.fold.rowOf(parentUuid)
    const row = this.fold.begin(at, decoded, decoded.uuid)
    this.grow(row, parent, at, decoded)
    const track = this.tracks.trackOf(decoded.origin, at.file)
    if (row === null) return this.fold.take(track)
    // After the tree: what the agent took back, the user has not left.
    this.fold.retract(row, decoded)
    this.startSession(decoded)
    if (decoded.message !== undefined) this.noteTokens(decoded.message, track)
    if (track === undefined) this.turn.next(decoded)
    for (const step of decoded.steps) this.step(step, decoded, track)
    return this.fold.take(track)
  }

  /** A message states on each of its lines what it took; the last one counts. A fork and a resumed session copy it with its ids. */
  private noteTokens(
    { id, requestId = '', voice, model, usage, written }: SaidMessage,
    trackId: string | undefined
  ): void {
    if (usage === undefined || voice !== 'model') return
    this.fold.note(id === undefined ? this.fold.lineKey : `${id} ${requestId}`, {
      trackId,
      model,
      tokens: tokensOf(usage),
      written
    })
  }

  /** A transcript may stop anywhere; what was not said is not made up. */
  end(): FoldResult {
    return this.fold.take()
  }

  missing(): MissingLogs {
    return this.tracks.missing
  }

  /** The line takes its place in the tree of `parentUuid`; what is abandoned by it is marked. */
  private grow(row: number | null, parent: number, at: LinePosition, decoded: TranscriptDecoded): void {
    const { uuid } = decoded.origin
    if (uuid === undefined) return
    // The envelope of a subagent's message has a uuid of its own, and a place whether or not the message is a copy.
    const enveloped = uuid !== decoded.uuid
    const place = enveloped ? this.fold.remember(uuid, at) : row
    if (place === null || place === -1) return
    const branch = enveloped ? null : branchOf(decoded)
    for (const left of this.branches.add(place, parent, branch)) this.fold.markRow(left, 'abandoned')
  }

  /** docs/formats/claude-transcript.md#a-session-starts-at-its-first-line-of-meaning */
  private startSession({ sessionId, cwd, version, drafts }: TranscriptDecoded): void {
    if (sessionId === undefined || this.sessions.has(sessionId)) return
    if (cwd === undefined && version === undefined && drafts.length === 0) return
    this.turn.sessionEnds()
    this.sessions.add(sessionId)
    // The session goes on though the user may leave its first prompt.
    this.fold.makeOf(
      null,
      {
        type: 'session.started',
        ...(cwd === undefined ? undefined : { cwd }),
        ...(version === undefined ? undefined : { version })
      },
      undefined
    )
  }

  private step(step: Step, decoded: TranscriptDecoded, track: string | undefined): void {
    if (step.kind === 'agent-call') this.tracks.call(step.id, step.promptHash)
    if (step.kind === 'result') this.tracks.result(step.id, step.agentId)
    if (track === undefined) {
      if (step.kind === 'interrupt') {
        return this.turn.cancelled(decoded.time)
      }
      if (step.kind === 'turn-end') {
        return this.turn.endsAt(step.body, decoded)
      }
      if (step.kind === 'prompt') this.turn.prompt(decoded.time)
    }
    this.fold.step(step, decoded, track)
  }
}

function branchOf({ message, steps }: TranscriptDecoded): Branch {
  if (message !== undefined) {
    if (message.voice !== 'model' || message.id === undefined) return null
    return { kind: 'answer', messageHash: textHash(message.id) }
  }
  return steps.some((step) => step.kind === 'prompt') ? { kind: 'prompt' } : null
}
