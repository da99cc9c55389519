import { useEffect } from 'react'
import { useLog, useLogStore } from '../../stores/log-store.ts'

/** A page that was hidden is not played catching up. */
const longestFrame = 250

/** Lets time pass for the player, frame by frame, while it plays. */
export function usePlayer(): void {
  const store = useLogStore()
  const playing = useLog((log) => log.player.playing)
  useEffect(() => {
    if (!playing) return
    let before: number | null = null
    let frame = requestAnimationFrame(function pass(now) {
      store.getState().advance(Math.min(longestFrame, now - (before ?? now)))
      before = now
      frame = requestAnimationFrame(pass)
    })
    return () => cancelAnimationFrame(frame)
  }, [store, playing])
}
