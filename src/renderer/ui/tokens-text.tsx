import type { TokenTotals } from '#core/requests/usage.ts'
import { usageWords } from '#core/requests/usage-words.ts'
import { Sourced } from './provenance.tsx'

/** "13.2M in · ≥ 345 out", `brief` "13.2M in". The tooltip says what is estimated, and why a count is "at least". */
export function TokensText({
  totals,
  brief = false,
  className
}: {
  totals: TokenTotals
  brief?: boolean
  className?: string
}) {
  const { sent, received } = usageWords(totals, true)
  const isLess = totals.output !== null && totals.understatedRequests > 0
  const whole = usageWords(totals)
  const counts = `Tokens: ${[whole.sent, whole.received].filter((text) => text !== '').join(' · ')}.`
  const why = [counts, whole.because].filter((text) => text !== '').join(' ')
  return (
    <span {...(className !== undefined && { className })} title={why}>
      {sent}
      {(!brief || sent === '') && received !== '' && (
        <>
          {sent !== '' && ' · '}
          {isLess ? (
            <Sourced source="understated" why={why} signed>
              {received}
            </Sourced>
          ) : (
            received
          )}
        </>
      )}
    </span>
  )
}
