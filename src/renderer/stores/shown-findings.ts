import { useMemo } from 'react'
import { findingRules, type RuleName } from '#core/findings/finding.ts'
import type { Finding, LogStatus, RunFindings } from '#contract/methods.ts'
import type { LayoutState } from './layout-store.ts'
import { useLogParts, useStatus } from './log-store.ts'
import { useLayout } from './use-layout.ts'
import { useLiveAnswer } from './use-live-answer.ts'

/** What a person wants to see of the findings of all logs. */
export type FindingChoices = Pick<LayoutState, 'rulesOff' | 'withInformation' | 'uselessFindings'>
const choices = ['rulesOff', 'withInformation', 'uselessFindings'] as const

/** The findings of a log that are shown, and those that a person left out. */
export interface ShownFindings {
  readonly list: readonly Finding[]
  /** Marked as not useful, of rules that are shown. */
  readonly useless: readonly Finding[]
  /** The short words of those of the list by their last row, which the timeline marks. */
  readonly byLastRow: ReadonlyMap<number, string>
}

type Session = Pick<LogStatus, 'sessionId' | 'path'>

/** A finding of a session, as it is remembered. A row may have several of one rule. */
export function findingKey({ sessionId, path }: Session, { rule, rows, text }: Finding): string {
  return `${sessionId ?? path} ${rule} ${rows[0] ?? 0} ${text.slice(0, 60)}`
}

export function isRuleShown(rule: RuleName, { rulesOff, withInformation }: FindingChoices): boolean {
  return !rulesOff.includes(rule) && (withInformation || findingRules[rule].level === 'finding')
}

export function shownFindings(value: RunFindings | null, chosen: FindingChoices, session: Session): ShownFindings {
  const left = new Set(chosen.uselessFindings)
  const list: Finding[] = []
  const useless: Finding[] = []
  const byLastRow = new Map<number, string>()
  for (const finding of value?.findings ?? []) {
    if (!isRuleShown(finding.rule, chosen)) continue
    const isUseless = left.size > 0 && left.has(findingKey(session, finding))
    ;(isUseless ? useless : list).push(finding)
    if (isUseless) continue
    const row = finding.rows.at(-1) ?? -1
    const others = byLastRow.get(row)
    byLastRow.set(row, others === undefined ? finding.short : `${others} · ${finding.short}`)
  }
  return { list, useless, byLastRow }
}

/** The shown findings of the log, loaded while they are shown. */
export function useShownFindings(): ShownFindings {
  const { value } = useLiveAnswer(useLogParts().findings)
  const { rulesOff, withInformation, uselessFindings } = useLayout(...choices)
  const { sessionId, path } = useStatus('sessionId', 'path')
  return useMemo(
    () => shownFindings(value, { rulesOff, withInformation, uselessFindings }, { sessionId, path }),
    [value, rulesOff, withInformation, uselessFindings, sessionId, path]
  )
}
