/** Stands where the log does not tell a number, and says why. */
export function Unknown({ why }: { why: string }) {
  return (
    <span className="t3" title={why}>
      –<span className="unseen"> unknown. {why}</span>
    </span>
  )
}
