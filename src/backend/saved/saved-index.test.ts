import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Decoded } from '#core/formats/log-format.ts'
import type { RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { saveState } from '#core/state/saved-state.ts'
import { indexClasses } from '#core/state/index-classes.ts'
import { claudeFolderRun } from '../../../test/invented-runs.ts'
import { Run, type RunOptions } from '../sources/run.ts'
import { CacheFolder } from './cache-folder.ts'
import { SavedIndexes } from './saved-index.ts'
import { readLabel, stateBytes } from './state-file.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-saved-'))
afterAll(() => fs.rmSync(root, { recursive: true }))

let folder = ''
let cache = ''
let saved: SavedIndexes
let runs: Run[]
beforeEach(() => {
  folder = fs.mkdtempSync(join(root, 'of-'))
  cache = join(folder, 'cache')
  saved = new SavedIndexes(new CacheFolder(cache), 'this code')
  runs = []
})
afterEach(async () => {
  await Promise.all(runs.map((run) => run.close()))
})

const said = (text: string): string =>
  `${JSON.stringify({
    type: 'assistant',
    message: { id: text, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    session_id: 's'
  })}\n`

interface Read {
  readonly run: Run
  readonly options: RunOptions
  readonly reader: RunReader<Decoded, RunIndex>
}

async function read(path: string): Promise<Read> {
  const options = { path, format: null, single: false }
  const run = await Run.open(options)
  runs.push(run)
  const reader = run.reader(new RunIndex(run.chosen.format))
  for await (const _ of run.follow(reader));
  return { run, options, reader }
}

function stateOf({ reader: { foldedLines, positions } }: Read): Parameters<SavedIndexes['save']>[2] {
  if (positions === null) throw new Error('a line waits')
  return { foldedLines, positions }
}

const yes = async (): Promise<boolean> => true

/** How many rows an index holds that was kept; null where there is none that fits. */
async function keptRows({ options }: Read): Promise<number | null> {
  const run = await Run.open(options)
  runs.push(run)
  return (await saved.load(run, options))?.foldedLines.sink.rows.rows ?? null
}

function pathOf(content: string): string {
  const path = join(folder, 'run.jsonl')
  fs.writeFileSync(path, content)
  return path
}

describe('a saved index', () => {
  test('has the state at the start of saving, whatever is appended meanwhile', async () => {
    const log = await read(pathOf(said('one') + said('two')))
    const saving = saved.save(log.run, log.options, stateOf(log), yes)
    log.reader.resumeFile(0)
    log.reader.push(0, Buffer.from(said('three')))
    expect(await saving).toBe(true)
    expect(log.reader.sink.rows.rows).toBe(3)
    expect(await keptRows(log)).toBe(2)
  })

  test('is not saved for a file that was rewritten before', async () => {
    const path = pathOf(said('one'))
    const log = await read(path)
    fs.writeFileSync(path, said('two'))
    expect(await saved.save(log.run, log.options, stateOf(log), async () => false)).toBe(false)
    expect(await keptRows(log)).toBeNull()
  })

  test('of a run does not fit if its files belong to other calls', async () => {
    const log = await read(claudeFolderRun(folder))
    await saved.save(log.run, log.options, stateOf(log), yes)
    expect(await keptRows(log)).toBe(log.reader.sink.rows.rows)
    const agents = join(folder, 'session-1/subagents')
    const [agent = ''] = fs.readdirSync(agents).filter((name) => name.endsWith('.jsonl'))
    fs.writeFileSync(join(agents, agent.replace('.jsonl', '.meta.json')), JSON.stringify({ toolUseId: 'call-other' }))
    expect(await keptRows(log)).toBeNull()
  })

  const at = { line: 2, offset: said('one').length, clock: null }
  const shapes: [string, (state: ReturnType<typeof stateOf>) => object][] = [
    ['has no reader', () => ({ positions: [at] })],
    ['has a list for a reader', () => ({ foldedLines: [], positions: [at] })],
    ['has the index itself for a reader', ({ foldedLines: { sink } }) => ({ foldedLines: sink, positions: [at] })],
    ['has no positions', ({ foldedLines }) => ({ foldedLines })],
    ['has a position too many', ({ foldedLines }) => ({ foldedLines, positions: [at, at] })],
    ['has a position that is none', ({ foldedLines }) => ({ foldedLines, positions: [null] })],
    ['goes on elsewhere', ({ foldedLines }) => ({ foldedLines, positions: [{ ...at, offset: 3 }] })],
    ['goes on at no line', ({ foldedLines }) => ({ foldedLines, positions: [{ ...at, line: 'x' }] })]
  ]
  test.each(shapes)('that %s is invalid', async (_what, change) => {
    const log = await read(pathOf(said('one')))
    const write = async (state: object): Promise<void> => {
      const [name = ''] = fs.readdirSync(cache)
      const file = await fs.promises.open(join(cache, name))
      const label = await readLabel(file)
      await file.close()
      const bytes = stateBytes(label, saveState(state, indexClasses(log.run.chosen.format)))
      fs.writeFileSync(join(cache, name), Buffer.concat([...bytes].map((block) => Buffer.from(block))))
    }
    await saved.save(log.run, log.options, stateOf(log), yes)
    await write(stateOf(log))
    expect(await keptRows(log)).toBe(1)
    await write(change(stateOf(log)))
    expect(await keptRows(log)).toBeNull()
  })
})
