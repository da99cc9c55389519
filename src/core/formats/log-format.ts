import type { AgentEventBase, AgentType, EventBody } from '../events/agent-event.ts'
import type { TeamContext } from '../events/team.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { TokenNote } from '../requests/request-note.ts'
import type { IssueDraft } from './issue.ts'
import type { RecordFacts } from './record-facts.ts'
import type { LiveCue } from './live-cue.ts'
import type { LiveNotes } from './live-notes.ts'
import type { LogStore, SessionTeller } from './log-store.ts'
import type { StateClass } from '../state/saved-state.ts'
import type { MainFile, RunSearch } from './run-search.ts'

/**
 * How the bytes of a source become records. `lines`: one JSON value a line. `document`: one JSON value for the whole source,
 * pretty-printed or not; each object in its list is a record (`document-splitter.ts`). A property of the log, not of its format.
 */
export type Framing = 'lines' | 'document'

/** What may be looked at to tell a format: never more than the first 64 KiB. */
export interface Head {
  /** File name without folders; may say what content does not. */
  readonly name: string
  readonly framing: Framing
  readonly text: string
  /** The JSON values of the head's whole records, in order; what is not JSON is left out. */
  readonly records: readonly JsonValue[]
  /** The last record where it is no JSON: mostly one that the head cuts off. Empty where there is none. */
  readonly cut: string
}

/** How much it says that a rule holds. */
export type Strength =
  /** Only this program writes such a record, or one that imitates it and has records of its own. */
  | 'conclusive'
  /** This program writes such records, and so may others that resemble it. */
  | 'typical'
  /** Many programs write such records: it counts only in a session that has more of this program. */
  | 'shared'

/** A rule that detects a program by a record. `evidence.ts` weighs the results. */
export interface Detector {
  readonly strength: Strength
  /** Pure; must not throw. */
  holds(record: JsonObject): boolean
}

/** A rule over the text of a record that the head cuts off. */
export interface TextDetector {
  readonly strength: Strength
  holds(text: string): boolean
}

/** A line of a source, without its bytes. */
export interface LinePosition {
  /** Which file of the run, relative to the folder of the main one; absent for the main file itself. */
  readonly file?: string
  /** 1-based. In a document the line on which the record begins. */
  readonly line: number
  readonly offset: number
  /** Bytes without the line end. */
  readonly length: number
}

/** The begin of a line, which is enough to tell it from all others. */
export type LineStart = Pick<LinePosition, 'file' | 'offset'>

/** A line's place without its bytes, which are the caller's. */
export function placeOf({ file, line, offset, length }: LinePosition): LinePosition {
  return file === undefined ? { line, offset, length } : { file, line, offset, length }
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
  /** ms since the epoch, where the record states a time. Files of one run are put in order by it. */
  readonly time?: number | undefined
  /** The text of `drafts[0]` is a piece of a longer one: `FoldedEvent.joinedTo`. */
  readonly joins?: boolean
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
  /**
   * Of a text that stands in pieces on several lines: the byte offset at which the last piece's line ends. Read again, its text is the
   * texts of `drafts[0]` of all records from `at` to there that say `joins` (`joined-text.ts`).
   */
  readonly joinedTo?: number
  readonly timestamp: number
  readonly timestampFrom?: 'previous' | 'observed'
  readonly sessionId?: string
  /** The agent, where the log names it. */
  readonly agentType?: AgentType
  readonly trackId?: string
  /**
   * Of a log whose own ids are unique only within a part of it: that part. The ids of the draft (`toolId`, `todoId`) belong to it;
   * `scopedId` makes one of the two.
   */
  readonly idScope?: string
  /** Of a tool's result whose call has no `tool.started`: `ToolCompleted.toolName`. */
  readonly toolName?: string
  /** Of a tool's result that does not state how long the call took: the time between the records of the two, in ms, if it is known. */
  readonly tookMs?: number
  /**
   * Of an event that stands on a line it does not tell of, such as the end of a turn on the line of the next prompt: the line it is
   * marked with. Null: it is never marked.
   */
  readonly markedWith?: LinePosition | null
}

/** An id that no other part of the log has. */
export function scopedId(idScope: string | undefined, id: string): string {
  return idScope === undefined ? id : `${idScope}:${id}`
}

/** For a call without an id: one that no other call of this log has. `index`: which of its line's it is. */
export function lineId(line: number, index = 0): string {
  return `line-${line}-${index}`
}

/** Why a row is not part of the conversation, though it was written. Its events stay. */
export type RowMark =
  /** A copy of an earlier line: resume and fork write them. */
  | 'duplicate'
  /** Taken back by the agent: a refused or unreadable answer that a later one replaces. */
  | 'retracted'
  /** The user went back to before it. */
  | 'abandoned'

/** A line, added before or just now, whose rows are marked from here on. */
export interface LineMark {
  readonly at: LineStart
  readonly mark: RowMark
}

export interface FoldResult {
  /** Of the line added, or, while lines are held, of any line since the first one held; in log order. */
  readonly events: readonly FoldedEvent[]
  readonly issues: readonly IssueDraft[]
  /**
   * The line may still get events that only a later one can tell: it and those after it are held until a result without this. Must
   * end after a bounded number of lines.
   */
  readonly held?: boolean
  readonly marks?: readonly LineMark[]
  /** What the line says of requests to models. A line that is a copy of another says nothing. */
  readonly tokens?: readonly TokenNote[]
  /** When and on which track a record without an event happened, as far as it says so. */
  readonly timestamp?: number | undefined
  readonly trackId?: string | undefined
}

/** Logs of subagents that the log tells of, and that are not read with it. */
export interface MissingLogs {
  /** How many it names. */
  readonly named: number
  /** There may be more: calls that are still open may have started some. */
  readonly perhaps: boolean
}

export const noMissingLogs: MissingLogs = Object.freeze({ named: 0, perhaps: false })

/** Puts the records of one source in order. Cheap: touches neither JSON nor long text. */
export interface Fold<D extends Decoded = Decoded> {
  /** `at` must be later than every line added before. */
  add(at: LinePosition, decoded: D): FoldResult
  /** The source has ended. Events it gives belong to lines already added. */
  end(): FoldResult
  /** As far as lines were added. Absent: nothing in such a log tells that one is missing. */
  missing?(): MissingLogs
}

/** A file that belongs to the same run as the main one, known before its lines are read. */
export interface RunFile {
  /** As in `LinePosition.file`. */
  readonly name: string
  /** The tool call that started the subagent whose file this is, where something beside the file says so. */
  readonly callId?: string | undefined
}

export interface FoldContext {
  /** The other files of the run. */
  readonly files?: readonly RunFile[]
  /** For a live source: the moment the line being added was read, ms since the epoch. Offline there is no clock. */
  readonly now?: () => number
  /** Each piece of a text is an event of its own, at once; else a text that stands in pieces is one event. */
  readonly inPieces?: true
}

/** What a record holds of a text that stands in pieces on several lines; `stream` tells texts apart that are written at once. */
export interface StreamedPiece {
  readonly stream: string
  readonly text: string
}

/**
 * One way an agent writes its log. Adding one: this object in its vendor's folder, one line in `registry.ts`, one fixture folder.
 * `decode` is pure, so ranges of one log can be decoded in parallel; every rule that needs another line lives in the fold.
 */
export interface LogFormat<D extends Decoded = Decoded> {
  /** Kebab-case, stored in indexes and printed: never renamed. Null only for `unrecognized`, the reader of logs that no format claims. */
  readonly id: string | null
  /** Shown to the user, e.g. "Claude Code stream-json". */
  readonly title: string
  /** The agent whose logs these are. Null: logs of several are of this format, or it is not known; a fold may tell (`FoldedEvent.agentType`). */
  readonly agentType: AgentType | null
  /** Detect its records among those of all formats. */
  readonly detectors: readonly Detector[]
  readonly textDetectors?: readonly TextDetector[]
  /** Ids of formats whose records this program writes as well: a session with a record that only it writes is its own. */
  readonly imitates?: readonly string[]
  decode(value: JsonValue, at: LinePosition): D
  /** What a line that is not JSON means, given its text. `cut`: the source ended inside it. */
  decodeMalformed(text: string, issue: IssueDraft, cut: boolean): D
  createFold(context: FoldContext): Fold<D>
  /** All classes that the state of its folds is made of (`fork-state.ts`), so that a saved index can hold it. Any order. */
  stateClasses(): readonly StateClass[]
  /** The piece of a text that a record holds, where its draft does not (`Decoded.joins`). */
  streamedPiece?(record: JsonObject): StreamedPiece | null
  /** What a record says of one of its texts, calls or results beside the event itself; pure. Absent: nothing. */
  facts?(this: void, record: JsonObject, event: EventBody): RecordFacts
  /** What a record tells those who follow a run, beside its events; pure. Absent: nothing. */
  liveCues?(record: JsonObject): readonly LiveCue[]
  /** What the program writes elsewhere while a run goes on. Absent: nothing that has to be noted. */
  readonly liveNotes?: LiveNotes
  /** Where the agent keeps logs of this format. Absent: nowhere, a person puts them somewhere. */
  readonly store?: LogStore
  /** What records say of their session beside their events. Absent: nothing. */
  readonly session?: SessionTeller
  /** How the other files of a run are found; null where `main` is not the main file of one. Absent: its runs are one file each. */
  runFiles?(main: MainFile): RunSearch | null
}

/** Whose events these are; the caller of a reader knows, a log does not. */
export interface AgentIdentity {
  readonly agentId: string
  readonly teamMetadata: TeamContext
}
