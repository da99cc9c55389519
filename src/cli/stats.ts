import type { AgentEvent } from '#core/events/agent-event.ts'
import { issueCodes } from '#core/formats/issue.ts'
import { oneLine } from '#core/index/one-line.ts'
import { readLog } from '#backend/sources/read-log.ts'
import { sayNotes } from './check.ts'
import { type Command, logOf, logOptions, parseCommandLine } from './command.ts'
import { Output } from './output.ts'

const options = { json: { type: 'boolean' }, ...logOptions } as const

export const stats: Command = {
  usage: 'stats FILE [--json] [--single] [--format ID]',
  summary: 'how much of what is in a log, and how long it took to read',
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const source = logOf(positionals, values)
    const began = performance.now()
    const counts = new EventCounts()
    const issues = { malformed: 0, violation: 0, notice: 0 }
    const log = await readLog(source, {
      line: (line) => line.issues.forEach(({ code }) => issues[issueCodes[code].severity]++),
      event: (event) => counts.add(event)
    })
    const found = {
      file: source.path,
      format: log.format.id,
      bytes: log.bytes,
      lines: log.lines,
      ...(log.files.length === 0 ? undefined : { files: log.files }),
      events: log.events,
      ...counts.found(),
      issues,
      todoSnapshots: counts.byType.todo_list,
      firstTimestamp: counts.firstTimestamp,
      lastTimestamp: counts.lastTimestamp,
      parseMs: Math.round(performance.now() - began),
      peakRssBytes: process.resourceUsage().maxRSS * 1024
    }
    const exit = sayNotes(log, environment)
    const output = new Output(environment.stdout)
    if (values.json) output.line(JSON.stringify(found))
    else for (const line of asText(found)) output.line(line)
    await output.flush()
    return exit
  }
}

/** Counts the events of a log by what they are and whose. */
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
  /** Times that a record states, in log order. */
  firstTimestamp: number | null = null
  lastTimestamp: number | null = null
  readonly #tools = new Map<string, number>()
  readonly #tracks = new Map<string | null, number>()

  add(event: AgentEvent): void {
    this.byType[event.type]++
    if (event.type === 'tool.started') increment(this.#tools, event.toolName)
    increment(this.#tracks, event.trackId ?? null)
    if ((event.timestampFrom ?? 'record') !== 'record' || event.timestamp === 0) return
    this.firstTimestamp ??= event.timestamp
    this.lastTimestamp = event.timestamp
  }

  /** `tools`: calls by name. `tracks`: events by track, in order of appearance; `trackId` null is the main agent. */
  found() {
    return {
      byType: this.byType,
      tools: Object.fromEntries(this.#tools),
      tracks: [...this.#tracks].map(([trackId, events]) => ({ trackId, events }))
    }
  }
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
  // Beyond this a number is no date.
  return typeof value === 'number' && Math.abs(value) <= 8.64e15 ? new Date(value).toISOString() : 'none'
}
