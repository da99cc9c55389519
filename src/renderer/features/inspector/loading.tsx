export function Loading() {
  return (
    <div className="inspector-loading vstack" role="group" aria-label="Loading" aria-busy="true">
      <span />
      <span />
      <span />
    </div>
  )
}
