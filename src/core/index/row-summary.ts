import { costText, durationText, groupedText } from '../measure-text.ts'
import type { EventBody, SessionStarted, Text, ToolCompleted, TurnCompleted } from '../events/agent-event.ts'
import type { TodoItem } from '../events/todo.ts'
import type { RecordFacts } from '../formats/record-facts.ts'
import type { JsonObject } from '../json.ts'
import { relativePath } from '../paths/path-names.ts'
import { fileTerm } from '../query/query-choices.ts'
import { isDropped, type TodoChange } from '../replay/todo-changes.ts'
import { maxSummaryLength, oneLine } from './one-line.ts'
import type { Badge, Summary } from './summary.ts'
import { toolOutput } from './tool-output.ts'
import { filesOfCall } from './tool-files.ts'
import { toolSummary } from './tool-summary.ts'

/** A todo list against the previous one of its track. */
export interface TodoStep {
  readonly former: readonly TodoItem[]
  readonly changes: readonly TodoChange[]
}

const maxStatuses = 200

/** `step`: the changes of a todo list; absent: the first one. `facts`: of the record. Paths inside `folder` are relative. */
export function eventSummary(
  event: EventBody & { sessionId?: string },
  step?: TodoStep,
  facts: RecordFacts = {},
  folder: string | null = null
): Summary {
  switch (event.type) {
    case 'session.started':
      return sessionSummary(event)
    case 'text':
      return textSummary(event)
    case 'tool.started':
      return callSummary(event.input, folder)
    case 'tool.completed':
      return resultSummary(event, facts)
    case 'turn.completed':
      return turnSummary(event)
    case 'error':
      return plain(event.error, { badges: event.code === undefined ? [] : [badge(event.code, 'bad')] })
    case 'todo_list':
      return todoSummary(event.items, step ?? { former: [], changes: [] })
  }
}

function plain(text: string, rest: { detail?: string; mono?: boolean; badges?: Badge[] } = {}): Summary {
  return {
    text: oneLine(text),
    detail: oneLine(rest.detail ?? ''),
    mono: rest.mono ?? false,
    badges: rest.badges ?? [],
    todo: null
  }
}

function badge(text: string, tone: Badge['tone'] = 'plain', term?: string): Badge {
  return { text: oneLine(text, 40), tone, ...(term !== undefined && { term }) }
}

/** With the term of the file that it shows. */
function callSummary(input: JsonObject, folder: string | null): Summary {
  const summary = toolSummary(input, folder)
  const file = filesOfCall(input).find((path) => path !== folder && relativePath(path, folder) === summary.text)
  return { ...summary, ...(file !== undefined && { term: fileTerm(summary.text) }), todo: null }
}

/** Reasoning starts with a bold title; its `**` are noise on one line. */
function textSummary({ text, category }: Text): Summary {
  if (category !== 'reasoning') return plain(text, { mono: category === 'unparsed' })
  return plain(text.slice(0, 4 * maxSummaryLength).replace(/\*\*([^*\n]{1,200})\*\*/g, '$1'))
}

function sessionSummary({ model, cwd, version, sessionId }: SessionStarted & { sessionId?: string }): Summary {
  const [text, ...more] = [model, cwd, version].filter((word) => word !== undefined)
  return plain(text ?? '', { detail: text === undefined ? (sessionId ?? '') : more.join(' · ') })
}

function resultSummary({ output, error }: ToolCompleted, { isDenied, exitCode: recorded }: RecordFacts): Summary {
  const { body, exitCode: stated, running } = toolOutput(error ?? output ?? '')
  const exitCode = recorded ?? stated
  const badges: Badge[] = []
  if (error !== undefined && isDenied === true) badges.push(badge('denied', 'bad', 'status:error'))
  const lines = countLines(body)
  if (lines > 1) badges.push(badge(`${groupedText(lines)} lines`))
  if (running) badges.push(badge('still running'))
  if (exitCode !== null && exitCode !== 0) badges.push(badge(`exit ${exitCode}`, 'bad', `exit:${exitCode}`))
  if (body.trim() === '') return plain('', { detail: 'no output', badges })
  return plain(firstLine(body), { mono: error === undefined || exitCode !== null, badges })
}

/** The first line that is not blank. If it ends with a colon, also the next one. */
function firstLine(text: string): string {
  const start = text.search(/\S/)
  const end = text.indexOf('\n', start)
  if (end < 0) return text.slice(start)
  if (!/:[ \t\r]*$/.test(text.slice(Math.max(start, end - 20), end))) return text.slice(start, end)
  const next = text.slice(end).search(/\S/)
  const nextEnd = next < 0 ? end : text.indexOf('\n', end + next)
  return text.slice(start, nextEnd < 0 ? undefined : nextEnd)
}

function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** Without tokens: the turn's header shows them. */
function turnSummary({ finishReason, model, costUsd, durationMs }: TurnCompleted): Summary {
  const badges: Badge[] = []
  if (costUsd !== undefined) badges.push(badge(costText(costUsd)))
  if (durationMs !== undefined) badges.push(badge(durationText(durationMs)))
  return { ...plain(finishReason, { detail: model ?? '', badges }), term: `stop:${finishReason}` }
}

function todoSummary(items: readonly TodoItem[], { former, changes }: TodoStep): Summary {
  const completed = countCompleted(items)
  return {
    ...plain(items.length === 0 ? ['cleared', ...droppedWords(changes)].join(', ') : changesText(changes)),
    ...(changes.length > 0 && { term: 'changed:todo' }),
    todo: {
      statuses: items.slice(0, maxStatuses).map((item) => item.status),
      total: items.length,
      completed,
      completedDelta: completed - countCompleted(former)
    }
  }
}

function countCompleted(items: readonly TodoItem[]): number {
  return items.reduce((count, item) => count + (item.status === 'completed' ? 1 : 0), 0)
}

/** Further items are only counted. */
const maxNamed = 3

/** Completed items first, by name; others as counts; dropped items as both. */
function changesText(changes: readonly TodoChange[]): string {
  const done = changes.filter((change) => change.kind === 'status' && change.to === 'completed')
  const words = done.slice(0, maxNamed).map((change) => oneLine(change.text, 80))
  if (done.length > maxNamed) words.push(`${done.length - maxNamed} more done`)
  const count = (word: string, of: (change: TodoChange) => boolean) => {
    const number = changes.filter(of).length
    if (number > 0) words.push(`${number} ${word}`)
  }
  count('started', ({ kind, to }) => kind === 'status' && to === 'in_progress')
  count('reopened', ({ kind, to }) => kind === 'status' && to === 'pending')
  count('cancelled', ({ kind, to }) => kind === 'status' && to === 'cancelled')
  count('added', ({ kind }) => kind === 'added')
  words.push(...droppedWords(changes))
  count('removed', (change) => change.kind === 'removed' && !isDropped(change))
  count('moved', ({ kind }) => kind === 'moved')
  return words.length === 0 ? 'no change' : words.join(', ')
}

/** "2 dropped (Ask, Report)"; empty if none was. */
function droppedWords(changes: readonly TodoChange[]): string[] {
  const dropped = changes.filter(isDropped)
  if (dropped.length === 0) return []
  const names = dropped.slice(0, maxNamed).map((change) => oneLine(change.text, 80))
  return [`${dropped.length} dropped (${[...names, ...(dropped.length > maxNamed ? ['…'] : [])].join(', ')})`]
}
