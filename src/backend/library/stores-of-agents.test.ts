import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { OpenLibrary } from '../../../test/open-library.ts'

const fixtures = join(import.meta.dirname, '../../../test/fixtures/formats')

/** By format: a fixture, and where its agent would keep it. */
const kept: Readonly<Record<string, readonly [fixture: string, path: string]>> = {
  'claude-transcript': ['todowrite-2.0.77', '.claude/projects/-work/c1.jsonl'],
  'copilot-cli': ['events-1.0.77', '.copilot/session-state/f9076a7c/events.jsonl'],
  pi: ['turns-v3', '.pi/agent/sessions/--work--/2026-08-04T06-19-38-381Z_p1.jsonl'],
  openclaw: ['turns-v3', '.openclaw/agents/main/sessions/o1.jsonl'],
  'qwen-code': ['turns-0.21', '.qwen/projects/-work/chats/q1.jsonl'],
  'factory-droid': ['session-0.81', '.factory/sessions/-work/d1.jsonl'],
  amp: ['thread', '.local/share/amp/threads/T-2775dc92-90ed-4f85-8b73-8f9766029e83.json'],
  iflow: ['turns', '.iflow/projects/-work/session-5de701fc-7454-4858-a249-95cac4fd3b51.jsonl'],
  trae: ['exec-command-0.105', '.trae/cli/sessions/2026/08/01/rollout-2026-08-01T18-07-04-t1.jsonl'],
  'kimi-cli': ['wire-1.1', '.kimi/sessions/5f0c/k1/wire.jsonl'],
  openhands: ['events-0.42', '.openhands/conversations/h1/events/0.json']
}

test('a home with stores of many agents: each session is listed once, under its agent', async () => {
  const home = mkdtempSync(join(tmpdir(), 'playhead-stores-'))
  try {
    for (const [format, [fixture, path]] of Object.entries(kept)) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      const input = path.endsWith('.json') && format !== 'openhands' ? 'input.json' : 'input.jsonl'
      cpSync(join(fixtures, format, fixture, input), join(home, path))
    }
    // Beside the wire, of the same session.
    cpSync(join(fixtures, 'kimi-cli/context/input.jsonl'), join(home, '.kimi/sessions/5f0c/k1/context.jsonl'))
    const opened = new OpenLibrary({ cache: join(home, 'cache'), home })
    await opened.idle()
    const cards = await opened.cards()
    expect(cards.map(({ format }) => format ?? '').toSorted()).toEqual(Object.keys(kept).toSorted())
    expect(opened.problems).toEqual([])
    await opened.library.close()
  } finally {
    rmSync(home, { recursive: true })
  }
})
