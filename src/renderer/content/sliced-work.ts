/** The page is left alone after so many ms of work: half of a frame. */
const longestSlice = 8

/**
 * Runs `step`, which takes a moment, again and again until it says that all is done, in slices between which the page answers and
 * draws. `onSlice` is called after each of them. Returns the function that stops it.
 */
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
