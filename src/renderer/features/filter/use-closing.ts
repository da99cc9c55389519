import { type RefObject, useEffect, useLayoutEffect } from 'react'

/** Escape and a click beside a panel close it. The focus goes into the panel, and where it was when the panel closes. */
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
      // Who clicked elsewhere has taken the focus there.
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
