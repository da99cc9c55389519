import type { AgentEventBase, AgentType, EventBody } from '../events/agent-event.ts'
import type { TeamContext } from '../events/team.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { TokenNote } from '../requests/request-note.ts'
import type { IssueDraft } from './issue.ts'
import type { RecordFacts } from './record-facts.ts'
import type { LiveCue } from './live-cue.ts'
import type { LiveNotes } from './live-notes.ts'
import type { SessionLog } from './session-log.ts'
import type { StatedValues } from './stated-values.ts'
import type { LogStore, SessionFormat } from './log-store.ts'
import type { StateClass } from '../state/saved-state.ts'
import type { MainFile, RunSearch } from './run-search.ts'

/**
 * How bytes become records. `lines`: one JSON value per line. `document`: one JSON value, each object in its list is a
 * record (`document-splitter.ts`). A property of the log, not of its format.
 */
export type Framing = 'lines' | 'document'

/** The first 64 KiB of a log, the only input of format detection. */
export interface Head {
  /** File name without folders. */
  readonly name: string
  readonly framing: Framing
  readonly text: string
  /** The complete JSON records, in order. */
  readonly records: readonly JsonValue[]
  /** The text of an incomplete last record, or empty. */
  readonly cut: string
}

/** How much a rule proves. */
export type Strength =
  /** Only this program writes such a record, or an imitator with further records. */
  | 'conclusive'
  /** This program writes such records, and similar ones may. */
  | 'typical'
  /** Many programs write such records: counts only together with others. */
  | 'shared'

/** A rule over a record. `evidence.ts` weighs the results. */
export interface Detector {
  readonly strength: Strength
  /** Pure; must not throw. */
  holds(record: JsonObject): boolean
}

/** A rule over the text of an incomplete record. */
export interface TextDetector {
  readonly strength: Strength
  holds(text: string): boolean
}

/** A line of a source, without its bytes. */
export interface LinePosition {
  /** The file's path relative to the main file's folder; absent for the main file. */
  readonly file?: string
  /** 1-based. In a document: where the record begins. */
  readonly line: number
  readonly offset: number
  /** Bytes without the line end. */
  readonly length: number
}

/** The start of a line, which identifies it. */
export type LineStart = Pick<LinePosition, 'file' | 'offset'>

/** A position without the line's bytes, which the caller owns. */
export function placeOf({ file, line, offset, length }: LinePosition): LinePosition {
  return file === undefined ? { line, offset, length } : { file, line, offset, length }
}

/** An event as stated by one record. The fold adds most base fields; a normalized log states all of them. */
export type EventDraft = EventBody & Partial<AgentEventBase>

/** The meaning of one record on its own. Formats add what their fold needs: ids, todo operations, hashes. */
export interface Decoded {
  readonly drafts: readonly EventDraft[]
  readonly issues: readonly IssueDraft[]
  /** The record's time, in ms since the epoch. Merges the files of a run. */
  readonly time?: number | undefined
  /** The record's place beside `dialogue.jsonl`, if not its time. All records of a format state it on one scale. */
  readonly order?: number | undefined
  /** `drafts[0]` is a piece of a text: `FoldedEvent.joinedTo`. */
  readonly joins?: boolean
}

/** A draft with the facts of earlier lines. */
export interface FoldedEvent {
  readonly at: LinePosition
  /** 0-based position among the events of this line. */
  readonly ordinal: number
  readonly draft: EventDraft
  /** Index in `decode(record, at).drafts`, or -1 for an event made by the fold, which is stored and must be small. */
  readonly body: number
  /** For a text in pieces: byte offset of the last piece's line end (`joined-text.ts`). */
  readonly joinedTo?: number
  readonly timestamp: number
  readonly timestampFrom?: 'previous' | 'observed'
  readonly sessionId?: string
  /** The agent, if the log names it. */
  readonly agentType?: AgentType
  readonly trackId?: string
  /** The part of the log within which the draft's ids (`toolId`, `todoId`) are unique; see `scopedId`. */
  readonly idScope?: string
  /** For a result whose call has no `tool.started`: `ToolCompleted.toolName`. */
  readonly toolName?: string
  /** For a text: the call that it is about, which may come later. */
  readonly callId?: string | undefined
  /** For a result without a stated duration: ms between the records of call and result, if known. */
  readonly tookMs?: number
  /** For an event about earlier lines, such as a turn's end: the line whose marks apply. Null: never marked. */
  readonly markedWith?: LinePosition | null
}

/** An id unique in the whole log. */
export function scopedId(idScope: string | undefined, id: string): string {
  return idScope === undefined ? id : `${idScope}:${id}`
}

/** A unique id for a call without one. `index`: of the call in its line. */
export function lineId(line: number, index = 0): string {
  return `line-${line}-${index}`
}

/** Why a row is not part of the conversation. Its events stay. */
export type RowMark =
  /** A copy of an earlier line, written by resume and fork. */
  | 'duplicate'
  /** Withdrawn by the agent: a later answer replaces it. */
  | 'retracted'
  /** The user went back to an earlier point. */
  | 'abandoned'

/** A mark for the current line or an earlier one. */
export interface LineMark {
  readonly at: LineStart
  readonly mark: RowMark
}

export interface FoldResult {
  /** Events of the added line or, while lines are held, of any held line; in log order. */
  readonly events: readonly FoldedEvent[]
  readonly issues: readonly IssueDraft[]
  /** Hold this line and the following ones until a result without this. The number of lines must be limited. */
  readonly held?: boolean
  readonly marks?: readonly LineMark[]
  /** Model requests. A copied line has none. */
  readonly tokens?: readonly TokenNote[]
  /** Time and track of a record without an event, if stated. */
  readonly timestamp?: number | undefined
  readonly trackId?: string | undefined
}

/** Subagent logs that a log refers to and that are not loaded. */
export interface MissingLogs {
  /** Named by the log. */
  readonly named: number
  /** Open calls may have started more. */
  readonly perhaps: boolean
}

export const noMissingLogs: MissingLogs = Object.freeze({ named: 0, perhaps: false })

/** Processes the records of a source in order. Cheap: reads no JSON and no long text. */
export interface Fold<D extends Decoded = Decoded> {
  /** `at` must be later than every line added before. */
  add(at: LinePosition, decoded: D): FoldResult
  /** Ends the source. Returns events of earlier lines. */
  end(): FoldResult
  /** Of the lines so far. Absent: such logs do not name others. */
  missing?(): MissingLogs
}

/** A file of the run beside the main one. */
export interface RunFile {
  /** As in `LinePosition.file`. */
  readonly name: string
  /** The call that started the file's subagent, if a companion file states it. */
  readonly callId?: string | undefined
}

export interface FoldContext {
  /** The other files of the run, if any. */
  readonly files?: readonly RunFile[]
  /** The clock of a live source, in ms since the epoch. Absent offline. */
  readonly now?: () => number
  /** Emits each piece of a text at once instead of one event per text. */
  readonly inPieces?: true
}

/** A record's piece of a text; `stream` separates texts that are written concurrently. */
export interface StreamedPiece {
  readonly stream: string
  readonly text: string
}

/**
 * A log format. A new one is this object, a line in `registry.ts`, and fixtures. `decode` is pure, so parts of a log
 * can be decoded in parallel; rules across lines belong to the fold.
 */
export interface LogFormat<D extends Decoded = Decoded> {
  /** Kebab-case; stored, so never renamed. Null only for `unrecognized`. */
  readonly id: string | null
  /** For the user, such as "Claude Code stream-json". */
  readonly title: string
  /** The agent. Null if several agents write the format; then `FoldedEvent.agentType` may state it. */
  readonly agentType: AgentType | null
  readonly detectors: readonly Detector[]
  readonly textDetectors?: readonly TextDetector[]
  /** Formats whose records this program also writes: a session with a conclusive record is its own. */
  readonly imitates?: readonly string[]
  /** Members of records that hold objects which look like records (`damaged-line.ts`). */
  readonly nested?: readonly string[]
  decode(value: JsonValue, at: LinePosition): D
  /** Which values its records state. An impossible one is an issue. */
  readonly values?: StatedValues
  /** Decodes a line that is not JSON. `cut`: the source ended inside it. */
  decodeMalformed(text: string, issue: IssueDraft, cut: boolean): D
  createFold(context: FoldContext): Fold<D>
  /** All classes in the fold's state, for saved indexes (`saved-state.ts`). Any order. */
  stateClasses(): readonly StateClass[]
  /** The piece of a text in a record whose draft does not have it (`Decoded.joins`). */
  streamedPiece?(record: JsonObject): StreamedPiece | null
  /** Facts of a record beside an event. Pure. */
  facts?(this: void, record: JsonObject, event: EventBody): RecordFacts
  /** Facts of a record without an event. Pure. */
  recordFacts?(this: void, record: JsonObject): RecordFacts
  /** Cues for followers of a live run. Pure. */
  liveCues?(record: JsonObject): readonly LiveCue[]
  /** Facts that the program writes elsewhere during a live run. */
  readonly liveNotes?: LiveNotes
  /** The program does not print this format but keeps it: the recording of a live run is a copy of that log, as it grows. */
  readonly sessionLog?: SessionLog
  /** Where the agent stores such logs. */
  readonly store?: LogStore
  /** Facts about the session beside events. */
  readonly session?: SessionFormat
  /** How to find the run's other files; null if `main` is not the main file of a run. Absent: a run is one file. */
  runFiles?(main: MainFile): RunSearch | null
}

/** The agent's identity, known to the caller of a reader. */
export interface AgentIdentity {
  readonly agentId: string
  readonly teamMetadata: TeamContext
}
