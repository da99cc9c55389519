import type { ExportForm } from '#contract/exports.ts'

/** A name for the file of an export: `run.events.jsonl`, `run.part.md`. Never that of the log. */
export function exportName(log: string, form: ExportForm, isPart: boolean): string {
  const base = log.replace(/\.(?:jsonl|ndjson|json|log|txt)(?:\.zst)?$/i, '').slice(0, 100) || 'session'
  const extension = /\.([a-z]+)(?:\.zst)?$/i.exec(log)?.[1] ?? 'jsonl'
  const ends = { jsonl: 'events.jsonl', md: 'md', html: 'html', raw: `copy.${isPart ? 'jsonl' : extension}` }
  return `${base}${isPart ? '.part' : ''}.${ends[form]}`
}
