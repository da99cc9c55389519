import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import { type FileText, type FileVersion, readFileText } from '../../stores/file-text.ts'
import { useLogParts } from '../../stores/log-store.ts'

/** A drag over many versions reads the last of them. */
const dragPauseMs = 60

export interface ReadFile {
  /** Null: not read yet. While another version of the file is read, the former one stays. */
  readonly text: FileText | null
  /** The version that `text` is. */
  readonly version: FileVersion | null
  /** Share that is read, 0 to 1; null: nothing is being read. */
  readonly progress: number | null
  readonly error: string | null
  readonly retry: () => void
}

interface Known {
  readonly key: string
  readonly version: FileVersion
  readonly text: FileText
}

/** The content of a version of a file. `key`: changes with the content; null: nothing is read. */
export function useFileText(version: FileVersion | null, key: string | null): ReadFile {
  const { host, id } = useLogParts()
  const [known, setKnown] = useState<Known | null>(null)
  const [progress, setProgress] = useState(0)
  const [failure, setFailure] = useState<{ readonly key: string; readonly message: string } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const asked = useRef(version)
  asked.current = version
  const isReading = useRef(false)
  useEffect(() => {
    const wanted = asked.current
    if (key === null || wanted === null) return
    let over = false
    const read = async () => {
      isReading.current = true
      try {
        const text = await readFileText(host, id, wanted, {
          isOver: () => over,
          onProgress: (done, of) => setProgress(of === 0 ? 0 : done / of)
        })
        if (text !== null) setKnown({ key, version: wanted, text })
      } catch (error) {
        if (!over) setFailure({ key, message: messageOf(error) })
      }
      isReading.current = false
    }
    setFailure(null)
    const timer = setTimeout(() => void read(), isReading.current ? dragPauseMs : 0)
    return () => {
      over = true
      clearTimeout(timer)
    }
  }, [host, id, key, attempt])
  const own = known !== null && known.version.file === version?.file ? known : null
  const error = failure?.key === key ? (failure?.message ?? null) : null
  return {
    text: own?.text ?? null,
    version: own?.version ?? null,
    progress: key === null || own?.key === key || error !== null ? null : progress,
    error,
    retry: () => setAttempt(attempt + 1)
  }
}
