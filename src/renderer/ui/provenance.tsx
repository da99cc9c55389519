import './provenance.css'
import type { ReactNode } from 'react'
import type { Cost } from '#core/requests/cost.ts'

/** Where a number is from. `counted`: of what the log holds, so exact. */
export type Source = 'stated' | 'counted' | 'derived' | 'allocated' | 'estimated' | 'understated'

/** The sign before a number, and the words that a screen reader hears after it. */
const signs: Readonly<Record<Source, { readonly sign: string; readonly words: string }>> = {
  stated: { sign: '', words: '' },
  counted: { sign: '', words: '' },
  derived: { sign: '≈ ', words: 'derived' },
  allocated: { sign: '≈ ', words: 'allocated' },
  estimated: { sign: '≈ ', words: 'estimated' },
  understated: { sign: '≥ ', words: 'at least' }
}

/** What a screen reader hears of a source; "" where the log states or holds the number. */
export function sourceWords(source: Source): string {
  return signs[source].words
}

/** The source of a cost, alone or in a sum. */
export function costSource({ from, atLeast }: Pick<Cost, 'from' | 'atLeast'>): 'stated' | 'estimated' | 'understated' {
  return atLeast ? 'understated' : from === 'stated' ? 'stated' : 'estimated'
}

/**
 * A number with its source. `why`: a sentence, required where the log does not state the number itself. `signed`: the text
 * has its sign, or is a time for which a sign would be noise.
 */
export function Sourced({ source, why, signed = false, children }: SourcedProps) {
  const { sign, words } = signs[source]
  if (words === '') {
    return (
      <span data-source={source} {...(why !== undefined && { title: why })}>
        {children}
      </span>
    )
  }
  return (
    <span className="sourced" data-source={source} title={why}>
      {signed ? '' : sign}
      {children}
      <span className="unseen">
        , {words}. {why}
      </span>
    </span>
  )
}

type SourcedProps = { readonly children: ReactNode; readonly signed?: boolean } & (
  | { readonly source: 'stated' | 'counted'; readonly why?: string }
  | { readonly source: Exclude<Source, 'stated' | 'counted'>; readonly why: string }
)
