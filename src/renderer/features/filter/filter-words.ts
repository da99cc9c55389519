import type { LogStatus } from '#contract/methods.ts'
import type { IssueSeverity } from '#core/formats/issue.ts'
import type { RowKind } from '#core/index/row-kind.ts'

/** Kinds of rows in groups: texts by role, actions, and session events. */
export const kindGroups: readonly { readonly title: string; readonly kinds: readonly RowKind[] }[] = [
  { title: 'Text', kinds: ['prompt', 'assistant', 'reasoning', 'result-text', 'status'] },
  { title: 'Tools', kinds: ['tool', 'tool-result', 'tool-error', 'todo'] },
  { title: 'Session', kinds: ['session', 'turn', 'error'] },
  { title: 'Other lines', kinds: ['record', 'unparsed'] }
]

export const kindNames: Record<RowKind, string> = {
  record: 'Record without event',
  session: 'Session start',
  prompt: 'Prompt',
  assistant: 'Assistant',
  reasoning: 'Thinking',
  status: 'Status',
  'result-text': 'Answer',
  tool: 'Call',
  'tool-result': 'Result',
  'tool-error': 'Failed result',
  turn: 'Turn end',
  error: 'Error',
  todo: 'Todo list',
  unparsed: 'Unparsed text'
}

export const severityWords: Record<IssueSeverity, string> = {
  malformed: 'Malformed',
  violation: 'Violation',
  notice: 'Notice'
}

/** The name of a track in the filter. */
export function trackName({ trackId, label }: LogStatus['tracks'][number]): string {
  return label || (trackId ?? 'main')
}
