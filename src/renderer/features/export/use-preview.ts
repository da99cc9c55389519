import { useEffect, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { ListedSecret } from '#contract/exports.ts'
import type { Params } from '#contract/methods.ts'
import { useApp } from '../../stores/app-store.ts'
import { type ExportStep, runExport } from '../../stores/run-export.ts'

/** What an export would redact, as far as known. */
export interface Preview {
  readonly secrets: readonly ListedSecret[]
  /** Number of secrets that are not listed. */
  readonly more: number
  /** Share of the log that was searched, 0 to 1. */
  readonly part: number
  readonly isDone: boolean
  readonly error: string | null
}

const nothing: Preview = { secrets: [], more: 0, part: 0, isDone: false, error: null }
const unasked = { asked: null, preview: nothing }

/** Searches the secrets of an export. Null: no search; earlier results stay. */
export function usePreview(asked: Omit<Params<'export.start'>, 'keep' | 'preview'> | null): Preview {
  const host = useApp((app) => app.host)
  const [looked, setLooked] = useState<{ readonly asked: object | null; readonly preview: Preview }>(unasked)
  useEffect(() => {
    if (asked === null) return
    const abort = new AbortController()
    const show = (step: ExportStep) => setLooked({ asked, preview: { ...foundIn(step), error: null } })
    const params = { ...asked, keep: [], preview: true }
    runExport(host, params, abort.signal, show).catch((error: unknown) => {
      if (abort.signal.aborted) return
      const message = messageOf(error)
      setLooked((before) => ({
        asked,
        preview: { ...(before.asked === asked ? before.preview : nothing), error: message }
      }))
    })
    return () => abort.abort()
  }, [host, asked])
  return asked === null || looked.asked === asked ? looked.preview : nothing
}

function foundIn({ secrets, moreSecrets: more, done, ...step }: ExportStep): Omit<Preview, 'error'> {
  return { secrets, more, part: partRead(step), isDone: done }
}

/** Share of the log that is read, 0 to 1. */
export function partRead({ read, all }: Pick<ExportStep, 'read' | 'all'>): number {
  return all === 0 ? 0 : Math.min(1, read / all)
}
