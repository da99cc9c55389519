import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { logFormats } from '#core/formats/registry.ts'
import { type DatabaseFixture, makeDatabase, openDatabase } from '../../../test/database-fixture.ts'
import { OpenLibrary } from '../../../test/open-library.ts'

const fixtures = join(import.meta.dirname, '../../../test/fixtures/formats')

/** By format: a fixture, where its agent would keep it, and the agent. */
const kept: Readonly<Record<string, readonly [fixture: string, path: string, agent: string]>> = {
  'claude-transcript': ['todowrite-2.0.77', '.claude/projects/-work/c1.jsonl', 'claude-code'],
  'codex-rollout': ['legacy-0.77', '.codex/sessions/2026/08/01/rollout-2026-08-01T18-07-04-x1.jsonl', 'openai-codex'],
  'gemini-chat': ['todos-0.22', '.gemini/tmp/5f0c/chats/session-2026-08-01T18-07-g1.json', 'google-gemini'],
  'cursor-transcript': ['turns', '.cursor/projects/work/agent-transcripts/u1/u1.jsonl', 'cursor-agent'],
  'copilot-cli': ['events-1.0.77', '.copilot/session-state/f9076a7c/events.jsonl', 'github-copilot'],
  pi: ['turns-v3', '.pi/agent/sessions/--work--/2026-08-04T06-19-38-381Z_p1.jsonl', 'pi'],
  openclaw: ['turns-v3', '.openclaw/agents/main/sessions/o1.jsonl', 'openclaw'],
  'qwen-code': ['turns-0.21', '.qwen/projects/-work/chats/q1.jsonl', 'qwen-code'],
  'factory-droid': ['session-0.81', '.factory/sessions/-work/d1.jsonl', 'factory-droid'],
  amp: ['thread', '.local/share/amp/threads/T-2775dc92-90ed-4f85-8b73-8f9766029e83.json', 'amp'],
  iflow: ['turns', '.iflow/projects/-work/session-5de701fc-7454-4858-a249-95cac4fd3b51.jsonl', 'iflow'],
  trae: ['exec-command-0.105', '.trae/cli/sessions/2026/08/01/rollout-2026-08-01T18-07-04-t1.jsonl', 'trae'],
  'kimi-cli': ['wire-1.1', '.kimi/sessions/5f0c/k1/wire.jsonl', 'kimi-cli'],
  openhands: ['events-0.42', '.openhands/conversations/h1/events/0.json', 'openhands']
}

/** By database: where its agent would keep it, the agent, and the titles of its sessions. */
const databases: Readonly<Record<DatabaseFixture, readonly [path: string, agent: string, titles: readonly string[]]>> =
  {
    opencode: ['.local/share/opencode/opencode.db', 'opencode', ['Count the tests', 'Say hello']],
    crush: ['code/app/.crush/crush.db', 'crush', ['Mend the build']],
    goose: ['.local/share/goose/sessions/sessions.db', 'goose', ['List files', 'Hello']],
    'cursor-chat': ['.cursor/chats/5f0c/f1ff7b74-0a28-4dd4-a452-e01ae080eb20/store.db', 'cursor-agent', ['List files']]
  }

function fill(home: string): void {
  for (const [format, [fixture, path]] of Object.entries(kept)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    const input = path.endsWith('.json') && format !== 'openhands' ? 'input.json' : 'input.jsonl'
    cpSync(join(fixtures, format, fixture, input), join(home, path))
  }
  // Beside the wire, of the same session.
  cpSync(join(fixtures, 'kimi-cli/context/input.jsonl'), join(home, '.kimi/sessions/5f0c/k1/context.jsonl'))
  for (const [name, [path]] of Object.entries(databases)) makeDatabase(join(home, path), name as DatabaseFixture)
  // Other programs have databases there, too.
  writeFileSync(join(home, '.local/share/opencode/opencode-other.db'), 'no database')
  mkdirSync(join(home, '.local/share/crush'), { recursive: true })
  const projects = [
    { path: join(home, 'code/app'), data_dir: join(home, 'code/app/.crush') },
    { data_dir: '../relative' },
    7
  ]
  writeFileSync(join(home, '.local/share/crush/projects.json'), JSON.stringify({ projects }))
}

test('every format with a store is in the home below', () => {
  const stored = logFormats.flatMap(({ id, store }) => (store === undefined || id === null ? [] : [id]))
  expect([...Object.keys(kept), ...Object.keys(databases)].toSorted()).toEqual(stored.toSorted())
})

test('a home with stores of all agents: each session is listed once, under its agent', async () => {
  const home = mkdtempSync(join(tmpdir(), 'playhead-stores-'))
  try {
    fill(home)
    const opened = new OpenLibrary({ cache: join(home, 'cache'), home })
    await opened.idle()
    const cards = (await opened.cards()).filter(({ format }) => format !== null)
    const inDatabases = Object.entries(databases).flatMap(([format, [, agent, titles]]) =>
      titles.map((title) => `${format} ${agent} ${title}`)
    )
    const inFiles = Object.entries(kept).map(([format, [, , agent]]) => `${format} ${agent}`)
    expect(
      cards
        .map(
          ({ format, agent, title }) => `${format} ${agent}${format !== null && format in databases ? ` ${title}` : ''}`
        )
        .toSorted()
    ).toEqual([...inDatabases, ...inFiles].toSorted())
    const card = cards.find(({ title }) => title === 'Count the tests')
    expect(card).toMatchObject({
      sessionId: 'ses_0001',
      project: '/work',
      model: 'claude-sonnet-4-5',
      subagents: 1,
      state: 'done'
    })
    expect(card?.counts).toMatchObject({ turns: 1, calls: 2 })
    expect(cards.find(({ format }) => format === 'cursor-chat')).toMatchObject({ project: '/work', model: 'gpt-5' })
    expect(opened.problems).toEqual([])
    await opened.library.close()
  } finally {
    rmSync(home, { recursive: true })
  }
})

test('a database that grows: the changed session is read again, and no other', async () => {
  const home = mkdtempSync(join(tmpdir(), 'playhead-stores-'))
  const agent = openDatabase(
    join(home, '.local/share/goose/sessions/sessions.db'),
    'goose',
    'PRAGMA journal_mode = WAL;'
  )
  try {
    const opened = new OpenLibrary({ cache: join(home, 'cache'), home })
    await opened.idle()
    const before = opened.bytes.read
    agent.exec(`INSERT INTO sessions (id, name, working_dir, created_at, updated_at) VALUES ('20260801_3', 'New', '/work', '2026-08-01 08:00:00', '2026-08-01 08:00:00');
      INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260801_3', 'user', '[{"type":"text","text":"One more."}]', 1785571200)`)
    await opened.library.lookAgain()
    await opened.until(async ({ phase }) => phase === 'idle' && (await opened.cards()).length === 3)
    expect((await opened.cards()).map(({ title }) => title).toSorted()).toEqual(['Hello', 'List files', 'New'])
    expect(opened.bytes.read - before).toBeLessThan(2000)
    await opened.library.close()
  } finally {
    agent.close()
    rmSync(home, { recursive: true })
  }
})
