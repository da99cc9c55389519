import type { ToolCompleted } from '../events/agent-event.ts'
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
