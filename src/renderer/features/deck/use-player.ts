import { useEffect } from 'react'
import { useLog, useLogParts } from '../../stores/log-store.ts'

/** In ms. A page that was hidden does not catch up. */
const longestFrameMs = 250

/** Advances the player in each frame while it plays. */
export function usePlayer(): void {
  const { playing } = useLogParts()
  const isPlaying = useLog((log) => log.player.playing)
  useEffect(() => {
    if (!isPlaying) return
    let before: number | null = null
    let frame = requestAnimationFrame(function pass(now) {
      playing.advance(Math.min(longestFrameMs, now - (before ?? now)))
      before = now
      frame = requestAnimationFrame(pass)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing, isPlaying])
}
