import type { ReadCard } from '#core/library/read-card.ts'

/** The card of a log that was added to: what its head told before, and what its tail alone tells now. */
export function grownCard(before: ReadCard, tail: ReadCard): ReadCard {
  const isNamed = tail.titleFrom === 'agent'
  return {
    ...before,
    title: isNamed ? tail.title : (before.title ?? tail.title),
    titleFrom: isNamed ? tail.titleFrom : (before.titleFrom ?? tail.titleFrom),
    sessionId: before.sessionId ?? tail.sessionId,
    project: before.project ?? tail.project,
    branch: before.branch ?? tail.branch,
    model: before.model ?? tail.model,
    version: before.version ?? tail.version,
    startedAt: before.startedAt ?? tail.startedAt,
    endedAt: tail.endedAt ?? before.endedAt,
    forkedFrom: before.forkedFrom ?? tail.forkedFrom,
    parentSession: before.parentSession ?? tail.parentSession,
    end: tail.end
  }
}
