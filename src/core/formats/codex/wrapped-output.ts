import { isFiniteNumber, isJsonObject, objectAt, stringAt } from '../../json.ts'
import type { ToolOutput } from '../agent.ts'

/** A larger text is no wrapper that is worth unwrapping for one line. */
const maxWrapped = 4_000_000

/** A line before what a command said. Claude Code has the first of them, too. */
const headLine =
  /(?:[Ee]xit code:? (-?\d{1,10})|Process exited with code (-?\d{1,10})|(Process running with session ID|Script running with cell ID) .{1,40}|Script (?:completed|failed)|Chunk ID: .{1,40}|Wall time:? .{1,40}|Original token count: \d{1,12}|Total output lines: \d{1,12}|(Output:))(?:\r?\n|$)/y

/**
 * What a command said, without lines before it (`Exit code: 0`, `Wall time: …`), or out of JSON: `{"output": …, "metadata": {"exit_code": 0}}`.
 */
export function unwrapped(output: string): ToolOutput | null {
  return fromHead(output) ?? fromJson(output)
}

function fromHead(text: string): ToolOutput | null {
  let exitCode: number | null = null
  let running = false
  let at = 0
  for (;;) {
    headLine.lastIndex = at
    const line = headLine.exec(text)
    // A lone "Output:" begins what somebody wrote.
    if (line === null || (at === 0 && line[4] !== undefined)) break
    at = headLine.lastIndex
    const code = line[1] ?? line[2]
    if (code !== undefined) exitCode = Number(code)
    if (line[3] !== undefined) running = true
    if (line[4] !== undefined) break
  }
  return at === 0 ? null : { body: text.slice(at), exitCode, running }
}

function fromJson(text: string): ToolOutput | null {
  if (!text.startsWith('{') || text.length > maxWrapped || !text.includes('"output"')) return null
  const value = parsed(text)
  const body = isJsonObject(value) ? stringAt(value, 'output') : undefined
  if (!isJsonObject(value) || body === undefined) return null
  const code = value['exit_code'] ?? objectAt(value, 'metadata')?.['exit_code']
  return {
    body,
    exitCode: isFiniteNumber(code) ? code : null,
    running: value['session_id'] !== undefined && code === undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
