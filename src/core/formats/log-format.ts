import type { AgentEventBase, AgentType, EventBody } from '../events/agent-event.ts'
import type { TeamContext } from '../events/team.ts'
import type { JsonValue } from '../json.ts'
import type { IssueDraft } from './issue.ts'

/** Kebab-case, stored in indexes and printed: never renamed. */
export type FormatId =
  | 'claude-stream-json'
  | 'claude-transcript'
  | 'codex-exec-json'
  | 'codex-rollout'
  | 'gemini-stream-json'
  | 'gemini-chat'
  | 'normalized'

/** What may be looked at to tell a format: never more than the first 64 KiB. */
export interface Head {
  /** File name without folders; may say what content does not. */
  readonly name: string
  readonly text: string
  /** The JSON values of the head's whole lines, in order; lines that are not JSON are left out. */
  readonly records: readonly JsonValue[]
}

/** A line of a source, without its bytes. */
export interface LinePosition {
  /** 1-based. */
  readonly line: number
  readonly offset: number
  /** Bytes without the line end. */
  readonly length: number
}

/**
 * An event as one record states it. Base fields are set only where the record itself decides them
 * (a normalized log states all of them); the fold supplies the rest.
 */
export type EventDraft = EventBody & Partial<AgentEventBase>

/** What one record says on its own. Each format extends this with what its fold needs: ids, todo operations, hashes. */
export interface Decoded {
  readonly drafts: readonly EventDraft[]
  readonly issues: readonly IssueDraft[]
}

/** An event put in order: a draft, and what only the lines before it could tell. */
export interface FoldedEvent {
  readonly at: LinePosition
  /** 0-based position among the events of this line. */
  readonly ordinal: number
  readonly draft: EventDraft
  /**
   * Which draft of its line this is: `decode(record, at).drafts[body] === draft` (by value) when the line is read again.
   * -1 for an event the fold made itself; such a draft is small and has to be kept by whoever keeps events.
   */
  readonly body: number
  readonly timestamp: number
  readonly timestampFrom?: 'previous' | 'observed'
  readonly sessionId?: string
  readonly trackId?: string
}

export interface FoldResult {
  readonly events: readonly FoldedEvent[]
  readonly issues: readonly IssueDraft[]
  /** When and on which track a record without an event happened, as far as it says so. */
  readonly timestamp?: number | undefined
  readonly trackId?: string | undefined
}

/** Puts the records of one source in order. Cheap: touches neither JSON nor long text. */
export interface Fold<D extends Decoded = Decoded> {
  /** `at` must be later than every line added before. */
  add(at: LinePosition, decoded: D): FoldResult
  /** The source has ended. Events it gives belong to lines already added. */
  end(): FoldResult
}

export interface FoldContext {
  /** For a live source: the moment the line being added was read, ms since the epoch. Offline there is no clock. */
  readonly now?: () => number
}

/**
 * One way an agent writes its log. Adding one: this object in its vendor's folder, one line in `registry.ts`, one fixture folder.
 * `decode` is pure, so ranges of one log can be decoded in parallel; every rule that needs another line lives in the fold.
 */
export interface LogFormat<D extends Decoded = Decoded> {
  /** Null only for `unrecognized`, the reader of logs that no registered format claims. */
  readonly id: FormatId | null
  /** Shown to people, e.g. "Claude Code stream-json". */
  readonly title: string
  readonly agentType: AgentType
  readonly framing: 'lines' | 'document'
  /** Pure; must not throw. Exactly one registered format claims a log. */
  sniff(head: Head): boolean
  decode(value: JsonValue, at: LinePosition): D
  /** What a line that is not JSON means, given its text. `cut`: the source ended inside it. */
  decodeMalformed(text: string, issue: IssueDraft, cut: boolean): D
  createFold(context: FoldContext): Fold<D>
}

/** Whose events these are; the caller of a reader knows, a log does not. */
export interface AgentIdentity {
  readonly agentId: string
  readonly teamMetadata: TeamContext
}
