import type { ProgramMode, ProgramModes } from './agent-program.ts'
import type { agentPrograms } from './agent-programs.ts'
import { claudeModes } from './claude/modes.ts'
import { codexModes } from './codex/modes.ts'
import { geminiModes } from './gemini/modes.ts'

/** By the names of `agentPrograms`, without what starts them: also for a page that has not asked for the agents. */
const agentModes: Readonly<Record<keyof typeof agentPrograms, ProgramModes>> = {
  claude: claudeModes,
  codex: codexModes,
  gemini: geminiModes
}

/** A mode of a run by its id; null: the default. Undefined: the agent has no such mode. */
export function runMode(
  agent: keyof typeof agentModes,
  id: string | null,
  interactive: boolean
): ProgramMode | undefined {
  const modes = agentModes[agent][interactive ? 'dialogue' : 'plain']
  return id === null ? modes[0] : modes.find((mode) => mode.id === id)
}
