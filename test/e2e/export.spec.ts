import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Download, Page } from '@playwright/test'
import { claudeFolderRun } from '../invented-runs.ts'
import { grid, inspector, open, seriousViolations, slider } from './page-parts.ts'
import { expect, playhead, test } from './playhead-server.ts'

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
const other = `ghp_${'zB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`

const session = { session_id: 's', parent_tool_use_id: null }
const user = (...content: object[]) => ({ type: 'user', message: { role: 'user', content }, ...session })
const prompt = (text: string) => user({ type: 'text', text })
const result = (id: string, content: string, fails = false) =>
  user({ type: 'tool_result', tool_use_id: id, content, is_error: fails })
const assistant = (id: string, ...content: object[]) => ({
  type: 'assistant',
  message: { id, role: 'assistant', model: 'm', content },
  ...session
})
const bash = (id: string, command: string) =>
  assistant(`m-${id}`, { type: 'tool_use', id, name: 'Bash', input: { command } })
const end = { type: 'result', subtype: 'success', is_error: false, result: 'done', session_id: 's' }

/** Three turns; in the second a call fails. Two secrets, one of them twice. */
const records = [
  { type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'm', ...session },
  prompt('first'),
  bash('t1', 'ls'),
  result('t1', `a ${token}`),
  end,
  prompt('second'),
  bash('t2', 'make'),
  result('t2', `no rule, ${token}`, true),
  end,
  prompt('third'),
  assistant('m3', { type: 'text', text: `use ${other}` }),
  end
]

function logFile(): string {
  const path = test.info().outputPath('run.jsonl')
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}

/** Counts what a person does: each click, and each key. */
class Person {
  readonly #page: Page
  actions = 0

  constructor(page: Page) {
    this.#page = page
  }

  async click(role: 'button' | 'radio' | 'checkbox', name: string | RegExp): Promise<void> {
    this.actions++
    const scope = (await dialog(this.#page).count()) > 0 ? dialog(this.#page) : this.#page
    const control = this.#page.getByRole(role, { name })
    // Of a choice its words are clicked, too.
    await (
      role === 'button' ? scope.getByRole(role, { name }) : scope.locator('label').filter({ has: control })
    ).click()
  }

  async press(key: string): Promise<void> {
    this.actions++
    await this.#page.keyboard.press(key)
  }
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Export' })
const secrets = (page: Page) => dialog(page).getByRole('list', { name: 'Secrets' }).getByRole('listitem')

async function textOf(download: Download): Promise<string> {
  return readFileSync(await download.path(), 'utf8')
}

interface ExportedEvent {
  readonly type: string
  readonly eventId: string
  readonly text?: string
  readonly bookmark?: { readonly note: string }
}

const eventsOf = (jsonl: string): ExportedEvent[] =>
  jsonl
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExportedEvent)

/** What `playhead export` writes of the whole log, by number. */
async function allEvents(path: string, ...options: string[]): Promise<ExportedEvent[]> {
  return eventsOf((await playhead('export', path, ...options)).stdout)
}

test('JSONL of the failed turns, in three actions', async ({ page, serve }) => {
  const path = logFile()
  await open(page, await serve(path))
  const person = new Person(page)
  await person.click('button', 'Export')
  await person.click('radio', /^Turns with failed calls/)
  const downloading = page.waitForEvent('download')
  await person.click('button', 'Export')
  const download = await downloading
  expect(person.actions).toBe(3)
  expect(download.suggestedFilename()).toBe('run.part.events.jsonl')
  const text = await textOf(download)
  expect(text).not.toContain(token)
  const all = await allEvents(path, '--redact')
  const from = all.findIndex((event) => event.text === 'second')
  const to = all.findIndex((event) => event.text === 'third')
  expect(eventsOf(text)).toEqual(all.slice(from, to))
  await expect(dialog(page).getByRole('status').last()).toContainText('Saved run.part.events.jsonl. 1 secret redacted.')
})

test('an HTML page without secrets, in three actions; it opens, and says what it is', async ({
  page,
  context,
  serve
}) => {
  await open(page, await serve(logFile()))
  const person = new Person(page)
  await person.click('button', 'Export')
  await person.click('radio', 'HTML page')
  const downloading = page.waitForEvent('download')
  await person.click('button', 'Export')
  const download = await downloading
  expect(person.actions).toBe(3)
  expect(download.suggestedFilename()).toBe('run.html')
  const saved = test.info().outputPath('run.html')
  await download.saveAs(saved)
  const shared = await context.newPage()
  await open(shared, pathToFileURL(saved).href)
  await expect(shared.getByRole('note')).toContainText('3 secrets were redacted: GitHub token.')
  await grid(shared).locator('[data-line="11"]').first().click()
  await expect(inspector(shared)).toContainText('use [redacted: GitHub token]')
  // A page is an export itself.
  await expect(shared.getByRole('button', { name: /export|copy link/i })).toHaveCount(0)
  await shared.keyboard.press('d')
  await expect(shared.getByRole('dialog')).toHaveCount(0)
})

test('the secrets are listed before anything leaves, and each can be kept', async ({ page, serve }) => {
  await open(page, await serve(logFile()))
  await page.keyboard.press('d')
  await expect(dialog(page)).toContainText('2 secrets found.')
  await expect(secrets(page)).toHaveText([
    /GitHub token\s*ghp_••••••\s*2 ×\s*line 4$/,
    /GitHub token\s*ghp_••••••\s*line 11/
  ])
  expect(await dialog(page).innerHTML()).not.toContain(other.slice(4))
  expect(await seriousViolations(page)).toEqual([])
  // A line leads to its event.
  await secrets(page).nth(1).getByRole('button', { name: 'line 11' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await expect(grid(page).locator('[aria-selected=true][data-line="11"]')).toBeInViewport()
  await page.keyboard.press('d')
  await expect(secrets(page)).toHaveCount(2)
  await secrets(page).nth(1).getByRole('checkbox').uncheck()
  await expect(dialog(page)).toContainText('1 secret stays')
  const first = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  const kept = await textOf(await first)
  expect([kept.includes(token), kept.includes(other)]).toEqual([false, true])
  await dialog(page).getByRole('checkbox', { name: 'Redact secrets' }).uncheck()
  await expect(dialog(page)).toContainText('Passwords and keys stay in the export.')
  await expect(secrets(page)).toHaveCount(0)
  const second = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  expect(await textOf(await second)).toContain(token)
})

test('what is filtered is exported, and nothing else', async ({ page, serve }) => {
  const path = logFile()
  await open(page, await serve(path))
  await page.keyboard.press('F')
  await page.keyboard.type('kind:prompt')
  await page.keyboard.press('Enter')
  await expect(grid(page).locator('[data-seq]')).toHaveCount(3)
  const seqs = await grid(page)
    .locator('[data-seq]')
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-seq'))))
  await page.getByRole('button', { name: 'Export' }).click()
  await dialog(page)
    .getByRole('radio', { name: /^Filtered rows 3 events/ })
    .check()
  const downloading = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  const all = await allEvents(path, '--redact')
  expect(eventsOf(await textOf(await downloading))).toEqual(seqs.map((seq) => all[seq]))
})

test('bookmarks and notes go with it, or stay', async ({ page, serve }) => {
  await open(page, await serve(logFile()))
  await grid(page).locator('[data-line="8"]').first().click()
  await page.keyboard.press('b')
  await expect(page.getByRole('textbox', { name: /note/i })).toBeFocused()
  await page.keyboard.type('look here')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Bookmarks' })).toContainText('look here')
  await page.getByRole('button', { name: 'Export' }).click()
  const marks = async () => {
    const downloading = page.waitForEvent('download')
    await dialog(page).getByRole('button', { name: 'Export' }).click()
    return eventsOf(await textOf(await downloading)).flatMap(({ bookmark }) => (bookmark ? [bookmark.note] : []))
  }
  const include = dialog(page).getByRole('checkbox', { name: /^Include bookmarks/ })
  await expect(include).toBeChecked()
  expect(await marks()).toEqual(['look here'])
  await include.uncheck()
  expect(await marks()).toEqual([])
  await include.check()
  await dialog(page)
    .locator('label')
    .filter({ has: page.getByRole('radio', { name: 'Raw log' }) })
    .click()
  await expect(include).toBeDisabled()
})

test('a large export that is cancelled midway says so, saves nothing, and can be started again', async ({
  page,
  serve
}) => {
  const path = test.info().outputPath('large.jsonl')
  const long = `${JSON.stringify(result('t1', `a ${token} ${'words and words '.repeat(500)}`))}\n`
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join('') + long.repeat(4000))
  await open(page, await serve(path))
  await page.keyboard.press('d')
  let downloads = 0
  page.on('download', () => downloads++)
  const start = dialog(page).getByRole('button', { name: 'Export' })
  const said = dialog(page).getByRole('status').last()
  await start.click()
  await expect(said).toContainText(/^Exporting… \d+%/)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(said).toHaveText('Export cancelled. Nothing was saved.')
  expect(await seriousViolations(page)).toEqual([])
  const downloading = page.waitForEvent('download')
  await start.click()
  await expect(said).toContainText('Exporting…')
  await downloading
  await expect(said).toContainText('Saved large.events.jsonl.')
  expect(downloads).toBe(1)
})

test('the raw log of a session with subagents is a zip file of all files; a secret in one of them is shown', async ({
  page,
  serve
}) => {
  const main = claudeFolderRun(test.info().outputPath())
  const white = join(dirname(main), 'session-1/subagents/agent-aaa.jsonl')
  const last = readFileSync(white, 'utf8').trimEnd().split('\n').at(-1) ?? ''
  appendFileSync(white, `${last.replace('Six', `${token} six`)}\n`)
  await open(page, await serve(main))
  await page.keyboard.press('d')
  await dialog(page)
    .locator('label')
    .filter({ has: page.getByRole('radio', { name: 'Raw log' }) })
    .click()
  await expect(dialog(page)).toContainText(
    'A zip file: the file as the agent wrote it, and the 2 files of its subagents.'
  )
  const downloading = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Export' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('session-1.zip')
  expect((await textOf(download)).startsWith('PK')).toBe(true)
  await secrets(page).getByRole('button', { name: 'line 4 of agent-aaa.jsonl' }).click()
  await expect(inspector(page)).toContainText(`${token} six white ones.`)
})

test('a link to an event is the address of the page, and opens the event in a tab that has access', async ({
  page,
  context,
  serve,
  another
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const path = logFile()
  const url = await serve(path)
  await open(page, url)
  await grid(page).locator('[data-line="8"]').first().click()
  await expect(grid(page).locator('[aria-selected=true][data-line="8"]')).toBeVisible()
  const seq = await slider(page).getAttribute('aria-valuenow')
  await page.keyboard.press('y')
  await expect(page.getByText('Link copied.')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  // No code and no token is in it.
  expect(link).toBe(`${new URL(url).origin}/#path=${path}&seq=${seq}`)
  const isThere = async (tab: Page) => {
    await expect(slider(tab)).toHaveAttribute('aria-valuenow', String(seq))
    await expect(grid(tab).locator('[aria-selected=true][data-line="8"]')).toBeInViewport()
  }
  await page.keyboard.press('Home')
  await expect(page).not.toHaveURL(link)
  await page.goto(link)
  await isThere(page)
  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'This tab has no access to Playhead' })).toBeVisible()
  await other.goto(await another(url))
  await isThere(other)
})
