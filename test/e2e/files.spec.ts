import { appendFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { answered, asked, called, writeSession } from './claude-session.ts'
import { grid, inspector, open, press, seqOf, seriousViolations, slider } from './page-parts.ts'
import { expect, playhead, test } from './playhead-server.ts'

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
const numbered = (lines: readonly string[], from = 1) =>
  lines.map((line, at) => `${String(from + at).padStart(6)}→${line}`).join('\n')
const call = (s: number, id: string, name: string, input: object, output: string) => [
  called(s, id, name, input, 100),
  answered(s + 1, id, output)
]
const edit = (s: number, id: string, old_string: string, new_string: string) =>
  call(s, id, 'Edit', { file_path: '/w/src/a.ts', old_string, new_string }, 'The file has been updated.')

/** A session that reads, edits, writes and deletes files. */
const records = [
  asked(0, 'Mend it'),
  ...call(1, 'read-a', 'Read', { file_path: '/w/src/a.ts' }, numbered(['const one = 1', 'const two = 2', 'end()', ''])),
  ...call(3, 'read-b', 'Read', { file_path: '/w/src/b.ts', offset: 7, limit: 2 }, numbered(['seven()', 'eight()'], 7)),
  ...edit(5, 'edit-1', 'const two = 2', 'const two = 22\nconst three = 3'),
  ...call(7, 'write', 'Write', { file_path: '/w/notes.md', content: `# Notes\n${token}\n` }, 'File created'),
  ...call(9, 'test', 'Bash', { command: 'npm test' }, 'passed'),
  ...call(11, 'remove', 'Bash', { command: 'rm notes.md' }, ''),
  ...edit(13, 'edit-2', 'end()', 'start()\nend()')
]

const panel = (page: Page) => page.getByRole('region', { name: 'Files', exact: true })
const node = (page: Page, name: RegExp) => panel(page).getByRole('treeitem', { name })
const content = (page: Page) => panel(page).getByRole('grid', { name: /^a\.ts at event/ })
const versions = (page: Page) => page.getByRole('slider', { name: 'Version of the file' })
const face = (page: Page, name: string) => panel(page).getByRole('button', { name, exact: true })

test('files at the playhead: states, text, authors, changes, versions, events of lines, find, a log that grows', async ({
  page,
  serve
}) => {
  const file = writeSession('files.jsonl', records)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await open(page, await serve(file))

  // Every file has its state at the playhead.
  await press(page, 'End', 'Y')
  await expect(node(page, /^a\.ts, changed 2 times, 1 read/)).toBeVisible()
  await expect(node(page, /^b\.ts, only read, 1 read, may have changed since event \d+/)).toBeVisible()
  await expect(node(page, /^notes\.md, deleted/)).toBeVisible()
  await press(page, 'Home')
  await expect(node(page, /^a\.ts, no event about it yet/)).toBeVisible()
  await press(page, 'End')

  // Its text says who wrote each line, and how sure it is.
  await node(page, /^a\.ts/).click()
  await expect(content(page)).toHaveAttribute('aria-rowcount', '6')
  await expect(content(page).getByRole('row', { name: /start\(\)/ })).toHaveAttribute('data-confidence', 'stale')
  await expect(panel(page)).toContainText(/May have changed since event \d+: tests, a build or a linter ran/)
  const second = await seqOf(page)
  await content(page)
    .getByRole('gridcell', { name: /^written by event/ })
    .first()
    .click()
  await expect.poll(() => seqOf(page)).toBeLessThan(second)
  await expect(inspector(page)).toContainText('const three = 3')
  await expect(content(page)).toHaveAttribute('aria-rowcount', '5')
  await expect(content(page).getByRole('row', { name: /three/ })).toHaveAttribute('data-confidence', 'written')
  await expect(content(page).getByRole('row', { name: /one/ })).toHaveAttribute('data-confidence', 'seen')
  const first = await seqOf(page)
  expect(await seriousViolations(page)).toEqual([])

  // The versions move the playhead, and the playhead moves along them.
  await expect(versions(page)).toHaveAttribute('aria-valuetext', `Edit ${first}, 2 of 3`)
  await versions(page).focus()
  await press(page, 'ArrowRight')
  await expect(versions(page)).toHaveAttribute('aria-valuetext', /^Edit \d+, 3 of 3$/)
  await press(page, 'Alt+ArrowLeft', 'Alt+ArrowLeft')
  await expect(versions(page)).toHaveAttribute('aria-valuetext', /^Read \d+, 1 of 3$/)
  await slider(page).focus()
  await press(page, 'End')
  await expect(versions(page)).toHaveAttribute('aria-valuetext', /^Edit \d+, 3 of 3$/)

  // Changes since the start, the last edit, and an event.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const changes = panel(page).getByRole('group', { name: /^Changes of/ })
  const counts = panel(page).locator('.file-changes').getByRole('status')
  await face(page, 'Since start').click()
  await expect(counts).toHaveText(/\+3\s*−1/)
  await expect(changes).toContainText('const two = 22')
  await face(page, 'Last edit').click()
  await expect(counts).toHaveText(/\+1\s*−0/)
  await face(page, 'Since event…').click()
  await panel(page).getByRole('spinbutton', { name: 'Since event' }).fill(String(first))
  await expect(counts).toHaveText(/\+1\s*−0/)
  expect(await seriousViolations(page)).toEqual([])
  await face(page, 'Content').click()

  // All events about the selected lines lead to them.
  await content(page).focus()
  await press(page, 'Home', 'ArrowDown', 'Shift+ArrowDown', 'Shift+Enter')
  const events = page.getByRole('region', { name: 'Events about lines 2 to 3' })
  await expect(events.getByRole('listitem')).toHaveCount(3)
  await expect(events.getByRole('listitem').nth(1)).toContainText('wrote them')
  await expect(events.getByRole('listitem').nth(2)).toContainText('may have changed them')
  expect(await seriousViolations(page)).toEqual([])
  await events.getByRole('button', { name: `event ${first}` }).click()
  await expect.poll(() => seqOf(page)).toBe(first)
  await events.getByRole('button', { name: 'Close the events' }).click()

  // Find looks in the text that is shown.
  await press(page, '/')
  await page.keyboard.type('three')
  await press(page, 'Enter')
  await expect(page.getByRole('banner')).toContainText('1 of 1 in this file')
  await expect(content(page).locator('mark, .hit').first()).toBeVisible()
  await press(page, 'Escape', 'Escape')

  // The address keeps the file, its line and the event.
  await expect(page).toHaveURL(/a\.ts/)
  await page.reload()
  await expect(content(page).getByRole('row', { name: /three/ })).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => seqOf(page)).toBe(first)

  // Lines that no event showed are named.
  await slider(page).focus()
  await press(page, 'End')
  await node(page, /^b\.ts/).click()
  await expect(panel(page).getByText(/^Lines 1 to 6: no event up to here shows them/)).toBeVisible()
  await node(page, /^notes\.md/).click()
  await expect(panel(page).getByText('The file is deleted here.')).toBeVisible()

  // From a call in the inspector to the file as it is after it.
  await press(page, 'Y')
  await grid(page).locator(`[data-seq="${first}"]`).click()
  await inspector(page).getByRole('button', { name: 'File at this event' }).click()
  await expect(content(page)).toHaveAttribute('aria-rowcount', '5')
  await expect(panel(page).getByRole('treeitem', { selected: true })).toHaveAccessibleName(/^a\.ts/)

  // A log that grows has one more version, and what is looked at stays.
  const more = edit(15, 'edit-3', 'start()', 'begin()')
  appendFileSync(file, more.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await expect(versions(page)).toHaveAttribute('aria-valuemax', '4')
  await expect(versions(page)).toHaveAttribute('aria-valuetext', `Edit ${first}, 2 of 4`)
  await slider(page).focus()
  await press(page, 'End')
  await expect(content(page).getByRole('row', { name: /begin\(\)/ })).toBeVisible()
})

test('a shared page has the files, from its redacted text', async ({ page, context }, info) => {
  const out = info.outputPath('shared.html')
  const { code } = await playhead('export', writeSession('files.jsonl', records), '--to', 'html', '-o', out)
  expect(code).toBe(0)
  await context.setOffline(true)
  await page.setViewportSize({ width: 1024, height: 700 })
  await open(page, pathToFileURL(out).href)
  await press(page, 'End', 'Y')
  await node(page, /^a\.ts/).click()
  await expect(content(page).getByRole('row', { name: /start\(\)/ })).toBeVisible()
  await face(page, 'Since start').click()
  await expect(panel(page).locator('.file-changes').getByRole('status')).toHaveText(/\+3\s*−1/)
  await face(page, 'Content').click()
  await node(page, /^notes\.md/).click()
  await press(page, 'Alt+ArrowLeft')
  await expect(panel(page)).toContainText('[redacted: GitHub token]')
  expect(await page.content()).not.toContain(token)
  expect(await seriousViolations(page)).toEqual([])
})
