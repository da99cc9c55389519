import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useApp } from '../stores/app-store.ts'
import type { Size } from './use-size.ts'

type Draw = (context: CanvasRenderingContext2D, canvas: HTMLCanvasElement) => void

/** A canvas of that size in px. Drawn again when its size, the theme, `draw` or `version` changes. */
export function useCanvas({ width, height }: Size, draw: Draw, version: number | string = 0) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useApp((app) => app.theme)
  const dark = useDarkScheme()
  // Before the page is painted: names and lanes scroll as one.
  useLayoutEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context || width === 0 || height === 0) return
    const ratio = window.devicePixelRatio
    element.width = Math.round(width * ratio)
    element.height = Math.round(height * ratio)
    element.style.width = `${width}px`
    element.style.height = `${height}px`
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    draw(context, element)
  }, [draw, version, width, height, theme, dark])
  return canvas
}

/** The font of a canvas for its context, at the size of small text. */
export function canvasFont(canvas: HTMLCanvasElement): string {
  return `11px ${getComputedStyle(canvas).fontFamily}`
}

function useDarkScheme(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches)
}

const query = '(prefers-color-scheme: dark)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}
