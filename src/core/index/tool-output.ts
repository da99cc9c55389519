import type { ToolOutput } from '../formats/agent.ts'
import { unwrapped } from '../formats/agents.ts'

/** A tool's output without the agents' wrappers (an element, JSON, extra lines), and its exit code. */
export function toolOutput(text: string): ToolOutput {
  let output: ToolOutput = { body: text, exitCode: null, running: false }
  // Wrappers can be nested, but not deeper.
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
