import type { RowKind } from '#core/index/row-kind.ts'

const kindLabels: Record<RowKind, string> = {
  record: 'Record',
  session: 'Session',
  prompt: 'Prompt',
  assistant: 'Assistant',
  reasoning: 'Thinking',
  status: 'Status',
  'result-text': 'Answer',
  tool: 'Tool',
  'tool-result': 'Result',
  'tool-error': 'Result',
  turn: 'Turn end',
  error: 'Error',
  todo: 'Todos',
  unparsed: 'Unparsed'
}

/**
 * The word a row begins with: its kind, or on a tool's call the tool. A tool of a server (`mcp__server__tool`, `server.tool`) is
 * called by its own name.
 */
export function rowLabel(kind: RowKind, tool: string | null): string {
  if (kind !== 'tool' || tool === null || tool === '') return kindLabels[kind]
  const own = tool.startsWith('mcp__') ? tool.slice(tool.lastIndexOf('__') + 2) : tool.slice(tool.lastIndexOf('.') + 1)
  return own === '' ? tool : own
}
