import type { AgentEvent, AgentType, SessionStarted, TurnCompleted } from '../../events/agent-event.ts'
import { StatedTimes, statedTime } from '../../events/stated-times.ts'
import { unknownAgent } from '../../formats/agents.ts'
import { issueCodes, type IssueCode, type IssueDraft, type IssueSeverity } from '../../formats/issue.ts'
import { EqualFailures } from '../../index/equal-failures.ts'
import { LongestCalls } from '../../index/longest-calls.ts'
import { ChangedFiles } from '../../tools/changed-files.ts'
import type { EntryPlace } from './turn-entries.ts'

export interface SlowCall {
  readonly tool: string
  readonly text: string
  readonly mono: boolean
  readonly detail: string
  readonly tookMs: number
  readonly at: EntryPlace
}

/** A failed call, or an error with its code as `tool`. */
export interface FoundError {
  readonly tool: string
  /** In one line. */
  readonly text: string
  readonly at: EntryPlace
}

export interface FoundIssue extends IssueDraft {
  readonly at: EntryPlace
}

// Limits of listed entries; further ones are counted.
const maxErrorGroups = 1000
const maxIssues = 100
const maxFiles = 100

/** The facts of a run for a report's head and tables. Bounded for any run. */
export class ReportFacts {
  readonly slow = new LongestCalls<SlowCall>()
  readonly errors = new EqualFailures<FoundError>(maxErrorGroups)
  errorCount = 0
  readonly issues: FoundIssue[] = []
  readonly issueCounts: Record<IssueSeverity, number> = { malformed: 0, violation: 0, notice: 0 }
  readonly issuesByCode = new Map<IssueCode, number>()
  readonly files = new ChangedFiles(maxFiles)
  readonly times = new StatedTimes()
  session: SessionStarted | null = null
  sessionId: string | null = null
  model: string | null = null
  /** From the events, as logs of one format may be of different agents. */
  agentType: AgentType | null = null

  event(event: AgentEvent): void {
    this.sessionId ??= event.sessionId ?? null
    if (event.agentType !== unknownAgent) this.agentType ??= event.agentType
    this.times.add(statedTime(event))
  }

  issue(issue: IssueDraft, at: EntryPlace): void {
    this.issueCounts[issueCodes[issue.code].severity]++
    this.issuesByCode.set(issue.code, (this.issuesByCode.get(issue.code) ?? 0) + 1)
    if (this.issues.length < maxIssues) this.issues.push({ ...issue, at })
  }

  turn({ model }: TurnCompleted): void {
    this.model ??= model ?? null
  }

  took(call: Omit<SlowCall, 'tookMs'>, tookMs: number): void {
    this.slow.add({ ...call, tookMs })
  }

  error(error: FoundError): void {
    this.errorCount++
    this.errors.add(error)
  }
}
