import { optionValues } from './agent-options.ts'
import type { AgentProgram, ProgramRequest } from './agent-program.ts'
import { claudeProgram } from './claude/program.ts'
import { codexProgram } from './codex/program.ts'
import { geminiProgram } from './gemini/program.ts'

/** The agents that can be started, by the first word for each. A new one is a line here, in `agent-modes.ts`, and in `contract/live-runs.ts`. */
export const agentPrograms = {
  claude: claudeProgram,
  codex: codexProgram,
  gemini: geminiProgram
} satisfies Readonly<Record<string, AgentProgram>>

interface AskedRun extends ProgramRequest {
  readonly agent: keyof typeof agentPrograms
  /** A person is asked. */
  readonly interactive?: boolean | undefined
  readonly mayBecomeDangerous?: boolean | undefined
}

/** The dangers of a request, in words for the user; empty: none. */
export function dangersOf({ agent, mode, extraArguments, interactive, mayBecomeDangerous }: AskedRun): string[] {
  const program = agentPrograms[agent]
  const modes = interactive === true ? program.dialogue.modes : program.modes
  const chosen = modes.find(({ id }) => id === mode)
  const mayBecome = interactive === true && mayBecomeDangerous === true && chosen?.dangerous !== true
  return [
    ...(chosen?.dangerous ? [`the mode ${chosen.id}`] : []),
    ...(mayBecome ? ['a mode that may be set later'] : []),
    ...program.dangers(extraArguments).map((argument) => `the argument ${argument}`)
  ]
}

/** The user's arguments that conflict with those of Playhead. */
export function reservedIn({ agent, extraArguments, interactive }: AskedRun): string[] {
  const { reserved, dialogue } = agentPrograms[agent]
  return [...reserved, ...(interactive === true ? dialogue.reserved : [])].filter(
    (name) => extraArguments.includes(name) || (name !== '-' && optionValues(extraArguments, name).length > 0)
  )
}
