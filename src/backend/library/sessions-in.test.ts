import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sessionsIn } from './sessions-in.ts'

const fixture = join(import.meta.dirname, '../../../test/fixtures/session-with-subagents')
const session = 'd7cbf5a2-16f4-4f8d-b8eb-4094d68ce00d'
const agents = ['agent-a455a0ad19f1abc77', 'agent-a8e9970cfc386f3ae']
const root = mkdtempSync(join(tmpdir(), 'playhead-sessions-in-'))
afterAll(() => rmSync(root, { recursive: true }))

/** What was told last. */
let notes: string[] = []
async function found(...paths: string[]): Promise<unknown[]> {
  notes = []
  const { logs, total, others } = await sessionsIn(paths, (note) => notes.push(note))
  return [logs.map(({ path }) => basename(path, '.jsonl')).toSorted(), total, others]
}

test('a folder has the sessions in it, without the logs of their subagents', async () => {
  expect(await found(fixture)).toEqual([[session], 1, 0])
  const { logs } = await sessionsIn([fixture], () => {})
  expect(logs[0]).toMatchObject({ title: 'please do agent — naïve café ☕', at: expect.any(Number) })
})

test('a folder whose own name is one that an agent uses is told like any other', async () => {
  const folder = join(root, 'subagents')
  cpSync(fixture, folder, { recursive: true })
  expect(await found(folder)).toEqual([[session], 1, 0])
})

test('the folder of the subagents may lie beside the session, too', async () => {
  const folder = join(root, 'beside')
  cpSync(join(fixture, session, 'subagents'), join(folder, 'subagents'), { recursive: true })
  cpSync(join(fixture, `${session}.jsonl`), join(folder, `${session}.jsonl`))
  expect(await found(folder)).toEqual([[session], 1, 0])
})

test('files that were given together are told the same way, wherever they lie', async () => {
  const flat = join(root, 'flat')
  mkdirSync(flat)
  cpSync(join(fixture, `${session}.jsonl`), join(flat, 'main.txt'))
  for (const agent of agents) {
    for (const end of ['.jsonl', '.meta.json'])
      cpSync(join(fixture, session, 'subagents', agent + end), join(flat, agent + end))
  }
  const all = ['main.txt', ...agents.flatMap((agent) => [`${agent}.jsonl`, `${agent}.meta.json`])]
  expect(await found(...all.map((name) => join(flat, name)))).toEqual([['main.txt'], 1, 0])
  // A log of a subagent is a session of its own where its session is not there.
  rmSync(join(flat, 'main.txt'))
  expect(await found(flat)).toEqual([agents, 2, 0])
})

test('files that are no logs are counted, and nothing else is', async () => {
  const mixed = join(root, 'mixed')
  mkdirSync(join(mixed, 'node_modules'), { recursive: true })
  cpSync(fixture, join(mixed, 'store'), { recursive: true })
  for (const path of ['a.json', 'b.jsonl', 'empty.jsonl', 'text.txt', 'node_modules/c.json'])
    writeFileSync(join(mixed, path), path === 'empty.jsonl' ? '' : '{"some": "thing"}\n')
  symlinkSync('..', join(mixed, 'store', 'loop'))
  expect(await found(mixed)).toEqual([[session], 1, 3])
  expect(await found(join(mixed, 'a.json'), join(mixed, 'text.txt'))).toEqual([[], 0, 2])
  expect(await found(join(mixed, 'missing'))).toEqual([[], 0, 0])
})

test('a link that leads out of a folder is not followed, and told; one in it is', async () => {
  const [folder, outside] = [join(root, 'linked'), join(root, 'linked-out')]
  for (const place of [folder, outside]) cpSync(fixture, place, { recursive: true })
  const other = join(outside, 'other.jsonl')
  cpSync(join(fixture, `${session}.jsonl`), other)
  symlinkSync(other, join(folder, 'other.jsonl'))
  symlinkSync(outside, join(folder, 'more'))
  symlinkSync(join(folder, `${session}.jsonl`), join(folder, 'again.jsonl'))
  expect(await found(folder)).toEqual([[session], 1, 0])
  expect(notes).toEqual([`${folder}: 2 links that lead out of the folder were not followed.`])
  expect(await found(join(folder, 'other.jsonl'))).toEqual([['other'], 1, 0])
})
