import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react'
import { HighlightedText } from './highlighted-text.ts'
import { workInSlices } from './sliced-work.ts'

/** The highlighting of a text. Call `catchUp` after rendering lines; the component renders again when it is done. */
export function useHighlighted(
  text: string,
  language: string | null
): { readonly colours: HighlightedText; readonly catchUp: () => void } {
  const colours = useMemo(() => new HighlightedText(text, language), [text, language])
  const [, update] = useReducer((version: number) => version + 1, 0)
  const stop = useRef<(() => void) | null>(null)
  useEffect(
    () => () => {
      stop.current?.()
      stop.current = null
    },
    [colours]
  )
  const catchUp = useCallback(() => {
    if (!colours.isBehind || stop.current !== null) return
    stop.current = workInSlices(
      () => {
        colours.colourNext()
        return !colours.isBehind
      },
      () => {
        if (!colours.isBehind) stop.current = null
        update()
      }
    )
  }, [colours])
  return { colours, catchUp }
}
