import type { ToolCompleted } from '../events/agent-event.ts'
import { errorLine } from './error-line.ts'
import { oneLine } from './one-line.ts'
import { toolOutput } from './tool-output.ts'

/**
 * Whether a call failed: its result is an error, or states an exit code other than 0. Codex rollouts state it as
 * `Process exited with code 3`, read as an error. Gemini CLI reports a failed command as a success; its output states
 * the code:
 *
 *     <untrusted_context>
 *     Output: not ok 2
 *     Exit Code: 3
 *     </untrusted_context>
 *
 * The record is not checked: no real log states such a code only there.
 */
export function isFailedCall({ error, output }: Pick<ToolCompleted, 'error' | 'output'>): boolean {
  return error !== undefined || (toolOutput(output ?? '').exitCode ?? 0) !== 0
}

/** The reason of a failed call in one line: the first error line of its output, else the start. */
export function failureLine({ error, output }: Pick<ToolCompleted, 'error' | 'output'>): string {
  const whole = error ?? output ?? ''
  const { body } = toolOutput(whole)
  const text = body.trim() === '' ? whole : body
  const at = errorLine(text)?.at
  if (at === undefined) return oneLine(text)
  const end = text.indexOf('\n', at)
  return oneLine(text.slice(at, end < 0 ? text.length : end))
}
