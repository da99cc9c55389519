import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createServer, type Server } from 'node:net'
import { basename, dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeFifo } from '../../../test/fifo.ts'
import { folder } from '../../../test/folder.ts'
import { makeDatabase } from '../../../test/database-fixture.ts'
import { claudeBesideRun, claudeFolderRun, codexRun, geminiRun, write } from '../../../test/invented-runs.ts'
import { openedBy } from '../../../test/opened-files.ts'
import { missingFilesOf } from '../library/missing-files.ts'
import { sessionsIn } from '../library/sessions-in.ts'
import { type ReadLog, readLog } from './read-log.ts'

/** What others may put into the folders of a session, or into a folder that a person gives: nothing of it is opened, and nothing waits. */

const secret = 'what nobody may read'
/** As long as a pipe without a writer would keep a reader. */
const limitMs = 20_000

let root = ''
let outside = ''
let servers: Server[] = []
beforeEach(() => {
  const place = realpathSync(mkdtempSync(join(folder, 'strange-')))
  root = join(place, 'given')
  outside = join(place, 'outside')
  mkdirSync(root)
  mkdirSync(outside)
  servers = []
})
afterEach(() => servers.forEach((server) => server.close()))

type Put = (path: string) => void | Promise<void>

/** A log of the kind that is wanted there, with a text that is known again. */
function logOutside(path: string): string {
  const records = path.includes('rollout')
    ? [
        { timestamp: '2026-01-05T09:00:02Z', type: 'session_meta', payload: { id: 'x', parent_thread_id: 'parent' } },
        { timestamp: '2026-01-05T09:00:03Z', type: 'event_msg', payload: { type: 'user_message', message: secret } }
      ]
    : path.includes('chats')
      ? [
          { sessionId: 's', projectHash: 'h' },
          { id: 'm', type: 'gemini', content: secret }
        ]
      : [
          {
            type: 'user',
            isSidechain: true,
            agentId: 'x',
            sessionId: 'session-1',
            message: { role: 'user', content: secret }
          }
        ]
  return write(outside, basename(path), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

const kinds: readonly (readonly [name: string, put: Put])[] = [
  ['a pipe', (path) => makeFifo(path)],
  [
    'a socket',
    async (path) => {
      const server = createServer()
      servers.push(server)
      // The name of a socket has at most 108 bytes, so it is made elsewhere.
      const short = join(mkdtempSync(join(tmpdir(), 'ph-')), 's')
      server.listen(short)
      await once(server, 'listening')
      renameSync(short, path)
    }
  ],
  ['a link with a whole path', (path) => symlinkSync(logOutside(path), path)],
  ['a link with ..', (path) => symlinkSync(relative(dirname(path), logOutside(path)), path)],
  [
    'a link with .. behind a folder',
    (path) => {
      mkdirSync(join(dirname(path), 'x'), { recursive: true })
      symlinkSync(`./x/../${relative(dirname(path), logOutside(path))}`, path)
    }
  ],
  [
    'a link to a link',
    (path) => {
      const between = join(outside, 'between')
      symlinkSync(logOutside(path), between)
      symlinkSync(between, path)
    }
  ],
  [
    'a link to a pipe',
    (path) => {
      makeFifo(join(outside, 'pipe'))
      symlinkSync(join(outside, 'pipe'), path)
    }
  ],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path)],
  ['a link to itself', (path) => symlinkSync(basename(path), path)],
  ['a folder', (path) => mkdirSync(path)]
]

function recording(root: string): string {
  const fixture = join(
    import.meta.dirname,
    '../../../test/fixtures/formats/codex-app-server/approvals-0.169/input.jsonl'
  )
  const path = join(root, 'stdout.jsonl')
  copyFileSync(fixture, path)
  return path
}

const runs: readonly (readonly [name: string, make: (root: string) => string, places: readonly string[]])[] = [
  [
    'Claude, in the folder of the session',
    claudeFolderRun,
    [
      'session-1/subagents/agent-xxx.jsonl',
      'session-1/subagents/workflows/w1/agent-xxx.jsonl',
      'session-1/subagents/agent-aaa.meta.json',
      'subagents/agent-xxx.jsonl'
    ]
  ],
  ['Claude, beside the session', claudeBesideRun, ['agent-xxx.jsonl', 'agent-aaa.meta.json']],
  [
    'Codex',
    codexRun,
    [
      'sessions/2026/01/05/rollout-2026-01-05T09-00-07-x.jsonl',
      'sessions/2026/01/06/rollout-2026-01-06T00-00-07-x.jsonl',
      'sessions/2026/01/05/rollout-2026-01-05T09-00-07-x.jsonl.zst'
    ]
  ],
  ['Gemini', geminiRun, ['chats/52c73acd/xxx.jsonl', 'chats/52c73acd/xxx.json']],
  ['a recording, with what was sent to it', recording, ['dialogue.jsonl']]
]

async function read(path: string): Promise<{ log: ReadLog; texts: string }> {
  const events: unknown[] = []
  const log = await readLog({ path, format: null, single: false }, { event: (event) => void events.push(event) })
  return { log, texts: JSON.stringify(events) }
}

/** The files that were opened outside of the given folder, links resolved. */
function outOf(opened: readonly string[]): string[] {
  const real = (path: string): string => {
    try {
      return realpathSync(path)
    } catch {
      return path
    }
  }
  const place = dirname(root)
  return opened.filter((path) =>
    real(path).startsWith(place) ? !real(path).startsWith(root + '/') : real(path).startsWith('/dev/')
  )
}

describe.each(kinds)('%s', (_kind, put) => {
  test.each(runs.flatMap(([name, make, places]) => places.map((place) => [name, place, make] as const)))(
    'in a run of %s, as %s: not opened, told, and the rest is read',
    async (_name, place, make) => {
      const main = make(root)
      const before = await read(main)
      mkdirSync(dirname(join(root, place)), { recursive: true })
      rmSync(join(root, place), { force: true })
      const isCompanion = place.endsWith('.meta.json')
      await put(join(root, place))
      let after = before
      const opened = await openedBy(async () => {
        after = await read(main)
        await missingFilesOf(main, [])
      })
      expect(opened, 'what is opened is seen').toContain(main)
      expect(outOf(opened)).toEqual([])
      expect(after.texts).not.toContain(secret)
      expect(after.log.files.map(({ name }) => name)).toEqual(before.log.files.map(({ name }) => name))
      if (!isCompanion) expect(after.texts).toBe(before.texts)
      const isTold = after.log.notes.join().includes('is not shown: ')
      // A folder may have any name, and a link to nothing is nothing.
      expect([_kind, isTold]).toEqual([
        _kind,
        _kind === 'a folder' || (isCompanion && _kind === 'a link to itself') ? isTold : true
      ])
    },
    limitMs
  )

  test(
    'in a folder that a person gives: not opened, and told',
    async () => {
      const main = claudeFolderRun(root)
      const before = await sessionsIn([root], () => {})
      await put(join(root, 'other.jsonl'))
      let after = before
      const notes: string[] = []
      const opened = await openedBy(async () => {
        after = await sessionsIn([root], (note) => notes.push(note))
      })
      expect(outOf(opened)).toEqual([])
      expect(after).toEqual(before)
      expect(after.logs.map(({ path }) => path)).toEqual([main])
      if (_kind !== 'a folder') expect(notes).toEqual([expect.stringMatching(/: 1 (?:pipe|link|broken link)/)])
    },
    limitMs
  )
})

test('a log whose name leads to the folder above reads nothing there', async () => {
  const given = join(root, 'inner')
  claudeFolderRun(given)
  const named = join(given, '...jsonl')
  renameSync(join(given, 'session-1.jsonl'), named)
  write(
    root,
    'subagents/agent-xxx.jsonl',
    `${JSON.stringify({ type: 'user', isSidechain: true, agentId: 'x', sessionId: 'other', message: { role: 'user', content: secret } })}\n`
  )
  const { log, texts } = await read(named)
  expect(log.files.map(({ name }) => name)).toEqual([])
  expect(texts).not.toContain(secret)
})

describe.each(['-wal', '-shm', '-journal'])('a database with a strange %s beside it', (suffix) => {
  test.each(kinds)(
    '%s: it is not opened, and nothing waits',
    async (_kind, put) => {
      claudeFolderRun(root)
      makeDatabase(join(root, 'goose.db'), 'goose')
      const { total } = await sessionsIn([root], () => {})
      await put(join(root, `goose.db${suffix}`))
      const opened = await openedBy(async () => await sessionsIn([root], () => {}))
      expect(outOf(opened)).toEqual([])
      const error = await readLog({ path: join(root, 'goose.db'), format: null, single: false }, {}).then(
        () => null,
        ({ message }: Error) => message
      )
      expect(error).toContain(`goose.db${suffix} is a link or no file, so its database is not opened`)
      expect(total).toBeGreaterThan(1)
    },
    limitMs
  )
})
