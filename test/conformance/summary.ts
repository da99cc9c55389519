import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import type { TodoItem, TodoStatus } from '../../src/core/events/todo.ts'
import type { Log, LogSeen } from './read-log.ts'

const boxes: Record<TodoStatus, string> = { pending: ' ', in_progress: '~', completed: 'x', cancelled: '-' }

/** What a log was read as, for people to check and for tests to compare. */
export function summaryOf({ format, framing }: Log, log: LogSeen): string {
  const blank = log.lines.filter((line) => line.blank).length
  return [
    framing === 'lines' ? `format ${format.id}` : `format ${format.id}, one document`,
    `${framing === 'lines' ? 'lines' : 'records'} ${log.lines.length}, blank ${blank}, events ${log.events.length}`,
    section('events by type', counts(log.events.map((event) => event.type))),
    section('events by track', counts(log.events.map((event) => event.trackId ?? 'main'))),
    section('sessions', [...new Set(log.events.map((event) => event.sessionId ?? 'none'))]),
    section('timeline', log.events.map(timelineLine)),
    section('todo lists', log.events.flatMap(todoLine)),
    section('turns', log.events.flatMap(turnLine)),
    section('marks', log.markedRows),
    section(
      'issues',
      log.lines.flatMap(({ line, issues }) =>
        issues.map((issue) => `${line} ${issue.code} ${issue.path ?? '-'} ${issue.message}`)
      )
    )
  ].join('\n\n')
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...(lines.length === 0 ? ['none'] : lines).map((line) => `  ${line}`)].join('\n')
}

function counts(names: readonly string[]): string[] {
  const byName = new Map<string, number>()
  for (const name of names) byName.set(name, (byName.get(name) ?? 0) + 1)
  return [...byName].map(([name, count]) => `${name} ${count}`)
}

function place(event: AgentEvent): string {
  if (event.source === undefined) return 'nowhere'
  const { file, line, ordinal } = event.source
  return `${file === undefined ? '' : `${file} `}${line}.${ordinal}`
}

function timelineLine(event: AgentEvent): string {
  const time = event.timestamp === 0 ? 'no time' : new Date(event.timestamp).toISOString()
  const from = event.timestampFrom === undefined ? '' : ` (${event.timestampFrom})`
  const track = event.trackId === undefined ? '' : ` [${event.trackId}]`
  return `${place(event)} ${time}${from}${track} ${event.type} ${said(event)}`.trimEnd()
}

function said(event: AgentEvent): string {
  switch (event.type) {
    case 'session.started':
      return [event.model, event.version, event.cwd, event.tools?.join(',')]
        .filter((part) => part !== undefined)
        .join(' ')
    case 'text':
      return `${event.role ?? 'nobody'}/${event.category ?? 'none'}: ${short(event.text)}`
    case 'tool.started':
      return `${event.toolName} ${event.toolId} ${short(JSON.stringify(event.input))}`
    case 'tool.completed':
      return [
        event.toolName,
        event.toolId,
        event.error === undefined ? `ok ${short(event.output ?? '')}`.trimEnd() : `failed ${short(event.error)}`,
        event.durationMs === undefined ? undefined : `(${event.durationMs} ms, ${event.durationFrom})`
      ]
        .filter((part) => part !== undefined)
        .join(' ')
    case 'turn.completed':
      return event.finishReason
    case 'error':
      return `${event.code ?? 'no code'}: ${short(event.error)}`
    case 'todo_list':
      return `${event.todoId} ${event.items.length} items`
  }
}

function todoLine(event: AgentEvent): string[] {
  if (event.type !== 'todo_list') return []
  const items = event.items.map((item: TodoItem) => `[${boxes[item.status]}] ${item.text}`).join(' · ')
  return [`${place(event)} ${event.trackId ?? 'main'} ${event.todoId}: ${items || 'cleared'}`]
}

function turnLine(event: AgentEvent): string[] {
  if (event.type !== 'turn.completed') return []
  const { finishReason, model, usage, costUsd, durationMs } = event
  const parts = [
    finishReason,
    model,
    costUsd === undefined ? undefined : `$${costUsd}`,
    durationMs === undefined ? undefined : `${durationMs} ms`,
    usage === undefined ? undefined : JSON.stringify(usage)
  ]
  return [`${place(event)} ${parts.filter((part) => part !== undefined).join(' ')}`]
}

/** One line, control characters escaped, long texts cut. */
function short(text: string): string {
  const oneLine = JSON.stringify(text).slice(1, -1)
  return oneLine.length <= 90 ? oneLine : `${oneLine.slice(0, 90)}… (${text.length})`
}
