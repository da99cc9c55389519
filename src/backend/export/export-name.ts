import type { ExportForm } from '#contract/exports.ts'

/** `files`: the number of files beside the main one. */
interface NamedExport {
  readonly form: ExportForm
  readonly isPart: boolean
  readonly files: number
}

/** A name for the file of an export: `run.events.jsonl`, `run.part.md`. Never that of the log. */
export function exportName(log: string, { form, isPart, files }: NamedExport): string {
  const base = log.replace(/\.(?:jsonl|ndjson|json|log|txt)(?:\.zst)?$/i, '').slice(0, 100) || 'session'
  const extension = /\.([a-z]+)(?:\.zst)?$/i.exec(log)?.[1] ?? 'jsonl'
  const raw = isPart ? 'copy.jsonl' : files > 0 ? 'zip' : `copy.${extension}`
  const ends: Readonly<Record<ExportForm, string>> = {
    jsonl: 'events.jsonl',
    md: 'md',
    html: 'html',
    atif: 'atif.json',
    otlp: 'otlp.jsonl',
    trace: 'trace.json',
    parquet: 'tables.zip',
    raw
  }
  return `${base}${isPart ? '.part' : ''}.${ends[form]}`
}
