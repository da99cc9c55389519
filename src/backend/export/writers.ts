import type { ExportForm } from '#contract/exports.ts'
import type { WriteExport } from './export-request.ts'

/** `content`: whether spans include what was said and done. */
type LoadWriter = (options?: { readonly content?: boolean | undefined }) => Promise<WriteExport>

/** The writer of each form, without the page, which needs its parts. Loaded on demand: an export needs the code of one form. */
export const writers: Readonly<Record<Exclude<ExportForm, 'html'>, LoadWriter>> = {
  jsonl: async () => (await import('./write-jsonl.ts')).writeJsonl,
  md: async () => (await import('./write-report.ts')).writeReport,
  atif: async () => (await import('./write-session.ts')).writeAtif,
  otlp: async ({ content = false } = {}) => (await import('./write-session.ts')).otlpWriter(content),
  trace: async () => (await import('./write-session.ts')).writeTrace,
  parquet: async () => (await import('./write-tables.ts')).writeTables,
  raw: async () => (await import('./write-raw.ts')).writeRaw
}
