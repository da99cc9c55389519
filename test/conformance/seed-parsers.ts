import { existsSync, readFileSync } from 'node:fs'
import * as crypto from 'node:crypto'
import { compileFunction } from 'node:vm'
import ts from 'typescript'

/** The seeds, kept beside the repository: none of them is ours to publish. */
const seeds = new URL('../../../shared/seeds/', import.meta.url)

/** Whether the seeds are here. */
export const seedsAreHere = existsSync(seeds)

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
export function seedCode(): SeedCode {
  const events = run(blockOf('agent-event-todo-types', 'Complete File After Changes'), {})
  const modules = { crypto, '../AgentEvent.js': events }
  const claude = run(blockOf('claude-parser-todowrite', 'Complete Updated File'), modules)
  const gemini = run(blockOf('gemini-parser-write-todos', 'Complete Updated File'), modules)
  return { ...events, ...claude, ...gemini } as unknown as SeedCode
}

/** The TypeScript under a heading of a seed. */
function blockOf(seed: string, heading: string): string {
  const text = readFileSync(new URL(`${seed}.md`, seeds), 'utf8')
  const [, block] = /```typescript\n([\s\S]*?)```/.exec(text.slice(text.indexOf(`. ${heading}`))) ?? []
  if (block === undefined) throw new Error(`${seed}: no code under "${heading}"`)
  return block
}

function run(code: string, modules: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 }
  })
  const exports: Record<string, unknown> = {}
  const load = (name: string): unknown => {
    if (name in modules) return modules[name]
    throw new Error(`a seed imports ${name}`)
  }
  compileFunction(outputText, ['exports', 'require'])(exports, load)
  return exports
}
