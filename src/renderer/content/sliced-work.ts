/**
 * Runs `step` again and again until it says that all is done, each time in a task of its own, so that the page answers and draws
 * in between: whoever gives the steps keeps each of them short. Returns the function that stops it.
 */
export function workInSlices(step: () => boolean): () => void {
  let timer = setTimeout(function next() {
    if (!step()) timer = setTimeout(next)
  })
  return () => clearTimeout(timer)
}
