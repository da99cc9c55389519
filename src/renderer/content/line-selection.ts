/** The line of the box that contains a node; -1 for none. */
function lineAt(box: HTMLElement, node: Node | null): number {
  const element = node instanceof Element ? node : node?.parentElement
  const line = element?.closest<HTMLElement>('[data-line]')
  return line != null && box.contains(line) ? Number(line.dataset['line']) : -1
}

/** The first and last line of the selection in `box`; empty without one. */
export function selectedLines(box: HTMLElement): readonly number[] {
  const selection = getSelection()
  if (selection === null || selection.isCollapsed) return []
  const ends = [lineAt(box, selection.anchorNode), lineAt(box, selection.focusNode)].filter((line) => line >= 0)
  return ends.sort((a, b) => a - b)
}

/**
 * The selected text of a box that renders only some lines; null if the browser's own copy is correct. `textOf` returns
 * lines `from` … `to` (exclusive).
 */
export function selectedText(box: HTMLElement, textOf: (from: number, to: number) => string): string | null {
  const [first, last] = selectedLines(box)
  const selection = getSelection()
  if (first === undefined || last === undefined || first === last || selection === null) return null
  const selected = selection.getRangeAt(0)
  const head = document.createRange()
  const tail = document.createRange()
  // For split lines: the side with the selection.
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
