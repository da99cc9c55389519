import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import { type FileText, readFileText } from '../../stores/file-text.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'

/** A drag over many versions reads the last of them. */
const dragPauseMs = 60

export interface ReadFile {
  /** Null: not read yet. While another version of the file is read, the former one stays. */
  readonly text: FileText | null
  /** Share that is read, 0 to 1; null: nothing is being read. */
  readonly progress: number | null
  readonly error: string | null
  readonly retry: () => void
}

/** The content of a file after event `seq`, or just before the first change after it. `seq` null: nothing is read. */
export function useFileText(file: number, seq: number | null, beforeChange = false): ReadFile {
  const { host, id } = useLogParts()
  const replacements = useLog((log) => log.replacements)
  const [attempt, setAttempt] = useState(0)
  const [known, setKnown] = useState<{ key: string; file: number; text: FileText } | null>(null)
  const [progress, setProgress] = useState(0)
  const [failure, setFailure] = useState<{ key: string; message: string } | null>(null)
  const isReading = useRef(false)
  const key = `${file} ${seq} ${beforeChange} ${replacements} ${attempt}`
  useEffect(() => {
    if (seq === null) return
    let over = false
    const read = async () => {
      isReading.current = true
      try {
        const text = await readFileText(
          host,
          id,
          { file, seq, beforeChange },
          {
            isOver: () => over,
            onProgress: (done, of) => setProgress(of === 0 ? 0 : done / of)
          }
        )
        if (text !== null) setKnown({ key, file, text })
      } catch (error) {
        if (!over) setFailure({ key, message: messageOf(error) })
      }
      isReading.current = false
    }
    const timer = setTimeout(() => void read(), isReading.current ? dragPauseMs : 0)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [host, id, file, seq, beforeChange, key])
  const own = known?.file === file && seq !== null ? known : null
  const error = failure?.key === key ? failure.message : null
  return {
    text: own?.text ?? null,
    progress: seq === null || own?.key === key || error !== null ? null : progress,
    error,
    retry: () => setAttempt(attempt + 1)
  }
}
