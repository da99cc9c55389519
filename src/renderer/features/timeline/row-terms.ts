import type { RowIssue } from '#contract/methods.ts'
import { termText } from '#core/query/query-choices.ts'
import type { RowView } from './row-view.ts'

/** The query's term of a row's label: its tool, else its kind. */
export function labelTerm({ kind, tool }: RowView): string {
  return tool === null || tool === '' ? termText('kind', kind) : termText('tool', tool)
}

/** The term of the subagent of a row; null in the main session. */
export function trackTerm({ track }: RowView): string | null {
  return track === null ? null : termText('track', track)
}

/** The term of calls that take at least as long as this is shown to take; null if that is unknown. */
export function durationTerm(ms: number): string | null {
  if (!(ms >= 0)) return null
  if (ms < 1000) return `dur:>=${Math.floor(ms)}ms`
  if (ms < 60_000) return `dur:>=${Math.floor(ms / 100) / 10}s`
  const seconds = Math.floor(ms / 1000)
  if (seconds < 3600) return `dur:>=${Math.floor(seconds / 60)}m${seconds % 60}s`
  const minutes = Math.floor(seconds / 60)
  return `dur:>=${Math.floor(minutes / 60)}h${minutes % 60}m`
}

/** All terms that the parts of a row show, each once. */
export function termsOfRow(view: RowView, issue: RowIssue | undefined): readonly string[] {
  const { kind, summary, failed, durationMs } = view
  const terms = [
    labelTerm(view),
    termText('kind', kind),
    trackTerm(view),
    failed ? 'status:error' : null,
    summary?.term,
    ...(summary?.badges.map(({ term }) => term) ?? []),
    durationTerm(durationMs),
    ...(issue === undefined ? [] : [termText('issue', issue.severity), termText('issue', issue.code)])
  ]
  return [...new Set(terms)].filter((term) => typeof term === 'string')
}

/** Attributes of a part that shows a term. `title`: what else its tooltip says. */
export function termPart(term: string | null | undefined, title?: string) {
  if (term === null || term === undefined) return title === undefined ? {} : { title }
  const hint = `${term}\nAlt-click to filter, Alt-Shift-click to exclude`
  return { 'data-term': term, title: title === undefined ? hint : `${title}\n${hint}` }
}
