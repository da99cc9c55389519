import { dropOldest } from '../drop-oldest.ts'
import type { AgentEvent } from '../events/agent-event.ts'
import type { TodoItem } from '../events/todo.ts'
import type { RuleName } from '../findings/finding.ts'
import type { EventsOfRows } from '../findings/rules/cache-lost.ts'
import { type FindingList, RunFindings } from '../findings/run-findings.ts'
import type { ReadLine } from '../formats/folded-lines.ts'
import type { FoldedEvent, LogFormat } from '../formats/log-format.ts'
import { CallCounts } from '../index/call-counts.ts'
import { failureLine } from '../index/failed-call.ts'
import { oneLine, wellFormedHead } from '../index/one-line.ts'
import { rowKindOf, rowKinds } from '../index/row-kind.ts'
import { RunTime, type RunTimes } from '../replay/run-time.ts'
import { TurnStarts } from '../replay/turns.ts'
import { RequestList } from '../requests/request-list.ts'
import { fewGroups } from '../requests/token-groups.ts'
import { sentOf } from '../requests/tokens.ts'
import { usageOf } from '../requests/usage.ts'
import { ChangedFiles } from '../tools/changed-files.ts'
import { nameIn } from './card-facts.ts'
import { OwnTrack } from './own-track.ts'
import { type EndOfSession, SessionEnd } from './session-end.ts'
import type { SessionCounts, SessionPreview } from './session-card.ts'
import { userPart, PromptTitle, wellFormed } from './session-title.ts'

/** The limits of `SessionPreview`. */
const maxText = 2000
const maxTodos = 100
const maxFailed = 20
const maxFiles = 50
/** The limit of `SessionCounts`. */
const maxModels = 20

/** Limit of distinct files; above it their number is a lower bound. */
const maxFilesCounted = 5000
/** Limit of open calls. */
const maxOpen = 10_000

/** Counts a session while its log is read, in log order (`LogVisitor`). Bounded for any log. */
export class SessionCounter {
  readonly #format: Pick<LogFormat, 'session' | 'facts'> | null
  readonly #own = new OwnTrack()
  readonly #starts = new TurnStarts()
  readonly #calls = new CallCounts()
  readonly #time = new RunTime()
  readonly #requests = new RequestList()
  readonly #findings = new RunFindings()
  readonly #files = new ChangedFiles(maxFilesCounted)
  readonly #end: SessionEnd
  readonly #title: PromptTitle
  readonly #tools = new Map<string, string>()
  readonly #failed: { seq: number; tool: string; text: string }[] = []
  #events = 0
  #model: string | null = null
  #turns = 0
  #todos: readonly TodoItem[] | null = null
  #firstPrompt: string | null = null
  #lastAnswer: string | null = null

  /** Null: format unknown, so injected prompts are not detected and recorded changes are not read. */
  constructor(format: Pick<LogFormat, 'session' | 'facts'> | null = null) {
    this.#format = format
    this.#end = new SessionEnd(format === null ? 'unsaid' : format.session?.ends)
    this.#title = new PromptTitle(format?.session)
  }

  line({ tokens, events }: ReadLine): void {
    const row = rowOfLine(this.#events, events.length)
    for (const note of tokens ?? []) {
      this.#requests.add(note, row, row)
      if (note.about === 'request' && note.model !== undefined) this.#model ??= nameIn(note.model)
    }
  }

  event(event: AgentEvent, seq: number, folded: FoldedEvent, line: ReadLine | null): void {
    this.#events++
    this.#find(folded, seq, line)
    if (event.type === 'session.started' && event.trackId === undefined) this.#files.folder ??= event.cwd ?? null
    this.#call(event, seq)
    if (event.type === 'tool.completed') this.#files.completed(this.#format ?? {}, event, folded, line)
    if (event.type === 'turn.completed') this.#requests.addRunCost(event.costUsd)
    const isOwn = this.#own.has(event)
    // In a subagent's own log, the subagent counts as the main agent.
    this.#time.add(isOwn && event.trackId !== undefined ? withoutTrack(event) : event)
    if (!isOwn) return
    this.#end.add(event)
    if (event.type === 'turn.completed') this.#model ??= nameIn(event.model)
    if (this.#starts.next(rowKinds.indexOf(rowKindOf(event)))) this.#turns++
    if (event.type === 'todo_list') this.#todos = event.items.length === 0 ? null : event.items
    else if (event.type === 'text') this.#onText(event)
  }

  get counts(): SessionCounts {
    const { total, failed } = this.#calls.all
    const usage = usageOf(this.#requests)
    const { input, cacheRead, cacheWrite } = usage ?? {}
    return {
      events: this.#events,
      firstTimestamp: this.#time.stated.begin,
      lastTimestamp: this.#time.stated.end,
      title: this.#title.title,
      model: this.#model,
      turns: this.#turns,
      calls: total,
      failedCalls: failed,
      findings: findingCounts(this.#findings.all(this.#requests, eventsOfRows)),
      todosDone: this.#todos?.filter(({ status }) => status === 'completed').length ?? null,
      todosTotal: this.#todos?.length ?? null,
      activeMs: this.#time.times?.activeMs ?? null,
      inputTokens:
        sentOf({ input: input ?? undefined, cacheRead: cacheRead ?? undefined, cacheWrite: cacheWrite ?? undefined }) ??
        null,
      outputTokens: usage?.output ?? null,
      outputAtLeast: (usage?.understatedRequests ?? 0) > 0,
      costUsd: this.#requests.runCostUsd,
      spent: fewGroups(usage?.spent ?? [], maxModels).map((group) => ({ ...group, model: nameIn(group.model ?? '') }))
    }
  }

  /** Null: the log states no times. */
  get times(): RunTimes | null {
    return this.#time.times
  }

  /** The changed files as the calls name them, at most `maxFilesCounted`. */
  get changedFiles(): Iterable<string> {
    return this.#files.byPath.keys()
  }

  get preview(): SessionPreview {
    const { byPath, further } = this.#files
    const most = [...byPath].toSorted(([, a], [, b]) => b.added + b.deleted - a.added - a.deleted || b.calls - a.calls)
    return {
      firstPrompt: this.#firstPrompt,
      lastAnswer: this.#lastAnswer,
      todos: (this.#todos ?? []).slice(0, maxTodos).map(({ text, status }) => ({ text: shownText(text), status })),
      failed: [...this.#failed],
      files: most.slice(0, maxFiles).map(([path, { added, deleted }]) => ({ path: wellFormed(path), added, deleted })),
      filesTotal: byPath.size,
      filesAtLeast: further > 0
    }
  }

  /** As `ReadCard.end`, but exact. */
  get end(): EndOfSession {
    return this.#end.end
  }

  /** As `RunIndex`: copies tell nothing, and a compaction is told after the events of its line. */
  #find(folded: FoldedEvent, seq: number, line: ReadLine | null): void {
    const kind = rowKinds.indexOf(rowKindOf(folded.draft))
    if (!isCopy(folded, line)) this.#findings.add(folded, seq, kind, line === null)
    if (line === null || folded !== line.events.at(-1)) return
    const [first] = line.events
    if (first === undefined || isCopy(first, line) || line.tokens?.some(({ about }) => about === 'compaction') !== true)
      return
    this.#findings.compacted(first.draft.trackId ?? first.trackId ?? '', seq - line.events.length + 1)
  }

  #call(event: AgentEvent, seq: number): void {
    if (event.type === 'tool.started') {
      this.#tools.set(event.toolId, event.toolName)
      if (this.#tools.size > maxOpen) dropOldest(this.#tools, maxOpen / 2)
      this.#files.call(event.toolId, event.input)
      this.#calls.add(event)
    } else if (event.type === 'tool.completed') {
      const before = this.#calls.all.failed
      this.#calls.add(event)
      const tool = this.#tools.get(event.toolId) ?? event.toolName ?? ''
      this.#tools.delete(event.toolId)
      if (this.#calls.all.failed === before) return
      const text = wellFormed(failureLine(event))
      this.#failed.push({ seq, tool: wellFormed(oneLine(tool, 80)), text })
      if (this.#failed.length > maxFailed) this.#failed.shift()
    }
  }

  #onText(event: AgentEvent & { type: 'text' }): void {
    const kind = rowKindOf(event)
    if (kind === 'prompt') {
      this.#title.prompt(event.text)
      if (this.#firstPrompt !== null) return
      const words = userPart(event.text, this.#format?.session)
      if (words !== null) this.#firstPrompt = shownText(words)
    } else if ((kind === 'assistant' || kind === 'result-text') && event.text.trim() !== '') {
      this.#lastAnswer = shownText(event.text)
    }
  }
}

/** A line counts as one row: an odd number if it has events, so that a finding about a request knows its event. */
function rowOfLine(eventsBefore: number, events: number): number {
  return 2 * eventsBefore + (events > 0 ? 1 : 0)
}

/** Of the rows of `rowOfLine`. The times are in no count. */
const eventsOfRows: EventsOfRows = {
  seqOf: (row) => (row % 2 === 1 ? (row - 1) / 2 : -1),
  statedTime: () => null
}

function isCopy({ at, markedWith }: FoldedEvent, line: ReadLine | null): boolean {
  if (line?.marks === undefined || markedWith !== undefined) return false
  return line.marks.some(
    ({ at: marked, mark }) => mark === 'duplicate' && marked.offset === at.offset && marked.file === at.file
  )
}

function findingCounts({ list, further }: FindingList): SessionCounts['findings'] {
  const counts: Partial<Record<RuleName, number>> = Object.fromEntries(further)
  for (const { rule } of list) counts[rule] = (counts[rule] ?? 0) + 1
  return counts
}

function withoutTrack(event: AgentEvent): AgentEvent {
  const { trackId: _, ...rest } = event
  return rest
}

function shownText(text: string): string {
  const trimmed = text.trim()
  return wellFormed(trimmed.length <= maxText ? trimmed : `${wellFormedHead(trimmed, maxText - 1)}…`)
}
