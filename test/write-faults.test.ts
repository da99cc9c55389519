import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { exportForms } from '#contract/exports.ts'
import { WindowMemory } from '#backend/desktop/window-place.ts'
import { AddedFolders } from '#backend/library/added-folders.ts'
import { writeSegment } from '#backend/library/search/index-segment.ts'
import { Agents } from '#backend/live-runs/agents.ts'
import { Feed } from '#backend/live-runs/feed.ts'
import { createRunFiles, newRunId } from '#backend/live-runs/run-folder.ts'
import { readManifest, RunManifest, writeManifest } from '#backend/live-runs/run-manifest.ts'
import { RecentLogs } from '#backend/recent-logs.ts'
import { Reviews } from '#backend/reviews.ts'
import { CacheFolder } from '#backend/saved/cache-folder.ts'
import { LogFile } from '#backend/sources/log-file.ts'
import { UnpackedLog } from '#backend/sources/unpacked-log.ts'
import { loadDatabase } from '#backend/tasks/task-database.ts'
import { TaskStore } from '#backend/tasks/task-store.ts'
import { UserSettings } from '#backend/user-settings.ts'
import { openBrowser } from '#cli/browser.ts'
import { installHook } from '#cli/hook-settings.ts'
import { receiveHook } from '#cli/receive-hook.ts'
import { ServerFiles } from '#server/server-files.ts'
import { DropFolder, dropLimits } from '#server/drop-folder.ts'
import { good, playhead } from './command-line.ts'
import { endFailing, failStatements, failWrite, type Fault, faults } from './failing-writes.ts'

/** Every write of everything that writes, failed one at a time (`failing-writes.ts`): nothing old is lost, and what is lost is said by name. */

const root = realpathSync(mkdtempSync(join(tmpdir(), 'playhead-faults-')))
afterAll(() => rmSync(root, { recursive: true, force: true }))

interface Writer {
  /** What it has to name when it fails. */
  readonly file: string
  /** The faults it can meet, where they are not all. */
  readonly faults?: readonly Fault[]
  /** How it says that there is no room, where it is not that the disk is full. */
  readonly noRoom?: string
  /** Puts what is old into an empty folder. */
  before(folder: string): Promise<void> | void
  /** Writes what is new; gives what was said of a failure. */
  write(folder: string): Promise<readonly (string | null)[]>
  /** Which of them is there, whole. Throws where neither is. `isSaid`: a failure was. */
  found(folder: string, isSaid: boolean): Promise<'old' | 'new'> | 'old' | 'new'
}

/** What a promise fails with, in words. */
async function said(work: Promise<unknown>): Promise<readonly string[]> {
  return await work.then(
    () => [],
    (error: unknown) => [error instanceof Error ? error.message : String(error)]
  )
}

function oneOf(value: unknown, old: unknown, next: unknown): 'old' | 'new' {
  if (JSON.stringify(value) === JSON.stringify(old)) return 'old'
  expect(value).toEqual(next)
  return 'new'
}

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8')
/** Temporary files are no rest that anybody wants. */
const hasDrafts = (folder: string): boolean =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.tmp'))

const place = { file: null, line: 3, ordinal: 0, kind: 'tool' as const, time: 5, text: 'npm test' }
const review = (note: string) => ({ bookmarks: [{ id: 'a', place, note }], breakpoints: [] })
const recent = (name: string) => ({
  ...{ path: `/logs/${name}`, name, bytes: null, format: null, openedAt: 1, events: 1, malformed: 0, violation: 0 },
  todo: null
})
const area = (x: number) => ({ x, y: 0, width: 800, height: 600 })
const screen = [{ x: 0, y: 0, width: 2000, height: 2000 }]
const agents = (state: string) => new Agents({ state, variables: { PATH: '' }, platform: 'linux' })
const chosen = async (state: string) => (await agents(state).find('claude')).chosen
const manifest = (prompt: string) =>
  RunManifest.parse({
    ...{ manifest: 1, run: 'r', agent: 'claude', cwd: '/w', model: prompt, mode: null, extraArguments: [] },
    ...{ timeLimitMs: null, version: null, commandLine: [], state: 'running', startedAt: 1, endedAt: null },
    ...{ finishReason: null, exitCode: null, signal: null, message: null, recording: '/r', sessionId: null },
    ...{ format: 'claude-stream-json', stdoutBytes: 0, stderrBytes: 0, tokens: null, todo: null, process: null },
    owner: { pid: 1, startTime: null, host: 'h' }
  })
const feedStart = (folder: string) => ({
  ...{ run: 'r', folder, recording: join(folder, 'stdout.jsonl'), format: 'claude-stream-json' },
  ...{ timeLimitMs: null, logs: null, tasks: null, shrinks: false }
})
const over = {
  ...{ finishReason: 'done' as const, lastTurnDecides: true, exitCode: 0, signal: null, message: null },
  ...{ stderrTail: '', disk: null }
}
async function feed(folder: string): Promise<string[]> {
  const problems: string[] = []
  const hear = { tasks: () => {}, result: () => {}, streamed: () => {}, problem: (one: string) => problems.push(one) }
  const one = await Feed.open(feedStart(folder), hear, new AbortController().signal)
  await one.end(over)
  await one.close().catch((error: unknown) => problems.push(String(error)))
  return problems
}
const hookInput = () => {
  const input = {
    session_id: 's',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 't',
    tool_response: {}
  }
  return Readable.from([Buffer.from(JSON.stringify(input))])
}
const tasksIn = async (folder: string) => await TaskStore.open(join(folder, 'tasks.db'))
const todo = (content: string) => ({ content, status: 'pending', activeForm: content })
const packed = fileURLToPath(new URL('./fixtures/compressed/rollout.jsonl.zst', import.meta.url))
const packedLength = 376_565
/** Unpacks a log with its temporary folder in `folder`; gives its length. */
async function unpackedIn(folder: string): Promise<number> {
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, folder)
  const log = new UnpackedLog(await LogFile.open(join(folder, 'log.jsonl.zst')), { freeBytes: 0 })
  try {
    let length = 0
    for await (const bytes of log.chunks()) length += bytes.length
    return length
  } finally {
    vi.unstubAllEnvs()
    await log.close()
  }
}
const settings = '{\n  "model": "m"\n}\n'

/** A command that writes a file. `argv`: without the log; the file is in its folder. `log`: what the log holds. */
function outputOf([command = '', ...argv]: readonly string[], text: string): Writer {
  const log = (folder: string) => join(folder, 'log.jsonl')
  let complete = ''
  return {
    file: 'out.file',
    before(folder) {
      writeFileSync(log(folder), text)
      writeFileSync(join(folder, 'out.file'), 'old')
    },
    async write(folder) {
      const given = argv.map((each) => (each === 'out.file' ? join(folder, each) : each))
      const { code, err } = await playhead(command, ...given, log(folder))
      return code === 0 ? [] : [err]
    },
    found(folder) {
      expect(read(log(folder))).toBe(text)
      const now = read(folder, 'out.file')
      if (now === 'old') return 'old'
      complete ||= now
      expect(now.length).toBe(complete.length)
      return 'new'
    }
  }
}

const userSettings = (folder: string) => new UserSettings(folder, { onChange: () => {}, problem: () => {} }).handlers
const viewsOf = async (folder: string, name: string) =>
  await userSettings(folder)['settings.changeViews']({ remove: [], add: [{ name, query: 'a' }] })
const addedFolders = (folder: string) => new AddedFolders(folder, () => {})
/** A session that writes a file. */
const edits = `${[
  {
    type: 'user',
    uuid: 'u1',
    sessionId: 's',
    cwd: '/w',
    timestamp: '2026-01-05T09:00:00Z',
    message: { role: 'user', content: 'Write' }
  },
  {
    ...{
      type: 'assistant',
      uuid: 'u2',
      parentUuid: 'u1',
      sessionId: 's',
      cwd: '/w',
      timestamp: '2026-01-05T09:00:01Z'
    },
    message: {
      ...{ id: 'm', type: 'message', role: 'assistant', model: 'x' },
      content: [{ type: 'tool_use', id: 't', name: 'Write', input: { file_path: '/w/a.ts', content: 'one\n' } }]
    }
  },
  {
    ...{ type: 'user', uuid: 'u3', parentUuid: 'u2', sessionId: 's', cwd: '/w', timestamp: '2026-01-05T09:00:02Z' },
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'File created' }] },
    toolUseResult: { type: 'create', filePath: '/w/a.ts', content: 'one\n', structuredPatch: [] }
  }
]
  .map((record) => JSON.stringify(record))
  .join('\n')}\n`

const writers: Record<string, Writer> = {
  'bookmarks and breakpoints': {
    file: 'reviews',
    before: async (folder) => void (await new Reviews(folder).change('/log', () => review('old'))),
    write: async (folder) => await said(new Reviews(folder).change('/log', () => review('new'))),
    found: async (folder) => oneOf(await new Reviews(folder).get('/log'), review('old'), review('new'))
  },
  'recent logs': {
    file: 'recent-logs.json',
    before: async (folder) => await new RecentLogs(folder).remember(recent('old'), 'opened'),
    write: async (folder) => await said(new RecentLogs(folder).remember(recent('new'), 'opened')),
    found: async (folder) => oneOf(await new RecentLogs(folder).list(), [recent('old')], [recent('new'), recent('old')])
  },
  'the place of the window': {
    file: 'window.json',
    before: (folder) => void new WindowMemory(folder).keep(area(1), false),
    write: async (folder) => [new WindowMemory(folder).keep(area(2), false)],
    found: (folder) => oneOf(new WindowMemory(folder).place(screen).x, 1, 2)
  },
  'the programs of agents': {
    file: 'agents.json',
    before: async (folder) => void (await agents(folder).setCommand('claude', '/old')),
    write: async (folder) => await said(agents(folder).setCommand('claude', '/new')),
    found: async (folder) => oneOf(await chosen(folder), '/old', '/new')
  },
  'a saved index': {
    file: 'one.index',
    before: async (folder) => void (await new CacheFolder(folder).write('one.index', [Buffer.from('old')])),
    async write(folder) {
      const problems: string[] = []
      const pieces = ['new', ' and ', 'longer'].map((text) => Buffer.from(text))
      await new CacheFolder(folder, 1 << 20, (problem) => problems.push(problem)).write('one.index', pieces)
      return problems
    },
    found: (folder) => oneOf(read(folder, 'one.index'), 'old', 'new and longer')
  },
  'the manifest of a run': {
    file: 'run.json',
    before: async (folder) => await writeManifest(join(folder, 'run.json'), manifest('old')),
    write: async (folder) => await said(writeManifest(join(folder, 'run.json'), manifest('new'))),
    found: async (folder) => oneOf((await readManifest(join(folder, 'run.json'))).model, 'old', 'new')
  },
  'the folder of a new run': {
    file: 'runs',
    before: () => {},
    write: async (folder) => await said(createRunFiles(folder, newRunId(0), 'new')),
    found(folder) {
      const runs = readdirSync(folder).includes('runs') ? readdirSync(join(folder, 'runs')) : []
      return runs[0] === undefined ? 'old' : oneOf(read(folder, 'runs', runs[0], 'prompt.txt'), 'old', 'new')
    }
  },
  'the stream of a run': {
    file: 'stream.sse',
    before: (folder) => writeFileSync(join(folder, 'stdout.jsonl'), good),
    write: feed,
    async found(folder) {
      expect(read(folder, 'stdout.jsonl')).toBe(good)
      const isBegun = readdirSync(folder).includes('stream.sse')
      const isWhole = isBegun && /event: done\n[^]*\n\n$/.test(read(folder, 'stream.sse'))
      // What is missing is made by the next feed.
      expect(await feed(folder)).toEqual([])
      expect(read(folder, 'stream.sse').match(/event: done\n/g)).toHaveLength(1)
      return isWhole ? 'new' : 'old'
    }
  },
  'what a hook reported': {
    file: 'hooks.jsonl',
    before: (folder) => writeFileSync(join(folder, 'hooks.jsonl'), '{"old":1}\n'),
    async write(folder) {
      const variables = { PLAYHEAD_HOOKS: join(folder, 'hooks.jsonl') }
      return await said(receiveHook({ stdin: hookInput(), variables, platform: 'linux', now: () => 1 }))
    },
    async found(folder) {
      const lines = (): string[] => read(folder, 'hooks.jsonl').split('\n')
      expect(lines()[0]).toBe('{"old":1}')
      const isWhole = lines().length === 3
      const [, written = ''] = lines()
      // A line that was cut takes nothing of the next one with it.
      await this.write(folder)
      expect(JSON.parse(lines().at(-2) ?? '')).toMatchObject({ at: 1 })
      return isWhole && written.endsWith('}') ? 'new' : 'old'
    }
  },
  'the hook in an agent’s settings': {
    file: 'settings.json',
    before(folder) {
      writeFileSync(join(folder, 'settings.json'), settings)
      writeFileSync(join(folder, 'settings.json.playhead-backup'), 'an older one')
    },
    write: async (folder) => await said(installHook(join(folder, 'settings.json'), 'playhead hook')),
    found(folder) {
      const now = read(folder, 'settings.json')
      expect(JSON.parse(now)).toMatchObject({ model: 'm' })
      expect(['an older one', settings]).toContain(read(folder, 'settings.json.playhead-backup'))
      return now === settings ? 'old' : 'new'
    }
  },
  'the tasks of a session': {
    file: 'tasks.db',
    faults: ['full', 'broken'],
    async before(folder) {
      const store = await tasksIn(folder)
      store.syncSdkTasks('s', [todo('old')])
      store.close()
    },
    async write(folder) {
      failStatements(await loadDatabase())
      const work = async (): Promise<void> => {
        const store = await tasksIn(folder)
        try {
          store.syncSdkTasks('s', [todo('new'), todo('newer')])
        } finally {
          store.close()
        }
      }
      return await said(work())
    },
    async found(folder) {
      const store = await tasksIn(folder)
      const titles = store.tasks('s').map(({ title }) => title)
      store.close()
      return oneOf(titles, ['old'], ['new', 'newer'])
    }
  },
  'the first tasks there are': {
    file: 'tasks.db',
    faults: ['full', 'broken'],
    before: () => {},
    async write(folder) {
      failStatements(await loadDatabase())
      const work = async (): Promise<void> => {
        const store = await tasksIn(folder)
        try {
          expect(store.tasks('s')).toEqual([])
        } finally {
          store.close()
        }
      }
      return await said(work())
    },
    // Whatever was begun, the next one ends it.
    async found(folder, isSaid) {
      const store = await tasksIn(folder)
      expect(store.tasks('s')).toEqual([])
      expect(store.syncSdkTasks('s', [todo('new')])).toBe(true)
      store.close()
      return isSaid ? 'old' : 'new'
    }
  },
  'the copy of an unpacked log': {
    file: 'log.jsonl.zst',
    noRoom: 'too little space in',
    before: (folder) => copyFileSync(packed, join(folder, 'log.jsonl.zst')),
    // What is read without a word is all there is.
    write: async (folder) => await said(unpackedIn(folder).then((length) => expect(length).toBe(packedLength))),
    // It is gone with who had it: there is no old one.
    async found(folder, isSaid) {
      expect(await unpackedIn(folder)).toBe(packedLength)
      return isSaid ? 'old' : 'new'
    }
  },
  'a dropped file': {
    file: 'log.jsonl',
    before: () => {},
    async write(folder) {
      const drops = new DropFolder(dropLimits, folder)
      return await said(drops.receive('group', ['log.jsonl'], Readable.from([Buffer.from('new'), Buffer.from('er')])))
    },
    found(folder) {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
      return files[0] === undefined ? 'old' : oneOf(read(folder, files[0]), '', 'newer')
    }
  },
  'the saved views': {
    file: 'settings.json',
    before: async (folder) => void (await viewsOf(folder, 'old')),
    write: async (folder) => await said(viewsOf(folder, 'new')),
    async found(folder) {
      const { settings: now } = await userSettings(folder)['settings.get']({})
      return oneOf(now.views.map(({ name }) => name).join(), 'old', 'old,new')
    }
  },
  'the history': {
    file: 'history.json',
    before: async (folder) => void (await userSettings(folder)['settings.remember']({ query: 'old' })),
    write: async (folder) => await said(userSettings(folder)['settings.remember']({ query: 'new' })),
    found: async (folder) =>
      oneOf((await userSettings(folder)['settings.get']({})).history.queries.join(), 'old', 'new,old')
  },
  'the folders of the library': {
    file: 'library-folders.json',
    before: async (folder) => await addedFolders(folder).add('/old'),
    write: async (folder) => await said(addedFolders(folder).add('/new')),
    found: async (folder) => oneOf(await addedFolders(folder).list(), ['/old'], ['/old', '/new'])
  },
  'a state file of a newer Playhead, which is kept beside': {
    file: 'library-folders.json',
    before: (folder) => writeFileSync(join(folder, 'library-folders.json'), '{"version":2}'),
    write: async (folder) => await said(addedFolders(folder).add('/new')),
    async found(folder) {
      const file = join(folder, 'library-folders.json')
      if (read(file) === '{"version":2}') return 'old'
      expect(read(`${file}.aside-1`)).toBe('{"version":2}')
      return oneOf(await addedFolders(folder).list(), null, ['/new'])
    }
  },
  'the token of a server': {
    file: '4000.json',
    before: async (folder) => await new ServerFiles(folder).put({ port: 4000, token: 'o'.repeat(43), keep: true }),
    write: async (folder) => await said(new ServerFiles(folder).put({ port: 4000, token: 'n'.repeat(43), keep: true })),
    found: async (folder) => oneOf(await new ServerFiles(folder).token(4000), 'o'.repeat(43), 'n'.repeat(43))
  },
  'a part of the search index': {
    // What searches says it is slow, and why.
    file: '',
    before: (folder) => writeSegment(join(folder, 'one'), { logs: [], columns: 8, rows: Buffer.from('old') }),
    write: async (folder) =>
      await said(
        (async () => writeSegment(join(folder, 'one'), { logs: [], columns: 8, rows: Buffer.from('newer') }))()
      ),
    found: (folder) =>
      read(folder, 'one').includes('old') ? 'old' : oneOf(read(folder, 'one').includes('newer'), 0, true)
  },
  'the page that leads a browser to ours': {
    file: '',
    faults: ['full', 'broken'],
    noRoom: 'no browser',
    before: (folder) => writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 }),
    async write(folder) {
      for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, folder)
      vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
      const { started, end } = await openBrowser('http://127.0.0.1:1/', 'linux').finally(() => vi.unstubAllEnvs())
      await end()
      return started ? [] : ['no browser']
    },
    found(folder, isSaid) {
      expect(readdirSync(folder)).toEqual(['xdg-open'])
      return isSaid ? 'old' : 'new'
    }
  },
  'files of a session': {
    file: 'out',
    faults: ['full', 'broken'],
    before: (folder) => writeFileSync(join(folder, 'log.jsonl'), edits),
    async write(folder) {
      const { code, err } = await playhead('files', join(folder, 'log.jsonl'), '-o', join(folder, 'out'))
      return code === 0 ? [] : [err]
    },
    found(folder, isSaid) {
      expect(read(folder, 'log.jsonl')).toBe(edits)
      if (isSaid) return 'old'
      expect(read(folder, 'out', 'a.ts')).toBe('one\n')
      expect(JSON.parse(read(folder, 'out', 'MANIFEST.json'))).toBeTruthy()
      return 'new'
    }
  },
  'a patch': outputOf(['patch', '-o', 'out.file'], edits),
  'an export of tables': {
    file: '',
    before: (folder) => writeFileSync(join(folder, 'log.jsonl'), good),
    async write(folder) {
      const { code, err } = await playhead(
        'export',
        '--to',
        'parquet',
        join(folder, 'log.jsonl'),
        '-o',
        join(folder, 'out')
      )
      return code === 0 ? [] : [err]
    },
    async found(folder, isSaid) {
      if (isSaid) return 'old'
      // Unchanged: the manifest knows that all of it is there.
      const { err } = await playhead('export', '--to', 'parquet', join(folder, 'log.jsonl'), '-o', join(folder, 'out'))
      expect(err).toContain('unchanged')
      return 'new'
    }
  },
  ...Object.fromEntries(
    exportForms
      // Raw bytes are a form of the page's downloads only.
      .filter((form) => form !== 'parquet' && form !== 'raw')
      .map((form) => [`an export to ${form}`, outputOf(['export', '--to', form, '-o', 'out.file'], good)])
  )
}

/** Each file of the source that writes, and what fails its writes: a name above, or a file of tests. */
const tested: Readonly<Record<string, string>> = {
  'backend/export/output-file.ts': 'an export to trace',
  'backend/export/spool.ts': 'an export to atif',
  'backend/export/write-tables.ts': 'an export of tables',
  'backend/file-lock.ts': 'the history',
  'backend/files/write-folder.ts': 'files of a session',
  'backend/library/library-database.ts': 'src/backend/library/library-kill.test.ts',
  'backend/live-runs/dialogue-notes.ts': 'src/backend/live-runs/dialogue-full-disk.test.ts',
  'backend/live-runs/folder-trees.ts': 'src/backend/live-runs/folder-trees.test.ts',
  'backend/live-runs/host-notes.ts': 'src/backend/live-runs/dialogue-full-disk.test.ts',
  'backend/live-runs/live-notes.ts': 'src/backend/live-runs/live-notes.test.ts',
  'backend/live-runs/lost-run.ts': 'src/backend/live-runs/lost-run.test.ts',
  'backend/live-runs/new-run-folders.ts': 'the folder of a new run',
  'backend/live-runs/own-run.ts': 'src/backend/live-runs/live-runs.test.ts',
  'backend/live-runs/recording-files.ts': 'src/backend/live-runs/recording-files.test.ts',
  'backend/live-runs/run-archive.ts': 'src/cli/kept-runs.test.ts',
  'backend/live-runs/session-copy.ts': 'src/backend/live-runs/session-copy.test.ts',
  'backend/live-runs/stream-file.ts': 'the stream of a run',
  'backend/live-runs/stream-thread.ts': 'src/backend/live-runs/live-runs.test.ts',
  'backend/saved/cache-folder.ts': 'a saved index',
  'backend/sources/session-databases.ts': 'src/backend/sources/stored-log.test.ts',
  'backend/sources/temporary-file.ts': 'the copy of an unpacked log',
  'backend/state-file.ts': 'a state file of a newer Playhead, which is kept beside',
  'backend/tasks/task-database.ts': 'the first tasks there are',
  'backend/whole-file.ts': 'the history',
  'cli/browser.ts': 'the page that leads a browser to ours',
  'cli/index.ts': 'test/e2e/loopback.spec.ts',
  'cli/receive-hook.ts': 'what a hook reported',
  'server/drop-folder.ts': 'a dropped file'
}

test('whatever writes is failed here, or where the table says', () => {
  const source = fileURLToPath(new URL('../src', import.meta.url))
  const writing = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && writes(read(source, path)))
  expect(writing.toSorted()).toEqual(Object.keys(tested).toSorted())
  const missing = Object.values(tested).filter(
    (by) => !Object.hasOwn(writers, by) && !existsSync(fileURLToPath(new URL(`../${by}`, import.meta.url)))
  )
  expect(missing).toEqual([])
})

/** Whether it calls what writes, or opens something to write. Functions of other files that do are counted there. */
function writes(text: string): boolean {
  const names = [...text.matchAll(/import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g)].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim())
  )
  const opens = names.includes('open') || names.includes('openSync')
  const writing =
    /^(?:writeFile|appendFile|writev?|createWriteStream|rename|copyFile|cp|link|symlink|f?truncate|mkdtemp|f?utimes|chmod)(?:Sync)?$/
  return (
    names.some((name) => writing.test(name)) || (opens && /\bO_(?:WRONLY|RDWR|CREAT)\b|'(?:[wa]x?\+?|r\+)'/.test(text))
  )
}

describe.each(Object.entries(writers))('%s', (_, writer) => {
  test.each(writer.faults ?? faults)('is what it was or what it is to be, whichever write fails: %s', async (fault) => {
    let tried = 0
    for (let at = 0; ; at++) {
      const folder = mkdtempSync(join(root, 'of-'))
      mkdirSync(folder, { recursive: true })
      await writer.before(folder)
      failWrite(at, fault, [folder])
      const problems = (await writer.write(folder)).filter((one) => one !== null)
      const { failed } = endFailing()
      const drafts = hasDrafts(folder)
      const found = await writer.found(folder, problems.length > 0)
      const what = { fault, failed, problems }
      if (failed.length === 0) {
        expect({ ...what, found }).toEqual({ ...what, problems: [], found: 'new' })
        break
      }
      tried++
      expect({ ...what, drafts }).toEqual({ ...what, drafts: false })
      // Where the new one is whole nothing was lost.
      if (found === 'old') expect(problems.join(' '), JSON.stringify(what)).toContain(writer.file)
      if (fault === 'short') expect({ ...what, found }).toEqual({ ...what, problems: [], found: 'new' })
      if (found === 'old' && fault === 'full') expect(problems.join(' ')).toContain(writer.noRoom ?? 'the disk is full')
    }
    expect(tried).toBeGreaterThan(0)
  })
})
