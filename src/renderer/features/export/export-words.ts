import type { ExportForm } from '#contract/exports.ts'
import { formatPlural } from '../../ui/format.ts'
import type { IconName } from '../../ui/icons.tsx'

/** The export formats, in the order of the dialog. */
export const forms: readonly { readonly form: ExportForm; readonly name: string; readonly icon: IconName }[] = [
  { form: 'jsonl', name: 'JSONL events', icon: 'record' },
  { form: 'md', name: 'Report', icon: 'written' },
  { form: 'html', name: 'HTML page', icon: 'web' },
  { form: 'raw', name: 'Raw log', icon: 'file' },
  { form: 'atif', name: 'ATIF', icon: 'session' },
  { form: 'otlp', name: 'OpenTelemetry', icon: 'live' },
  { form: 'trace', name: 'Trace', icon: 'gap' },
  { form: 'parquet', name: 'Parquet', icon: 'views' }
]

/** Whether bookmarks and notes can be exported with it. */
export function hasBookmarks(form: ExportForm): boolean {
  return form === 'jsonl' || form === 'md' || form === 'html'
}

/** Whether it is written of any file, also of one that is no known log. */
export function isOfAnyFile(form: ExportForm): boolean {
  return form === 'html' || form === 'raw'
}

/** What the export contains. `files`: the number of files of subagents. */
export function formNote(form: ExportForm, { isPart, files }: { isPart: boolean; files: number }): string {
  switch (form) {
    case 'jsonl':
      return 'Normalized events, one per line. For scripts and other tools. Playhead opens it too.'
    case 'md':
      return 'A report in Markdown: prompts, answers, calls, failures and todos. Long texts are shortened.'
    case 'html':
      return isPart
        ? 'One page that opens in any browser, offline. It holds these events, without their original lines.'
        : 'One page that opens in any browser, offline. It shows the session as Playhead does.'
    case 'atif':
      return 'A trajectory in the Agent Trajectory Interchange Format 1.7. Harbor, Phoenix and others read it; Playhead opens it too.'
    case 'otlp':
      return 'Spans of the run, its requests and calls, for Jaeger, Tempo, Langfuse and others: OTLP in JSON. Without inputs and results of calls.'
    case 'trace':
      return 'A trace of turns, calls and subagents on lanes, for Perfetto, Firefox Profiler and speedscope.'
    case 'parquet':
      return 'Tables of the session, its events, requests and todo changes, for DuckDB, ClickHouse, Spark and others: a zip of Parquet files.'
    case 'raw': {
      if (isPart) return 'The lines of these events as the agent wrote them, in the order of the timeline.'
      if (files === 0) return 'The file as the agent wrote it.'
      return `A zip file: the file as the agent wrote it, and the ${formatPlural(files, 'file')} of its subagents.`
    }
  }
}
