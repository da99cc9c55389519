import { readFileSync } from 'node:fs'
import { transformWithOxc } from 'vite'
import { sharedFolder } from '../shared-folder.ts'

const seeds = sharedFolder('seeds')

/** Whether the seeds are here. */
export const seedsAreHere = seeds !== null

/** The text of a seed. Throws where the seeds are absent. */
export function seedText(seed: string): string {
  if (seeds === null) throw new Error('the seeds are not here')
  return readFileSync(`${seeds}${seed}.md`, 'utf8')
}

/** What a seed's parser gives: any fields at all, as its code has them. */
export type SeedEvent = Readonly<Record<string, unknown>> & { readonly type: string }

/** A seed's parser. */
export interface SeedParser {
  parseChunk(chunk: Buffer): SeedEvent[]
  flush(): SeedEvent[]
  reset(): void
}

type SeedParserClass = new (agentId: string, teamContext: unknown) => SeedParser

/** The code of the seeds, as it stands in them. */
export interface SeedCode {
  readonly isValidTodoItem: (item: unknown) => boolean
  readonly ClaudeCodeParser: SeedParserClass
  readonly GeminiParser: SeedParserClass
}

/** Takes the complete files out of the seeds and runs them. */
export async function seedCode(): Promise<SeedCode> {
  const events = await moduleOf(blockOf('agent-event-todo-types', 'Complete File After Changes'))
  const claude = await moduleOf(blockOf('claude-parser-todowrite', 'Complete Updated File'), events)
  const gemini = await moduleOf(blockOf('gemini-parser-write-todos', 'Complete Updated File'), events)
  return { ...(await import(events)), ...(await import(claude)), ...(await import(gemini)) }
}

/** The TypeScript under a heading of a seed. */
function blockOf(seed: string, heading: string): string {
  const text = seedText(seed)
  const [, block] = /```typescript\n([\s\S]*?)```/.exec(text.slice(text.indexOf(`. ${heading}`))) ?? []
  if (block === undefined) throw new Error(`${seed}: no code under "${heading}"`)
  return block
}

/** The address of the code as a module. `events`: that of the seeds' `AgentEvent.js`. */
async function moduleOf(code: string, events = ''): Promise<string> {
  const { code: script } = await transformWithOxc(code, 'seed.ts')
  const whole = script.replace(/(['"])\.\.\/AgentEvent\.js\1/, () => JSON.stringify(events))
  return `data:text/javascript;base64,${Buffer.from(whole).toString('base64')}`
}
