import { describe, expect, test } from 'vitest'
import type { LogStore, StoreSystem } from './log-store.ts'
import { formatById, logFormats } from './registry.ts'

const linux: StoreSystem = { home: '/home/ana', platform: 'linux', variables: {} }
const mac: StoreSystem = { home: '/Users/ana', platform: 'darwin', variables: {} }
const windows: StoreSystem = { home: 'C:\\Users\\Ana', platform: 'win32', variables: {} }

function storeOf(id: string): LogStore {
  const store = formatById(id)?.store
  if (store === undefined) throw new Error(`${id} keeps no logs`)
  return store
}

test('these formats are kept by their agents', () => {
  expect(logFormats.filter(({ store }) => store !== undefined).map(({ id }) => id)).toEqual([
    'claude-transcript',
    'codex-rollout',
    'gemini-chat',
    'cursor-transcript',
    'opencode',
    'copilot-cli',
    'pi',
    'openclaw',
    'qwen-code',
    'factory-droid',
    'amp',
    'iflow',
    'trae',
    'kimi-cli',
    'openhands',
    'crush',
    'goose',
    'cursor-chat'
  ])
})

describe('folders', () => {
  test.each([
    ['claude-transcript', ['/home/ana/.claude/projects'], ['C:\\Users\\Ana\\.claude\\projects']],
    [
      'codex-rollout',
      ['/home/ana/.codex/sessions', '/home/ana/.codex/archived_sessions'],
      ['C:\\Users\\Ana\\.codex\\sessions', 'C:\\Users\\Ana\\.codex\\archived_sessions']
    ],
    ['gemini-chat', ['/home/ana/.gemini/tmp'], ['C:\\Users\\Ana\\.gemini\\tmp']],
    ['cursor-transcript', ['/home/ana/.cursor/projects'], ['C:\\Users\\Ana\\.cursor\\projects']],
    [
      'copilot-cli',
      ['/home/ana/.copilot/session-state', '/home/ana/.copilot/history-session-state'],
      ['C:\\Users\\Ana\\.copilot\\session-state', 'C:\\Users\\Ana\\.copilot\\history-session-state']
    ],
    ['pi', ['/home/ana/.pi/agent/sessions'], ['C:\\Users\\Ana\\.pi\\agent\\sessions']],
    ['openclaw', ['/home/ana/.openclaw/agents'], ['C:\\Users\\Ana\\.openclaw\\agents']],
    ['qwen-code', ['/home/ana/.qwen/projects'], ['C:\\Users\\Ana\\.qwen\\projects']],
    ['factory-droid', ['/home/ana/.factory/sessions'], ['C:\\Users\\Ana\\.factory\\sessions']],
    ['opencode', ['/home/ana/.local/share/opencode'], ['C:\\Users\\Ana\\.local\\share\\opencode']],
    ['crush', ['/home/ana/.crush'], ['C:\\Users\\Ana\\.crush']],
    ['cursor-chat', ['/home/ana/.cursor/chats'], ['C:\\Users\\Ana\\.cursor\\chats']]
  ])('of %s', (id, onLinux, onWindows) => {
    expect(storeOf(id).roots(linux)).toEqual(onLinux)
    expect(storeOf(id).roots(mac)).toEqual(onLinux.map((path) => path.replace('/home/', '/Users/')))
    expect(storeOf(id).roots(windows)).toEqual(onWindows)
  })

  test.each([
    ['claude-transcript', 'CLAUDE_CONFIG_DIR', '/data/claude/', ['/data/claude/projects']],
    ['codex-rollout', 'CODEX_HOME', '~/c', ['/home/ana/c/sessions', '/home/ana/c/archived_sessions']],
    // It replaces the home folder, not `.gemini`.
    ['gemini-chat', 'GEMINI_CLI_HOME', '/srv/g', ['/srv/g/.gemini/tmp']],
    ['cursor-transcript', 'CURSOR_CONFIG_DIR', '/srv/c', ['/srv/c/projects']],
    ['copilot-cli', 'COPILOT_HOME', '/srv/c', ['/srv/c/session-state', '/srv/c/history-session-state']],
    ['pi', 'PI_CODING_AGENT_DIR', '/srv/p', ['/srv/p/sessions']],
    ['openclaw', 'OPENCLAW_STATE_DIR', '/srv/o', ['/srv/o/agents']],
    ['qwen-code', 'QWEN_HOME', '/srv/q', ['/srv/q/projects']],
    ['cursor-transcript', 'XDG_CONFIG_HOME', '/x', ['/home/ana/.cursor/projects', '/x/cursor/projects']]
  ])('of %s are moved by %s', (id, variable, value, roots) => {
    expect(storeOf(id).roots({ ...linux, variables: { [variable]: value } })).toEqual(roots)
  })

  test('are where they always are while a variable is empty, or names a folder relative to another one', () => {
    for (const value of ['', ' ', 'relative/path', 'C:\\on\\windows']) {
      const variables = { CLAUDE_CONFIG_DIR: value }
      expect(storeOf('claude-transcript').roots({ ...linux, variables })).toEqual(['/home/ana/.claude/projects'])
    }
    const variables = { CODEX_HOME: 'D:/codex' }
    expect(storeOf('codex-rollout').roots({ ...windows, variables })[0]).toBe('D:/codex\\sessions')
  })
})

const id = '7ca1b37a-61bf-4a76-aac3-2ce8bedac338'

describe('files', () => {
  test.each([
    ['claude-transcript', `-home-ana-shop/${id}.jsonl`, null],
    ['claude-transcript', `-home-ana-shop/agent-a1b2c3d.jsonl`, null],
    ['claude-transcript', `-home-ana-shop/${id}/subagents/agent-a1b2c3d.jsonl`, id],
    ['claude-transcript', `-home-ana-shop/${id}/subagents/workflows/w1/agent-a1b2c3d.jsonl`, id],
    ['codex-rollout', `2026/11/21/rollout-2026-11-21T22-02-43-${id}.jsonl`, null],
    ['codex-rollout', `2026/11/21/rollout-2026-11-21T22-02-43-${id}.jsonl.zst`, null],
    ['codex-rollout', `rollout-2026-11-21T22-02-43-${id}.jsonl`, null],
    ['gemini-chat', 'shop/chats/session-2026-11-21T21-03-7204a4e3.jsonl', null],
    ['gemini-chat', 'e978dbde/chats/session-2026-11-21T21-03-7204a4e3.json', null],
    ['gemini-chat', `shop/chats/${id}/3seg2q.json`, id],
    ['cursor-transcript', `home-ana-shop/agent-transcripts/${id}/${id}.jsonl`, null],
    ['copilot-cli', `${id}/events.jsonl`, null],
    ['pi', `--home-ana-shop--/2026-08-04T06-19-38-381Z_${id}.jsonl`, null],
    ['openclaw', `main/sessions/${id}.jsonl`, null],
    ['qwen-code', `-home-ana-shop/chats/${id}.jsonl`, null],
    ['factory-droid', `-home-ana-shop/${id}.jsonl`, null],
    ['amp', `T-${id}.json`, null],
    ['iflow', `-home-ana-shop/session-${id}.jsonl`, null],
    ['trae', `2026/08/01/rollout-2026-08-01T18-07-04-${id}.jsonl`, null],
    ['kimi-cli', `5f0c/${id}/wire.jsonl`, null],
    ['kimi-cli', `wd_shop_5f0c/${id}/agents/main/wire.jsonl`, null],
    ['kimi-cli', `wd_shop_5f0c/${id}/agents/a1/wire.jsonl`, id],
    ['openhands', `${id}/events/event-00000-ab.json`, null],
    ['cursor-transcript', `home-ana-shop/agent-transcripts/${id}/subagents/x.jsonl`, id]
  ])('of %s: %s', (format, path, parent) => {
    const store = storeOf(format)
    expect(store.mayBeLog(path)).toBe(true)
    expect(path.split('/').length - 1).toBeLessThanOrEqual(store.depth)
    expect(store.parentOf?.(`/some/where/${path}`) ?? null).toBe(parent)
  })

  test.each([
    ['claude-transcript', `-home-ana-shop/${id}/subagents/agent-a1b2c3d.meta.json`],
    ['claude-transcript', `-home-ana-shop/${id}/tool-results/x.jsonl`],
    ['codex-rollout', '2026/11/21/notes.jsonl'],
    ['gemini-chat', 'shop/logs.json'],
    ['gemini-chat', 'shop/.project_root'],
    ['gemini-chat', 'shop/tracker/x/1.json'],
    ['cursor-transcript', 'home-ana-shop/mcps/x.jsonl'],
    ['cursor-transcript', `home-ana-shop/agent-transcripts/${id}.txt`]
  ])('not of %s: %s', (format, path) => expect(storeOf(format).mayBeLog(path)).toBe(false))

  test('say whose they are beside the log', () => {
    const codex = storeOf('codex-rollout').companion
    const path = `/home/ana/.codex/sessions/2026/11/21/rollout-2026-11-21T22-02-43-${id}.jsonl.zst`
    expect(codex?.fileOf(path)).toBe('/home/ana/.codex/session_index.jsonl')
    expect(codex?.fileOf(`/c/archived_sessions/rollout-x-${id}.jsonl`)).toBe('/c/session_index.jsonl')
    const entry = (name: string, of = id): string =>
      `${JSON.stringify({ id: of, thread_name: name, updated_at: '' })}\n`
    expect(codex?.facts(`${entry('Old')}${entry('New')}${entry('Other', 'x')}`, path)).toEqual({ title: 'New' })
    for (const text of ['', '{', `"${id}"`, `{"id":"x","thread_name":"${id}"}`])
      expect(codex?.facts(text, path)).toEqual({})
    expect(codex?.facts(entry('Old'), '/a/b.jsonl')).toEqual({})

    const gemini = storeOf('gemini-chat').companion
    expect(gemini?.fileOf('/g/tmp/shop/chats/a.jsonl')).toBe('/g/tmp/shop/.project_root')
    expect(gemini?.fileOf(`/g/tmp/shop/chats/${id}/a.jsonl`)).toBe('/g/tmp/shop/.project_root')
    expect(gemini?.facts('/home/ana/shop\n', '')).toEqual({ cwd: '/home/ana/shop' })
    expect(gemini?.facts('two\nlines', '')).toEqual({})
  })

  test('a list of further folders', () => {
    const list = storeOf('crush').list
    expect(list?.fileOf(linux)).toBe('/home/ana/.local/share/crush/projects.json')
    expect(list?.fileOf({ ...linux, variables: { CRUSH_GLOBAL_DATA: '/data/crush' } })).toBe(
      '/data/crush/projects.json'
    )
    const projects = [{ path: '/work', data_dir: '/work/.crush' }, { path: '/other' }, null]
    expect(list?.roots(JSON.stringify({ projects }))).toEqual(['/work/.crush'])
    for (const text of ['', '[]', '{"projects":7}']) expect(list?.roots(text)).toEqual([])
    expect(storeOf('goose').roots(linux)).toEqual(['/home/ana/.local/share/goose/sessions'])
    expect(storeOf('goose').roots(mac)).toEqual(['/Users/ana/Library/Application Support/Block/goose/sessions'])
    expect(storeOf('goose').roots(windows)).toEqual(['C:\\Users\\Ana\\AppData\\Roaming\\Block\\goose\\data\\sessions'])
  })

  test('are gone on with by a command', () => {
    const commands = logFormats.flatMap(({ store }) =>
      store?.resume === undefined ? [] : [store.resume(id).join(' ')]
    )
    expect(commands).toEqual([
      `claude --resume ${id}`,
      `codex resume ${id}`,
      `gemini --resume ${id}`,
      `cursor-agent --resume ${id}`,
      `opencode --session ${id}`,
      `copilot --resume ${id}`,
      `pi --session ${id}`,
      `qwen --resume ${id}`,
      `droid --resume ${id}`,
      `amp threads continue ${id}`,
      `iflow --resume ${id}`,
      `kimi --session ${id}`,
      `openhands --resume ${id}`,
      `crush --session ${id}`,
      `goose session --resume --session-id ${id}`,
      `cursor-agent --resume ${id}`
    ])
  })
})
