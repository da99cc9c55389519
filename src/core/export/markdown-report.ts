import type { AgentEvent, TurnCompleted } from '../events/agent-event.ts'
import { parallelismText, splitText } from '../analysis/split-words.ts'
import { SpanList } from '../analysis/span-list.ts'
import { CallsBelow, SplitTimes } from '../analysis/time-split.ts'
import { agentOf, unknownAgent } from '../formats/agents.ts'
import { issueCodes, issueSeverities, shownIssues } from '../formats/issue.ts'
import type { ReadLine } from '../formats/folded-lines.ts'
import type { EventDraft, FoldedEvent, LogFormat, RowMark } from '../formats/log-format.ts'
import { rowMarks } from '../index/row-mark.ts'
import { parseJson } from '../formats/json-text.ts'
import { unrecognized } from '../formats/unrecognized.ts'
import { CallCounts, type ToolCalls } from '../index/call-counts.ts'
import { findingRules } from '../findings/finding.ts'
import { isInformation, RunFindings } from '../findings/run-findings.ts'
import { RunIndex } from '../index/run-index.ts'
import { failureLine, isFailedCall } from '../index/failed-call.ts'
import { oneLine } from '../index/one-line.ts'
import { recordFacts } from '../index/row-facts.ts'
import { rowKindOf, rowKinds } from '../index/row-kind.ts'
import { bytesText, costText, durationText } from '../measure-text.ts'
import { toolOutput } from '../index/tool-output.ts'
import { toolSummary } from '../index/tool-summary.ts'
import { snapshotOf } from '../replay/snapshot-of.ts'
import type { Bookmark } from '../replay/review.ts'
import { TodoHistory } from '../replay/todo-history.ts'
import { TurnStarts } from '../replay/turns.ts'
import { costOf } from '../requests/cost.ts'
import { costWords } from '../requests/cost-words.ts'
import type { PriceTable } from '../requests/prices.ts'
import { RequestList } from '../requests/request-list.ts'
import { type Usage, usageOf } from '../requests/usage.ts'
import { usageWords } from '../requests/usage-words.ts'
import { allSteps } from '../steps.ts'
import { Redactor } from './redact.ts'
import { ReportFacts } from './report/report-facts.ts'
import { cleanLine, clockText, counted, dateText, grouped, isTime, kept, keptEnds } from './report/report-text.ts'
import { type CallEntry, type Entry, EntryList, type EntryPlace, type TrackEntry } from './report/turn-entries.ts'
import { callText, entryLines, placeText, shownText, taskLines } from './report/write-turn.ts'
import { codeCell, escaped, escapedStart, tableRow, withoutDoubleBlanks } from './safe-markdown.ts'

/** Facts of the log beside its events. */
export interface ReportedLog {
  /** File name. */
  readonly name: string
  readonly bytes: number
  readonly lines: number
  readonly events: number
  /** Further files of the run. */
  readonly files: number
  /** Notes on files that are not shown. */
  readonly notes: readonly string[]
  /** Events in the report; null: all. */
  readonly part?: number | null
  /** The user's bookmarks, without secrets. */
  readonly bookmarks?: readonly Bookmark[]
}

const duplicate = rowMarks.indexOf('duplicate')
/** Lines of findings, and of errors, equal ones grouped; further ones are counted. */
const maxFindings = 100
const maxErrors = 50
/** Characters of the report up to which turns are written in full, then in short; later turns are counted. */
const fullLength = 1_500_000
const maxLength = 3_000_000

const turnRoom = { first: 150, last: 50, between: 100 }
const childRoom = { first: 40, last: 20, between: 30 }
/** Limit of open calls and of subagents kept after their turn. */
const maxOpen = 2000
/** Records of longer results are not parsed for further facts. */
const maxRecord = 1_000_000

/** The current turn. */
interface Turn {
  /** 0: rows before the first turn. */
  readonly number: number
  readonly time: number
  readonly entries: EntryList
  lastTime: number
  ends: TurnCompleted[]
  calls: number
  failed: number
  lastSaid: string
  /** Some of its events are not in the report. */
  leavesOut: boolean
}

/**
 * A run as a report for readers: prompts, answers, calls, errors and todos. Bounded for any run: texts are cut, long
 * turns and runs are shortened, and omissions are counted. `redactor`: removes secrets from all output; null keeps
 * them. Pass every line and event of the run in order, then call `pieces`.
 */
export class MarkdownReport {
  readonly #redactor: Redactor | null
  readonly #prices: PriceTable | null
  readonly #facts = new ReportFacts()
  /** For the time split, and the places of the findings. */
  #run = new RunIndex(unrecognized)
  /** Told from redacted events: a sentence has a part of a text, in which a secret may not be known any more. */
  readonly #found = new RunFindings()
  readonly #findingsRedactor: Redactor | null
  /** The line of the next events says that the conversation was compacted. */
  #isCompacted = false
  /** Events so far; null once one was left out: a part of a session has no findings. */
  #events: number | null = 0
  readonly #calls = new CallCounts()
  readonly #written: string[] = []
  #length = 0
  readonly #turnStarts = new TurnStarts()
  /** Turn numbers are used as row numbers. */
  readonly #requests = new RequestList()
  #turns = 0
  #furtherTurns = 0
  #turn: Turn = newTurn(0, 0)
  #format: LogFormat = unrecognized
  readonly #openCalls = new Map<string, CallEntry>()
  /** The last line that is not JSON: its issue tells it. */
  #malformedLine: EntryPlace | null = null
  /** Of the current turn. */
  readonly #tracks = new Map<string, EntryList>()
  readonly #trackLabels = new Map<string, string>()
  /** By line, of the current turn. */
  readonly #entriesByLine = new Map<string, Entry[]>()
  readonly #marks = new Map<string, RowMark>()
  readonly #todos = new TodoHistory()
  /** Numbers the todo lists of `#todos`. */
  #todoEvents = 0

  /** `prices`: to estimate the cost with; null: none. */
  constructor(redactor: Redactor | null, prices: PriceTable | null = null) {
    this.#redactor = redactor
    this.#findingsRedactor = redactor === null ? null : new Redactor()
    this.#prices = prices
  }

  /** Call before all lines. */
  begin(format: LogFormat): void {
    this.#format = format
    this.#run = new RunIndex(format)
  }

  /** Call before the line's events. */
  line(line: ReadLine): void {
    const { at, issues, marks = [], tokens = [] } = line
    this.#run.line(line)
    this.#isCompacted = tokens.some(({ about }) => about === 'compaction')
    for (const issue of shownIssues(issues)) {
      this.#facts.issue(issue, at)
      if (issueCodes[issue.code].severity === 'malformed') this.#malformedLine = at
    }
    for (const note of tokens) this.#requests.add(note, this.#turns, this.#turns)
    for (const { at: marked, mark } of marks) {
      const key = lineKey(marked)
      this.#marks.set(key, mark)
      for (const entry of this.#entriesByLine.get(key) ?? []) entry.mark = mark
    }
    bound(this.#marks, maxOpen)
  }

  /** `line`: the line that revealed the event; its record may state more. */
  event(event: AgentEvent, folded: FoldedEvent, line: ReadLine | null): void {
    if (line === null) this.#run.end([folded], [])
    this.#addToFindings(folded, line === null)
    this.#facts.event(event)
    this.#beginTurn(event)
    if (isTime(event.timestamp)) this.#turn.lastTime = Math.max(this.#turn.lastTime, event.timestamp)
    switch (event.type) {
      case 'session.started':
        this.#onSession(event, folded)
        break
      case 'text':
        this.#onText(event, folded)
        break
      case 'tool.started':
        this.#onCall(event, folded)
        break
      case 'tool.completed':
        this.#onResult(event, folded, line)
        break
      case 'turn.completed':
        this.#facts.turn(event)
        this.#requests.addRunCost(event.costUsd)
        if (event.trackId === undefined) this.#turn.ends.push(event)
        break
      case 'error':
        this.#onError(event, folded)
        break
      case 'todo_list':
        // Not a call, but it may reuse a call's id.
        this.#calls.add(event)
        this.#onTodoList(event, folded)
    }
  }

  /** An event outside the report; its turn is still counted. */
  leaveOut(event: AgentEvent): void {
    this.#events = null
    this.#beginTurn(event)
    this.#turn.leavesOut = true
  }

  /** The report, in pieces of text. Call once, after all events. */
  pieces(log: ReportedLog): string[] {
    this.#endTurn()
    const end = [
      ...this.#bookmarks(log.bookmarks ?? []),
      ...this.#todosAtEnd(),
      ...this.#errors(),
      ...this.#findings(),
      ...this.#issues(),
      ...this.#files(),
      ...this.#tools()
    ]
    const last = withoutDoubleBlanks([...this.#further(), ...end])
    const rest = last.length === 0 ? [] : [`\n${last.join('\n')}\n`]
    // Last, as it counts what was redacted.
    return [`${this.#head(log).join('\n')}\n`, ...this.#written, ...rest]
  }

  #addToFindings(folded: FoldedEvent, atEnd: boolean): void {
    if (this.#events === null) return
    const { rows } = this.#run
    const seq = this.#events++
    const row = rows.rowOf(seq)
    if (rows.markAt(row) === duplicate) return
    this.#found.add(this.#redacted(folded), seq, rows.kindAt(row), atEnd)
    if (this.#isCompacted) this.#found.compacted(folded.draft.trackId ?? folded.trackId ?? '', seq)
    this.#isCompacted = false
  }

  #redacted(folded: FoldedEvent): FoldedEvent {
    const { draft } = folded
    // Findings quote no text.
    if (this.#findingsRedactor === null || draft.type === 'text') return folded
    const line = JSON.stringify(draft)
    const redacted = this.#findingsRedactor.line(line)
    return redacted === line ? folded : { ...folded, draft: JSON.parse(redacted) as EventDraft }
  }

  #beginTurn(event: AgentEvent): void {
    if (event.trackId !== undefined || !this.#turnStarts.next(rowKinds.indexOf(rowKindOf(event)))) return
    this.#endTurn()
    this.#turns++
    this.#turn = newTurn(this.#turns, event.timestamp)
  }

  #endTurn(): void {
    const { entries, number, leavesOut } = this.#turn
    if ((number > 0 && !leavesOut) || !entries.isEmpty) {
      if (this.#length < fullLength) this.#write([...this.#turnHead(), ...entryLines(entries, this.#redactor), ''])
      else if (this.#length < maxLength) this.#write(this.#shortTurn())
      else this.#furtherTurns++
    }
    this.#tracks.clear()
    this.#entriesByLine.clear()
    for (const [id, entry] of this.#openCalls) if (entry.result !== null) this.#openCalls.delete(id)
  }

  #write(lines: readonly string[]): void {
    const text = `\n${withoutDoubleBlanks(lines).join('\n')}\n`
    this.#written.push(text)
    this.#length += text.length
  }

  #turnHead(): string[] {
    const { number, time, lastTime, ends } = this.#turn
    const clock = clockText(time)
    const took = isTime(time) && lastTime > time ? durationText(lastTime - time) : ''
    const title = number === 0 ? 'Before the first prompt' : `Turn ${number}`
    const end = ends.at(-1)
    const usage = usageOf(this.#requests.between(number, number + 1))
    const facts = end === undefined ? tokenFacts(usage) : endFacts(end, usage, this.#redactor)
    const head = [`## ${[title, clock, took].filter((part) => part !== '').join(' · ')}`, '']
    return facts.length === 0 ? head : [...head, `*${facts.join(' · ')}*`, '']
  }

  /** A turn in a few lines, for a long report. */
  #shortTurn(): string[] {
    const { entries, calls, failed, lastSaid } = this.#turn
    const lines = this.#turnHead()
    for (const entry of entries) {
      if (!('kind' in entry) || entry.kind !== 'prompt') continue
      const said = cleanLine(oneLine(entry.text.text), this.#redactor)
      lines.push(`> ${escapedStart(said)}`, '')
      break
    }
    const does = failed === 0 ? counted(calls, 'call') : `${counted(calls, 'call')}, ${grouped(failed)} failed`
    return [...lines, `${does}. ${escaped(cleanLine(lastSaid, this.#redactor))}`, '']
  }

  #add(event: AgentEvent, folded: FoldedEvent, what: DistributiveOmit<Entry, 'at' | 'time'>): Entry | null {
    const key = lineKey(folded.at)
    const mark = this.#marks.get(key)
    // A duplicate is shown above already.
    if (mark === 'duplicate') return null
    // The time is of an earlier line.
    const time = event.timestampFrom === 'previous' ? 0 : event.timestamp
    const entry = { ...what, at: placeOf(folded), time } as Entry
    if (mark !== undefined) entry.mark = mark
    this.#listOf(event).add(entry)
    const entries = this.#entriesByLine.get(key)
    if (entries === undefined) this.#entriesByLine.set(key, [entry])
    else entries.push(entry)
    bound(this.#entriesByLine, maxOpen)
    return entry
  }

  /** The list for entries of the event's track; a subagent's is under the call that started it. */
  #listOf({ trackId, timestamp }: AgentEvent): EntryList {
    if (trackId === undefined) return this.#turn.entries
    const known = this.#tracks.get(trackId)
    if (known !== undefined) return known
    const children = new EntryList(childRoom)
    const label = this.#trackLabels.get(trackId) ?? oneLine(trackId, 60)
    const track: TrackEntry = { kind: 'track', label, children, at: { line: 0 }, time: timestamp }
    this.#turn.entries.add(track)
    this.#tracks.set(trackId, children)
    return children
  }

  #onSession(event: AgentEvent & { type: 'session.started' }, folded: FoldedEvent): void {
    const { model, cwd, version } = event
    this.#facts.model ??= model ?? null
    if (event.trackId === undefined) this.#facts.files.folder ??= cwd ?? null
    if (this.#facts.session === null) this.#facts.session = event
    else {
      const text = oneLine([model, cwd, version].filter((word) => word !== undefined).join(' · '))
      this.#add(event, folded, { kind: 'session', text })
    }
  }

  #onText(event: AgentEvent & { type: 'text' }, folded: FoldedEvent): void {
    const kind = rowKindOf(event)
    if (event.text.trim() === '' || kind === 'unparsed') return
    const said = kind === 'result-text' ? 'result' : kind
    if (said !== 'prompt' && said !== 'assistant' && said !== 'reasoning' && said !== 'status' && said !== 'result')
      return
    const own = event.trackId === undefined
    if (own && (said === 'assistant' || said === 'result')) {
      const line = oneLine(event.text)
      // The result of a turn mostly repeats the last message.
      if (said === 'result' && line === this.#turn.lastSaid) return
      this.#turn.lastSaid = line
    }
    const isShort = said === 'reasoning' || said === 'status' || !own
    const { characters } = isShort ? shownText.line : shownText[said === 'prompt' ? 'prompt' : 'assistant']
    this.#add(event, folded, { kind: said, text: kept(event.text, characters * (isShort ? 4 : 1)) })
  }

  #onCall(event: AgentEvent & { type: 'tool.started' }, folded: FoldedEvent): void {
    const { text, detail, mono, badges } = toolSummary(event.input)
    const tool = toolText(event.toolName)
    this.#count(event)
    this.#facts.files.call(event.toolId, event.input, badges)
    const children = new EntryList(childRoom)
    const call = { kind: 'call', tool, text, detail, mono, badges, result: null, children } as const
    const entry = this.#add(event, folded, call)
    if (entry?.kind !== 'call') return
    this.#openCalls.set(event.toolId, entry)
    bound(this.#openCalls, maxOpen)
    this.#tracks.set(event.toolId, children)
    this.#trackLabels.set(event.toolId, text)
    bound(this.#trackLabels, maxOpen)
  }

  /** Returns whether the event adds a call. */
  #count(event: AgentEvent): boolean {
    const { total, failed } = this.#calls.add(event)
    if (event.trackId === undefined) {
      this.#turn.calls += total
      this.#turn.failed += failed
    }
    return total > 0
  }

  /** The exit code of a result's record, for a text without one. */
  #recordedExitCode(event: AgentEvent, text: string): number | null {
    if (text.length > maxRecord || !/exit_?code/i.test(text)) return null
    const parsed = parseJson(text)
    return (parsed.ok ? recordFacts(this.#format, event, parsed.value).exitCode : null) ?? null
  }

  #onResult(event: AgentEvent & { type: 'tool.completed' }, folded: FoldedEvent, line: ReadLine | null): void {
    this.#facts.files.completed(this.#format, event, folded, line)
    const isFailed = isFailedCall(event)
    const entry = this.#count(event) ? isFailed && this.#todoCall(event, folded) : this.#openCalls.get(event.toolId)
    if (!entry) return
    const said = event.error ?? event.output ?? ''
    const output = toolOutput(said)
    const own = line !== null && line.at.offset === folded.at.offset && line.at.file === folded.at.file
    const tookMs = event.durationMs ?? null
    const isFirst = entry.result === null
    const text = output.body.trim() === '' ? said : output.body
    entry.result = {
      error: isFailed ? keptEnds(text, shownText.error.characters) : null,
      exitCode: output.exitCode ?? (isFailed && own ? this.#recordedExitCode(event, line.text) : null),
      lines: said.length > maxRecord ? 0 : output.body.trimEnd().split('\n').length,
      tookMs
    }
    if (!isFirst) return
    if (tookMs !== null) this.#facts.took(entry, tookMs)
    if (isFailed) this.#facts.error({ tool: entry.tool, text: failureLine(event), at: entry.at })
  }

  /** The entry of a failed todo call. A successful one is shown by its list. */
  #todoCall(event: AgentEvent & { type: 'tool.completed' }, folded: FoldedEvent): CallEntry | null {
    const tool = toolText(event.toolName ?? '')
    const children = new EntryList(childRoom)
    const call = { kind: 'call', tool, text: '', detail: '', mono: false, badges: [], result: null, children } as const
    const entry = this.#add(event, folded, call)
    return entry?.kind === 'call' ? entry : null
  }

  #onError(event: AgentEvent & { type: 'error' }, folded: FoldedEvent): void {
    // "Issues of the log" tells it.
    if (event.code === 'JSONL_PARSE_ERROR' && isSameLine(placeOf(folded), this.#malformedLine)) return
    const code = event.code === undefined ? null : oneLine(event.code, 60)
    const entry = this.#add(event, folded, {
      kind: 'error',
      text: keptEnds(event.error, shownText.error.characters),
      code
    })
    if (entry !== null) this.#facts.error({ tool: code ?? 'Error', text: oneLine(event.error), at: entry.at })
  }

  /** Null: neither a cost nor tokens are stated. */
  #costText(usage: Usage | null, statedUsd: number | null): string | null {
    if (usage === null && statedUsd === null) return null
    const answer = costOf(usage?.spent ?? [], statedUsd, this.#prices)
    const { text, because } = costWords(answer)
    if (answer.cost?.from === 'stated' && !answer.cost.atLeast) return `\\${text ?? ''}`
    return text === null ? `unknown. ${this.#text(because)}` : `${text.replace('$', '\\$')} (${this.#text(because)})`
  }

  #head({ name, bytes, lines, events, files, notes, part = null }: ReportedLog): string[] {
    const { session, sessionId, model, times: stated } = this.#facts
    const { total, failed } = this.#calls.all
    const facts = this.#facts
    const agent = agentOf(facts.agentType ?? this.#format.agentType ?? unknownAgent).name
    const rows: [string, string][] = [
      [
        'Agent',
        [agent, session?.version]
          .filter((word) => word !== undefined)
          .map((word) => this.#text(word))
          .join(' ')
      ]
    ]
    const add = (what: string, value: string | null): void => {
      if (value !== null) rows.push([what, value])
    }
    add('Part', part === null ? null : `${grouped(part)} of ${counted(events, 'event')}`)
    add('Model', model === null ? null : this.#text(model))
    add('Session', sessionId === null ? null : this.#code(sessionId))
    add('Folder', session?.cwd === undefined ? null : this.#code(session.cwd))
    add('Time (UTC)', stated.begin === null || stated.end === null ? null : timesText(stated.begin, stated.end))
    // A part has no times between its events.
    const times = part === null ? this.#times() : null
    const split = times?.between() ?? null
    add('Time went to', split === null ? null : splitText(split))
    add('Parallelism', times === null ? null : parallelismText(allSteps(times.parallelism())))
    add('Turns', grouped(this.#turns))
    add('Tool calls', failed === 0 ? grouped(total) : `${grouped(total)}, ${grouped(failed)} failed`)
    const usage = usageOf(this.#requests)
    add('Tokens', tokensText(usage))
    add('Cost', this.#costText(usage, this.#requests.runCostUsd))
    add(
      'Files changed',
      facts.files.byPath.size === 0
        ? null
        : `${grouped(facts.files.byPath.size)}${facts.files.further > 0 ? ' and more' : ''}`
    )
    add('Errors', facts.errorCount === 0 ? 'none' : grouped(facts.errorCount))
    add('Issues of the log', this.#issueCounts() || 'none')
    const beside = files === 0 ? '' : `, and ${counted(files, 'file')} of its agents`
    add(
      'Log',
      `${this.#code(name)}, ${escaped(this.#format.title)}, ${bytesText(bytes)}, ${counted(lines, 'line')}, ${counted(events, 'event')}${beside}`
    )
    const title = `# Run of ${agent}: ${this.#text(name)}`
    const saidNotes = notes.flatMap((note) => ['', escapedStart(cleanLine(oneLine(note, 1000), this.#redactor))])
    // Last: the redactor has counted all secrets by now.
    add('Redacted', this.#redactedText())
    const [first, ...rest] = rows.map(tableRow)
    return [title, '', first ?? '', '| --- | --- |', ...rest, ...saidNotes]
  }

  #redactedText(): string {
    if (this.#redactor === null) return '**nothing; secrets were kept**'
    const { total, counts } = this.#redactor
    if (total === 0) return 'no secrets found'
    return `${counted(total, 'secret')} (${[...counts].map(([kind, count]) => `${grouped(count)} ${escaped(kind)}`).join(', ')})`
  }

  #onTodoList(event: AgentEvent & { type: 'todo_list' }, folded: FoldedEvent): void {
    const snapshot = snapshotOf(event, this.#todoEvents++, folded.at)
    const index = snapshot === null ? -1 : this.#todos.add(snapshot)
    this.#add(event, folded, { kind: 'todos', items: event.items, changes: this.#todos.changes(index) })
  }

  #todosAtEnd(): string[] {
    const lists = this.#todos
      .tracksAt(Infinity)
      .map(({ index, trackId, items }) => ({ trackId, items, dropped: this.#todos.droppedItems(index) }))
      .filter(({ items, dropped }) => items.length + dropped.length > 0)
    return lists.slice(0, 20).flatMap(({ trackId, items, dropped }) => {
      const done = items.filter(({ status }) => status === 'completed').length
      const left = dropped.length === 0 ? '' : ` · ${grouped(dropped.length)} dropped`
      const label =
        trackId === undefined ? '' : ` of ${this.#text(this.#trackLabels.get(trackId) ?? oneLine(trackId, 60))}`
      const title = `## Todos at the end${label}: ${done}/${items.length}${left}`
      return ['', title, '', ...taskLines(items, dropped, this.#redactor)]
    })
  }

  #bookmarks(bookmarks: readonly Bookmark[]): string[] {
    if (bookmarks.length === 0) return []
    const rows = bookmarks.map(({ place: { file, line, text }, note }) => {
      const at = file === null ? { line } : { file, line }
      return tableRow([this.#place(at), this.#text(note), this.#text(text)])
    })
    return ['', '## Bookmarks', '', tableRow(['Where', 'Note', 'Event']), '| --- | --- | --- |', ...rows]
  }

  #errors(): string[] {
    const { errors, errorCount } = this.#facts
    if (errorCount === 0) return []
    const shown = errors.mostFirst.slice(0, maxErrors)
    const rows = shown.map(({ count, first: { tool, text, at } }) =>
      tableRow([grouped(count), this.#text(tool), this.#text(text), this.#place(at)])
    )
    const shownCount = shown.reduce((sum, { count }) => sum + count, 0)
    return [
      '',
      '## Errors',
      '',
      tableRow(['Count', 'What', 'Said', 'First at']),
      '| ---: | --- | --- | --- |',
      ...rows,
      ...moreThan(shownCount, errorCount)
    ]
  }

  /** Of a whole session, without information. */
  #findings(): string[] {
    const { rows, requests } = this.#run
    const { list, further } = this.#found.all(requests, rows)
    const findings = this.#events === null ? [] : list.filter((finding) => !isInformation(finding))
    if (findings.length === 0) return []
    const lines = findings.slice(0, maxFindings).map(({ rule, text, events }) => {
      const { title } = findingRules[rule]
      return tableRow([title, this.#text(text), this.#place(rows.place(rows.rowOf(events[0] ?? 0)))])
    })
    const all = findings.length + [...further.values()].reduce((sum, count) => sum + count, 0)
    const table = [tableRow(['What', 'Found', 'First at']), '| --- | --- | --- |', ...lines]
    return ['', '## Findings', '', ...table, ...moreThan(lines.length, all)]
  }

  #issues(): string[] {
    const { issues, issuesByCode } = this.#facts
    if (issues.length === 0) return []
    const total = [...issuesByCode.values()].reduce((sum, count) => sum + count, 0)
    const codes = [...issuesByCode].map(([code, count]) => `- **${code}** ${issueCodes[code].title}: ${grouped(count)}`)
    const rows = issues.map(({ at, code, path, message }) =>
      tableRow([this.#place(at), code, path === null ? '' : this.#code(path), this.#text(oneLine(message))])
    )
    const table = [tableRow(['Where', 'Code', 'Path', 'Problem']), '| --- | --- | --- | --- |', ...rows]
    return ['', '## Issues of the log', '', ...codes, '', ...table, ...moreThan(issues.length, total)]
  }

  #issueCounts(): string {
    const { issueCounts } = this.#facts
    const words = {
      malformed: 'malformed',
      violation: issueCounts.violation === 1 ? 'violation' : 'violations',
      notice: issueCounts.notice === 1 ? 'notice' : 'notices'
    }
    return issueSeverities
      .filter((severity) => issueCounts[severity] > 0)
      .map((severity) => `${grouped(issueCounts[severity])} ${words[severity]}`)
      .join(', ')
  }

  #files(): string[] {
    const { byPath, further } = this.#facts.files
    if (byPath.size === 0) return []
    const rows = [...byPath]
      .sort((a, b) => b[1].calls - a[1].calls || (a[0] < b[0] ? -1 : 1))
      .map(([path, { calls, added, deleted }]) =>
        tableRow([
          this.#code(path),
          grouped(calls),
          added + deleted === 0 ? '' : `+${grouped(added)} −${grouped(deleted)}`
        ])
      )
    const rest = further === 0 ? [] : ['', `*… and ${counted(further, 'change')} of further files*`]
    return ['', '## Files changed', '', tableRow(['File', 'Calls', 'Lines']), '| --- | ---: | ---: |', ...rows, ...rest]
  }

  #times(): SplitTimes {
    const spans = new SpanList()
    spans.read(this.#run.rows, this.#run.rows.rows)
    const all = allSteps(spans.ended(this.#run.rows))
    return allSteps(SplitTimes.of(all, allSteps(CallsBelow.of(all, this.#run.rows.tracks))))
  }

  #tools(): string[] {
    const used = this.#calls.byTool
    if (used.length === 0) return []
    const rows = used
      .slice(0, 20)
      .map((calls) =>
        tableRow([this.#text(toolText(calls.tool)), grouped(calls.total), grouped(calls.failed), tookText(calls)])
      )
    const most = [
      '',
      '## Tools',
      '',
      tableRow(['Tool', 'Calls', 'Failed', 'Duration']),
      '| --- | ---: | ---: | ---: |',
      ...rows,
      ...moreThan(20, used.length)
    ]
    if (used.some(({ durationMs }) => durationMs !== null)) most.push('', tookNote)
    const long = this.#facts.slow.list.filter(({ tookMs }) => tookMs >= 1000)
    if (long.length === 0) return most
    const slowest = long.map((call) =>
      tableRow([
        durationText(call.tookMs),
        `**${this.#text(call.tool)}**${callText(call, this.#redactor)}`,
        this.#place(call.at)
      ])
    )
    return [
      ...most,
      '',
      '### Slowest calls',
      '',
      tableRow(['Duration', 'Call', 'Where']),
      '| ---: | --- | --- |',
      ...slowest
    ]
  }

  #further(): string[] {
    if (this.#furtherTurns === 0) return []
    return [
      '',
      `*… and ${counted(this.#furtherTurns, 'further turn')}, left out to keep this report readable. Open the log to see them.*`
    ]
  }

  #text(line: string): string {
    return escaped(cleanLine(oneLine(line), this.#redactor))
  }

  #place(at: EntryPlace): string {
    return placeText(at, this.#redactor)
  }

  #code(line: string): string {
    return codeCell(cleanLine(oneLine(line), this.#redactor))
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

function newTurn(number: number, time: number): Turn {
  const entries = new EntryList(turnRoom)
  return { number, time, entries, lastTime: time, ends: [], calls: 0, failed: 0, lastSaid: '', leavesOut: false }
}

function lineKey({ file, offset }: { file?: string; offset: number }): string {
  return file === undefined ? String(offset) : `${offset} ${file}`
}

function placeOf({ at }: FoldedEvent): EntryPlace {
  return at.file === undefined ? { line: at.line } : { file: at.file, line: at.line }
}

function isSameLine(a: EntryPlace, b: EntryPlace | null): boolean {
  return a.line === b?.line && a.file === b.file
}

/** Drops the oldest entries above `max`. */
function bound<K>(map: Map<K, unknown>, max: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= max) return
    map.delete(oldest)
  }
}

const tookNote =
  'Durations are those stated in the log. Others are the time between call and result, and may include waiting for a person.'

/** The durations of some calls may be unknown. */
function tookText({ total, durationMs, unknownDurations }: ToolCalls): string {
  if (durationMs === null) return 'unknown'
  const took = durationText(durationMs)
  return unknownDurations > 0 ? `${took} for ${grouped(total - unknownDurations)}` : took
}

function toolText(name: string): string {
  return oneLine(name, 80) || 'tool without a name'
}

/** The tokens of a turn, including its subagents. */
function tokenFacts(usage: Usage | null): string[] {
  if (usage === null) return []
  const { sent, received } = usageWords(usage, true)
  return [sent === '' ? '' : sent.replace(' in', ' tokens in'), received].filter((text) => text !== '')
}

function tokensText(usage: Usage | null): string | null {
  if (usage === null) return null
  const { sent, received, because } = usageWords(usage)
  const counts = [sent, received].filter((text) => text !== '').join(', ')
  return because === '' ? counts : `${counts}. ${because}`
}

function endFacts(
  { finishReason, costUsd, durationMs, model }: TurnCompleted,
  usage: Usage | null,
  redactor: Redactor | null
): string[] {
  return [
    finishReason,
    ...(model === undefined ? [] : [escaped(cleanLine(oneLine(model, 60), redactor))]),
    ...tokenFacts(usage),
    ...(costUsd === undefined ? [] : [`\\${costText(costUsd)} so far`]),
    ...(durationMs === undefined ? [] : [durationText(durationMs)])
  ]
}

function timesText(first: number, last: number): string {
  if (!isTime(first) || !isTime(last)) return 'unknown'
  if (first === last) return dateText(first)
  const end = dateText(last)
  const sameDay = dateText(first).slice(0, 10) === end.slice(0, 10)
  return `${dateText(first)} to ${sameDay ? end.slice(11) : end} (${durationText(last - first)})`
}

function moreThan(shown: number, total: number): string[] {
  return total <= shown ? [] : ['', `*… and ${grouped(total - shown)} more*`]
}
