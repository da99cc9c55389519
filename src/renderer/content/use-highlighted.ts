import { useEffect, useMemo, useReducer } from 'react'
import { HighlightedText } from './highlighted-text.ts'
import { workInSlices } from './sliced-work.ts'

/** The colours of a text; the component is drawn again when there are more of those that it asked for. */
export function useHighlighted(text: string, language: string | null): HighlightedText {
  const highlighted = useMemo(() => new HighlightedText(text, language), [text, language])
  const [, tell] = useReducer((version: number) => version + 1, 0)
  useEffect(() => {
    if (!highlighted.isBehind) return
    return workInSlices(() => {
      highlighted.colourNext()
      return !highlighted.isBehind
    }, tell)
  })
  return highlighted
}
