import type { Host, Params, Result } from '#contract/methods.ts'

export type ExportStep = Omit<Result<'export.next'>, 'bytes'>

/** A finished export. */
export interface Exported {
  readonly name: string
  /** Where the host saved it; null: the page received the data. */
  readonly path: string | null
  readonly blob: Blob
  readonly step: ExportStep
}

/** Exports a log piece by piece, so that no data piles up. Null if `signal` or a dialog of the host cancelled it. */
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
      // The export may have ended; the host also ends it without further requests.
      await host.call('export.end', { export: id }).catch(() => {})
      return null
    }
    const { bytes, ...step } = await host.call('export.next', { export: id })
    if (bytes.byteLength > 0) pieces.push(new Blob([bytes]))
    if (!signal.aborted) onStep(step)
    if (step.done) return signal.aborted ? null : { name, path, step, blob: new Blob(pieces) }
  }
}
