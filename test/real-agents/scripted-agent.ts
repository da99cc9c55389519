import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentId } from '#contract/live-runs.ts'

/** What is used of ../shared/agent-recorder, which is JavaScript. */
interface Turn {
  delay?: number
}
interface Settings {
  readonly env?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
}
interface Scenario {
  readonly prompt: string
  readonly run: Settings
  script(): { readonly tracks: readonly { readonly turns: readonly Turn[] }[] }
}
interface RecorderAgent {
  env(home: string, url: string): Record<string, string>
  prepare?(run: object): void
}
interface Recorder {
  readonly AGENTS: Readonly<Record<string, RecorderAgent>>
  readonly SCENARIOS: Readonly<Record<string, Scenario>>
  startFakeServer(options: { script: object }): Promise<{ readonly url: string; close(): Promise<void> }>
}

const recorderFolder = new URL('../../../shared/agent-recorder/', import.meta.url)

async function loadRecorder(): Promise<Recorder> {
  const files = ['agents.mjs', 'scenarios.mjs', 'fake-model-server.mjs'].map(
    (file) => new URL(file, recorderFolder).href
  )
  const parts = await Promise.all(files.map(async (file) => (await import(file)) as object))
  return Object.assign({}, ...parts) as Recorder
}

/** Where the programs lie that people start: for Codex the script that starts it, for Claude Code what its install script would link. */
const programs: Readonly<Record<AgentId, readonly string[]>> = {
  claude: ['claude-new/node_modules/@anthropic-ai/claude-code-*/claude'],
  codex: ['codex/node_modules/.bin/codex'],
  gemini: ['gemini/node_modules/.bin/gemini']
}

/** The program of a real agent in `AGENTS_DIR`; null: it is not installed there. */
export function realProgram(agent: AgentId): string | null {
  const folder = process.env['AGENTS_DIR'] ?? ''
  const found = programs[agent].flatMap((pattern) => matching(folder, pattern.split('/')))
  return found[0] ?? null
}

function matching(folder: string, [part = '', ...rest]: readonly string[]): string[] {
  if (part === '') return existsSync(folder) ? [folder] : []
  if (!part.includes('*')) return matching(join(folder, part), rest)
  const start = part.slice(0, part.indexOf('*'))
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(start)) : []
  return names.flatMap((name) => matching(join(folder, name), rest))
}

/** A model that plays a story, and a home folder for the agent that asks it. Nothing of this person's settings and keys is used. */
export interface ScriptedAgent {
  readonly prompt: string
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>
  /** The folder it works in, empty. */
  readonly project: string
  /** Arguments that the story needs. */
  readonly args: readonly string[]
  close(): Promise<void>
}

/**
 * Makes ready for one run. `story`: a name of the recorder's scenarios. `delay`: how long the model thinks, in ms. `plain`: without the settings by
 * which the recorder turns todo tools on.
 */
export async function scriptedAgent(
  agent: AgentId,
  story: string,
  { delay = 100, plain = false }: { readonly delay?: number; readonly plain?: boolean } = {}
): Promise<ScriptedAgent> {
  const { AGENTS, SCENARIOS, startFakeServer } = await loadRecorder()
  const [scenario, recorded] = [SCENARIOS[`${agent}/${story}`], AGENTS[agent]]
  if (scenario === undefined || recorded === undefined)
    throw new Error(`${agent}/${story} is no scenario of the recorder`)
  const script = scenario.script()
  for (const { turns } of script.tracks) for (const turn of turns) turn.delay ??= delay
  const server = await startFakeServer({ script })
  const home = mkdtempSync(join(tmpdir(), 'playhead-home-'))
  // The stories name it.
  const project = '/tmp/demo-project'
  rmSync(project, { recursive: true, force: true })
  mkdirSync(project)
  const settings: Settings = plain ? {} : scenario.run
  recorded.prepare?.({ home, url: server.url, prompt: scenario.prompt, ...settings })
  const env = { ...recorded.env(home, server.url), ...settings.env }
  return {
    prompt: scenario.prompt,
    env,
    project,
    args: scenario.run.args ?? [],
    async close() {
      await server.close()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
