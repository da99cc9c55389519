import { pathFromHome } from '#core/paths/path-names.ts'
import './session-preview.css'
import { type ReactNode, useEffect, useState } from 'react'
import { EqualFailures } from '#core/index/equal-failures.ts'
import {
  costAnswerOf,
  lastOf,
  type SessionCard,
  type SessionCounts,
  type SessionPreview as Preview
} from '#core/library/session-card.ts'
import { useApp, useAppStore } from '../../stores/app-store.ts'
import { canGoOn } from '../../stores/going-on.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { IconButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import {
  formatBytes,
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatPlural,
  formatWhen
} from '../../ui/format.ts'
import { Icon, type IconName, todoLook } from '../../ui/icons.tsx'
import { useTooltip } from '../../ui/shown-keys.ts'
import { Sourced } from '../../ui/provenance.tsx'
import { Block, PathText } from '../inspector/block.tsx'
import { Fact, Facts } from '../inspector/facts.tsx'
import { statusWords } from '../todos/status-words.ts'
import { maxOpened, openAll, openCard } from './open-session.ts'
import { CostText } from '../summary/figures.tsx'
import { agentName, findingsText, missingText, modelName, titleOf, tokensText } from './session-words.ts'
import { StateIcon } from './state-icon.tsx'

/** Beside the library: the start of the selected session, its outcome and its actions. */
export function SessionPreview() {
  const { preview, chosen } = useLibrary('preview', 'chosen')
  const reading = useLibrary(({ status }) => status !== null && status.phase !== 'idle')
  return (
    <section className="preview vstack fill" role="region" aria-label="Preview">
      {chosen.size > 1 ? (
        <ChosenSessions cards={[...chosen.values()]} />
      ) : preview === null ? (
        <p className="panel-note t3">
          Select a session to preview it.
          {reading && ' Sessions that are read can be opened and searched.'}
        </p>
      ) : (
        <>
          <PreviewHead card={preview.card} resume={preview.session?.resume ?? null} key={preview.card.id} />
          <div className="preview-body vstack fill" key={`${preview.card.id} body`}>
            {preview.error !== null && (
              <p className="field-error" role="alert">
                <Icon name="malformed" size={12} />
                <span>{preview.error}</span>
              </p>
            )}
            {preview.card.problem !== null && (
              <p className="preview-problem rigid s-violation">
                <Icon name="violation" size={14} />
                <span>{displayText(preview.card.problem)}</span>
              </p>
            )}
            <SessionFacts card={preview.card} />
            {preview.session === null ? (
              preview.error === null && <p className="t3">Reading the session…</p>
            ) : (
              <Contents card={preview.card} preview={preview.session.preview} subagents={preview.session.subagents} />
            )}
          </div>
        </>
      )}
    </section>
  )
}

function PreviewHead({ card, resume }: { card: SessionCard; resume: string | null }) {
  const app = useAppStore()
  const tooltip = useTooltip()
  const canResume = useApp(({ capabilities }) => capabilities?.runs === true)
  // For a match, Enter and the button open its event.
  const hit = useLibrary(({ cursor }) => (cursor?.card?.id === card.id ? cursor.hit : null))
  const reveal = useLibrary((state) => state.reveal)
  const place = [card.project === null ? pathFromHome(card.path) : pathFromHome(card.project), card.branch]
  const [message, setMessage] = useMessage()
  const copy = (text: string, done: string) => {
    navigator.clipboard.writeText(text).then(
      () => setMessage(done),
      () => setMessage('Copying failed. Allow this page to use the clipboard, and try again.')
    )
  }
  return (
    <div className="preview-head">
      <h2>
        <StateIcon state={card.state} />
        <span className="preview-title">{displayText(titleOf(card))}</span>
      </h2>
      <p className="preview-place t3 caption mono cut" title={card.path}>
        {displayText(place.filter((part) => part !== null).join(' · '))}
      </p>
      <div className="preview-actions">
        <button
          type="button"
          className="btn primary"
          title={hit === null ? 'Open  Enter' : 'Open the session at this match  Enter'}
          onClick={() => void openCard(app.getState(), card, hit)}
        >
          {hit === null ? 'Open' : 'Open at match'} <kbd aria-hidden="true">↵</kbd>
        </button>
        {canResume && canGoOn(card.agent, card.sessionId) && (
          <button
            type="button"
            className="btn edged"
            title={tooltip('Go on with the session', 'R')}
            onClick={() => void app.getState().goOn(card.path)}
          >
            <Icon name="go-on" />
            Go on…
          </button>
        )}
        {resume !== null && (
          <button
            type="button"
            className="btn edged"
            aria-label="Copy the resume command"
            title={`Copy: ${resume}`}
            onClick={() => copy(resume, 'Command copied. Paste it into a terminal.')}
          >
            <Icon name="clipboard" />
            Resume
          </button>
        )}
        <button type="button" className="btn edged" title={card.path} onClick={() => copy(card.path, 'Path copied.')}>
          <Icon name="copy" />
          Copy path
        </button>
        <IconButton
          icon="folder"
          label="Show in the file manager"
          onClick={() => void reveal(card.id).then((why) => setMessage(why ?? 'Shown in the file manager.'))}
        />
      </div>
      <p className="preview-said caption t2" role="status">
        {message}
      </p>
    </div>
  )
}

/** A message about a finished action, for a few seconds. */
function useMessage(): [string, (text: string) => void] {
  const [message, setMessage] = useState('')
  useEffect(() => {
    if (message === '') return
    const timer = setTimeout(() => setMessage(''), 4000)
    return () => clearTimeout(timer)
  }, [message])
  return [message, setMessage]
}

function SessionFacts({ card }: { card: SessionCard }) {
  const { counts } = card
  const agent = [agentName(card.agent), card.version].filter((part) => part !== null).join(' ')
  // A value that never arrives has no line.
  const missing = missingText(card) === '–' ? undefined : '…'
  const counted = (text: (known: SessionCounts) => ReactNode) => (counts === null ? missing : text(counts))
  const answer = costAnswerOf(card)
  return (
    <Facts>
      <Fact name="Agent" value={agent} />
      <Fact name="Model" value={card.model === null ? counted(() => '–') : modelName(card.model)} />
      <Fact name="Time" value={timeText(card)} />
      <Fact name="Duration" value={counted(({ activeMs }) => durationOf(activeMs))} />
      <Fact name="Turns" value={counted(({ turns }) => formatCount(turns))} />
      <Fact
        name="Calls"
        value={counted(
          ({ calls, failedCalls }) =>
            formatCount(calls) + (failedCalls > 0 ? `, ${formatCount(failedCalls)} failed` : '')
        )}
      />
      <Fact name="Findings" value={counted(() => findingsText(card))} />
      <Fact name="Tokens" value={counted((counts) => tokensOf(card, counts))} />
      <Fact name="Cost" value={answer === null ? missing : <CostText answer={answer} />} />
      <Fact name="Log" value={formatBytes(card.bytes)} />
    </Facts>
  )
}

/** "yesterday 03:49 – 06:31", with both days if they differ. */
function timeText(card: SessionCard): string {
  const { startedAt } = card
  const now = Date.now()
  const end = lastOf(card)
  if (startedAt === null) return formatWhen(end, now)
  const isOneDay = formatDay(startedAt) === formatDay(end)
  return `${formatWhen(startedAt, now)} – ${isOneDay ? formatClock(end).slice(0, 5) : formatWhen(end, now)}`
}

const fewFailed = 3
const fewFiles = 6
const fewTodos = 12
const fewSubagents = 5

function Contents({
  card,
  preview,
  subagents
}: {
  card: SessionCard
  preview: Preview
  subagents: readonly SessionCard[]
}) {
  const { openAt, openLog } = useApp('openAt', 'openLog')
  const { firstPrompt, lastAnswer, todos, failed, files, filesTotal, filesAtLeast } = preview
  const done = todos.filter(({ status }) => status === 'completed').length
  const failedCount = card.counts?.failedCalls ?? failed.length
  // The list of failures is cut, so further ones may have the same text.
  const isCut = failedCount > failed.length
  const equal = new EqualFailures<Preview['failed'][number]>(failed.length)
  for (const failure of failed) equal.add(failure)
  const groups = equal.list
  return (
    <>
      {firstPrompt !== null && <Prose title="First prompt" text={firstPrompt} lines={2} />}
      {lastAnswer !== null && <Prose title="Last answer" text={lastAnswer} lines={3} />}
      {todos.length > 0 && (
        <Block title="Final todos" fact={`${formatCount(done)}/${formatCount(todos.length)}`}>
          <Lines most={fewTodos} total={todos.length}>
            {todos.map(({ text, status }, at) => {
              const { icon, tone } = todoLook(status)
              return (
                <li key={at} title={text}>
                  <Icon name={icon} tone={tone} label={statusWords[status]} />
                  <span className="cut">{displayText(text)}</span>
                </li>
              )
            })}
          </Lines>
        </Block>
      )}
      {failed.length > 0 && (
        <Block title="Failed calls" fact={formatCount(failedCount)}>
          <Lines most={fewFailed} total={groups.length + failedCount - failed.length}>
            {groups.map(({ first: { seq, tool, text }, count }) => (
              <li key={seq} title={text}>
                <Icon name="error" tone="k-error" />
                <button
                  type="button"
                  className="link num caption"
                  aria-label={`Open at event ${seq}, ${tool}`}
                  onClick={() => void openAt({ path: card.path, seq, line: 0, find: null })}
                >
                  {formatCount(seq)}
                </button>
                <span className="cut grow">
                  {count > 1 && (
                    <span className="num medium">
                      <CountText count={count} isAtLeast={isCut} /> ×{' '}
                    </span>
                  )}
                  <span className="mono">{displayText(text)}</span>
                </span>
                <span className="badge">{displayText(tool)}</span>
              </li>
            ))}
          </Lines>
        </Block>
      )}
      {files.length > 0 && (
        <Block title="Files changed" fact={<CountText count={filesTotal} isAtLeast={filesAtLeast} />}>
          <Lines most={fewFiles} total={filesTotal} isAtLeast={filesAtLeast}>
            {files.map(({ path, added, deleted }) => (
              <li key={path}>
                <Icon name={fileIcon(deleted, added)} tone="k-tool" />
                <span className="grow preview-path">
                  <PathText path={path} />
                </span>
                {added > 0 && <span className="num caption diff-plus">+{formatCount(added)}</span>}
                {deleted > 0 && <span className="num caption diff-minus">−{formatCount(deleted)}</span>}
              </li>
            ))}
          </Lines>
        </Block>
      )}
      {subagents.length > 0 && (
        <Block title="Subagents" fact={formatCount(subagents.length)}>
          <Lines most={fewSubagents} total={subagents.length}>
            {subagents.map((each) => (
              <li key={each.id}>
                <StateIcon state={each.state} />
                <button type="button" className="link cut grow" onClick={() => void openLog(each.path)}>
                  {displayText(titleOf(each))}
                </button>
                {each.counts !== null && (
                  <span className="num caption t3">{formatPlural(each.counts.calls, 'call')}</span>
                )}
              </li>
            ))}
          </Lines>
        </Block>
      )}
    </>
  )
}

function fileIcon(deleted: number, added: number): IconName {
  return deleted === 0 && added > 0 ? 'write' : 'edit'
}

/** A text cut after some lines, with a button to show all. */
function Prose({ title, text, lines }: { title: string; text: string; lines: number }) {
  const [all, setAll] = useState(false)
  const isLong = text.length > lines * 55 || text.split('\n').length > lines
  return (
    <Block title={title} copy={{ what: title.toLowerCase(), text: () => text }}>
      <p dir="auto" className={all ? 'preview-text' : `preview-text clamp-${lines}`}>
        {displayText(all ? text.trim() : text.trim().replaceAll(/\s*\n\s*/g, '\n'))}
      </p>
      {isLong && (
        <button type="button" className="link preview-more" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Less' : 'More'}
        </button>
      )}
    </Block>
  )
}

function durationOf(activeMs: number | null): ReactNode {
  if (activeMs === null) return '–'
  return (
    <Sourced source="derived" why="Total duration of all turns, by the times in the log." signed>
      {formatDuration(activeMs)}
    </Sourced>
  )
}

function tokensOf(card: SessionCard, { outputAtLeast }: { readonly outputAtLeast: boolean }): ReactNode {
  if (!outputAtLeast) return tokensText(card)
  return (
    <Sourced source="understated" why="The log states too little output for some requests." signed>
      {tokensText(card)}
    </Sourced>
  )
}

/** "≥ 5,000" if there may be more. */
function CountText({ count, isAtLeast }: { count: number; isAtLeast: boolean }) {
  if (!isAtLeast) return <>{formatCount(count)}</>
  return (
    <Sourced source="understated" why="There may be more than were counted.">
      {formatCount(count)}
    </Sourced>
  )
}

interface LinesProps {
  readonly most: number
  /** The total, including those that are not loaded. */
  readonly total: number
  /** Whether there may be more than `total`. */
  readonly isAtLeast?: boolean
  readonly children: readonly ReactNode[]
}

/** The first lines of a list, with a button to show the others. */
function Lines({ most, total, isAtLeast = false, children }: LinesProps) {
  const [all, setAll] = useState(false)
  const shown = all ? children : children.slice(0, most)
  const more = total - shown.length
  return (
    <ul className="plain-list">
      {shown}
      {more > 0 && (
        <li className="t3">
          <Icon name="right" tone="t3" />
          {shown.length < children.length ? (
            <button type="button" className="link" onClick={() => setAll(true)}>
              <CountText count={more} isAtLeast={isAtLeast} /> more
            </button>
          ) : (
            <span>
              <CountText count={more} isAtLeast={isAtLeast} /> more in the log
            </span>
          )}
        </li>
      )}
    </ul>
  )
}

/** Compares the newer session with the older one. */
function CompareButton({ cards }: { cards: readonly SessionCard[] }) {
  const app = useAppStore()
  const [base, other] = cards.toSorted((one, second) => lastOf(one) - lastOf(second))
  return (
    <button
      type="button"
      className="btn edged"
      title="Compare the sessions step by step. The older one is the baseline."
      onClick={() => {
        if (base !== undefined && other !== undefined) void app.getState().compareLogs(base.path, other.path)
      }}
    >
      Compare
    </button>
  )
}

/** Several selected sessions. */
function ChosenSessions({ cards }: { cards: readonly SessionCard[] }) {
  const app = useAppStore()
  const selection = useLibrary((library) => library.selection)
  const tooMany = cards.length > maxOpened
  return (
    <>
      <div className="preview-head">
        <h2>
          <span className="preview-title">{formatPlural(cards.length, 'session')} selected</span>
        </h2>
        <p className="preview-place t3 caption">
          {formatBytes(cards.reduce((sum, { bytes }) => sum + bytes, 0))} in total
          {tooMany && `; only the first ${maxOpened} can be opened at once`}
        </p>
        <div className="preview-actions">
          <button type="button" className="btn primary" onClick={() => void openAll(app.getState(), cards)}>
            Open {tooMany ? `the first ${maxOpened}` : 'all'} <kbd aria-hidden="true">↵</kbd>
          </button>
          {cards.length === 2 && <CompareButton cards={cards} />}
          <button type="button" className="btn edged" onClick={() => selection.clear()}>
            Clear selection
          </button>
        </div>
      </div>
      <div className="preview-body vstack fill">
        <ul className="plain-list preview-chosen">
          {cards.map((card) => (
            <li key={card.id}>
              <StateIcon state={card.state} />
              <span className="cut">{displayText(titleOf(card))}</span>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}
