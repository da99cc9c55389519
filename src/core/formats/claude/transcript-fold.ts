import { stated } from '../../json.ts'
import type { Fold, FoldContext, FoldResult, LinePosition, MissingLogs } from '../log-format.ts'
import { Branches, type Branch } from './branches.ts'
import { tokensOf } from '../../requests/tokens.ts'
import type { MessageFacts, Step, TranscriptDecoded } from './decoded.ts'
import { ClaudeState } from './claude-state.ts'
import { SubagentTracks } from './subagent-tracks.ts'
import { textHash } from '../text-hash.ts'
import { TranscriptTurn } from './transcript-turn.ts'
import { tierOf } from './request-tier.ts'

/** docs/formats/claude-transcript.md#the-order-is-that-of-the-file. */
export class TranscriptFold implements Fold<TranscriptDecoded> {
  private readonly state: ClaudeState
  private readonly branches = new Branches()
  private readonly tracks: SubagentTracks
  private readonly turn: TranscriptTurn
  private readonly sessions = new Set<string>()

  constructor(context: FoldContext) {
    this.state = new ClaudeState(context)
    this.tracks = new SubagentTracks(context.files ?? [])
    this.turn = new TranscriptTurn(this.state)
  }

  add(at: LinePosition, decoded: TranscriptDecoded): FoldResult {
    const { parentUuid } = decoded.origin
    const parent = parentUuid === undefined ? -1 : this.state.rowOf(parentUuid)
    const isCopied = decoded.copied !== undefined && this.state.rowOf(decoded.copied) !== -1
    const row = this.state.begin(at, decoded, decoded.uuid)
    this.addToTree(row, parent, at, decoded)
    const track = this.tracks.trackOf(decoded.origin, at.file)
    if (row !== null && isCopied) this.state.markDuplicate()
    if (row === null || isCopied) return this.state.drain(track)
    // After the tree, as the user did not leave retracted lines.
    this.state.retract(row, decoded)
    this.startSession(decoded)
    const request = decoded.message === undefined ? undefined : this.noteTokens(decoded.message, track)
    if (track === undefined) this.turn.beginLine(decoded, request)
    for (const step of decoded.steps) this.step(step, decoded, track)
    return this.state.drain(track)
  }

  /** Each line of a message states its usage; the last counts. Returns the number of its request. */
  private noteTokens(message: MessageFacts, trackId: string | undefined): number | undefined {
    const { voice, model, usage, written } = message
    if (usage === undefined || voice !== 'model') return undefined
    const tokens = tokensOf(usage)
    const request = this.state.requestOf(message, tokens, trackId)
    this.state.note(request, { trackId, model, tokens, written, ...stated({ tier: tierOf(usage) }) })
    return request
  }

  /** A transcript may end anywhere. */
  end(): FoldResult {
    return this.state.drain()
  }

  missing(): MissingLogs {
    return this.tracks.missing
  }

  /** Adds the line to the tree of `parentUuid` and marks what this abandons. */
  private addToTree(row: number | null, parent: number, at: LinePosition, decoded: TranscriptDecoded): void {
    const { uuid } = decoded.origin
    if (uuid === undefined) return
    // The envelope of a subagent's message has its own uuid, and a place even if the message is a copy.
    const enveloped = uuid !== decoded.uuid
    const place = enveloped ? this.state.remember(uuid, at) : row
    if (place === null || place === -1) return
    const branch = enveloped ? null : branchOf(decoded)
    for (const left of this.branches.add(place, parent, branch)) this.state.markRow(left, 'abandoned')
  }

  /** docs/formats/claude-transcript.md#a-session-starts-at-its-first-line-of-meaning */
  private startSession({ sessionId, cwd, version, drafts }: TranscriptDecoded): void {
    if (sessionId === undefined || this.sessions.has(sessionId)) return
    if (cwd === undefined && version === undefined && drafts.length === 0) return
    this.turn.endSession()
    this.sessions.add(sessionId)
    // The session continues even if the user leaves its first prompt.
    this.state.emitAbout(null, { type: 'session.started', ...stated({ cwd, version }) }, undefined)
  }

  private step(step: Step, decoded: TranscriptDecoded, track: string | undefined): void {
    if (step.kind === 'agent-call') this.tracks.call(step.id, step.promptHash)
    if (step.kind === 'result') this.tracks.result(step.id, step.agentId)
    if (track === undefined) {
      if (step.kind === 'interrupt') {
        this.state.closeRequest(track)
        return this.turn.cancel(decoded.time)
      }
      if (step.kind === 'turn-end') {
        return this.turn.endWith(step.body, decoded)
      }
      if (step.kind === 'prompt') this.turn.prompt(decoded.time)
    }
    this.state.step(step, decoded, track)
  }
}

function branchOf({ message, steps }: TranscriptDecoded): Branch {
  if (message !== undefined) {
    if (message.voice !== 'model' || message.id === undefined) return null
    return { kind: 'answer', messageHash: textHash(message.id) }
  }
  return steps.some((step) => step.kind === 'prompt') ? { kind: 'prompt' } : null
}
