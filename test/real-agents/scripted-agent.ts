import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentId } from '#contract/live-runs.ts'

/** What is used of ../shared/agent-recorder, which is JavaScript. */
interface Turn {
  delay?: number
}
/** A turn of the model before it is one of a certain agent's tools. */
export interface StoryTurn {
  readonly text?: string
  /** Operations that each agent has a tool for. */
  readonly ops?: readonly object[]
  /** Calls of tools by their names. */
  readonly calls?: readonly { readonly name: string; readonly input: object }[]
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
  play(tools: string, story: readonly StoryTurn[]): Turn[]
  readonly AGENTS: Readonly<Record<string, RecorderAgent>>
  readonly SCENARIOS: Readonly<Record<string, Scenario>>
  startFakeServer(options: {
    script: object
    onRequest(request: { readonly body: unknown }): void
  }): Promise<{ readonly url: string; close(): Promise<void> }>
}

const recorderFolder = new URL('../../../shared/agent-recorder/', import.meta.url)

async function loadRecorder(): Promise<Recorder> {
  const files = ['agents.mjs', 'scenarios.mjs', 'toolbox.mjs', 'fake-model-server.mjs'].map(
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
  /** What the agent has sent to the model. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

/** The scenario whose settings turn the todo tools on, and the recorder's name for the tools of that scenario. */
export const usual: Readonly<Record<AgentId, { readonly story: string; readonly tools: string }>> = {
  claude: { story: 'todowrite', tools: 'claude-todowrite' },
  codex: { story: 'plan', tools: 'codex' },
  gemini: { story: 'write-todos', tools: 'gemini' }
}

/**
 * Makes ready for one run. `story`: a name of the recorder's scenarios, or what the model does with the settings of the usual one. `delay`: how long
 * the model thinks, in ms. `plain`: without the settings by which the recorder turns todo tools on.
 */
export async function scriptedAgent(
  agent: AgentId,
  story: string | readonly StoryTurn[],
  { delay = 100, plain = false }: { readonly delay?: number; readonly plain?: boolean } = {}
): Promise<ScriptedAgent> {
  const { AGENTS, SCENARIOS, play, startFakeServer } = await loadRecorder()
  const name = `${agent}/${typeof story === 'string' ? story : usual[agent].story}`
  const [scenario, recorded] = [SCENARIOS[name], AGENTS[agent]]
  if (scenario === undefined || recorded === undefined) throw new Error(`${name} is no scenario of the recorder`)
  const script =
    typeof story === 'string' ? scenario.script() : { tracks: [{ turns: play(usual[agent].tools, story) }] }
  for (const { turns } of script.tracks) for (const turn of turns) turn.delay ??= delay
  const requests: string[] = []
  const server = await startFakeServer({ script, onRequest: ({ body }) => requests.push(JSON.stringify(body)) })
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
    requests,
    async close() {
      await server.close()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
