import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './playhead-server.ts'

const fixtures = join(root, 'test/fixtures/formats')

/** A home folder with sessions where agents keep them. */
export class LibraryHome {
  readonly path: string

  constructor(path: string) {
    this.path = path
    mkdirSync(path, { recursive: true })
  }

  /** What tells a server to look here, and nowhere else. */
  get variables(): Readonly<Record<string, string>> {
    return { HOME: this.path, USERPROFILE: this.path }
  }

  /** Fixtures of each agent, at the places of real ones. */
  fill(): void {
    this.#copy(
      'claude-transcript/todowrite-2.0.77/input.jsonl',
      '.claude/projects/-home-ada-tide/20000000-aaaa-4bbb-8ccc-dddddddddddd.jsonl'
    )
    this.#copy(
      'claude-transcript/compacted-2.1.56/input.jsonl',
      '.claude/projects/-home-ada-compacted/20000000-aaaa-4bbb-8ccc-eeeeeeeeeeee.jsonl'
    )
    this.#copy(
      'codex-rollout/tools-and-records-0.146/input.jsonl',
      '.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-0199aaaa-0000-7000-8000-000000000001.jsonl'
    )
    this.#copy('gemini-chat/document-0.22/input.json', '.gemini/tmp/tide/chats/session-2026-01-02T03-04-aaaaaaaa.json')
  }

  #copy(from: string, to: string): void {
    const path = join(this.path, to)
    mkdirSync(dirname(path), { recursive: true })
    copyFileSync(join(fixtures, from), path)
  }

  /** A session of Claude Code in the folder of a project. */
  session(project: string, id: string): LibrarySession {
    const folder = join(this.path, '.claude/projects', project.replaceAll(/[^A-Za-z0-9]/g, '-'))
    mkdirSync(folder, { recursive: true })
    return new LibrarySession(join(folder, `${id}.jsonl`), project, id)
  }
}

/** A session whose log a test writes, record by record. */
export class LibrarySession {
  readonly path: string
  readonly #project: string
  readonly #id: string
  #records = 0

  constructor(path: string, project: string, id: string) {
    this.path = path
    this.#project = project
    this.#id = id
    writeFileSync(path, '')
  }

  prompt(text: string, at: number): this {
    return this.#write({ type: 'user', message: { role: 'user', content: text } }, at)
  }

  /** `isLast`: its turn ends with it. */
  answer(text: string, at: number, isLast = true): this {
    const content = [{ type: 'text', text }]
    const usage = { input_tokens: 1200, output_tokens: 40 }
    const message = {
      ...{ id: `msg_${this.#records}`, type: 'message', role: 'assistant', model: 'claude-opus-4-5', content },
      ...{ stop_reason: isLast ? 'end_turn' : null, stop_sequence: null, usage }
    }
    return this.#write({ type: 'assistant', message, requestId: `req_${this.#records}` }, at)
  }

  call(command: string, at: number): this {
    const id = `toolu_${this.#records}`
    const content = [{ type: 'tool_use', id, name: 'Bash', input: { command } }]
    const message = {
      ...{ id: `msg_${this.#records}`, type: 'message', role: 'assistant', model: 'claude-opus-4-5', content },
      ...{ stop_reason: 'tool_use', stop_sequence: null, usage: { input_tokens: 1200, output_tokens: 40 } }
    }
    this.#write({ type: 'assistant', message, requestId: `req_${this.#records}` }, at)
    const result = { type: 'tool_result', tool_use_id: id, content: 'ok' }
    return this.#write({ type: 'user', message: { role: 'user', content: [result] }, toolUseResult: {} }, at + 500)
  }

  #write(record: object, at: number): this {
    const uuid = `${String(++this.#records).padStart(8, '0')}-0000-4000-9000-${this.#id.slice(-12)}`
    const common = {
      ...{ parentUuid: null, isSidechain: false, userType: 'external', cwd: this.#project, sessionId: this.#id },
      ...{ version: '2.1.29', gitBranch: 'main', uuid, timestamp: new Date(at).toISOString() }
    }
    appendFileSync(this.path, `${JSON.stringify({ ...common, ...record })}\n`)
    return this
  }
}
