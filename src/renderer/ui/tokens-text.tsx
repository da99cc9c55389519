import type { TokenTotals } from '#core/requests/usage.ts'
import { usageWords } from '#core/requests/usage-words.ts'

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
  const whole = usageWords(totals)
  const title = [`Tokens: ${[whole.sent, whole.received].filter((text) => text !== '').join(' · ')}.`, whole.because]
  return (
    <span {...(className !== undefined && { className })} title={title.filter((text) => text !== '').join(' ')}>
      {[sent, received]
        .filter((text) => text !== '')
        .slice(0, brief ? 1 : 2)
        .join(' · ')}
    </span>
  )
}
