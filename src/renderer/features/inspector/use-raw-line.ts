import { useEffect, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { useLogParts } from '../../stores/log-store.ts'
import { maxRetries, retryAfterMs } from './use-row-detail.ts'

/** Bytes of the first request, and of each later one. */
export const firstBytes = 32 * 1024
export const moreBytes = 512 * 1024

/** The first bytes of a row's line. */
export interface RawLine {
  readonly row: number
  readonly revision: number
  /** Another file of the session; null for the log itself. */
  readonly file: string | null
  readonly line: number
  readonly offset: number
  /** Of the whole line, in bytes. */
  readonly length: number
  readonly end: Result<'log.raw'>['end']
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The first `wanted` bytes of a row's line. Those of an earlier revision stay meanwhile. `reading`: bytes so far. */
export function useRawLine(
  row: number,
  revision: number,
  wanted: number
): { line: RawLine | null; reading: number | null; error: string | null; retry: () => void } {
  const { host, id } = useLogParts()
  const [line, setLine] = useState<RawLine | null>(null)
  const [reading, setReading] = useState<number | null>(null)
  const [failed, setFailed] = useState<{ row: number; revision: number; message: string } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const shown = line?.row === row ? line : null
  const have = shown?.revision === revision ? shown : null
  const done = have !== null && have.bytes.length >= Math.min(wanted, have.length)
  useEffect(() => {
    if (done) return
    let current = true
    let again: ReturnType<typeof setTimeout> | undefined
    const read = async (retries: number) => {
      const pages = have === null ? [] : [have.bytes]
      let from = have?.bytes.length ?? 0
      try {
        for (;;) {
          const page = await host.call('log.raw', { log: id, row, from, count: Math.min(wanted - from, moreBytes) })
          if (!current) return
          pages.push(new Uint8Array(page.bytes))
          from += page.bytes.byteLength
          setReading(from)
          // An empty page would be requested forever; it ends the line.
          const ended = page.bytes.byteLength === 0
          if (!ended && from < Math.min(wanted, page.length)) continue
          setLine({ ...page, row, revision, length: ended ? from : page.length, bytes: joined(pages, from) })
          break
        }
        setFailed(null)
        setReading(null)
      } catch (error) {
        const message = messageOf(error)
        if (!current) return
        if (revision > 0 && retries < maxRetries) again = setTimeout(() => void read(retries + 1), retryAfterMs)
        else setFailed({ row, revision, message })
      }
    }
    void read(0)
    return () => {
      current = false
      clearTimeout(again)
    }
  }, [host, id, row, revision, have, wanted, done, attempt])
  const error = failed?.row === row && failed.revision === revision ? failed.message : null
  return { line: shown, reading, error, retry: () => setAttempt(attempt + 1) }
}

function joined(pages: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const page of pages) {
    bytes.set(page, at)
    at += page.length
  }
  return bytes
}
