import { useEffect, useRef, useState } from 'react'
import type { LogStatus } from '#contract/methods.ts'
import { runSize } from '../../stores/run-size.ts'
import type { ReadingRate } from './status-text.ts'

/** A rate is shown after this time, in ms. */
const minRateMs = 400

/** Bytes per second since the page first saw this log being read. */
export function useReadingRate(log: LogStatus | undefined): ReadingRate {
  const [measured, setMeasured] = useState<{ log: string; rate: number } | null>(null)
  const start = useRef<{ log: string; at: number; bytes: number } | null>(null)
  const id = log?.phase === 'reading' ? log.log : null
  const bytes = log === undefined ? 0 : runSize(log).bytesRead
  useEffect(() => {
    const now = performance.now()
    const first = start.current
    if (id === null) start.current = null
    else if (first?.log !== id) start.current = { log: id, at: now, bytes }
    else if (now - first.at >= minRateMs)
      setMeasured({ log: id, rate: ((bytes - first.bytes) * 1000) / (now - first.at) })
  }, [id, bytes])
  return measured !== null && measured.log === id ? measured.rate : null
}

/** `text`, changing at most once per `ms` for the same `subject`, so that screen readers do not speak all the time. */
export function useCalmText(text: string, subject: string | null, ms: number): string {
  const [shown, setShown] = useState(text)
  const last = useRef<{ subject: string | null; at: number }>({ subject: null, at: -Infinity })
  useEffect(() => {
    const calm = subject !== null && subject === last.current.subject
    const wait = calm ? Math.max(0, last.current.at + ms - performance.now()) : 0
    const say = () => {
      last.current = { subject, at: performance.now() }
      setShown(text)
    }
    if (wait === 0) return say()
    const timer = setTimeout(say, wait)
    return () => clearTimeout(timer)
  }, [text, subject, ms])
  return shown
}
