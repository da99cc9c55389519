import {
  copyFileSync,
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
import { WindowMemory } from '#backend/desktop/window-place.ts'
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
import { installHook } from '#cli/hook-settings.ts'
import { receiveHook } from '#cli/receive-hook.ts'
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

function exporting(to: string): Writer {
  const log = (folder: string) => join(folder, 'log.jsonl')
  let complete = ''
  return {
    file: 'out.file',
    before(folder) {
      writeFileSync(log(folder), good)
      writeFileSync(join(folder, 'out.file'), 'old')
    },
    async write(folder) {
      const { code, err } = await playhead('export', '--to', to, log(folder), '-o', join(folder, 'out.file'))
      expect(code).toBe(err.includes('written to') ? 0 : 2)
      return code === 0 ? [] : [err]
    },
    found(folder) {
      expect(read(log(folder))).toBe(good)
      const now = read(folder, 'out.file')
      if (now === 'old') return 'old'
      complete ||= now
      expect(now.length).toBe(complete.length)
      return 'new'
    }
  }
}

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
  'an export to JSONL': exporting('jsonl'),
  'a report': exporting('md'),
  'a shared page': exporting('html')
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
