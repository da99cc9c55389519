import type { ToolOutput } from '../agent.ts'

/** Lines after what a command said. */
const tail =
  /(?:(?:^|\n)(?:Error: \(none\)|Exit Code: (?:-?\d{1,10}|\(none\))|(?:Signal|Background PIDs|Process Group PGID): .{0,60}))+\s*$/

/** What a command said, without the words before it and the lines after it. */
export function unwrapped(text: string): ToolOutput | null {
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
