import type { KeyboardEvent } from 'react'

/** Up and Down go from one choice to the next, of all columns; with `x` a choice is left out, or no longer. */
export function onPanelKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === 'x' && event.target instanceof HTMLInputElement && event.target.type === 'checkbox') {
    event.target.closest('.filter-option')?.querySelector('button')?.click()
    event.preventDefault()
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const inputs = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input:enabled')]
  const at = inputs.findIndex((input) => input === document.activeElement)
  inputs[(at + step + inputs.length) % inputs.length]?.focus()
  event.preventDefault()
}
