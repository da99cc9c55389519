import { useEffect, useState } from 'react'

/** In px, without borders. */
export interface Size {
  readonly width: number
  readonly height: number
}

const noSize: Size = { width: 0, height: 0 }

/** The size of an element, updated; zero before it exists. */
export function useSize(element: HTMLElement | null): Size {
  const [size, setSize] = useState(noSize)
  useEffect(() => {
    if (element === null) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return size
}
