import { dangerousArguments, hasOption, strayWords, type Widens } from './agent-options.ts'
import type { AgentProgram, ProgramMode, ProgramRequest } from './agent-program.ts'
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

/** What a person must agree to before this starts, in sentences; null: nothing. */
export function dangerText(asked: AskedRun): string | null {
  const { agent, mode, extraArguments, interactive, mayBecomeDangerous } = asked
  const { options, title } = agentPrograms[agent]
  const chosen = modesOf(asked).find(({ id }) => id === mode)
  const mayBecome = interactive === true && mayBecomeDangerous === true && chosen?.dangerous !== true
  const found = dangerousArguments(extraArguments, options)
  const named = (widens: Widens): string[] =>
    found.filter((one) => one.widens === widens).map(({ argument }) => `the argument ${argument}`)
  const all = [
    ...(chosen?.dangerous ? [`the mode ${chosen.id}`] : []),
    ...(mayBecome ? ['a mode that may be set later'] : []),
    ...named('all')
  ]
  const more = named('more')
  const sentences = [
    ...(all.length === 0 ? [] : [`${title} could do anything without asking, because of ${all.join(' and ')}.`]),
    ...(more.length === 0
      ? []
      : [`${title} could do more without asking than its mode says, because of ${more.join(' and ')}.`])
  ]
  return sentences.length === 0 ? null : sentences.join(' ')
}

/** The user's arguments that conflict with those of Playhead. */
export function reservedIn({ agent, extraArguments, interactive }: AskedRun): string[] {
  const { reserved, dialogue, options } = agentPrograms[agent]
  return [...reserved, ...(interactive === true ? dialogue.reserved : [])].filter(
    (name) => extraArguments.includes(name) || (name.startsWith('-') && hasOption(extraArguments, name, options))
  )
}

/** The user's words that are neither options nor values of options: the agent would take them for commands or for the prompt. */
export function strayIn({ agent, extraArguments }: AskedRun): string[] {
  return strayWords(extraArguments, agentPrograms[agent].options)
}

function modesOf({ agent, interactive }: AskedRun): readonly ProgramMode[] {
  const { dialogue, modes } = agentPrograms[agent]
  return interactive === true ? dialogue.modes : modes
}
