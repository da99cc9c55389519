import './query-field.css'
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState
} from 'react'
import { parseQuery, type QueryError } from '#core/query/parse-query.ts'
import { maxQueryLength } from '#core/query/query.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { type Completion, completionsAt, type CompletionSource, isBegunAt, offeredKeyAt } from './completions.ts'
import { type CountedRows, useValueCounts } from './use-value-counts.ts'

/** `typing`: more may follow soon. `begun`: a word that may become a key, or a key without its value. `done`: nothing follows. */
export type QueryChange = 'typing' | 'begun' | 'done'

interface QueryFieldProps extends CompletionSource {
  readonly label: string
  readonly placeholder: string
  readonly title?: string
  readonly text: string
  readonly error: QueryError | null
  /** The id of the element that shows the error. */
  readonly errorId: string
  /** Absent: `valuesOf` needs no counts. */
  readonly counted?: CountedRows
  readonly onChange: (text: string, change: QueryChange) => void
  /** A text stands: after Enter, and when the focus leaves. Not called twice for one text. */
  readonly onUsed?: (text: string) => void
  /** Enter, or Escape, without a list. */
  readonly onLeave: (key: string, form: HTMLFormElement | null) => void
  /** The key that leads to the field, which is shown while it is empty. */
  readonly shortcut?: string | undefined
  /** Before the text. */
  readonly children?: ReactNode
  /** Behind the text. */
  readonly after?: ReactNode
}

/** A field for a query: its parts are coloured while a person types, and keys and values are completed. */
export function QueryField(props: QueryFieldProps) {
  const {
    label,
    placeholder,
    title,
    shortcut,
    text,
    error,
    errorId,
    asks,
    counted,
    onChange,
    onUsed,
    onLeave,
    children,
    after
  } = props
  const input = useRef<HTMLInputElement>(null)
  const colours = useRef<HTMLDivElement>(null)
  const id = useId()
  const isBegun = useRef(false)
  const used = useRef(text.trim())
  const [caret, setCaret] = useState<number | null>(null)
  /** The completion that is chosen, by its name. */
  const [chosenName, setChosen] = useState<string | null>(null)
  /** Where the caret goes once the text is there. */
  const wantedCaret = useRef<number | null>(null)
  const counts = useValueCounts(caret === null ? null : offeredKeyAt(text, caret, asks), counted)
  const completions = caret === null ? [] : completionsAt(text, caret, props, counts)
  // Counts may change their order.
  const chosen = completions.findIndex((completion) => nameOf(completion) === chosenName)
  const open = completions.length > 0
  const close = () => {
    if (isBegun.current) onChange(text, 'done')
    isBegun.current = false
    const typed = text.trim()
    if (typed !== '' && typed !== used.current) onUsed?.(typed)
    used.current = typed
    setCaret(null)
    setChosen(null)
  }
  const look = () => {
    setCaret(input.current?.selectionEnd ?? text.length)
    setChosen(null)
  }
  const take = ({ insert, from, to }: Completion) => {
    onChange(text.slice(0, from) + insert + text.slice(to), /:$/.test(insert) ? 'begun' : 'done')
    wantedCaret.current = from + insert.length
    setCaret(wantedCaret.current)
    setChosen(null)
  }
  useLayoutEffect(() => {
    if (wantedCaret.current !== null) input.current?.setSelectionRange(wantedCaret.current, wantedCaret.current)
    wantedCaret.current = null
  })
  // Only then, as it forces a layout of the page.
  useLayoutEffect(() => {
    if (colours.current && input.current) colours.current.scrollLeft = input.current.scrollLeft
  }, [text])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const completion = completions[chosen]
    if (step !== 0) {
      const next = (chosen + (chosen < 0 && step < 0 ? 0 : step) + completions.length) % completions.length
      if (open) setChosen(nameOf(completions[next]!))
      else look()
    } else if (event.key === 'Tab' && open && !event.shiftKey) take(completion ?? completions[0]!)
    else if (event.key === 'Enter' && completion) take(completion)
    else if (event.key === 'Escape' && open) close()
    else if (event.key === 'Enter' || event.key === 'Escape') {
      close()
      onLeave(event.key, input.current?.form ?? null)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="query-field field" data-bad={error !== null}>
      {children}
      <div className="query-input">
        <div ref={colours} className="query-colours mono" aria-hidden="true">
          <Colours text={text} asks={asks} error={error} />
        </div>
        <input
          ref={input}
          type="text"
          role="combobox"
          className="mono"
          aria-label={label}
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-invalid={error !== null}
          {...(error !== null && { 'aria-errormessage': errorId })}
          {...(chosen >= 0 && open && { 'aria-activedescendant': `${id}-${chosen}` })}
          placeholder={placeholder}
          title={title}
          aria-keyshortcuts={shortcut?.replace(' ', '+')}
          // One too many, so that a text that is cut has an error.
          maxLength={maxQueryLength + 1}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            const { value, selectionEnd } = event.target
            isBegun.current = isBegunAt(value, selectionEnd ?? value.length, asks)
            onChange(value, isBegun.current ? 'begun' : 'typing')
            look()
          }}
          onClick={look}
          onBlur={close}
          onScroll={({ currentTarget }) => {
            if (colours.current) colours.current.scrollLeft = currentTarget.scrollLeft
          }}
          onKeyUp={({ key }) => /^(?:Arrow(?:Left|Right)|Home|End)$/.test(key) && look()}
          onKeyDown={onKeyDown}
        />
      </div>
      {after}
      {text === '' && shortcut !== undefined && <kbd aria-hidden="true">{shortcut}</kbd>}
      {text !== '' && (
        <IconButton
          small
          icon="close"
          label="Clear the query"
          onClick={() => {
            onChange('', 'done')
            input.current?.focus()
          }}
        />
      )}
      {open && <CompletionList id={id} completions={completions} chosen={chosen} onTake={take} />}
    </div>
  )
}

/** A text of thousands of parts is coloured at its beginning only, as each of them is an element. */
const maxColoured = 300

/** The text as the field has it, its parts with classes. */
function Colours({ text, asks, error }: Pick<QueryFieldProps, 'text' | 'asks' | 'error'>) {
  const { tokens } = parseQuery(text, asks)
  const parts: ReactNode[] = []
  let end = 0
  const add = (from: number, to: number, className: string) => {
    if (from > end) parts.push(<span key={end}>{text.slice(end, from)}</span>)
    if (to <= from) return
    const isBad = error !== null && from < error.to && to > error.from
    parts.push(
      <span key={`${from} ${className}`} className={isBad ? `${className} query-bad` : className}>
        {text.slice(from, to)}
      </span>
    )
    end = to
  }
  for (const { kind, from, to } of tokens.slice(0, maxColoured)) if (from >= end) add(from, to, `query-${kind}`)
  if (error !== null && error.from >= end) add(error.from, error.to, 'query-bad')
  add(text.length, text.length, '')
  return parts
}

function nameOf({ group, key, value, note }: Completion): string {
  return `${group} ${key}${value} ${note}`
}

interface CompletionListProps {
  readonly id: string
  readonly completions: readonly Completion[]
  readonly chosen: number
  readonly onTake: (completion: Completion) => void
}

function CompletionList({ id, completions, chosen, onTake }: CompletionListProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div className="completions" onMouseDown={keepFocus}>
      <ul ref={list} id={`${id}-list`} role="listbox" aria-label="Completions">
        {completions.map((completion, at) => {
          const { group, key, value, note, count } = completion
          return (
            <Fragment key={nameOf(completion)}>
              {completions[at - 1]?.group !== group && (
                <li role="presentation" className="completions-head" aria-hidden="true">
                  {group}
                </li>
              )}
              <li
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === chosen}
                className="completion"
                onClick={() => onTake(completion)}
              >
                <span className="mono cut">
                  <b>{key}</b>
                  {value}
                </span>
                <span className="t2 cut grow">{note}</span>
                {count !== null && <span className="num caption t2">{formatCount(count)}</span>}
              </li>
            </Fragment>
          )
        })}
      </ul>
      <p className="completions-foot" aria-hidden="true">
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Tab</kbd> take
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </p>
    </div>
  )
}
