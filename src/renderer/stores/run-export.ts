import type { Host, Params, Result } from '#contract/methods.ts'

export type ExportStep = Omit<Result<'export.next'>, 'bytes'>

/** An export that is done. */
export interface Exported {
  readonly name: string
  /** Where the host saved it; null: the page has the bytes. */
  readonly path: string | null
  readonly blob: Blob
  readonly step: ExportStep
}

/**
 * Has the host export a log, a piece after the other, so that nothing piles up; the browser keeps what is large on its disk. `onStep` is told
 * how far it is. Null: it was cancelled, by the person in a dialog of the host or by `signal`. Rejects with a `HostError`.
 */
export async function runExport(
  host: Host,
  params: Params<'export.start'>,
  signal: AbortSignal,
  onStep: (step: ExportStep) => void
): Promise<Exported | null> {
  const { export: id, name, path } = await host.call('export.start', params)
  if (id === null) return null
  const pieces: Blob[] = []
  for (;;) {
    if (signal.aborted) {
      // It may have ended meanwhile, and the host ends what nobody asks for.
      await host.call('export.end', { export: id }).catch(() => {})
      return null
    }
    const { bytes, ...step } = await host.call('export.next', { export: id })
    if (bytes.byteLength > 0) pieces.push(new Blob([bytes]))
    if (!signal.aborted) onStep(step)
    if (step.done) return signal.aborted ? null : { name, path, step, blob: new Blob(pieces) }
  }
}
