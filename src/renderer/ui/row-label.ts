import type { RowSummary } from '#contract/methods.ts'
import type { RowKind } from '#core/index/row-kind.ts'
import type { SeverityName } from '../stores/log-columns.ts'

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

/** The label of a row: its kind, or its tool, without the server of `mcp__server__tool` and `server.tool`. */
export function rowLabel(kind: RowKind, tool: string | null): string {
  return kind !== 'tool' || tool === null || tool === '' ? kindLabels[kind] : ownName(tool)
}

/** The label of an error about a line that is not JSON or too long; null for other rows. `summary`: undefined if not loaded. */
export function damageLabel(kind: RowKind, severity: SeverityName, summary: RowSummary | undefined): string | null {
  const isDamage = summary?.badges.some(({ text }) => text === 'JSONL_PARSE_ERROR') ?? severity === 'malformed'
  if (kind !== 'error' || !isDamage) return null
  return summary?.issues[0]?.code === 'LineTooLong' ? 'Too long' : 'Not JSON'
}

/** The labels of a log's tools: the own name, or the whole one if several tools share it. */
export function toolLabels(tools: readonly string[]): readonly string[] {
  const times = new Map<string, number>()
  for (const tool of tools) times.set(ownName(tool), (times.get(ownName(tool)) ?? 0) + 1)
  return tools.map((tool) => (times.get(ownName(tool)) === 1 ? ownName(tool) : tool))
}

function ownName(tool: string): string {
  const own = tool.startsWith('mcp__') ? tool.slice(tool.lastIndexOf('__') + 2) : tool.slice(tool.lastIndexOf('.') + 1)
  return own === '' ? tool : own
}
