import type { ExportForm } from '#contract/exports.ts'

/** What an export holds of its log. `files`: how many beside the main one. */
interface Exported {
  readonly form: ExportForm
  readonly isPart: boolean
  readonly files: number
}

/** A name for the file of an export: `run.events.jsonl`, `run.part.md`. Never that of the log. */
export function exportName(log: string, { form, isPart, files }: Exported): string {
  const base = log.replace(/\.(?:jsonl|ndjson|json|log|txt)(?:\.zst)?$/i, '').slice(0, 100) || 'session'
  const extension = /\.([a-z]+)(?:\.zst)?$/i.exec(log)?.[1] ?? 'jsonl'
  const raw = isPart ? 'copy.jsonl' : files > 0 ? 'zip' : `copy.${extension}`
  const ends = { jsonl: 'events.jsonl', md: 'md', html: 'html', raw }
  return `${base}${isPart ? '.part' : ''}.${ends[form]}`
}
