import type { TodoItem, TodoStatus } from '../../events/todo.ts'
import type { RowMark } from '../../formats/log-format.ts'
import { oneLine } from '../../index/one-line.ts'
import { durationText } from '../../measure-text.ts'
import { isDropped } from '../../replay/todo-changes.ts'
import type { Redactor } from '../redact.ts'
import { codeSpan, escaped, fenced, proseLines } from '../safe-markdown.ts'
import {
  cleanLine,
  clockText,
  counted,
  cutEnds,
  cutText,
  grouped,
  type KeptEnds,
  type KeptText
} from './report-text.ts'
import type { CallEntry, Entry, EntryList, EntryPlace, LeftOut, SaidEntry, TodoEntry } from './turn-entries.ts'

/** Limits of shown texts. */
export const shownText = {
  prompt: { characters: 4000, lines: 80 },
  assistant: { characters: 4000, lines: 80 },
  result: { characters: 4000, lines: 80 },
  error: { characters: 1500, lines: 20 },
  /** On one line. */
  line: { characters: 240, lines: 1 }
} as const

/** The entries of a turn as Markdown; subagents are under the calls that started them. */
export function entryLines(entries: EntryList, redactor: Redactor | null): string[] {
  const lines: string[] = []
  let inList = false
  for (const entry of entries) {
    const isBlock =
      !isLeftOut(entry) && (entry.kind === 'prompt' || entry.kind === 'assistant' || entry.kind === 'result')
    // A blank line around a list.
    if (lines.length > 0 && (isBlock || inList === false)) lines.push('')
    inList = !isBlock
    lines.push(...(isBlock ? saidLines(entry, redactor) : itemLines(entry, '', redactor)))
  }
  return lines
}

function isLeftOut(entry: Entry | LeftOut): entry is LeftOut {
  return !('kind' in entry)
}

function saidLines(entry: SaidEntry, redactor: Redactor | null): string[] {
  const { characters, lines: maxLines } = entry.kind === 'prompt' ? shownText.prompt : shownText.assistant
  const { text, left } = cutText(entry.text, characters, maxLines, redactor)
  const more = left === null ? [] : ['', `*${left}*`]
  const who = entry.kind === 'prompt' ? 'Prompt' : entry.kind === 'result' ? 'Result' : 'Agent'
  const head = `**${who}**${time(entry.time)}${markText(entry.mark)}`
  const said = [...proseLines(text), ...more]
  return [head, '', ...(entry.kind === 'prompt' ? said.map((line) => (line === '' ? '>' : `> ${line}`)) : said)]
}

function time(at: number): string {
  const clock = clockText(at)
  return clock === '' ? '' : ` · ${clock}`
}

const markWords: Record<RowMark, string> = {
  duplicate: 'a copy of an earlier line',
  retracted: 'retracted by the agent',
  abandoned: 'on an abandoned branch'
}

function markText(mark: RowMark | undefined): string {
  return mark === undefined ? '' : ` · *${markWords[mark]}*`
}

export function placeText({ file, line }: EntryPlace, redactor: Redactor | null): string {
  if (file === undefined) return `line ${grouped(line)}`
  return `${escaped(cleanLine(oneLine(file, 120), redactor))} line ${grouped(line)}`
}

/** An entry as a list item with its children. */
function itemLines(entry: Entry | LeftOut, indent: string, redactor: Redactor | null): string[] {
  if (isLeftOut(entry)) return [`${indent}- *… ${leftOutText(entry, redactor)}*`]
  const under = `${indent}  `
  switch (entry.kind) {
    case 'call':
      return callLines(entry, indent, redactor)
    case 'todos':
      return todoLines(entry, indent, redactor)
    case 'error': {
      const code = entry.code === null ? '' : ` ${codeSpan(cleanLine(entry.code, redactor))}`
      return [
        `${indent}- **Error**${code} · ${placeText(entry.at, redactor)}`,
        ...errorLines(entry.text, under, redactor)
      ]
    }
    case 'session':
      return [`${indent}- *Session starts* ${escaped(cleanLine(entry.text, redactor))}`]
    case 'track':
      return [
        `${indent}- **Subagent** ${escaped(cleanLine(entry.label, redactor))}, started before`,
        ...childLines(entry.children, under, redactor)
      ]
    default:
      return [`${indent}- ${itemWords[entry.kind]} ${escaped(oneLineOf(entry.text, redactor))}${markText(entry.mark)}`]
  }
}

const itemWords: Record<SaidEntry['kind'], string> = {
  prompt: '**Prompt**',
  assistant: '**Says**',
  result: '**Result**',
  reasoning: '*Thinks*',
  status: '*Notice*'
}

function oneLineOf(text: KeptText, redactor: Redactor | null): string {
  const clean = redactor === null ? text.text : redactor.text(text.text)
  // Reasoning starts with a bold title; its `**` are noise on one line.
  const line = oneLine(clean.replaceAll('**', ''), shownText.line.characters)
  return text.length > text.text.length && !line.endsWith('…') ? `${line} …` : line
}

function leftOutText(left: LeftOut, redactor: Redactor | null): string {
  const names = [...left]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${grouped(count)} × ${escaped(cleanLine(oneLine(name, 60), redactor))}`)
  const total = [...left.values()].reduce((sum, count) => sum + count, 0)
  return `${counted(total, 'more entry', 'more entries')}: ${names.join(', ')}`
}

function childLines(children: EntryList, indent: string, redactor: Redactor | null): string[] {
  return [...children].flatMap((child) => itemLines(child, indent, redactor))
}

function callLines(entry: CallEntry, indent: string, redactor: Redactor | null): string[] {
  const { result } = entry
  const under = `${indent}  `
  const line = [
    `${indent}- **${escaped(cleanLine(oneLine(entry.tool, 60), redactor))}**${callText(entry, redactor)}`,
    ...callFacts(entry, redactor)
  ]
  const failed = result?.error ?? null
  return [
    line.join(' · ') + markText(entry.mark),
    ...(failed === null ? [] : errorLines(failed, under, redactor)),
    ...childLines(entry.children, under, redactor)
  ]
}

/** The summary of a call. */
export function callText(
  { text, detail, mono }: Pick<CallEntry, 'text' | 'detail' | 'mono'>,
  redactor: Redactor | null
): string {
  const said = cleanLine(text, redactor)
  const words = said === '' ? '' : ` ${mono ? codeSpan(said) : escaped(said)}`
  return detail === '' ? words : `${words} ${escaped(cleanLine(detail, redactor))}`
}

function callFacts({ badges, result, at }: CallEntry, redactor: Redactor | null): string[] {
  const facts = badges.map(({ text }) => escaped(text))
  if (result === null) return [...facts, '*no result*']
  const { error, exitCode, lines, tookMs } = result
  if (error !== null) facts.push((exitCode ?? 0) === 0 ? '**failed**' : `**exit ${exitCode}**`)
  else if (lines > 1) facts.push(counted(lines, 'line'))
  if (tookMs !== null) facts.push(durationText(tookMs))
  if (error !== null) facts.push(placeText(at, redactor))
  return facts
}

function errorLines(error: KeptEnds, indent: string, redactor: Redactor | null): string[] {
  const { characters, lines } = shownText.error
  const text = cutEnds(error, characters, lines, redactor)
  return text === '' ? [] : ['', ...fenced(text), ''].map((line) => (line === '' ? '' : indent + line))
}

const statusSigns: Record<TodoStatus, string> = {
  pending: '[ ]',
  in_progress: '[>]',
  completed: '[x]',
  cancelled: '[-]'
}

/** Further changes are counted. */
const maxChanges = 40

/** The changes of a todo list as a diff: removed items and former states with `-`, new ones with `+`. */
function todoLines({ items, changes, at }: TodoEntry, indent: string, redactor: Redactor | null): string[] {
  const done = items.filter(({ status }) => status === 'completed').length
  const head = `${indent}- **Todos ${done}/${items.length}** · ${placeText(at, redactor)}`
  const text = (words: string): string => cleanLine(oneLine(words, 200), redactor)
  const cleared = items.length === 0
  // For a cleared list, only dropped items are listed.
  const listed = cleared ? changes.filter(isDropped) : changes
  const changed = listed.flatMap((change) => {
    switch (change.kind) {
      case 'added':
        return [`+ ${statusSigns[change.to]} ${text(change.text)}`]
      case 'removed':
        return [`- ${statusSigns[change.from]} ${text(change.text)}${isDropped(change) ? ' (dropped)' : ''}`]
      case 'status':
        return [
          `- ${statusSigns[change.from]} ${text(change.text)}`,
          `+ ${statusSigns[change.to]} ${text(change.text)}`
        ]
      case 'moved':
        return [`  ${text(change.text)} (moved from ${change.from + 1} to ${change.to + 1})`]
    }
  })
  if (changed.length === 0) return [`${head} · ${cleared ? 'cleared' : 'no change'}`]
  const more = changed.length > maxChanges ? [`  … ${changed.length - maxChanges} more`] : []
  const lines = fenced([...changed.slice(0, maxChanges), ...more].join('\n'), 'diff')
  return [cleared ? `${head} · cleared` : head, '', ...lines.map((line) => `${indent}  ${line}`), '']
}

/** Further items are counted. */
const maxItems = 200
const maxDropped = 50

/** A todo list as tasks, then `dropped`, the texts of dropped items. */
export function taskLines(items: readonly TodoItem[], dropped: readonly string[], redactor: Redactor | null): string[] {
  const wordsOf = (text: string): string => escaped(cleanLine(oneLine(text), redactor))
  const lines = items.slice(0, maxItems).map(({ text, status }) => {
    const words = wordsOf(text)
    if (status === 'cancelled') return `- [x] ~~${words}~~ *cancelled*`
    return `- [${status === 'completed' ? 'x' : ' '}] ${words}${status === 'in_progress' ? ' *in progress*' : ''}`
  })
  if (items.length > maxItems) lines.push(`- *… ${items.length - maxItems} more*`)
  lines.push(...dropped.slice(0, maxDropped).map((text) => `- [ ] ~~${wordsOf(text)}~~ *dropped*`))
  if (dropped.length > maxDropped) lines.push(`- *… ${dropped.length - maxDropped} more dropped*`)
  return lines
}
