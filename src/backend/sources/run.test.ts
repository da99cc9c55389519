import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { at, claudeBesideRun, claudeFolderRun, codexRun, geminiRun, write } from '../../../test/invented-runs.ts'
import { type ReadLog, readLog } from './read-log.ts'
import type { ParentsOf } from './run-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-runs-'))
afterAll(() => rmSync(folder, { recursive: true }))

let root: string
beforeEach(() => {
  root = mkdtempSync(join(folder, 'run-'))
})

interface Seen extends ReadLog {
  readonly all: readonly AgentEvent[]
}

async function read(path: string, single = false): Promise<Seen> {
  const all: AgentEvent[] = []
  const log = await readLog({ path, format: null, single }, { event: (event) => void all.push(event) })
  return { ...log, all }
}

const names = (log: ReadLog) => log.files.map(({ name }) => name)
const times = ({ all }: Seen) => all.map(({ timestamp }) => timestamp)
const words = ({ all }: Seen) =>
  all.flatMap((event) => (event.type === 'text' ? [[event.text, event.trackId, event.source?.file]] : []))

describe('a link in the folders of a run', () => {
  const outside = (name: string): string => join(folder, `outside-${name}`)
  const said = (content: string): string =>
    JSON.stringify({
      type: 'user',
      isSidechain: true,
      sessionId: 'session-1',
      uuid: 'x',
      message: { role: 'user', content }
    })

  test.each([
    ['to a file', 'session-1/subagents/agent-ddd.jsonl'],
    ['to a companion', 'session-1/subagents/agent-aaa.meta.json'],
    ['to a file deep below', 'session-1/subagents/workflows/w1/agent-ddd.jsonl']
  ])('%s out of the session is not followed, and told', async (_, place) => {
    const log = claudeFolderRun(root)
    const before = await read(log)
    write(outside('file'), 'agent-ddd.jsonl', said('what nobody may read'))
    rmSync(join(root, place), { force: true })
    symlinkSync(join(outside('file'), 'agent-ddd.jsonl'), join(root, place))
    const after = await read(log)
    expect(JSON.stringify(after.all)).not.toContain('what nobody may read')
    expect(names(after)).toEqual(names(before))
    if (place.endsWith('.jsonl'))
      expect(after.notes).toEqual([`${place} is not shown: it is a link that leads out of the folder of the session`])
  })

  test.each(['session-1', 'session-1/subagents', 'session-1/subagents/workflows'])(
    'in place of the folder %s is not followed, and told',
    async (place) => {
      const log = claudeFolderRun(root)
      const elsewhere = mkdtempSync(join(folder, 'elsewhere-'))
      claudeFolderRun(elsewhere)
      rmSync(join(root, place), { recursive: true })
      symlinkSync(join(elsewhere, place), join(root, place))
      const after = await read(log)
      expect(names(after).filter((name) => name.startsWith(`${place}/`))).toEqual([])
      if (place !== 'session-1/subagents/workflows')
        expect(after.notes).toEqual([expect.stringContaining('is a link that leads out of the folder of the session')])
    }
  )

  test('within the session is followed, and so is one that the person opens', async () => {
    const log = claudeFolderRun(root)
    renameSync(
      join(root, 'session-1/subagents/agent-aaa.jsonl'),
      join(root, 'session-1/subagents/workflows/agent-aaa.jsonl')
    )
    symlinkSync(
      join(root, 'session-1/subagents/workflows/agent-aaa.jsonl'),
      join(root, 'session-1/subagents/agent-aaa.jsonl')
    )
    expect(names(await read(log))).toContain('session-1/subagents/agent-aaa.jsonl')
    const link = join(mkdtempSync(join(folder, 'links-')), 'link.jsonl')
    symlinkSync(log, link)
    expect((await read(link)).all.length).toBeGreaterThan(0)
  })

  test('of Codex to another day is not followed out of the sessions', async () => {
    const log = codexRun(root)
    const whole = await read(log)
    expect(whole.files.length).toBeGreaterThan(0)
    const child = join(log, '..', whole.files[0]?.name ?? '')
    const away = join(mkdtempSync(join(folder, 'away-')), 'rollout-x.jsonl')
    renameSync(child, away)
    symlinkSync(away, child)
    const after = await read(log)
    expect(after.files.map(({ name }) => name)).not.toContain(whole.files[0]?.name)
    expect(after.notes.join()).toContain('is a link that leads out of the folder of the session')
  })
})

describe('a run of Claude', () => {
  test('takes in the files of its agents, as tracks of the calls that started them', async () => {
    const log = await read(claudeFolderRun(root))
    const [white, black] = ['session-1/subagents/agent-aaa.jsonl', 'session-1/subagents/workflows/w1/agent-bbb.jsonl']
    expect(log).toMatchObject({ format: { id: 'claude-transcript' }, lines: 6, note: null, notes: [] })
    expect(log.files.map(({ name, lines }) => [name, lines])).toEqual([
      [white, 3],
      [black, 2]
    ])
    expect(words(log)).toEqual([
      ['Count the sheep with two helpers', undefined, undefined],
      ['Count the white sheep', 'call-a', white],
      ['Count the black sheep', 'call-b', black],
      ['Three black ones.', 'call-b', black],
      ['Six white ones.', 'call-a', white],
      ['There are nine.', undefined, undefined]
    ])
    expect(times(log)).toEqual(times(log).toSorted((a, b) => a - b))
    expect(new Set(log.all.map(({ eventId }) => eventId)).size).toBe(log.all.length)
  })

  test('finds agents beside the session, and says how many were only warmed up', async () => {
    const log = await read(claudeBesideRun(root))
    expect(names(log)).toEqual(['agent-aaa.jsonl', 'agent-bbb.jsonl'])
    expect(log.notes).toEqual(['3 warm-up agents not shown'])
    expect(new Set(log.all.map(({ trackId }) => trackId))).toEqual(new Set([undefined, 'call-a', 'call-b']))
  })

  test('opens no file beside it that is known to be of another session', async () => {
    const parents = new Map([
      ['agent-aaa.jsonl', 'session-2'],
      ['agent-bbb.jsonl', 'session-1'],
      ['agent-w1.jsonl', null]
    ])
    const parentsOf: ParentsOf = async (paths) =>
      new Map(
        paths.flatMap((path) => {
          const parent = parents.get(path.slice(root.length + 1))
          return parent === undefined ? [] : [[path, parent]]
        })
      )
    const log = await readLog({ path: claudeBesideRun(root), format: null, single: false, parentsOf }, {})
    expect(names(log)).toEqual(['agent-bbb.jsonl'])
    expect(log.notes).toEqual(['3 warm-up agents not shown'])
  })

  test('opens each file in the folder of its id, whatever that names', async () => {
    const parentsOf: ParentsOf = async (paths) => new Map(paths.map((path) => [path, 'session-2']))
    const log = await readLog({ path: claudeFolderRun(root), format: null, single: false, parentsOf }, {})
    expect(names(log)).toHaveLength(2)
  })

  test('is the same whatever lies around it, and alone where that is asked for', async () => {
    const path = claudeFolderRun(root)
    const before = await read(path)
    write(root, 'session-2.jsonl', 'something else')
    write(root, 'session-1/subagents/agent-ccc.txt', 'something else')
    expect(await read(path)).toEqual(before)
    const alone = await read(path, true)
    expect([alone.files, alone.notes, alone.lines]).toEqual([[], [], 6])
    expect(alone.all.length).toBeLessThan(before.all.length)
  })

  test('changes nothing, and is found through a link', async () => {
    const path = claudeFolderRun(root)
    const state = () =>
      readdirSync(root, { recursive: true }).map((name) => [name, statSync(join(root, String(name))).mtimeMs])
    const before = state()
    symlinkSync(path, join(folder, 'link.jsonl'))
    expect(names(await read(join(folder, 'link.jsonl')))).toHaveLength(2)
    expect(state()).toEqual(before)
  })

  test("an agent's own file is opened alone", async () => {
    claudeBesideRun(root)
    const log = await read(join(root, 'agent-aaa.jsonl'))
    expect([log.files, log.notes, log.lines]).toEqual([[], [], 3])
  })

  test('files that cannot be read are left out, and said', async () => {
    const path = claudeFolderRun(root)
    rmSync(join(root, 'session-1/subagents/agent-aaa.jsonl'))
    symlinkSync(join(root, 'nowhere'), join(root, 'session-1/subagents/agent-aaa.jsonl'))
    symlinkSync(join(root, 'session-1'), join(root, 'session-1/subagents/agent-dir.jsonl'))
    const log = await read(path)
    expect(names(log)).toEqual(['session-1/subagents/workflows/w1/agent-bbb.jsonl'])
    expect(log.notes).toEqual([
      expect.stringMatching(
        /^session-1\/subagents\/agent-dir\.jsonl is not shown: it is a link that leads out.*, and 1 more$/
      )
    ])
  })

  test('an agent that has written nothing yet, or nonsense, ends nothing', async () => {
    const path = claudeFolderRun(root)
    truncateSync(join(root, 'session-1/subagents/agent-aaa.jsonl'))
    writeFileSync(join(root, 'session-1/subagents/workflows/w1/agent-bbb.jsonl'), Buffer.from([0, 255, 10, 123]))
    const log = await read(path)
    expect(log.files.map(({ bytes, lines }) => [bytes, lines])).toEqual([
      [0, 0],
      [4, 2]
    ])
    // What states no time comes last.
    expect(words(log).map(([text]) => text)).toEqual([
      'Count the sheep with two helpers',
      'There are nine.',
      expect.stringContaining('\u0000'),
      '{'
    ])
  })

  test('of very many files shows some, and says so', async () => {
    const path = claudeBesideRun(root)
    const agent = readFileSync(join(root, 'agent-aaa.jsonl'))
    for (let i = 0; i < 2010; i++) writeFileSync(join(root, `agent-${String(i).padStart(5, '0')}.jsonl`), agent)
    const log = await read(path)
    expect(log.files).toHaveLength(500)
    expect(names(log)[0]).toBe('agent-00000.jsonl')
    expect(log.notes).toEqual([
      'only 2000 of the 2016 files that may belong to this session were checked',
      'only the first 500 of 2000 subagent files are shown'
    ])
  })

  test('has the files in its own folder before those that lie beside many sessions', async () => {
    const path = claudeFolderRun(root)
    for (let i = 0; i < 2000; i++) {
      const other = { type: 'user', sessionId: `other-${i}`, isSidechain: true, message: { content: 'Warmup' } }
      writeFileSync(join(root, `agent-${i}.jsonl`), `${JSON.stringify(other)}\n`)
    }
    expect(names(await read(path))).toEqual([
      'session-1/subagents/agent-aaa.jsonl',
      'session-1/subagents/workflows/w1/agent-bbb.jsonl'
    ])
  })

  test('may have a file with any name', { skip: process.platform === 'win32' }, async () => {
    const path = claudeFolderRun(root)
    const name = 'session-1/subagents/agent-a\n b\u2028.jsonl'
    writeFileSync(join(root, name), readFileSync(join(root, 'session-1/subagents/agent-aaa.jsonl')))
    expect(names(await read(path))).toContain(name)
  })
})

describe('a run of Codex', () => {
  test('takes in the threads that it started, and those that they started, on whatever day', async () => {
    const log = await read(codexRun(root))
    expect(names(log)).toEqual([
      '../06/rollout-2026-01-06T00-00-05-grandchild.jsonl',
      'rollout-2026-01-05T09-00-02-child.jsonl'
    ])
    expect(log.notes).toEqual(['1 duplicate file of this session not shown'])
    expect(words(log).map(([text]) => text)).toEqual([
      'Count the sheep',
      'Somebody is counting.',
      'Six white ones.',
      'Three of them are lambs.',
      'There are nine.'
    ])
    const [child, grandchild] = [words(log)[2], words(log)[3]]
    expect(child?.[1]).toEqual(expect.any(String))
    expect(grandchild?.[1]).toEqual(expect.any(String))
    expect(child?.[1]).not.toBe(grandchild?.[1])
  })

  test('opens no file that is known to name no parent', async () => {
    const asked: string[] = []
    const parentsOf: ParentsOf = async (paths) => {
      asked.push(...paths.map((path) => path.slice(root.length)))
      return new Map(paths.filter((path) => path.endsWith('02-child.jsonl')).map((path) => [path, null]))
    }
    const log = await readLog({ path: codexRun(root), format: null, single: false, parentsOf }, {})
    const [today, tomorrow] = ['/sessions/2026/01/05/rollout-2026-01-05T', '/sessions/2026/01/06/rollout-2026-01-06T']
    expect(asked.toSorted()).toEqual([
      `${today}08-00-00-other.jsonl`,
      `${today}09-00-02-child.jsonl`,
      `${today}09-30-00-copy.jsonl`,
      `${tomorrow}00-00-05-grandchild.jsonl`
    ])
    // The copy of the child takes its place.
    expect(names(log)).toEqual([
      '../06/rollout-2026-01-06T00-00-05-grandchild.jsonl',
      'rollout-2026-01-05T09-30-00-copy.jsonl'
    ])
  })

  test('a child is opened with its own children only', async () => {
    codexRun(root)
    const log = await read(join(root, 'sessions/2026/01/05/rollout-2026-01-05T09-00-02-child.jsonl'))
    expect(names(log)).toEqual(['../06/rollout-2026-01-06T00-00-05-grandchild.jsonl'])
  })
})

describe('a run of Gemini', () => {
  test('takes in the chats of its agents, documents and change logs alike', async () => {
    const log = await read(geminiRun(root))
    expect(names(log)).toEqual(['52c73acd/black.jsonl', '52c73acd/white.json'])
    expect(words(log).map(([text, , file]) => [text, file])).toEqual([
      ['Counting.', undefined],
      ['Six white ones.', '52c73acd/white.json'],
      ['Three black ones.', '52c73acd/black.jsonl'],
      ['There are nine.', undefined]
    ])
    const [main, white, black] = words(log).map(([, trackId]) => trackId)
    expect(main).toBeUndefined()
    expect(new Set([white, black, undefined]).size).toBe(3)
    expect(log.all.find((event) => event.type === 'text' && event.text.startsWith('Six'))?.timestamp).toBe(
      Date.parse(at(4))
    )
  })
})
