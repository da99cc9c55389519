import type { RowSummary, TodoProgress } from '#contract/methods.ts'
import type { FindText } from './find-pattern.ts'
import { MarkedText } from './marked-text.tsx'
import { termPart } from './row-terms.ts'
import { TodoPips } from './todo-pips.tsx'

interface RowSummaryTextProps {
  readonly summary: RowSummary | undefined
  readonly find: FindText
  /** Whether the row is a call. The text of a call may be a path, followed by words. */
  readonly call: boolean
}

/** The content of a row: todo progress, words, facts. A bar if it is not loaded yet. */
export function RowSummaryText({ summary, find, call }: RowSummaryTextProps) {
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
            <MarkedText text={text.slice(0, name)} find={find} />
          </span>
        )}
        {text !== '' && (
          <span className={name > 0 ? 'name mono cut' : face} {...(todo === null && termPart(term))}>
            <MarkedText text={text.slice(name)} find={find} />
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
  return /^[^\s<>"{}|]*[/\\][^\s<>"{}|]+$/.test(text) ? text.search(/[^/\\]+[/\\]?$/) : 0
}
