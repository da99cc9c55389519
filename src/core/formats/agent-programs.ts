import { optionValues } from './agent-options.ts'
import type { AgentProgram, ProgramRequest } from './agent-program.ts'
import { claudeProgram } from './claude/program.ts'
import { codexProgram } from './codex/program.ts'
import { geminiProgram } from './gemini/program.ts'

/** The agents that can be started, by the first word for each. A new one is a line here, and one in `contract/live-runs.ts`. */
export const agentPrograms = {
  claude: claudeProgram,
  codex: codexProgram,
  gemini: geminiProgram
} satisfies Readonly<Record<string, AgentProgram>>

interface AskedRun extends ProgramRequest {
  readonly agent: keyof typeof agentPrograms
}

/** The dangers of a request, in words for the user; empty: none. */
export function dangersOf({ agent, mode, extraArguments }: AskedRun): string[] {
  const program = agentPrograms[agent]
  const chosen = program.modes.find(({ id }) => id === mode)
  return [
    ...(chosen?.dangerous ? [`the mode ${chosen.id}`] : []),
    ...program.dangers(extraArguments).map((argument) => `the argument ${argument}`)
  ]
}

/** The user's arguments that conflict with those of Playhead. */
export function reservedIn({ agent, extraArguments }: AskedRun): string[] {
  return agentPrograms[agent].reserved.filter(
    (name) => extraArguments.includes(name) || (name !== '-' && optionValues(extraArguments, name).length > 0)
  )
}
