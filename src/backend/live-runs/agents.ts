import { basename, dirname, extname, join } from 'node:path'
import * as z from 'zod'
import { type Agent, AgentId, agentIds } from '#contract/live-runs.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import { StateFile, tableOf } from '../state-file.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { findProgram, isPath, pathOf, problemOf, programPlaces, relativeFolders } from './find-program.ts'
import { ProgramVersions } from './program-version.ts'
import { tooOldProblem } from './too-old.ts'

type Commands = Readonly<Partial<Record<AgentId, string>>>

export interface AgentsOptions {
  /** The state folder, for `agents.json`. */
  readonly state: string
  readonly variables: NodeJS.ProcessEnv
  readonly platform?: NodeJS.Platform
  readonly versions?: ProgramVersions
  readonly problem?: ((message: string) => void) | undefined
}

/** A list is answered without versions after this; the next one has them. */
const versionWaitMs = 3000

/** The agents and their programs on this machine, searched on each call, as users install missing ones. */
export class Agents {
  readonly #options: AgentsOptions
  readonly #file: StateFile<{ commands: Commands }>
  readonly #versions: ProgramVersions

  constructor(options: AgentsOptions) {
    this.#options = options
    this.#file = new StateFile(join(options.state, 'agents.json'), {
      members: { commands: tableOf(AgentId, z.string().min(1).max(4096)) },
      instead: 'agents are found by their names',
      problem: options.problem
    })
    this.#versions = options.versions ?? new ProgramVersions()
  }

  /** All agents, with versions that are known in time. */
  async list(): Promise<Agent[]> {
    const chosen = await this.#chosen()
    return await Promise.all(agentIds.map((agent) => this.#withVersion(this.#agent(agent, chosen[agent] ?? null))))
  }

  /** One agent, without its version. */
  async find(agent: AgentId): Promise<Agent> {
    return this.#agent(agent, (await this.#chosen())[agent] ?? null)
  }

  /** The version of a program that `find` returned; null: unknown. */
  async version({ agent, command }: Agent): Promise<string | null> {
    if (command === null) return null
    return await this.#versions.of(command, agentPrograms[agent].versionArguments, this.environment(command))
  }

  /** Sets the program of an agent; it may not exist yet. Null: search by name. Throws `unavailable`. */
  async setCommand(agent: AgentId, command: string | null): Promise<Agent> {
    const kept = command !== null && isPath(command) ? pathOf(command.trim()) : command?.trim() || null
    try {
      await this.#file.change(({ commands: { [agent]: _before, ...others } }) => {
        return { commands: kept === null ? others : { ...others, [agent]: kept } }
      })
    } catch (error) {
      throw new HostError('unavailable', `The setting could not be saved: ${messageOf(error)}`)
    }
    return await this.#withVersion(this.#agent(agent, kept))
  }

  /** Playhead's environment with the program's folder on PATH: a script's interpreter is often there. */
  environment(command: string): NodeJS.ProcessEnv {
    const { variables } = this.#options
    const name = variables['PATH'] === undefined && variables['Path'] !== undefined ? 'Path' : 'PATH'
    const separator = this.#platform === 'win32' ? ';' : ':'
    return {
      ...variables,
      [name]: [variables[name] ?? '', dirname(command)].filter((part) => part !== '').join(separator)
    }
  }

  /** Stops running version queries. */
  close(): void {
    this.#versions.close()
  }

  get #platform(): NodeJS.Platform {
    return this.#options.platform ?? process.platform
  }

  #agent(agent: AgentId, chosen: string | null): Agent {
    const { title, program, install, modes } = agentPrograms[agent]
    const { command, problem } = this.#lookUp(agent, chosen)
    const dialogue = offeredDialogue(agent)
    return { agent, title, program, chosen, command, version: null, problem, install, modes: [...modes], dialogue }
  }

  async #withVersion(agent: Agent): Promise<Agent> {
    let late: NodeJS.Timeout | undefined
    const timeout = new Promise<null>((resolve) => (late = setTimeout(() => resolve(null), versionWaitMs)))
    const version = await Promise.race([this.version(agent), timeout])
    clearTimeout(late)
    const problem = tooOldProblem(agentPrograms[agent.agent], version)
    return { ...agent, version, dialogue: agent.dialogue && { ...agent.dialogue, problem } }
  }

  #lookUp(agent: AgentId, chosen: string | null): Pick<Agent, 'command' | 'problem'> {
    const { title, program, install } = agentPrograms[agent]
    const missing = (problem: string): Pick<Agent, 'command' | 'problem'> => ({ command: null, problem })
    if (chosen !== null && isPath(chosen)) {
      const problem = problemOf(chosen)
      if (problem !== null)
        return missing(`The command for ${title}, ${chosen}, ${problem}. Set another command, or clear it.`)
      return this.#startable(chosen)
    }
    const name = chosen ?? program
    const found = findProgram(name, programPlaces(this.#options.variables, this.#platform))
    if (found !== null) return this.#startable(found)
    const skipped = skippedFolders(this.#options.variables)
    if (chosen !== null)
      return missing(`The command for ${title}, ${chosen}, was not found on PATH. Set its path, or clear it.${skipped}`)
    return missing(
      `${title} is not installed: ${program} was not found on PATH. Install it with "${install}", or set its path.${skipped}`
    )
  }

  /** Windows runs batch files only in a shell, which would parse the arguments again. */
  #startable(command: string): Pick<Agent, 'command' | 'problem'> {
    if (this.#platform !== 'win32' || !/^\.(?:bat|cmd)$/i.test(extname(command))) return { command, problem: null }
    const problem = `${basename(command)} is a batch file, which Playhead cannot start. Set the path of the program it runs.`
    return { command: null, problem }
  }

  /** An unreadable or invalid file counts as empty. */
  async #chosen(): Promise<Commands> {
    return (await this.#file.read().catch((): { commands: Commands } => ({ commands: {} }))).commands
  }
}

function offeredDialogue(agent: AgentId): Agent['dialogue'] {
  const { modes, lacks, promptsDuringTurn, refusal, dangerIsDecidedAtStart, states } = agentPrograms[agent].dialogue
  return { modes: [...modes], lacks, promptsDuringTurn, refusal, dangerIsDecidedAtStart, states }
}

/** A sentence about ignored folders of PATH; empty: none. */
function skippedFolders(variables: NodeJS.ProcessEnv): string {
  const [folder, ...more] = relativeFolders(variables)
  if (folder === undefined) return ''
  const which =
    more.length === 0 ? `the relative folder ${folder}` : `relative folders (${[folder, ...more].join(', ')})`
  return ` Playhead ignores ${which} on PATH. Write paths in full.`
}
