import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Runs in several files as the agents lay them out, small and invented. Each writes a run below `root` and gives its main file. */

const jsonl = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Writes a file below `root`, with the folders it lies in, and gives its path. */
export function write(root: string, name: string, content: string | Uint8Array): string {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** The time of second `s` of the runs. */
export const at = (s: number) => new Date(Date.UTC(2026, 0, 5, 9, 0, s)).toISOString()

const claude = (uuid: string, s: number, over: object) => ({
  parentUuid: null,
  isSidechain: false,
  sessionId: 'session-1',
  version: '2.1.0',
  cwd: '/w',
  uuid,
  timestamp: at(s),
  ...over
})
const prompt = (uuid: string, s: number, content: string, over: object = {}) =>
  claude(uuid, s, { type: 'user', message: { role: 'user', content }, ...over })
const says = (uuid: string, s: number, block: object, over: object = {}) =>
  claude(uuid, s, {
    type: 'assistant',
    message: {
      id: `msg-${uuid}`,
      type: 'message',
      role: 'assistant',
      model: 'm-1',
      content: [block],
      stop_reason: null
    },
    ...over
  })
const text = (words: string) => ({ type: 'text', text: words })
const task = (id: string, asked: string) => ({
  type: 'tool_use',
  id,
  name: 'Task',
  input: { description: asked, prompt: asked, subagent_type: 'general-purpose' }
})
const answered = (uuid: string, s: number, id: string, agentId: string) =>
  claude(uuid, s, {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] },
    toolUseResult: { status: 'completed', agentId, content: [] }
  })
const todos = (id: string, content: string) => ({
  type: 'tool_use',
  id,
  name: 'TodoWrite',
  input: { todos: [{ content, status: 'in_progress', activeForm: content }] }
})

const session = [
  prompt('u1', 0, 'Count the sheep with two helpers'),
  says('u2', 1, task('call-a', 'Count the white sheep')),
  says('u3', 2, task('call-b', 'Count the black sheep')),
  answered('u4', 8, 'call-a', 'aaa'),
  answered('u5', 9, 'call-b', 'bbb'),
  says('u6', 10, text('There are nine.'))
]
const agent = (agentId: string) => ({ isSidechain: true, agentId })
const whiteAgent = [
  prompt('a1', 3, 'Count the white sheep', agent('aaa')),
  says('a2', 5, todos('td-a', 'Count white'), agent('aaa')),
  says('a3', 7, text('Six white ones.'), agent('aaa'))
]
const blackAgent = [
  prompt('b1', 3, 'Count the black sheep', agent('bbb')),
  says('b2', 6, text('Three black ones.'), agent('bbb'))
]

/** `<session>/subagents/agent-<id>.jsonl` with `.meta.json`, one of them deeper down. */
export function claudeFolderRun(root: string): string {
  write(root, 'session-1/subagents/agent-aaa.jsonl', jsonl(whiteAgent))
  write(root, 'session-1/subagents/agent-aaa.meta.json', '{"agentType":"general-purpose","toolUseId":"call-a"}')
  write(root, 'session-1/subagents/workflows/w1/agent-bbb.jsonl', jsonl(blackAgent))
  write(root, 'session-1/subagents/workflows/w1/agent-bbb.meta.json', 'no JSON')
  write(root, 'session-1/subagents/notes.jsonl', 'not an agent')
  return write(root, 'session-1.jsonl', jsonl(session))
}

/** `agent-<id>.jsonl` beside the session, with warm-up agents and those of another session. */
export function claudeBesideRun(root: string): string {
  write(root, 'agent-aaa.jsonl', jsonl(whiteAgent))
  write(root, 'agent-bbb.jsonl', jsonl(blackAgent))
  for (const id of ['w1', 'w2', 'w3']) write(root, `agent-${id}.jsonl`, jsonl([prompt(id, 0, 'Warmup', agent(id))]))
  write(root, 'agent-zzz.jsonl', jsonl([prompt('z', 3, 'Count geese', { ...agent('zzz'), sessionId: 'session-2' })]))
  return write(root, 'session-1.jsonl', jsonl(session))
}

const rollout = (s: number, type: string, payload: object) => ({ timestamp: at(s), type, payload })
const thread = (s: number, id: string, parent?: string) =>
  rollout(s, 'session_meta', {
    id,
    timestamp: at(s),
    cwd: '/w',
    originator: 'codex_exec',
    cli_version: '0.150.0',
    source: parent === undefined ? 'exec' : { subagent: { thread_spawn: { parent_thread_id: parent, depth: 1 } } }
  })
const reply = (s: number, words: string) =>
  rollout(s, 'response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] })

/** A thread, its child, a grandchild on the next day, and threads that have nothing to do with it. */
export function codexRun(root: string): string {
  const child = jsonl([thread(2, 'child', 'parent'), reply(4, 'Six white ones.')])
  write(root, 'sessions/2026/01/05/rollout-2026-01-05T09-00-02-child.jsonl', child)
  const grandchild = jsonl([thread(5, 'grandchild', 'child'), reply(6, 'Three of them are lambs.')])
  write(root, 'sessions/2026/01/06/rollout-2026-01-06T00-00-05-grandchild.jsonl', grandchild)
  write(root, 'sessions/2026/01/05/rollout-2026-01-05T08-00-00-other.jsonl', jsonl([thread(0, 'other')]))
  write(root, 'sessions/2026/01/05/rollout-2026-01-05T09-30-00-copy.jsonl', child)
  const parent = jsonl([
    thread(0, 'parent'),
    rollout(1, 'event_msg', { type: 'user_message', message: 'Count the sheep' }),
    reply(3, 'Somebody is counting.'),
    reply(9, 'There are nine.')
  ])
  return write(root, 'sessions/2026/01/05/rollout-2026-01-05T09-00-00-parent.jsonl', parent)
}

const message = (id: string, s: number, words: string) => ({ id, timestamp: at(s), type: 'gemini', content: words })

/** A chat, and in the folder named after its session a document and a change log of its agents. */
export function geminiRun(root: string): string {
  const head = (sessionId: string, kind: string) => ({
    sessionId,
    projectHash: 'h',
    startTime: at(0),
    lastUpdated: at(9),
    kind
  })
  const document = { ...head('white', 'subagent'), messages: [message('w1', 4, 'Six white ones.')] }
  write(root, 'chats/52c73acd/white.json', JSON.stringify(document, null, 2))
  write(root, 'chats/52c73acd/black.jsonl', jsonl([head('black', 'subagent'), message('b1', 5, 'Three black ones.')]))
  const main = {
    ...head('52c73acd', 'main'),
    messages: [message('m1', 3, 'Counting.'), message('m2', 8, 'There are nine.')]
  }
  return write(root, 'chats/session-2026-01-05T09-00-52c73acd.json', JSON.stringify(main, null, 2))
}
