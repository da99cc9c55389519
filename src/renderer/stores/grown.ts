/** Copies `from` to the start of the larger array `to`. */
export function grown<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from)
  return to
}
