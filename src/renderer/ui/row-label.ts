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
  return kind !== 'tool' || tool === null || tool === '' ? kindLabels[kind] : ownName(tool)
}

/** How each of a log's tools is called in a list: by its own name, or by the whole one where others have the same. */
export function toolLabels(tools: readonly string[]): readonly string[] {
  const times = new Map<string, number>()
  for (const tool of tools) times.set(ownName(tool), (times.get(ownName(tool)) ?? 0) + 1)
  return tools.map((tool) => (times.get(ownName(tool)) === 1 ? ownName(tool) : tool))
}

function ownName(tool: string): string {
  const own = tool.startsWith('mcp__') ? tool.slice(tool.lastIndexOf('__') + 2) : tool.slice(tool.lastIndexOf('.') + 1)
  return own === '' ? tool : own
}
