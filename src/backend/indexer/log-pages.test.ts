import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Decoded } from '#core/formats/log-format.ts'
import type { RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { Run } from '../sources/run.ts'
import { LogPages } from './log-pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))

let run: Run
afterEach(async () => await run.close())

const said = (text: string): string =>
  `${JSON.stringify({
    type: 'assistant',
    message: { id: text, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    session_id: 's'
  })}\n`

interface Open {
  readonly path: string
  readonly pages: LogPages
  readonly reader: RunReader<Decoded, RunIndex>
}

let files = 0
async function open(content: string): Promise<Open> {
  const path = join(folder, `${files++}.jsonl`)
  writeFileSync(path, content)
  run = await Run.open({ path, format: null, single: false })
  const reader = run.reader(new RunIndex(run.chosen.format.agentType))
  const opened = { path, reader, pages: new LogPages(run, reader.sink) }
  await grow(opened, '')
  return opened
}

/** Something is added, and the log rests again. */
async function grow({ path, pages, reader }: Open, added: string): Promise<void> {
  appendFileSync(path, added)
  // As `Reading.readOn` does: the end that was shown is dropped before more is read.
  pages.show(reader.sink, reader.sink.rows.rows)
  for await (const _ of run.follow(reader));
  const ended = reader.endedCopy()
  if (ended === null) throw new Error('a log in one file is always in order')
  pages.show(ended, reader.sink.rows.rows)
}

async function textOf(pages: LogPages, row: number): Promise<string | undefined> {
  const { rows } = await pages.rows([row])
  return rows[0]?.text
}

test('a cut line that goes on and is cut again is another one', async () => {
  const log = await open(`${said('one')}{"type": "user`)
  const { rows } = log.reader.sink.rows
  expect(await textOf(log.pages, rows)).toBe('{"type": "user')
  await grow(log, '", "message":')
  expect(await textOf(log.pages, rows)).toBe('{"type": "user", "message":')
})

test('what was asked of an index that is shown no more is answered from it, and not kept', async () => {
  const text = said('in two pieces')
  const log = await open(said('one') + text.slice(0, 40))
  const { rows } = log.reader.sink.rows
  const [late, event] = [log.pages.rows([0, rows]), log.pages.event(rows, 1000)]
  await grow(log, text.slice(40))
  expect((await late).rows[1]?.text).toBe(text.slice(0, 40).trimEnd())
  expect((await event).event).toMatchObject({ category: 'unparsed', text: text.slice(0, 40) })
  expect(await textOf(log.pages, rows)).toBe('in two pieces')
})
