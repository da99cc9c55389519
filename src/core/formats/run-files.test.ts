import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json.ts'
import { claudeRunFiles } from './claude/run-files.ts'
import { codexRunFiles } from './codex/run-files.ts'
import { geminiRunFiles } from './gemini/run-files.ts'
import { logFormats } from './registry.ts'
import type { MainFile } from './run-search.ts'

function main(name: string, records: readonly JsonValue[], over: Partial<MainFile> = {}): MainFile {
  return { name, records, folders: [], modified: 0, ...over }
}

describe('the runs of several files', () => {
  test('are those of the formats that the agents keep themselves, and of recordings with notes or with what was sent', () => {
    const having = logFormats.filter((format) => format.runFiles !== undefined).map(({ id }) => id)
    expect(having).toEqual([
      'claude-transcript',
      'codex-app-server',
      'codex-rollout',
      'gemini-stream-json',
      'gemini-chat',
      'cursor-transcript',
      'trae',
      'openhands'
    ])
  })
})

describe('Claude', () => {
  const said = { parentUuid: null, isSidechain: false, sessionId: 's-1', type: 'user', message: { content: 'hi' } }
  const agent = { ...said, isSidechain: true, agentId: 'a1' }
  const prompt = (content: JsonValue) => ({ ...agent, message: { content } })

  test('keeps its agents in a folder of the session, or beside it', () => {
    const search = claudeRunFiles(main('s-1.jsonl', [{ type: 'mode', sessionId: 's-1' }, said]))
    expect(search?.folders).toEqual([
      // The session's own folder is first, as the number of files is limited.
      { path: 's-1/subagents', depth: 4 },
      { path: '', depth: 0 },
      { path: 'subagents', depth: 4 }
    ])
    const names = [
      'agent-a1.jsonl',
      's-1/subagents/workflows/w1/agent-a1.jsonl',
      's-2.jsonl',
      'agent-a1.meta.json',
      'agent'
    ]
    expect(names.map((name) => search?.mayBelong(name))).toEqual([true, true, false, false, false])
    expect(search?.companionOf?.('x/agent-a1.jsonl')).toBe('x/agent-a1.meta.json')
  })

  test('an agent beside the session belongs to it by its session, one in the folder in any case', () => {
    const search = claudeRunFiles(main('renamed.jsonl', [said]))
    const parent = 's-1'
    expect(search?.linkOf({ path: 'agent-a1.jsonl', records: [agent] })).toEqual({ key: 'agent-a1.jsonl', parent })
    expect(search?.linkOf({ path: 'agent-a1.jsonl', records: [{ ...agent, sessionId: 'renamed' }] })).toMatchObject({
      parent
    })
    expect(search?.linkOf({ path: 'agent-a1.jsonl', records: [{ ...agent, sessionId: 's-2' }] })).toBeNull()
    expect(search?.linkOf({ path: 'agent-a1.jsonl', records: [said] })).toBeNull()
    expect(search?.linkOf({ path: 'agent-a1.jsonl', records: [42, {}] })).toBeNull()
    const copied = 'subagents/agent-a1.jsonl'
    expect(search?.linkOf({ path: copied, records: [agent] })).toEqual({ key: copied, parent })
    expect(search?.linkOf({ path: copied, records: [{ ...agent, sessionId: 's-2' }] })).toBeNull()
    const inside = 'renamed/subagents/agent-a1.jsonl'
    expect(search?.linkOf({ path: inside, records: [] })).toEqual({ key: inside, parent })
    expect(search?.linkOf({ path: inside, records: [], companion: { toolUseId: 't1' } })).toMatchObject({
      callId: 't1'
    })
    expect(search?.linkOf({ path: inside, records: [], companion: { toolUseId: 7 } })).toEqual({ key: inside, parent })
  })

  test('agents that were only warmed up are hidden, unless a call asked for them', () => {
    const search = claudeRunFiles(main('s-1.jsonl', [said]))
    const hidden = { one: 'warm-up agent', many: 'warm-up agents' }
    const linkOf = (content: JsonValue, companion?: JsonValue) =>
      search?.linkOf({
        path: 'agent-a1.jsonl',
        records: [prompt(content)],
        ...(companion === undefined ? {} : { companion })
      })
    expect(linkOf('Warmup')).toMatchObject({ hidden })
    expect(linkOf([{ type: 'text', text: 'Warmup' }])).toMatchObject({ hidden })
    expect(linkOf('Warmup the oven')).not.toHaveProperty('hidden')
    expect(linkOf('Warmup', { toolUseId: 't1' })).not.toHaveProperty('hidden')
  })

  test("an agent's own file is a run of its own", () => {
    expect(claudeRunFiles(main('agent-a1.jsonl', [{ type: 'mode', sessionId: 's-1' }, agent]))).toBeNull()
  })
})

describe('Codex', () => {
  const meta = (payload: JsonValue) => ({ type: 'session_meta', payload })
  const day = Date.UTC(2026, 11, 30)

  test('keeps rollouts by day: those of the first day and of all until it was last written', () => {
    const folders = ['home', 'sessions', '2026', '12', '30']
    const search = codexRunFiles(main('rollout-x.jsonl', [meta({ id: 'p' })], { folders, modified: day + 86_400_000 }))
    expect(search?.folders.map(({ path }) => path)).toEqual(['', '../31', '../../../2027/01/01'])
    const october = codexRunFiles(
      main('r', [meta({ id: 'p' })], { folders: ['2026', '10', '31'], modified: Date.UTC(2026, 9, 31, 12) })
    )
    expect(october?.folders.map(({ path }) => path)).toEqual(['', '../../11/01'])
    const names = ['../31/rollout-a.jsonl', 'rollout-a.jsonl.zst', 'rollout-a.json', 'history.jsonl']
    expect(names.map((name) => search?.mayBelong(name))).toEqual([true, true, false, false])
  })

  test('elsewhere only the folder itself is looked at, and never more than two months', () => {
    const elsewhere = codexRunFiles(main('r', [meta({ id: 'p' })], { folders: ['archived_sessions'], modified: day }))
    expect(elsewhere?.folders).toEqual([{ path: '', depth: 0 }])
    const long = codexRunFiles(main('r', [meta({ id: 'p' })], { folders: ['2020', '01', '01'], modified: day }))
    expect(long?.folders).toHaveLength(61)
    const earlier = codexRunFiles(main('r', [meta({ id: 'p' })], { folders: ['2026', '12', '30'], modified: 0 }))
    expect(earlier?.folders).toHaveLength(1)
  })

  test('a thread names its parent in its own head; the heads of others that it repeats do not count', () => {
    const search = codexRunFiles(main('rollout-x.jsonl', [{ type: 'x' }, meta({ id: 'p' }), meta({ id: 'older' })]))
    expect(search?.key).toBe('p')
    const linkOf = (...records: JsonValue[]) => search?.linkOf({ path: 'rollout-a.jsonl', records })
    const spawned = { id: 'c', source: { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 1 } } } }
    expect(linkOf(meta(spawned))).toEqual({ key: 'c', parent: 'p' })
    expect(linkOf(meta({ id: 'c', parent_thread_id: 'p', source: 'cli' }), meta({ id: 'p' }))).toEqual({
      key: 'c',
      parent: 'p'
    })
    expect(linkOf(meta({ id: 'c', source: { subagent: 'review' } }))).toBeNull()
    expect(linkOf(meta({ id: 'c', source: 'cli' }), meta({ id: 'd', parent_thread_id: 'p' }))).toBeNull()
    expect(linkOf(meta({ parent_thread_id: 'p' }))).toBeNull()
    expect(linkOf(null, [1])).toBeNull()
  })

  test('a rollout without a head has no run', () => {
    expect(codexRunFiles(main('rollout-x.jsonl', [{ id: 'p', timestamp: 't', instructions: null }]))).toBeNull()
  })
})

describe('Gemini', () => {
  const header = { sessionId: '52c7-acd', projectHash: 'h', kind: 'main' }

  test('keeps its agents in a folder that is named after the session', () => {
    const search = geminiRunFiles(main('session-x.json', [header]))
    expect(search?.folders).toEqual([{ path: '52c7-acd', depth: 0 }])
    expect(['52c7-acd/a.json', '52c7-acd/a.jsonl', '52c7-acd/a.txt'].map((path) => search?.mayBelong(path))).toEqual([
      true,
      true,
      false
    ])
    const path = '52c7-acd/a.json'
    expect(search?.linkOf({ path, records: [{ sessionId: 'a', projectHash: 'h' }] })).toEqual({
      key: path,
      parent: '52c7-acd'
    })
    expect(search?.linkOf({ path, records: [{ some: 'JSON' }] })).toBeNull()
  })

  test.each(['../../etc', 'a/b', '..', '', 'a\\b', 'x'.repeat(200), 'a\0'])(
    'a session called %j names no folder',
    (sessionId) => {
      expect(geminiRunFiles(main('session-x.json', [{ ...header, sessionId }]))).toBeNull()
    }
  )

  test('only the copy that a live run keeps has what was asked beside it', () => {
    const path = 'dialogue.jsonl'
    const sent = { at: 1, after: 0, by: 'protocol', sent: '{}' }
    const copy = geminiRunFiles(main('session.jsonl', [header]))
    expect(copy?.folders).toEqual([
      { path: '52c7-acd', depth: 0 },
      { path: '', depth: 0 }
    ])
    const names = [path, 'stdout.jsonl', 'hooks.jsonl', '52c7-acd/a.jsonl', '52c7-acd/dialogue.jsonl']
    expect(names.map((name) => copy?.mayBelong(name))).toEqual([true, false, false, true, true])
    expect(copy?.linkOf({ path, records: [sent] })).toEqual({ key: path, parent: '52c7-acd' })
    expect(copy?.linkOf({ path, records: [] })).toBeNull()
    expect(copy?.linkOf({ path, records: [header] })).toBeNull()
    const kept = geminiRunFiles(main('session-x.jsonl', [header]))
    expect(kept?.mayBelong(path)).toBe(false)
    expect(kept?.linkOf({ path, records: [sent] })).toBeNull()
  })

  test('a list of prompts has no run', () => {
    expect(geminiRunFiles(main('logs.json', [{ sessionId: 's', messageId: 0, message: 'hi' }]))).toBeNull()
  })
})
