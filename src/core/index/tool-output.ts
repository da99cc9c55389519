import type { ToolOutput } from '../formats/agent.ts'
import { unwrapped } from '../formats/agents.ts'

/**
 * What a tool said. Agents wrap it: in an element, in JSON, between lines of their own. A row has room for what was said, and for how it
 * ended.
 */
export function toolOutput(text: string): ToolOutput {
  let output: ToolOutput = { body: text, exitCode: null, running: false }
  // Wrappers stand in wrappers, but not deeper than this.
  for (let depth = 0; depth < 4; depth++) {
    const inner = unwrapped(output.body)
    if (inner === null) break
    output = {
      body: inner.body,
      exitCode: inner.exitCode ?? output.exitCode,
      running: inner.running || output.running
    }
  }
  return output
}
