import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { expect } from 'vitest'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { createLibrary } from '#backend/library/library.ts'
import type { Environment } from '#cli/environment.ts'
import { run } from '#cli/run.ts'
import { folder } from './folder.ts'

export { folder }

/** The command line in this process, and small logs for it. */

export const repository = join(import.meta.dirname, '..')

export function sink(slow = false): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    // `slow`: takes less than it is given, so that nothing relies on a reader that is always ready.
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      if (slow) setImmediate(done)
      else done()
    }
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** `variables`: beside those that keep a test out of the folders of whoever runs it. */
export function environment({ variables, ...over }: Partial<Environment> = {}): Environment {
  return {
    stdin: Readable.from([]),
    stdout: sink().stream,
    stderr: sink().stream,
    variables: { PLAYHEAD_STATE_DIR: join(folder, 'state'), PLAYHEAD_CACHE_DIR: join(folder, 'cache'), ...variables },
    platform: 'linux',
    // Of nobody: what lies in the home of whoever runs the tests is not for them.
    home: join(folder, 'home'),
    isRoot: false,
    version: '1.2.3',
    root: repository,
    createWorker,
    createLibrary: async (options) => createLibrary(options),
    now: () => Date.UTC(2026, 0, 2),
    untilStopped: async () => {},
    ...over
  }
}

/** Runs a command line; `out` is what other programs would read. */
export async function playhead(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = sink(true)
  const err = sink()
  const code = await run(argv, environment({ stdout: out.stream, stderr: err.stream }))
  return { code, out: out.text(), err: err.text() }
}

export async function json(...argv: string[]): Promise<Record<string, unknown>> {
  const { out, err, code } = await playhead(...argv, '--json')
  expect([code, err, out.split('\n').length]).toEqual([expect.any(Number), expect.any(String), 2])
  return JSON.parse(out) as Record<string, unknown>
}

export function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

export const init = { type: 'system', subtype: 'init', session_id: 's1', cwd: '/w', tools: [], model: 'm-1' }
const message = (role: 'assistant' | 'user', content: object, parent: string | null = null) => ({
  type: role,
  message: { role, content: [content] },
  parent_tool_use_id: parent,
  timestamp: '2026-01-02T03:04:05.000Z',
  session_id: 's1'
})
export const say = (text: string) => message('assistant', { type: 'text', text })
export const todoWrite = (id: string, todos: [string, string][], parent: string | null = null) => {
  const items = todos.map(([content, status]) => ({ content, status, activeForm: content }))
  return message('assistant', { type: 'tool_use', id, name: 'TodoWrite', input: { todos: items } }, parent)
}
const bash = message('assistant', { type: 'tool_use', id: 'b1', name: 'Bash', input: { command: 'ls' } })
export const jsonl = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

export const good = jsonl(
  init,
  say('naïve ☕'),
  todoWrite('t1', [['Read', 'in_progress']]),
  todoWrite('t2', [['Look', 'pending']], 'sub'),
  bash,
  todoWrite('t3', [
    ['Read', 'completed'],
    ['Write', 'pending']
  ])
)
