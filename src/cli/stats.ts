import type { AgentEvent } from '#core/events/agent-event.ts'
import { issueCodes, shownIssues } from '#core/formats/issue.ts'
import type { FoldedEvent, LogFormat } from '#core/formats/log-format.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import { oneLine } from '#core/index/one-line.ts'
import { parallelismText, splitText } from '#core/analysis/split-words.ts'
import { RunAnalysis } from '#core/analysis/run-analysis.ts'
import type { Parallelism, TimeSplit } from '#core/analysis/time-split.ts'
import type { CallCounts, ToolCalls } from '#core/index/call-counts.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { durationText } from '#core/measure-text.ts'
import type { RunTimes } from '#core/replay/run-time.ts'
import { costJson, costOf } from '#core/requests/cost.ts'
import { costOfRequest } from '#core/requests/cost-sum.ts'
import { costWords } from '#core/requests/cost-words.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import { type TokenTotals, type Usage, usageOf } from '#core/requests/usage.ts'
import { type LongCall, RunCounts } from '#core/summary/run-counts.ts'
import { usageWords } from '#core/requests/usage-words.ts'
import { allSteps } from '#core/steps.ts'
import { readLog } from '#backend/sources/read-log.ts'
import { sayNotes } from './log-notes.ts'
import { type Command, parseCommandLine } from './command.ts'
import { Output } from '#backend/export/output.ts'
import { pricesDetails, pricesOf, pricesOptions } from './prices-option.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'

const options = { json: { type: 'boolean' }, ...pricesOptions, ...logOptions } as const

export const stats: Command = {
  usage: 'stats FILE [--json] [--prices FILE] [--single] [--format ID]',
  summary: 'count events, tools, tokens, cost, time and issues of a log',
  details: [pricesDetails, ...fileDetails],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const source = await logOf(positionals, values, environment)
    const prices = await pricesOf(values, environment)
    const began = performance.now()
    const counts = new EventCounts()
    const issues = { malformed: 0, violation: 0, notice: 0 }
    let index = indexOf(unrecognized)
    const log = await readLog(source, {
      begin: (format) => (index = indexOf(format)),
      line: (line) => {
        for (const { code } of shownIssues(line.issues)) issues[issueCodes[code].severity]++
        for (const event of line.events) counts.add(event)
        index.line(line)
      },
      end: (events, marks) => {
        for (const event of events) counts.add(event)
        index.end(events, marks)
      }
    })
    const { rows, requests, todos } = index
    const usage = usageOf(requests)
    const calls = new RunCounts()
    calls.count(rows, rows.rows)
    const analysis = RunAnalysis.of(index)
    const times = allSteps(analysis.timesOf(null))
    const found = {
      file: source.path,
      format: log.format.id,
      bytes: log.bytes,
      lines: log.lines,
      ...(log.files.length === 0 ? undefined : { files: log.files }),
      events: log.events,
      ...counts.found(),
      issues,
      usage: usage === null ? null : withoutGroups(usage),
      cost: costsOf(usage, requests.runCostUsd, prices),
      time: calls.times,
      split: times.split,
      parallelism: times.parallelism,
      calls: { total: calls.all.total, failed: calls.all.failed, byTool: calls.byTool },
      todoSnapshots: todos.length,
      firstTimestamp: rows.firstTimestamp,
      lastTimestamp: rows.lastTimestamp,
      parseMs: Math.round(performance.now() - began),
      peakRssBytes: process.resourceUsage().maxRSS * 1024
    }
    const exit = sayNotes(log, environment)
    const output = new Output(environment.stdout)
    if (values.json) {
      const lists = { spans: spansJson(analysis, index, prices), requests: requestsJson(index, prices) }
      output.line(JSON.stringify({ ...found, cost: costsJson(found.cost), ...lists }))
    } else for (const line of statsText({ ...found, longest: longestOf(calls.longest, index) })) output.line(line)
    await output.flush()
    return exit
  }
}

/** Findings are not counted here. */
const indexOf = (format: Pick<LogFormat, 'agentType'>): RunIndex => new RunIndex(format, { findings: false })

function spansJson(analysis: RunAnalysis, { rows }: RunIndex, prices: PriceTable | null) {
  return analysis.byTool(prices).map(({ name: tool, longestRow, cost, ...numbers }) => ({
    ...{ tool, ...numbers },
    longestSeq: longestRow === null ? null : rows.seqOf(longestRow),
    cost: costJson(cost)
  }))
}

function requestsJson({ rows, requests }: RunIndex, prices: PriceTable | null) {
  return [...requests].map((request) => {
    const { rowFirst, rowLast, costUsd: _stated, inRunCost: _of, ...stated } = request
    return { ...stated, ...rows.spanOf(rowFirst, rowLast), cost: costJson(costOfRequest(request, prices)) }
  })
}

interface Found extends Record<string, unknown> {
  readonly usage: StatedUsage | null
  readonly cost: Costs
  readonly time: RunTimes | null
  readonly split: TimeSplit | null
  readonly parallelism: Parallelism
  readonly calls: Pick<ToolCalls, 'total' | 'failed'> & { readonly byTool: CallCounts['byTool'] }
}

/** A long call, with the number of its event. */
interface ListedCall {
  readonly tool: string
  readonly seq: number
  readonly tookMs: number
}

/** Calls listed in words. */
const maxListed = 3

function longestOf(longest: readonly LongCall[], { rows }: RunIndex): ListedCall[] {
  return longest.slice(0, maxListed).map(({ row, tool, tookMs }) => ({ tool, seq: rows.seqOf(row), tookMs }))
}

class EventCounts {
  readonly byType: Record<AgentEvent['type'], number> = {
    'session.started': 0,
    text: 0,
    'tool.started': 0,
    'tool.completed': 0,
    'turn.completed': 0,
    error: 0,
    todo_list: 0
  }
  readonly #tools = new Map<string, number>()
  readonly #tracks = new Map<string | null, number>()

  add({ draft, trackId }: FoldedEvent): void {
    this.byType[draft.type]++
    if (draft.type === 'tool.started') increment(this.#tools, draft.toolName)
    increment(this.#tracks, draft.trackId ?? trackId ?? null)
  }

  /** `tracks`: in order of appearance; null is the main agent. */
  found() {
    return {
      byType: this.byType,
      tools: Object.fromEntries(this.#tools),
      tracks: [...this.#tracks].map(([trackId, events]) => ({ trackId, events }))
    }
  }
}

function statsText(found: Found & { readonly longest: readonly ListedCall[] }): string[] {
  const { usage, cost, time, split, parallelism, calls, longest, ...rest } = found
  const words = parallelismText(parallelism)
  return [
    ...asText(rest),
    ...usageText(usage),
    ...costText(cost),
    ...timeText(time),
    ...(split === null ? [] : [`time went to  ${splitText(split)}`]),
    ...(words === null ? [] : [`parallelism  ${words}`]),
    ...callsText(calls),
    ...(longest.length === 0 ? [] : ['longest calls']),
    ...longest.map(({ tool, seq, tookMs }) => `  ${oneLine(tool, 80)}  ${durationText(tookMs)}, event ${seq}`)
  ]
}

type Totals = Omit<TokenTotals, 'spent'>
type StatedUsage = ReturnType<typeof withoutGroups>

/** Without the groups, which are for prices only. */
function withoutGroups({ spent: _spent, byTrack, byModel, ...totals }: Usage) {
  return {
    ...totals,
    byTrack: byTrack.map(({ spent: _of, ...track }) => track),
    byModel: byModel.map(({ spent: _of, ...model }) => model)
  }
}

type Costs = ReturnType<typeof costsOf>

/** The cost of the log, and of each track and model. */
function costsOf(usage: Usage | null, statedUsd: number | null, prices: PriceTable | null) {
  const { spent = [], byTrack = [], byModel = [] } = usage ?? {}
  return {
    ...costOf(spent, statedUsd, prices),
    byTrack: byTrack.map((track) => ({ trackId: track.trackId, ...costOf(track.spent, null, prices) })),
    byModel: byModel.map((model) => ({ model: model.model, ...costOf(model.spent, null, prices) }))
  }
}

function costsJson({ byTrack, byModel, ...whole }: Costs) {
  return {
    ...costJson(whole),
    byTrack: byTrack.map(({ trackId, ...answer }) => ({ trackId, ...costJson(answer) })),
    byModel: byModel.map(({ model, ...answer }) => ({ model, ...costJson(answer) }))
  }
}

function costText(costs: Costs): string[] {
  const { text, because } = costWords(costs)
  const part = (name: string, answer: Costs['byModel'][number] | Costs['byTrack'][number]): string =>
    `  ${oneLine(name, 80)}  ${costWords(answer).text ?? 'unknown'}`
  return [
    `cost  ${text ?? 'unknown'}`,
    `  ${oneLine(because, 400)}`,
    ...(costs.byTrack.length < 2 ? [] : costs.byTrack.map((track) => part(track.trackId ?? 'main agent', track))),
    ...costs.byModel.map((model) => part(model.model ?? 'model not named', model))
  ]
}

function usageText(usage: StatedUsage | null): string[] {
  if (usage === null) return ['tokens  none stated']
  const { sent, received, because } = usageWords(usage)
  const whose = (name: string | null, none: string, totals: Totals): string => {
    const words = usageWords(totals, true)
    return `  ${oneLine(name ?? none, 80)}  ${[words.sent, words.received].filter((text) => text !== '').join(', ')}`
  }
  return [
    `tokens  ${[sent, received].filter((text) => text !== '').join(', ')}`,
    ...(because === '' ? [] : [`  ${because}`]),
    ...usage.byTrack.map((totals) => whose(totals.trackId, 'main agent', totals)),
    ...usage.byModel.map((totals) => whose(totals.model, 'model not named', totals))
  ]
}

function timeText(time: RunTimes | null): string[] {
  if (time === null) return ['time  not stated']
  const { wallMs, activeMs, waitingMs } = time
  return [
    `time  ${durationText(wallMs)}, ${durationText(activeMs)} active, ${durationText(waitingMs)} waiting for the person`
  ]
}

function callsText({ total, failed, byTool }: Found['calls']): string[] {
  const lines = byTool.map(({ tool, total: called, failed: bad, durationMs, unknownDurations }) => {
    const took = durationMs === null ? [] : [`took ${durationText(durationMs)}`]
    const unknown = unknownDurations === 0 ? [] : [`${unknownDurations} of unknown duration`]
    return `  ${oneLine(tool, 80)}  ${[called, ...(bad === 0 ? [] : [`${bad} failed`]), ...took, ...unknown].join(', ')}`
  })
  return [`calls  ${total}${failed === 0 ? '' : `, ${failed} failed`}`, ...lines]
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function asText(found: Record<string, unknown>): string[] {
  const lines: string[] = []
  for (const [key, value] of Object.entries(found)) {
    if (Array.isArray(value)) {
      lines.push(key)
      for (const { trackId, events, name, lines: count } of value) {
        lines.push(
          `  ${name === undefined ? oneLine(trackId ?? 'main agent') : oneLine(name, 300)}  ${events ?? count}`
        )
      }
    } else if (typeof value === 'object' && value !== null) {
      lines.push(key)
      for (const [name, count] of Object.entries(value)) lines.push(`  ${oneLine(name)}  ${String(count)}`)
    } else {
      lines.push(`${key}  ${key.endsWith('Timestamp') ? asTime(value) : oneLine(String(value ?? 'none'))}`)
    }
  }
  return lines
}

function asTime(value: unknown): string {
  // The range of `Date`.
  return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? new Date(value).toISOString() : 'none'
}
