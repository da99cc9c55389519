import type { AgentProgram } from '#core/formats/agent-program.ts'
import { isOlder } from './program-version.ts'

/** What to do about a program that cannot be talked to as it is too old, two sentences. `version` null: unknown. */
export function tooOldText({ title, install, dialogue }: AgentProgram, version: string | null): string {
  const named = version === null ? title : `${title} ${version}`
  return `${named} is too old for a conversation, which needs ${dialogue.since} or newer. Update it with "${install}".`
}

/** Null: it is not too old, as far as is known. */
export function tooOldProblem(program: AgentProgram, version: string | null): string | null {
  return version !== null && isOlder(version, program.dialogue.since) ? tooOldText(program, version) : null
}
