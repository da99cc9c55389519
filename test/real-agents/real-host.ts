import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, vi } from 'vitest'
import { type AgentId, agentIds } from '#contract/live-runs.ts'
import { RunHost } from '../run-host.ts'
import { realProgram, type ScriptedAgent, scriptedAgent, type StoryTurn } from './scripted-agent.ts'

const report: string[] = []
/** Says what was seen, when all checks of this file are over. */
export function note(agent: AgentId, text: string): void {
  report.push(`${agent.padEnd(8)}${text}`)
}
afterAll(() => console.log(`\n${report.join('\n')}\n`))

export const installed = agentIds.filter((agent) => realProgram(agent) !== null)
for (const agent of agentIds) if (!installed.includes(agent)) note(agent, 'is not installed in AGENTS_DIR')

export function programOf(agent: AgentId): string {
  const command = realProgram(agent)
  if (command === null) throw new Error(`${agent} is not installed in AGENTS_DIR`)
  return command
}

/** A host that starts real agents. */
export class RealHost extends RunHost {
  #scripted: ScriptedAgent | null = null

  /** Makes the model and the environment of a story. */
  async play(
    agent: AgentId,
    story: string | readonly StoryTurn[],
    options: { delay?: number; plain?: boolean } = {}
  ): Promise<ScriptedAgent> {
    this.#scripted = await scriptedAgent(agent, story, options)
    for (const name of ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'])
      vi.stubEnv(name, undefined)
    for (const [name, value] of Object.entries(this.#scripted.env)) vi.stubEnv(name, value)
    return this.#scripted
  }

  override async close(): Promise<void> {
    await super.close()
    await this.#scripted?.close()
    vi.unstubAllEnvs()
  }
}

/** The command lines of what runs with the mark of a run in its environment. */
export function commandsOf(run: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`PLAYHEAD_RUN=${run}`)) return []
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()].filter((line) => line !== '')
      } catch {
        return []
      }
    })
}

export async function untilRuns(run: string, command: string): Promise<void> {
  await vi.waitUntil(() => commandsOf(run).some((line) => line.startsWith(command)), { timeout: 60_000, interval: 50 })
}
