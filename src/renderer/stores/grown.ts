/** `to`, beginning with what `from` holds: how a typed array grows. */
export function grown<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from)
  return to
}
