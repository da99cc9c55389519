import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sessionsIn } from '#backend/library/sessions-in.ts'
import { folder, playhead, repository } from '../../test/command-line.ts'
import { RunHost } from '../../test/run-host.ts'

/** A session with its folder, as its agent left it: for its owner to write. */
function session(): { readonly place: string; readonly log: string } {
  const place = mkdtempSync(join(folder, 'untouched-'))
  cpSync(join(repository, 'test/fixtures/session-with-subagents'), place, { recursive: true })
  mkdirSync(join(place, 'empty'))
  chmodSync(place, 0o755)
  const log = readdirSync(place).find((name) => name.endsWith('.jsonl')) ?? ''
  return { place, log: join(place, log) }
}

/** All that is in the folder: names, rights, times of changes, and bytes. */
function tree(place: string): unknown[] {
  return ['.', ...readdirSync(place, { recursive: true, encoding: 'utf8' })].toSorted().map((name) => {
    const { mode, size, mtimeMs, ctimeMs, ino } = lstatSync(join(place, name))
    const bytes = lstatSync(join(place, name)).isFile() ? readFileSync(join(place, name)).toString('base64') : null
    return [name, mode, size, mtimeMs, ctimeMs, ino, bytes]
  })
}

test.each([
  ...[['check'], ['stats'], ['todos'], ['findings'], ['files'], ['export'], ['export', '--redact'], ['query']],
  ...[['export', '--to', 'md'], ['export', '--to', 'trace'], ['diff']]
])('playhead %s %s leaves a log and its folder as they are', async (command, ...options) => {
  const { place, log } = session()
  const before = tree(place)
  const words = command === 'query' ? ['type:text'] : command === 'diff' ? [log] : []
  const { code } = await playhead(command, log, ...words, ...options)
  expect(code).toBeLessThan(2)
  await playhead(command, place, ...words, ...options)
  expect(tree(place)).toEqual(before)
})

test('a page leaves a log and its folder as they are: rows, events, a search, bookmarks, the library', async () => {
  const { place: folderOfLog, log: path } = session()
  const before = tree(folderOfLog)
  const host = new RunHost()
  try {
    const { handlers } = host
    const { log } = await handlers['log.open']({ path })
    const { rows } = await host.log(log, ({ phase }) => phase === 'done')
    await handlers['log.rows']({ log, rows: Array.from({ length: rows }, (_, row) => row) })
    await handlers['log.event']({ log, row: 0, limit: 1000 })
    await handlers['log.summary']({ log })
    await handlers['log.findings']({ log })
    const place = { file: null, line: 1, ordinal: 0, kind: 'prompt', time: null, text: 'please' } as const
    await handlers['review.set']({ log, bookmarks: [{ id: 'one', place, note: 'Look here.' }] })
    await sessionsIn([folderOfLog], () => {})
    await handlers['log.close']({ log })
  } finally {
    await host.close()
  }
  expect(tree(folderOfLog)).toEqual(before)
})
