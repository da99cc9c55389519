import { useEffect } from 'react'
import { useLog, useLogParts } from '../../stores/log-store.ts'

/** A page that was hidden is not played catching up. */
const longestFrameMs = 250

/** Lets time pass for the player, frame by frame, while it plays. */
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
