// The public API of the package. Anything else may change at any time.

export {
  AgentEvent,
  agentEventTypes,
  agentTypes,
  textCategories,
  type AgentEventBase,
  type AgentEventType,
  type AgentType,
  type ErrorEvent,
  type EventBody,
  type EventSource,
  type SessionStarted,
  type Text,
  type TextCategory,
  type TodoList,
  type ToolCompleted,
  type ToolStarted,
  type TurnCompleted
} from './events/agent-event.ts'
export { soloTeam, TeamContext } from './events/team.ts'
export { isValidTodoItem, TodoItem, TodoStatus, todoStatuses } from './events/todo.ts'

export { agentEventJsonSchema } from './export/agent-event-schema.ts'
export { normalizedLine } from './export/normalized-jsonl.ts'

export {
  ClaudeStreamJsonParser,
  type ClaudeStreamJsonErrorCode,
  type ClaudeStreamJsonEvent,
  type ClaudeStreamJsonParseError,
  type ClaudeStreamJsonResult
} from './formats/claude/contract.ts'
export {
  issueAt,
  issueCodes,
  issueSeverities,
  type Issue,
  type IssueCode,
  type IssueDraft,
  type IssueSeverity
} from './formats/issue.ts'
export { parseJson, type JsonFault, type ParsedJson } from './formats/json-text.ts'
export type {
  AgentIdentity,
  Decoded,
  EventDraft,
  Fold,
  FoldContext,
  FoldedEvent,
  FoldResult,
  Framing,
  Head,
  LinePosition,
  LineMark,
  LogFormat,
  RowMark,
  RunFile,
  Detector,
  TextDetector
} from './formats/log-format.ts'
export type { LineSink, ReadLine, ReadPosition } from './formats/folded-lines.ts'
export { LogReader, type LogReaderOptions } from './formats/log-reader.ts'
export { RunReader, type RunReaderOptions, type RunSource } from './formats/run-reader.ts'
export type { Candidate, MainFile, RunLink, RunSearch } from './formats/run-search.ts'
export { headBytes, headOf } from './formats/head.ts'
export { detectFormat, formatById, logFormats } from './formats/registry.ts'
export { stamp } from './formats/stamp.ts'
export { ClaudeCodeParser, CodexParser, GeminiParser } from './formats/stream-parser.ts'

export type { JsonObject, JsonValue } from './json.ts'
export { LineSplitter, maxLineBytes, type Line, type LineSplitterOptions } from './lines/line-splitter.ts'

export { todoChanges, type TodoChange } from './replay/todo-changes.ts'
export { TodoHistory, type KeptSnapshot, type TodoSnapshot } from './replay/todo-history.ts'
