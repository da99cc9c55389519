import type { ToolCompleted } from '../events/agent-event.ts'
import { errorLine } from './error-line.ts'
import { oneLine } from './one-line.ts'
import { toolOutput } from './tool-output.ts'

/**
 * Whether a call failed: its result is an error, or states an exit code that is not 0. Codex rollouts state it as `Process exited with code 3`,
 * which is read as an error. Gemini CLI calls a command that failed a success, and its output says how it ended:
 *
 *     <untrusted_context>
 *     Output: not ok 2
 *     Exit Code: 3
 *     </untrusted_context>
 *
 * The record is not asked: in no real log does it alone state such a code.
 */
export function isFailedCall({ error, output }: Pick<ToolCompleted, 'error' | 'output'>): boolean {
  return error !== undefined || (toolOutput(output ?? '').exitCode ?? 0) !== 0
}

/** What a failed call says of why, in one line: the first line that tells of an error, else its text from the begin. Without what the agent wrote around it. */
export function failureLine({ error, output }: Pick<ToolCompleted, 'error' | 'output'>): string {
  const said = error ?? output ?? ''
  const { body } = toolOutput(said)
  const text = body.trim() === '' ? said : body
  const at = errorLine(text)?.at
  if (at === undefined) return oneLine(text)
  const end = text.indexOf('\n', at)
  return oneLine(text.slice(at, end < 0 ? text.length : end))
}
