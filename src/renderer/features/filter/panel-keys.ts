import type { KeyboardEvent } from 'react'

/** Up and Down move between the options of all columns. */
export function onPanelKey(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const inputs = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input:enabled')]
  const at = inputs.findIndex((input) => input === document.activeElement)
  inputs[(at + step + inputs.length) % inputs.length]?.focus()
  event.preventDefault()
}
