import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#contract/host-error.ts'
import type { Params } from '#contract/methods.ts'
import { useApp } from '../../stores/app-store.ts'
import { type Exported, runExport } from '../../stores/run-export.ts'
import { partRead } from './use-preview.ts'

export type ExportState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'going'; readonly part: number }
  | { readonly kind: 'done'; readonly where: string; readonly redacted: number; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string }

const idle: ExportState = { kind: 'idle' }

interface ExportJob {
  readonly state: ExportState
  start(params: Params<'export.start'>): Promise<void>
  cancel(): void
}

/** An export of the dialog, which is cancelled when the dialog closes. The result is shown until `asked` changes. */
export function useExport(asked: object): ExportJob {
  const host = useApp((app) => app.host)
  const [last, setLast] = useState<{ readonly asked: object; readonly state: ExportState }>({ asked, state: idle })
  const setState = (state: ExportState) => setLast({ asked, state })
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const state = last.state.kind === 'going' || last.asked === asked ? last.state : idle
  return {
    state,
    async start(params) {
      const own = new AbortController()
      abort.current = own
      setState({ kind: 'going', part: 0 })
      try {
        const exported = await runExport(host, params, own.signal, (step) =>
          setState({ kind: 'going', part: partRead(step) })
        )
        if (own.signal.aborted) return
        if (exported === null) setState(idle)
        else setState(savedState(exported, new Set(params.keep)))
      } catch (error) {
        if (!own.signal.aborted) setState({ kind: 'failed', message: messageOf(error) })
      }
    },
    cancel() {
      abort.current?.abort()
      setState({ kind: 'cancelled' })
    }
  }
}

/** Data that the page received becomes a browser download. */
function savedState({ name, path, blob, step }: Exported, kept: ReadonlySet<string>): ExportState {
  if (path === null) download(name, blob)
  const redacted = step.secrets.filter(({ id }) => !kept.has(id)).length + step.moreSecrets
  return { kind: 'done', where: path ?? name, redacted, notes: step.notes }
}

/** Time for the browser to start the download, in ms. */
const downloadStartMs = 60_000

function download(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), downloadStartMs)
}
