import { nameAt } from '#core/paths/path-names.ts'
import type { RowSummary, TodoProgress } from '#contract/methods.ts'
import type { TextRange } from '../../content/changed-words.ts'
import type { FindText } from './find-pattern.ts'
import { MarkedText } from './marked-text.tsx'
import { termPart } from './row-terms.ts'
import { TodoPips } from './todo-pips.tsx'

interface RowSummaryTextProps {
  readonly summary: RowSummary | undefined
  readonly find: FindText
  /** Whether the row is a call. The text of a call may be a path, followed by words. */
  readonly call: boolean
  /** Parts of the text that another session has otherwise. */
  readonly changed?: readonly TextRange[] | undefined
}

/** The content of a row: todo progress, words, facts. A bar if it is not loaded yet. */
export function RowSummaryText({ summary, find, call, changed }: RowSummaryTextProps) {
  if (summary === undefined) return <UnreadSummary />
  const { text, term, detail, mono, badges, todo } = summary
  const face = mono ? 'mono' : ''
  const detailFace = call ? '' : face
  const name = mono && call ? fileNameAt(text) : 0
  return (
    <>
      {todo !== null && todo.total > 0 && <TodoGlance todo={todo} term={term} />}
      <span dir="auto" className={`summary cut${todo === null ? '' : ' quiet'}${name > 0 ? ' path' : ''}`}>
        {name > 0 && (
          <span className="folders mono cut">
            <Words text={text.slice(0, name)} find={find} changed={changed} />
          </span>
        )}
        {text !== '' && (
          <span className={name > 0 ? 'name mono cut' : face} {...(todo === null && termPart(term))}>
            <Words text={text.slice(name)} find={find} changed={changed} from={name} />
          </span>
        )}
        {detail !== '' && (
          <span className={`detail ${name > 0 ? 'cut ' : ''}${detailFace}`}>
            <MarkedText text={detail} find={find} />
          </span>
        )}
      </span>
      {badges.length > 0 && (
        <span className="end hstack rigid t3 caption">
          {badges.map((badge, index) => (
            <span key={index} className={`fact ${badge.tone}`} {...termPart(badge.term)}>
              {badge.text}
            </span>
          ))}
        </span>
      )}
    </>
  )
}

/** `from`: where `text` begins in the text that `changed` is of. */
function Words({
  text,
  find,
  changed,
  from = 0
}: {
  text: string
  find: FindText
  changed: readonly TextRange[] | undefined
  from?: number
}) {
  if (changed === undefined) return <MarkedText text={text} find={find} />
  return changedParts(text, changed, from).map((part, index) => (index % 2 === 0 ? part : <em key={index}>{part}</em>))
}

/** Equal words that are shown before the first changed ones, in characters; those before them are left out. */
const equalShown = 12

/** Text, changed words, text, changed words, …, text. `from`: where `text` begins in the text that `changed` is of. */
export function changedParts(text: string, changed: readonly TextRange[], from: number): string[] {
  const parts: string[] = []
  let at = 0
  for (const range of changed) {
    const start = Math.max(at, range.from - from)
    const end = Math.min(text.length, range.to - from)
    if (start >= end) continue
    parts.push(text.slice(at, start), text.slice(start, end))
    at = end
  }
  const [first = ''] = parts
  // The changed words are in view in a narrow row, too. A path keeps its name in view by itself.
  if (first.length > 1.5 * equalShown && from === 0) parts[0] = `…${first.slice(-equalShown)}`
  return [...parts, text.slice(at)]
}

/** A placeholder for a summary that is being loaded. */
export function UnreadSummary() {
  return (
    <span className="summary">
      <i className="unread" />
    </span>
  )
}

function TodoGlance({ todo, term }: { todo: TodoProgress; term: string | undefined }) {
  const { statuses, total, completed, completedDelta } = todo
  return (
    <span className="todo-progress hstack rigid" {...termPart(term)}>
      <TodoPips statuses={statuses} total={total} completed={completed} />
      <span className="progress">
        {completed}/{total}
      </span>
      {completedDelta > 0 && <span className="delta grew">+{completedDelta}</span>}
      {completedDelta < 0 && <span className="delta">−{-completedDelta}</span>}
    </span>
  )
}

/** Start of the last part of a path; 0 if the text is no path. */
export function fileNameAt(text: string): number {
  return /^[^\s<>"{}|]*[/\\][^\s<>"{}|]+$/.test(text) ? nameAt(text.replace(/[/\\]$/, '')) : 0
}
