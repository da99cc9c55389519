/**
 * What a page says of numbers that the log does not state, and does not explain: in words, empty if all is well. It runs in
 * the page, so it uses nothing from outside.
 */
export function unsourcedNumbers(): string[] {
  const words: Readonly<Record<string, string>> = {
    ...{ derived: 'derived', allocated: 'allocated', estimated: 'estimated', understated: 'at least' }
  }
  const faults: string[] = []
  const isShown = (element: Element) => element.getClientRects().length > 0
  /** The text of an element, as it is seen or as it is heard. */
  const textOf = (element: Element, heard: boolean): string => {
    const parts = [...element.childNodes].map((node) => {
      if (!(node instanceof Element)) return node.textContent ?? ''
      if (node.matches(heard ? '[aria-hidden="true"]' : '.unseen')) return ''
      return textOf(node, heard)
    })
    return parts.join('')
  }

  // Each number that has a source says it: by a title, and to who hears it.
  for (const element of document.querySelectorAll('[data-source]')) {
    if (!isShown(element)) continue
    const seen = textOf(element, false).trim()
    const source = element.getAttribute('data-source') ?? ''
    const word = words[source]
    if (word === undefined) {
      if (!['stated', 'counted', 'unknown'].includes(source)) faults.push(`${seen}: unknown source ${source}`)
      if (/[≈≥]/.test(seen)) faults.push(`${seen}: has a sign, but is ${source}`)
      continue
    }
    const title = element.getAttribute('title') ?? ''
    if (title.trim().length < 8) faults.push(`${seen}: its title says nothing`)
    // A name of its own replaces what is in a button or a picture.
    const named = element.closest('button[aria-label], [role="img"][aria-label], [role="option"][aria-label]')
    const heard = named === null ? textOf(element, true) : (named.getAttribute('aria-label') ?? '')
    const isHidden = element.closest('[aria-hidden="true"]') !== null
    if (!isHidden && !heard.includes(word)) faults.push(`${seen}: ${word} is not heard`)
    if (!isHidden && named === null && !heard.includes(title)) faults.push(`${seen}: why is not heard`)
  }

  // And the other way round: what looks like such a number has a source.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement
    if (element === null || !isShown(element) || element.closest('.unseen, script, style') !== null) continue
    const text = (node.textContent ?? '').trim()
    // Of a log, these signs are text like any other.
    if (!/[≈≥]/.test(text) || element.closest('[data-log-text], pre, code') !== null) continue
    const source = element.closest('[data-source]')?.getAttribute('data-source') ?? ''
    if (words[source] === undefined) faults.push(`${text}: without a source`)
  }
  for (const element of document.querySelectorAll('.sourced')) {
    if (words[element.getAttribute('data-source') ?? ''] === undefined) faults.push(`${element.textContent}: no source`)
  }
  return faults
}
