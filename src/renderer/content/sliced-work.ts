/** Longest slice of work in ms: half a frame. */
const longestSlice = 8

/** Calls `step` until it returns true, in slices; `onSlice` after each one. Returns a function to stop. */
export function workInSlices(step: () => boolean, onSlice: () => void): () => void {
  let timer = setTimeout(function slice() {
    const end = performance.now() + longestSlice
    let done = step()
    while (!done && performance.now() < end) done = step()
    if (!done) timer = setTimeout(slice)
    onSlice()
  })
  return () => clearTimeout(timer)
}

/** Calls `step` until it returns true: at once what takes no longer than a slice, the rest in slices. Returns a function to stop. */
export function workFromNow(step: () => boolean, onDone: () => void): () => void {
  const end = performance.now() + longestSlice
  let done = step()
  while (!done && performance.now() < end) done = step()
  if (!done)
    return workInSlices(
      () => (done = step()),
      () => done && onDone()
    )
  onDone()
  return () => {}
}
