/** The line of the box that a node stands in; -1 where it stands in none. */
function lineAt(box: HTMLElement, node: Node | null): number {
  const element = node instanceof Element ? node : node?.parentElement
  const line = element?.closest<HTMLElement>('[data-line]')
  return line != null && box.contains(line) ? Number(line.dataset['line']) : -1
}

/** The two lines, ascending, that what is selected in `box` begins and ends in; none where nothing is selected there. */
export function selectedLines(box: HTMLElement): readonly number[] {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed) return []
  const ends = [lineAt(box, selection.anchorNode), lineAt(box, selection.focusNode)].filter((line) => line >= 0)
  return ends.sort((a, b) => a - b)
}

/**
 * What is selected in a box that draws only some of its lines; null where the browser knows itself. `textOf` gives lines
 * `from` … `to` (exclusive).
 */
export function selectedText(box: HTMLElement, textOf: (from: number, to: number) => string): string | null {
  const [first, last] = selectedLines(box)
  const selection = getSelection()
  if (first === undefined || last === undefined || first === last || selection === null) return null
  const selected = selection.getRangeAt(0)
  const head = document.createRange()
  const tail = document.createRange()
  // Of lines in two halves that half which is being selected.
  const side = box.closest<HTMLElement>('[data-side]')?.dataset['side']
  const half = side === undefined ? '' : `[data-side="${side}"]`
  const [firstText, lastText] = [first, last].map((line) =>
    box.querySelector(`[data-line="${line}"] .line-text${half}`)
  )
  if (firstText == null || lastText == null) return null
  head.selectNodeContents(firstText)
  if (firstText.contains(selected.startContainer)) head.setStart(selected.startContainer, selected.startOffset)
  tail.selectNodeContents(lastText)
  if (lastText.contains(selected.endContainer)) tail.setEnd(selected.endContainer, selected.endOffset)
  const middle = last - first > 1 ? [textOf(first + 1, last)] : []
  return [head.toString(), ...middle, tail.toString()].join('\n')
}
