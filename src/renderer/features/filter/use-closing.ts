import { type RefObject, useEffect, useLayoutEffect } from 'react'

/** Escape or a click outside closes a panel. The panel gets the focus when it opens; its former place gets it back. */
export function useClosing(
  panel: RefObject<HTMLElement | null>,
  place: RefObject<HTMLElement | null>,
  onClose: () => void
): void {
  useLayoutEffect(() => {
    const before = document.activeElement
    panel.current?.querySelector('input')?.focus()
    const inPanel = panel.current
    return () => {
      // A click elsewhere has moved the focus already.
      const focusLeft = document.activeElement === document.body || inPanel?.contains(document.activeElement) === true
      if (focusLeft && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [panel])
  useEffect(() => {
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && place.current?.contains(event.target) !== true) onClose()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onClose()
    }
    window.addEventListener('pointerdown', onPointerDown)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('pointerdown', onPointerDown)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [place, onClose])
}
