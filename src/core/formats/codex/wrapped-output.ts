import { isFiniteNumber, isJsonObject, objectAt, stringAt } from '../../json.ts'
import type { ToolOutput } from '../agent.ts'
import { parseJson } from '../json-text.ts'

/** Longer texts are not unwrapped. */
const maxWrapped = 4_000_000

/** A line before a command's output. Claude Code has the first, too. */
const headLine =
  /(?:[Ee]xit code:? (-?\d{1,10})|Process exited with code (-?\d{1,10})|(Process running with session ID|Script running with cell ID) .{1,40}|Script (?:completed|failed)|Chunk ID: .{1,40}|Wall time:? .{1,40}|Original token count: \d{1,12}|Total output lines: \d{1,12}|(Output:))(?:\r?\n|$)/y

/** A command's output without lines before it, or from `{"output": …, "metadata": {"exit_code": 0}}`. */
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
    // A text may start with "Output:".
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
  const parsed = parseJson(text)
  const value = parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
  const body = stringAt(value, 'output')
  if (body === undefined) return null
  const code = value['exit_code'] ?? objectAt(value, 'metadata')?.['exit_code']
  return {
    body,
    exitCode: isFiniteNumber(code) ? code : null,
    running: value['session_id'] !== undefined && code === undefined
  }
}
