import { useCallback, useRef, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import { useLogParts } from '../../stores/log-store.ts'

/** A text of an event. */
export interface LogText {
  /** The row of its event. */
  readonly row: number
  /** Its JSON path in the event; null for a text made from several strings, which is complete. */
  readonly path: string | null
  /** Its first characters. */
  readonly text: string
  /** Its length in the log, in characters. */
  readonly length: number
}

/** Characters per request. */
export const pieceLength = 1_000_000
/** The page never loads more characters of a text. */
export const longestText = 200_000_000

export interface ReadText {
  readonly text: string
  /** Characters loaded so far by a running request; null without one. */
  readonly reading: number | null
  readonly error: string | null
  /** Reads on, up to this total of characters. */
  readonly read: (characters: number) => void
  /** The whole text, for the clipboard. Rejects with the read error. */
  readonly readAll: () => Promise<string>
}

/** A text that is read piece by piece. New pieces are shown when the whole request is complete. */
export function useLogText({ row, path, text, length }: LogText): ReadText {
  const { host, id: log } = useLogParts()
  const [more, setMore] = useState<{ readonly of: string; readonly text: string } | null>(null)
  const [reading, setReading] = useState<number | null>(null)
  const [error, setError] = useState<string | null>(null)
  const latest = useRef(0)
  const shown = more?.of === text ? more.text : text

  const upTo = useCallback(
    async (start: string, characters: number, onProgress: (count: number) => boolean): Promise<string> => {
      let read = start
      while (path !== null && read.length < Math.min(characters, length)) {
        const count = Math.max(2, Math.min(pieceLength, characters - read.length))
        const piece = await host.call('log.text', { log, row, path, from: read.length, count })
        if (piece.text === '') break
        read += piece.text
        if (!onProgress(read.length)) break
      }
      return read
    },
    [host, log, row, path, length]
  )
  const read = (characters: number) => {
    const asked = ++latest.current
    const isLatest = () => asked === latest.current
    setReading(shown.length)
    setError(null)
    upTo(shown, characters, (count) => {
      if (isLatest()) setReading(count)
      return isLatest()
    })
      .then((all) => {
        if (isLatest()) setMore({ of: text, text: all })
      })
      .catch((failure: unknown) => {
        if (isLatest()) setError(messageOf(failure))
      })
      .finally(() => {
        if (isLatest()) setReading(null)
      })
  }
  return { text: shown, reading, error, read, readAll: () => upTo(shown, length, () => true) }
}
