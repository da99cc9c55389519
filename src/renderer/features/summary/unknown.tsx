/** Shown for a number that the log does not state, with the reason. */
export function Unknown({ why }: { why: string }) {
  return (
    <span className="t3" title={why}>
      –<span className="unseen"> unknown. {why}</span>
    </span>
  )
}
