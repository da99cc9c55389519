import type { ExportForm } from '#contract/exports.ts'
import { formatPlural } from '../../ui/format.ts'
import type { IconName } from '../../ui/icons.tsx'

/** The export formats, in the order of the dialog. */
export const forms: readonly { readonly form: ExportForm; readonly name: string; readonly icon: IconName }[] = [
  { form: 'jsonl', name: 'JSONL events', icon: 'record' },
  { form: 'md', name: 'Report', icon: 'written' },
  { form: 'html', name: 'HTML page', icon: 'web' },
  { form: 'raw', name: 'Raw log', icon: 'file' }
]

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
    case 'raw': {
      if (isPart) return 'The lines of these events as the agent wrote them, in the order of the timeline.'
      if (files === 0) return 'The file as the agent wrote it.'
      return `A zip file: the file as the agent wrote it, and the ${formatPlural(files, 'file')} of its subagents.`
    }
  }
}
