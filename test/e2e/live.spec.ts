import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { grid, inspector, open, seqOf, seriousViolations, slider, todoPanel } from './page-parts.ts'
import { expect, playhead, test } from './playhead-server.ts'

const init = '{"type":"system","subtype":"init","cwd":"/w","session_id":"s","tools":[],"model":"m","uuid":"u"}\n'
let written = 0

/** A line of a stream-json log that is one event. */
function said(text: string): string {
  const id = `m${++written}`
  const message = { id, role: 'assistant', content: [{ type: 'text', text }] }
  return `${JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, session_id: 's' })}\n`
}

/** A line that is a todo list. */
function todos(...items: string[]): string {
  const id = `m${++written}`
  const list = items.map((content) => ({ content, status: 'pending', activeForm: content }))
  const content = [{ type: 'tool_use', id: `t${written}`, name: 'TodoWrite', input: { todos: list } }]
  const message = { id, role: 'assistant', content }
  return `${JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, session_id: 's' })}\n`
}

/** A log of its own for the test: `rows` lines that are said after the first one. */
function logOf(rows: number): string {
  const file = test.info().outputPath('live.jsonl')
  writeFileSync(file, init + Array.from({ length: rows }, (_, at) => said(`Words ${at}`)).join(''))
  return file
}

const lastSeq = async (page: Parameters<typeof slider>[0]) => Number(await slider(page).getAttribute('aria-valuemax'))
const followToggle = (page: Parameters<typeof slider>[0]) => page.getByRole('button', { name: 'Follow the end' })

test('what is appended is shown, and moves nothing a person looks at', async ({ page, serve }) => {
  const file = logOf(200)
  await open(page, await serve(file))
  await grid(page).evaluate((element) => (element.scrollTop = 24 * 50))
  const row = grid(page).locator('[data-seq="60"]')
  await expect(row).toBeVisible()
  const before = await row.boundingBox()
  const events = await lastSeq(page)
  appendFileSync(file, said('One more') + todos('Read', 'Write'))
  await expect.poll(() => lastSeq(page)).toBe(events + 2)
  await expect(page.locator('.status-bar')).toContainText('Live')
  expect(await row.boundingBox()).toEqual(before)
  expect(await seqOf(page)).toBe(0)
  await expect(followToggle(page)).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('navigation', { name: 'Logs' })).toContainText('live')
})

test('the end is followed from End on, until a person goes elsewhere, and with f again', async ({ page, serve }) => {
  const file = logOf(200)
  await open(page, await serve(file))
  await page.keyboard.press('End')
  await expect(followToggle(page)).toHaveAttribute('aria-pressed', 'true')
  appendFileSync(file, said('The newest words'))
  await expect(grid(page).locator('[aria-selected=true]')).toContainText('The newest words')
  appendFileSync(file, todos('Read', 'Write'))
  await expect
    .poll(() => todoPanel(page))
    .toEqual([
      { text: 'Read', status: 'pending' },
      { text: 'Write', status: 'pending' }
    ])
  await page.keyboard.press('ArrowLeft')
  await expect(followToggle(page)).toHaveAttribute('aria-pressed', 'false')
  const [seq, events] = [await seqOf(page), await lastSeq(page)]
  appendFileSync(file, said('Nobody looks'))
  await expect.poll(() => lastSeq(page)).toBe(events + 1)
  expect(await seqOf(page)).toBe(seq)
  await page.keyboard.press('f')
  await expect(grid(page).locator('[aria-selected=true]')).toContainText('Nobody looks')
  await followToggle(page).click()
  await expect(followToggle(page)).toHaveAttribute('aria-pressed', 'false')
})

test('a line cut in the middle waits for its rest, whatever else comes in between', async ({ page, serve }) => {
  const file = logOf(3)
  await open(page, await serve(file))
  const line = said('Cut in two')
  appendFileSync(file, line.slice(0, 40))
  await expect(page.locator('.status-bar')).toContainText('40 bytes of an unfinished line')
  // Left alone, it is shown as what it is now.
  await expect(grid(page).locator('[data-line="5"]').first()).toHaveAttribute('data-severity', 'malformed')
  appendFileSync(file, line.slice(40) + said('And the next'))
  await expect(grid(page)).toContainText('Cut in two')
  await expect(grid(page)).toContainText('And the next')
  await expect(grid(page).locator('[data-severity="malformed"]')).toHaveCount(0)
  await expect(page.locator('.status-item', { hasText: 'unfinished' })).toHaveCount(0)
  const { stdout } = await playhead('stats', file, '--json')
  await expect.poll(() => lastSeq(page)).toBe((JSON.parse(stdout) as { events: number }).events - 1)
})

test('a log that is truncated, or replaced by another file, is read anew and the page says so', async ({
  page,
  serve
}) => {
  const file = logOf(40)
  await open(page, await serve(file))
  await page.keyboard.press('g')
  await page.getByRole('dialog').getByRole('textbox').fill('event 3')
  await page.keyboard.press('Enter')
  await expect.poll(() => seqOf(page)).toBe(3)

  truncateSync(file, init.length)
  appendFileSync(file, Array.from({ length: 5 }, (_, at) => said(`After the cut ${at}`)).join(''))
  const banner = page.getByRole('note')
  await expect(banner).toBeVisible()
  await expect(grid(page).locator('[data-seq="3"]')).toContainText('After the cut')
  await expect(grid(page)).not.toContainText('Words')
  await expect.poll(() => seqOf(page)).toBe(3)
  expect(await seriousViolations(page, '.area-main')).toEqual([])
  await banner.getByRole('button', { name: 'Dismiss' }).click()
  await expect(banner).toHaveCount(0)

  await page.keyboard.press('End')
  writeFileSync(`${file}.new`, init + Array.from({ length: 30 }, (_, at) => said(`Another file ${at}`)).join(''))
  renameSync(`${file}.new`, file)
  await expect(banner).toBeVisible()
  // The end was followed, and is.
  await expect(grid(page).locator('[aria-selected=true]')).toContainText('Another file 29')
  appendFileSync(file, said('Read on'))
  await expect(grid(page).locator('[aria-selected=true]')).toContainText('Read on')
})

test('a log that is deleted stays as it was read, and is read again when it is there again', async ({
  page,
  serve
}) => {
  const file = logOf(40)
  await open(page, await serve(file))
  rmSync(file)
  await expect(page.getByRole('note')).toContainText('The file no longer exists. Rows read so far are kept.')
  await expect(page.locator('.status-bar')).toContainText('File not found')
  await page.keyboard.press('End')
  await expect(grid(page).locator('[aria-selected=true]')).toContainText('Words 39')
  await inspector(page).getByRole('tab', { name: 'Raw', exact: true }).click()
  await expect(inspector(page)).toContainText('Words 39')
  expect(await seriousViolations(page)).toEqual([])
  writeFileSync(file, init + said('It is back'))
  await expect(grid(page)).toContainText('It is back')
  await expect(page.getByRole('note')).not.toContainText('gone')
})

/** A chat that is one JSON document, with so many messages. */
function chatOf(messages: number): string {
  const start = Date.UTC(2026, 10, 19, 12)
  const timeOf = (seconds: number) => new Date(start + seconds * 1000).toISOString()
  const said = Array.from({ length: messages }, (_, at) => ({
    id: `m${at}`,
    timestamp: timeOf(at),
    ...(at % 2 === 0
      ? { type: 'user', content: [{ text: `Question ${at}` }] }
      : { type: 'gemini', content: `Answer ${at}`, thoughts: [], model: 'gemini-2.5-pro' })
  }))
  const chat = { sessionId: 's', projectHash: 'p', startTime: timeOf(0), lastUpdated: timeOf(messages), messages: said }
  return JSON.stringify(chat, null, 1)
}

test('a chat that is written anew with each message grows without starting over', async ({ page, serve }) => {
  const file = test.info().outputPath('session-2026-11-19.json')
  const write = (messages: number) => {
    writeFileSync(`${file}.tmp`, chatOf(messages))
    renameSync(`${file}.tmp`, file)
  }
  write(100)
  await open(page, await serve(file))
  const first = await lastSeq(page)
  await grid(page).evaluate((element) => (element.scrollTop = 24 * 90))
  const row = grid(page).locator('.row', { hasText: 'Answer 51' })
  await expect(row).toBeVisible()
  await row.click()
  const [seq, before] = [await seqOf(page), await row.boundingBox()]
  // What starts over takes its elements away.
  const started = await grid(page).elementHandle()
  for (const messages of [102, 104, 110]) {
    write(messages)
    await expect.poll(() => lastSeq(page)).toBeGreaterThan(first + messages - 101)
    expect(await row.boundingBox()).toEqual(before)
    expect(await seqOf(page)).toBe(seq)
  }
  expect(await grid(page).evaluate((now, then) => now === then, started)).toBe(true)
  await expect(page.getByRole('note')).toHaveCount(0)
  await expect(inspector(page)).toContainText('Answer 51')
  await page.keyboard.press('End')
  write(120)
  await expect(grid(page)).toContainText('Answer 119')
  await expect.poll(() => seqOf(page)).toBe(await lastSeq(page))
})
