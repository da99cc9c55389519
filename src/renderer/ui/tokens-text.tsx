import type { TokenTotals } from '#core/requests/usage.ts'
import { usageWords } from '#core/requests/usage-words.ts'

/** "13.2M in · ≥ 345 out". The title says what is estimated, and why a count is "at least". */
export function TokensText({ totals, className }: { totals: TokenTotals; className?: string }) {
  const { sent, received } = usageWords(totals, true)
  const whole = usageWords(totals)
  const title = [`Tokens: ${[whole.sent, whole.received].filter((text) => text !== '').join(' · ')}.`, whole.because]
  return (
    <span {...(className !== undefined && { className })} title={title.filter((text) => text !== '').join(' ')}>
      {[sent, received].filter((text) => text !== '').join(' · ')}
    </span>
  )
}
