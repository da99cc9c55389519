import { lastName } from '#core/paths/path-names.ts'
import { costSource, type Source } from '../../ui/provenance.tsx'
import { agentOf, type AgentType, makersModelName, unknownAgent } from '#core/formats/agents.ts'
import { findingRules, type RuleName } from '#core/findings/finding.ts'
import { findingsOf } from '#core/library/match-sessions.ts'
import { countText } from '#core/measure-text.ts'
import { costWords } from '#core/requests/cost-words.ts'
import { bareModel } from '#core/requests/platform-names.ts'
import { costAnswerOf, lastOf, type SessionCard, type SessionState } from '#core/library/session-card.ts'
import { formatClock, formatCount, formatDay, formatPlural, formatShortDuration } from '../../ui/format.ts'
import type { IconName } from '../../ui/icons.tsx'

/** The state of a session as shape, color and word. `icon` is null for a live session, which has a dot. */
export interface SessionLook {
  readonly icon: IconName | null
  readonly tone: string
  readonly word: string
}

const stateLooks: Readonly<Record<SessionState, SessionLook>> = {
  live: { icon: null, tone: '', word: 'live' },
  done: { icon: 'done', tone: 't3', word: 'done' },
  error: { icon: 'error', tone: 's-malformed', word: 'failed' },
  interrupted: { icon: 'interrupted', tone: 's-notice', word: 'interrupted' },
  empty: { icon: 'todo-pending', tone: 't3', word: 'empty' },
  unreadable: { icon: 'gone', tone: 's-violation', word: 'unreadable' }
}

const unknownLook: SessionLook = { icon: 'lost', tone: 's-violation', word: 'not connected' }

/** `lost`: without a connection, the state of a live session is unknown. */
export function sessionLook(state: SessionState, lost: boolean): SessionLook {
  return lost && state === 'live' ? unknownLook : stateLooks[state]
}

/** The title of a session, or else what identifies it. */
export function titleOf(card: SessionCard): string {
  return card.title ?? card.sessionId ?? lastName(card.path)
}

export function agentName(agent: AgentType | null): string {
  return agentOf(agent ?? unknownAgent).label
}

/** "Claude Opus 4.5", "Codex gpt-5.5": agent and model. */
export function agentAndModel({ agent, model }: SessionCard): string {
  const bare = bareModel(model ?? '')
  return makersModelName(bare) ?? [agentName(agent), bare].filter(Boolean).join(' ')
}

/** "claude-opus-4-5-20251101" → "Claude Opus 4.5"; other patterns are unchanged. */
export function modelName(model: string): string {
  const bare = bareModel(model)
  return makersModelName(bare) ?? bare
}

/** A figure on two lines, and a note for its tooltip. */
export interface Figure {
  readonly first: string
  readonly second: string
  readonly isBad?: boolean
  readonly because?: string
  /** Where the figure is from, if the log does not state it. */
  readonly source?: Source
}

/** Shown for a missing figure: "…" if it may still arrive, "–" for an empty or unreadable log. */
export function missingText({ state }: SessionCard): '…' | '–' {
  return state === 'empty' || state === 'unreadable' ? '–' : '…'
}

function missingFigure(card: SessionCard): Figure {
  const first = missingText(card)
  return first === '–' ? { first, second: '' } : { first, second: '', because: 'Not read yet' }
}

export function callsFigure(card: SessionCard): Figure {
  if (card.counts === null) return missingFigure(card)
  const { calls, failedCalls } = card.counts
  if (calls === 0) return { first: '0', second: '' }
  return failedCalls > 0
    ? { first: formatCount(calls), second: `${formatCount(failedCalls)} failed`, isBad: true }
    : { first: formatCount(calls), second: 'all ok' }
}

/** How many findings, by how many rules, and which. */
export function findingsFigure(card: SessionCard): Figure {
  const findings = findingsOf(card)
  if (findings === null) return missingFigure(card)
  const rules = findingsByRule(card)
  if (rules.length === 0) return { first: '0', second: '' }
  return { first: formatCount(findings), second: formatPlural(rules.length, 'rule'), because: rules.join('\n') }
}

/** "6: 4× Large result, 2× No event for minutes". */
export function findingsText(card: SessionCard): string {
  const rules = findingsByRule(card)
  return rules.length === 0 ? '0' : `${formatCount(findingsOf(card) ?? 0)}: ${rules.join(', ')}`
}

/** "4× Large result", the most frequent first; without information. */
function findingsByRule({ counts }: SessionCard): string[] {
  const rules = Object.entries(counts?.findings ?? {}) as [RuleName, number][]
  return rules
    .filter(([rule]) => findingRules[rule].level === 'finding')
    .toSorted(([, a], [, b]) => b - a)
    .map(([rule, count]) => `${formatCount(count)}× ${findingRules[rule].title}`)
}

export function lengthFigure(card: SessionCard): Figure {
  if (card.counts === null) return missingFigure(card)
  const { activeMs, turns } = card.counts
  const second = formatPlural(turns, 'turn')
  return activeMs === null
    ? { first: '–', second, because: 'The log has no timestamps' }
    : {
        first: formatShortDuration(activeMs),
        second,
        because: 'Total duration of all turns, without the time between them',
        source: 'derived'
      }
}

/** The input tokens, and below the output. */
export function tokensFigure(card: SessionCard): Figure {
  if (card.counts === null) return missingFigure(card)
  const { inputTokens, outputTokens, outputAtLeast } = card.counts
  if (inputTokens === null && outputTokens === null) {
    return { first: '–', second: '', because: 'The log states no tokens' }
  }
  const out = outputTokens === null ? 'no output' : `${outputAtLeast ? '≥ ' : ''}${countText(outputTokens)} out`
  return {
    first: inputTokens === null ? '–' : countText(inputTokens),
    second: out,
    because: `Input and output tokens${outputAtLeast ? '. The log states too little output: at least this' : ''}`,
    ...(outputAtLeast && { source: 'understated' })
  }
}

/** The cost that the log states, or one estimated from its tokens; at least a part of it. */
export function costFigure(card: SessionCard, size: string): Figure {
  const answer = costAnswerOf(card)
  if (answer === null) return { ...missingFigure(card), second: size }
  const { text, because } = costWords(answer)
  const source = answer.cost === null ? 'stated' : costSource(answer.cost)
  return { first: text ?? '–', second: size, because, ...(source !== 'stated' && { source }) }
}

/** "4.3M in, ≥ 581 out". */
export function tokensText({ counts }: SessionCard): string {
  if (counts === null) return ''
  const { inputTokens, outputTokens, outputAtLeast } = counts
  const sent = inputTokens === null ? '' : `${countText(inputTokens)} in`
  const received = outputTokens === null ? '' : `${outputAtLeast ? '≥ ' : ''}${countText(outputTokens)} out`
  return [sent, received].filter((text) => text !== '').join(', ') || '–'
}

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const wholeDay = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })

/** Time and day of the last write. */
export function lastFigure(card: SessionCard, now: number, lost = false): Figure {
  const last = lastOf(card)
  const first = formatClock(last).slice(0, 5)
  if (card.state === 'live' && !lost) return { first: now - last < 60_000 ? 'now' : first, second: 'live' }
  const day = formatDay(last)
  if (day === formatDay(now)) return { first, second: 'today' }
  // A week ago has the same weekday as today.
  if (now - last < 6 * 86_400_000) return { first, second: weekday.format(last) }
  const year = new Date(last).getFullYear()
  return year === new Date(now).getFullYear()
    ? { first, second: dayAndMonth.format(last) }
    : { first: dayAndMonth.format(last), second: String(year) }
}

/** The heading of a day: "Today", "Yesterday", "Friday 20 November", with the year if it is another one. */
export function dayName(day: string, now: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const time = new Date(year, month - 1, date)
  if (Number.isNaN(time.getTime())) return day
  if (day === formatDay(now)) return 'Today'
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  if (day === formatDay(yesterday.getTime())) return 'Yesterday'
  return wholeDay.format(time).replace(',', '') + (year === new Date(now).getFullYear() ? '' : ` ${year}`)
}

/** A session in one sentence, for screen readers. */
export function sessionSentence(card: SessionCard, now: number, lost = false): string {
  const { counts } = card
  const last = lastFigure(card, now, lost)
  const parts = [
    titleOf(card),
    sessionLook(card.state, lost).word,
    card.project === null ? '' : lastName(card.project),
    card.branch ?? '',
    agentAndModel(card),
    counts?.todosTotal == null ? '' : `todos ${counts.todosDone ?? 0} of ${counts.todosTotal}`,
    counts === null ? '' : formatPlural(counts.calls, 'call'),
    counts === null || counts.failedCalls === 0 ? '' : `${formatCount(counts.failedCalls)} failed`,
    `${last.second} ${last.first}`
  ]
  return parts.filter((part) => part !== '').join(', ')
}
