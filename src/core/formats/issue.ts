/** `malformed`: not JSON. `violation`: breaks the format's contract. `notice`: unknown, harmless. Worst first. */
export const issueSeverities = ['malformed', 'violation', 'notice'] as const
export type IssueSeverity = (typeof issueSeverities)[number]

/** All issue codes. The first three are the strict contract's (docs/seeds.md#claude-stream-json-contract). */
export const issueCodes = {
  JsonParse: { severity: 'malformed', title: 'not JSON' },
  TypedParse: { severity: 'violation', title: 'a required path is missing or of the wrong type' },
  Normalize: { severity: 'violation', title: 'result subtype and is_error disagree' },
  InvalidUtf8: { severity: 'violation', title: 'bytes that are not UTF-8, shown as U+FFFD' },
  LineTooLong: { severity: 'malformed', title: 'a line too long to read' },
  TooDeep: { severity: 'notice', title: 'nested deeper than Playhead reads' },
  UnknownType: { severity: 'notice', title: 'unknown record type' },
  UnknownSubtype: { severity: 'notice', title: 'unknown record subtype' },
  UnknownBlock: { severity: 'notice', title: 'unknown content block' },
  OddValue: { severity: 'notice', title: 'an impossible value' },
  RepeatedName: { severity: 'notice', title: 'a repeated name in an object' },
  UnknownTask: { severity: 'notice', title: 'a todo whose creation is not in the log' },
  PlanNotRead: { severity: 'notice', title: 'a plan that is not a plain literal' },
  HookFailed: { severity: 'notice', title: 'a hook reported an error' }
} as const satisfies Record<string, { severity: IssueSeverity; title: string }>

export type IssueCode = keyof typeof issueCodes

/** An issue of `decode`, without its line. */
export interface IssueDraft {
  code: IssueCode
  /** JSON path such as `$.message.content[0].type`; null when the line has no JSON. */
  path: string | null
  /** One sentence: what was expected and found. Never text of the line. */
  message: string
  /** The contract's word about a line that is as its agent means it, such as an interrupt. Only `check` tells it. */
  isMeant?: true
}

/** Limit of issues of one kind of a record: a line of 100 MB may have millions of values. */
export const mostIssues = 100

/** The issues to show beside a line: all but those that only `check` tells. */
export function shownIssues(issues: readonly IssueDraft[]): readonly IssueDraft[] {
  return issues.some(({ isMeant }) => isMeant === true) ? issues.filter(({ isMeant }) => isMeant !== true) : issues
}

/** The issue of an unknown record type. */
export function unknownType(path = '$.type'): IssueDraft {
  return { code: 'UnknownType', path, message: 'unknown record type' }
}

/** An issue on its line. */
export interface Issue extends IssueDraft {
  /** 1-based. */
  line: number
  /** As in `EventSource`. */
  offset: number
  length: number
  severity: IssueSeverity
}

/** Adds the line to a draft. */
export function issueAt(line: { line: number; offset: number; length: number }, draft: IssueDraft): Issue {
  return {
    line: line.line,
    offset: line.offset,
    length: line.length,
    code: draft.code,
    severity: issueCodes[draft.code].severity,
    path: draft.path,
    message: draft.message
  }
}
