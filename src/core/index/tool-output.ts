import { isFiniteNumber, isJsonObject, objectAt, stringAt } from '../json.ts'

/** What a tool said, apart from what the agent that ran it wrote around it. */
export interface ToolOutput {
  readonly body: string
  /** Of a command that ended. */
  readonly exitCode: number | null
  /** The command goes on; what is here is only what it said so far. */
  readonly running: boolean
}

/** A larger text is no wrapper that is worth unwrapping for one line. */
const maxWrapped = 4_000_000

/** A line that agents put before what a command said. */
const headLine =
  /(?:[Ee]xit code:? (-?\d{1,10})|Process exited with code (-?\d{1,10})|(Process running with session ID|Script running with cell ID) .{1,40}|Script (?:completed|failed)|Chunk ID: .{1,40}|Wall time:? .{1,40}|Original token count: \d{1,12}|Total output lines: \d{1,12}|(Output:))(?:\r?\n|$)/y

/** Lines that agents put after it. */
const tail =
  /(?:(?:^|\n)(?:Error: \(none\)|Exit Code: (?:-?\d{1,10}|\(none\))|(?:Signal|Background PIDs|Process Group PGID): .{0,60}))+\s*$/

/**
 * Agents wrap what a command said: in an element, in JSON (`{"output": …, "metadata": {"exit_code": 0}}`), between lines
 * of their own (`Exit code: 0`, `Wall time: …`). A row has room for what was said, and for how it ended.
 */
export function toolOutput(text: string): ToolOutput {
  let output: ToolOutput = { body: text, exitCode: null, running: false }
  // Wrappers stand in wrappers, but not deeper than this.
  for (let depth = 0; depth < 4; depth++) {
    const inner = fromElement(output.body) ?? fromHead(output.body) ?? fromJson(output.body) ?? fromTail(output.body)
    if (inner === null) break
    output = {
      body: inner.body,
      exitCode: inner.exitCode ?? output.exitCode,
      running: inner.running || output.running
    }
  }
  return output
}

function fromElement(text: string): ToolOutput | null {
  const tag = /^<([\w-]{1,40})>\n?/.exec(text)
  if (tag === null || !text.endsWith(`</${tag[1]}>`)) return null
  return { body: text.slice(tag[0].length, -`</${tag[1]}>`.length), exitCode: null, running: false }
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

function fromTail(text: string): ToolOutput | null {
  if (!text.startsWith('Output: ') && !text.startsWith('Command: ')) return null
  // The tail is short; the regex must not see a long text.
  const from = Math.max(0, text.length - 400)
  const end = tail.exec(text.slice(from))
  if (end === null) return null
  const start = text.startsWith('Output: ') ? 0 : text.indexOf('\nOutput: ') + 1
  const body = text.slice(start, from + end.index).replace(/^Output: /, '')
  const code = /^Exit Code: (-?\d+)$/m.exec(end[0])?.[1]
  return { body: body === '(empty)' ? '' : body, exitCode: code === undefined ? null : Number(code), running: false }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
