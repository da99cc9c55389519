import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { unsourcedNumbers } from '../page/unsourced-numbers.ts'
import { LibraryHome } from './library-home.ts'
import { grid as timeline, inspector, seqOf, statusBar, violations } from './page-parts.ts'
import { expect, startedProcess, test as base, withState } from './playhead-server.ts'

const id = (number: number) => `30000000-aaaa-4bbb-8ccc-${String(number).padStart(12, '0')}`
const hour = 3_600_000
/** Noon, yesterday. */
const yesterday = (() => {
  const day = new Date()
  day.setDate(day.getDate() - 1)
  return day.setHours(12, 0, 0, 0)
})()

/** The server of a person whose home folder a test fills. */
const test = base.extend<{ home: LibraryHome }>({
  home: async ({ browserName: _browserName }, use, info) => await use(new LibraryHome(info.outputPath('home'))),
  variables: async ({ home }, use) => await use(home.variables)
})

const sessions = (page: Page) => page.getByRole('grid', { name: 'Sessions' })
const rows = (page: Page) => sessions(page).locator('[data-session]')
const titled = (page: Page, title: string) => rows(page).filter({ hasText: title })
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const library = (page: Page) => page.getByRole('navigation', { name: 'Library' })
const field = (page: Page) => page.getByRole('combobox', { name: 'Search all sessions' })

/** Sessions of two projects: some of yesterday, many of the days before. */
function fillDays(home: LibraryHome): void {
  home
    .session('/home/ada/harbour', id(1))
    .prompt('Why does the harbour light go out at night?', yesterday)
    .call('grep -rn "lamp" src', yesterday + 1000)
    .answer('The lamp falls back to the remote lighthouse, which is not there.', yesterday + 5000)
  home
    .session('/home/ada/tide', id(2))
    .prompt('Draw the tide as a curve', yesterday + hour)
    .answer('It is drawn.', yesterday + hour + 5000)
  for (let number = 3; number < 80; number++) {
    const at = yesterday - number * 7 * hour
    home
      .session(number % 2 === 0 ? '/home/ada/harbour' : '/home/ada/tide', id(number))
      .prompt(`Old matter number ${number}`, at)
      .answer(`Done with ${number}.`, at + 60_000)
  }
}

test('npm start begins with the sessions of this machine', async ({ page, home, state, variables }) => {
  fillDays(home)
  const started = startedProcess('start.js')
  try {
    const said = await started.serve(['--no-open'], { ...withState(state), ...variables, PLAYHEAD_HOST: 'browser' })
    await page.goto(/http:\S+/.exec(said)?.[0] ?? said)
    await expect(titled(page, 'Why does the harbour light go out')).toBeVisible()
    await expect(timeline(page)).toHaveCount(0)
  } finally {
    await started.stop()
  }
})

test('what an agent did yesterday in a project is seen after two clicks', async ({ page, serve, home }) => {
  fillDays(home)
  await page.goto(await serve())
  await expect(rows(page).first()).toBeVisible()
  await library(page)
    .getByRole('button', { name: /^harbour/ })
    .click()
  await expect(titled(page, 'Draw the tide')).toHaveCount(0)
  await titled(page, 'Why does the harbour light go out').click()
  await expect(preview(page)).toContainText('Why does the harbour light go out at night?')
  await expect(preview(page)).toContainText('The lamp falls back to the remote lighthouse')
  await expect(sessions(page).getByRole('row').filter({ hasText: 'Yesterday' }).first()).toBeVisible()
  // Two of them are compared.
  await page.keyboard.press('Shift+ArrowDown')
  await preview(page).getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page.getByRole('grid', { name: 'Aligned steps' })).toBeVisible({ timeout: 60_000 })
})

test('totals by project and by day are a table and a chart, and every number has its source', async ({
  page,
  serve,
  home
}) => {
  fillDays(home)
  home.fill()
  await page.goto(await serve())
  await expect(rows(page).first()).toBeVisible()
  await library(page).getByRole('button', { name: 'Totals' }).click()
  const totals = page.getByRole('dialog', { name: 'Totals' })
  await totals.getByRole('button', { name: 'All', exact: true }).click()
  const table = totals.getByRole('table', { name: 'Totals' })
  const sessionsOf = (name: string) => table.getByRole('row', { name }).getByRole('cell').nth(1)
  // 39 sessions with an even number in one project, 38 in the other, and the first of each.
  await expect(sessionsOf('harbour')).toHaveText('39')
  await expect(totals.getByRole('img', { name: /^Cost by day/ })).toBeVisible()
  for (const name of ['Time', 'Tokens in', 'Tokens out', 'Cost']) {
    await expect(table.getByRole('columnheader', { name })).toBeVisible()
  }
  expect(await page.evaluate(unsourcedNumbers)).toEqual([])

  await totals.getByRole('button', { name: 'By day' }).click()
  const day = new Date(yesterday).toLocaleDateString('sv', { timeZone: 'UTC' })
  await expect(sessionsOf(day)).not.toHaveText('')
  await totals.getByRole('group', { name: 'Chart' }).getByRole('button', { name: 'Tokens out' }).click()
  const chart = totals.getByRole('img', { name: /^Tokens out by day/ })
  await expect(chart.locator('.day-known').first()).toBeAttached()
  expect(await page.evaluate(unsourcedNumbers)).toEqual([])
})

test('a search leads to its event, and the way back to where one was', async ({ page, serve, home }) => {
  fillDays(home)
  await page.goto(await serve())
  await expect(titled(page, 'Why does the harbour light')).toBeVisible()
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('"remote lighthouse"')
  const hit = sessions(page).getByRole('row', { name: /falls back to the remote lighthouse/ })
  await expect(hit).toBeVisible()
  await expect(hit.locator('mark')).toHaveText('remote lighthouse')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await expect(hit).toHaveAttribute('aria-selected', 'true')
  // The event of a line is told once its log is read.
  await expect(hit).toHaveAttribute('data-seq', /^\d+$/)
  const seq = Number(await hit.getAttribute('data-seq'))
  await page.keyboard.press('Enter')
  await expect(timeline(page)).toBeVisible()
  await expect.poll(() => seqOf(page)).toBe(seq)
  await expect(inspector(page)).toContainText('The lamp falls back to the remote lighthouse')
  await expect(page).toHaveTitle('Why does the harbour light go out at night? · Playhead')
  await page.getByRole('button', { name: 'Library' }).click()
  await expect(hit).toHaveAttribute('aria-selected', 'true')
  await field(page).focus()
  await page.keyboard.press('Escape')
  await expect(titled(page, 'Draw the tide')).toBeVisible()
})

test('two windows search at once, and neither ends what the other has found', async ({
  page,
  serve,
  another,
  context,
  home
}) => {
  fillDays(home)
  const talk = home.session('/home/ada/harbour', id(600)).prompt('Which lamps burn?', yesterday + 2 * hour)
  for (let lamp = 1; lamp <= 9; lamp++) talk.answer(`The green lantern ${lamp} burns.`, yesterday + 2 * hour + lamp)
  const url = await serve()
  await page.goto(url)
  await expect(page.getByText('Up to date')).toBeVisible()
  const other = await context.newPage()
  await other.goto(await another(url))
  await expect(other.getByText('Up to date')).toBeVisible()
  const hits = (of: Page) => sessions(of).locator('.hit-line')
  await field(page).fill('"green lantern"')
  await expect(hits(page)).toHaveCount(4)
  await field(other).fill('"remote lighthouse"')
  await expect(hits(other)).toHaveCount(1)
  await sessions(page).getByText('5 more').click()
  await expect(hits(page)).toHaveCount(9)
  await field(page).fill('')
  await field(page).fill('burns')
  await expect(hits(page)).toHaveCount(4)
  await page.close()
  await field(other).fill('"green lantern"')
  await expect(hits(other)).toHaveCount(4)
  await sessions(other).getByText('5 more').click()
  await expect(hits(other)).toHaveCount(9)
})

test('the place in the list is kept while a log is open', async ({ page, serve, home }) => {
  fillDays(home)
  await page.goto(await serve())
  // All are listed: the last one now is the last one later.
  await expect(page.getByText('Up to date')).toBeVisible()
  await page.keyboard.press('End')
  const last = titled(page, 'Old matter number 79')
  await expect(last).toHaveAttribute('aria-selected', 'true')
  const place = (await last.boundingBox())?.y
  await page.keyboard.press('Enter')
  await expect(statusBar(page)).toContainText('Indexed')
  await page.keyboard.press('l')
  await expect(last).toHaveAttribute('aria-selected', 'true')
  await expect.poll(async () => (await last.boundingBox())?.y).toBe(place)
})

test('a session that begins now appears, grows and finishes, and nothing that is in view moves', async ({
  page,
  serve,
  home
}) => {
  fillDays(home)
  await page.goto(await serve())
  // The bar that says how far reading is stands above the list until then.
  await expect(page.getByText('Up to date')).toBeVisible()
  await titled(page, 'Why does the harbour light').click()
  const place = await titled(page, 'Why does the harbour light').boundingBox()
  const now = Date.now()
  const live = home.session('/home/ada/tide', id(500)).prompt('Count the waves', now)
  live.call('count --waves', now + 100)
  await expect(titled(page, 'Count the waves')).toHaveAttribute('data-state', 'live')
  await expect.poll(() => titled(page, 'Why does the harbour light').boundingBox()).toEqual(place)
  await titled(page, 'Count the waves').scrollIntoViewIfNeeded()
  await expect(titled(page, 'Count the waves').locator('.fig').first()).toHaveText('1all ok')
  live.call('count --again', now + 700)
  await expect(titled(page, 'Count the waves').locator('.fig').first()).toHaveText('2all ok')
  live.answer('There are 12 waves.', now + 2000)
  await expect(titled(page, 'Count the waves')).toHaveAttribute('data-state', 'done')
  await titled(page, 'Count the waves').click()
  await expect(preview(page)).toContainText('There are 12 waves.')
})

test('sessions of every agent are listed under their titles, once each', async ({ page, serve, home }) => {
  home.fill()
  await page.goto(await serve())
  await expect(rows(page)).toHaveCount(4)
  await expect(titled(page, '/review src/tide.ts')).toHaveCount(1)
  for (const agent of ['Claude Code', 'Codex', 'Gemini CLI'])
    await expect(library(page).getByRole('button', { name: new RegExp(`^${agent}`) })).toBeVisible()
  await titled(page, '/review src/tide.ts').dblclick()
  await expect(statusBar(page)).toContainText('Indexed')
  await expect(page).toHaveTitle('/review src/tide.ts · Playhead')
  await expect(page.getByRole('navigation', { name: 'Logs' })).toContainText('/review src/tide.ts')
})

test('what a person types where a log is asked for may be a session id, or a folder with several', async ({
  page,
  serve,
  home
}) => {
  fillDays(home)
  await page.goto(await serve())
  await expect(page.getByText('Up to date')).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Open log' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open a log' })
  await page.keyboard.type('~/.claude/projects/-home-ada-harbour')
  await page.keyboard.press('Enter')
  const meant = dialog.getByRole('list', { name: 'Suggestions' })
  await expect(meant.getByRole('button').first()).toContainText('Why does the harbour light go out')
  await dialog.getByRole('textbox').fill(id(2))
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('Draw the tide as a curve · Playhead')
})

test('where nothing is found it says where it looked, and takes a folder', async ({ page, serve, home }) => {
  const folder = join(home.path, 'kept logs')
  await page.goto(await serve())
  await expect(page.getByRole('heading', { name: 'No sessions found on this machine' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Folders' })).toContainText('Codex')
  mkdirSync(folder)
  const other = new LibraryHome(folder).session('/home/ada/kept', id(1))
  other.prompt('A matter that was kept', yesterday).answer('Kept.', yesterday + 1000)
  await page.getByRole('button', { name: 'Add a folder…' }).click()
  await page.keyboard.type(folder)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: `Remove ${folder}` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(titled(page, 'A matter that was kept')).toBeVisible()
})

test('a query is typed and completed with the keys, written by boxes, saved, and kept over a reload', async ({
  page,
  serve,
  home
}) => {
  fillDays(home)
  await page.goto(await serve())
  await expect(page.getByText('Up to date')).toBeVisible()
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option')
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('proj')
  await expect(options.filter({ hasText: 'project:harbour' })).toContainText('39')
  await page.keyboard.press('ArrowDown')
  const chosen = options.and(page.locator('[aria-selected="true"]'))
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await chosen.getAttribute('id')) ?? '')
  await field(page).fill('project:ti')
  await expect(options).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('project:tide ')
  await page.keyboard.press('Escape')
  await expect(titled(page, 'Why does the harbour light')).toHaveCount(0)
  await expect(titled(page, 'Draw the tide')).toBeVisible()

  await page.getByRole('button', { name: /^Filter/ }).click()
  await page.getByRole('checkbox', { name: 'Done, state:done' }).click()
  await expect(field(page)).toHaveValue('project:tide state:done')
  await page.keyboard.press('Escape')
  await expect(library(page).getByRole('button', { name: /^tide/ })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('textbox', { name: 'Save this filter as a view' }).fill('Tides')
  await page.keyboard.press('Enter')
  await expect(library(page).getByRole('button', { name: 'Tides' })).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Escape')

  await page.reload()
  await expect(field(page)).toHaveValue('project:tide state:done')
  await expect(titled(page, 'Draw the tide')).toBeVisible()
  await expect(titled(page, 'Why does the harbour light')).toHaveCount(0)
  await library(page)
    .getByRole('button', { name: /^All sessions/ })
    .click()
  await expect(field(page)).toHaveValue('')
  await expect(titled(page, 'Why does the harbour light')).toBeVisible()
  await library(page).getByRole('button', { name: 'Tides' }).click()
  await expect(field(page)).toHaveValue('project:tide state:done')

  await field(page).fill('project:tide tool:Bash')
  await expect(page.getByRole('alert')).toContainText('tool: is a key for events. Open a session to use it.')
  await expect(page.getByRole('alert')).toContainText('^^^^^')
  await expect(titled(page, 'Draw the tide')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await field(page).fill('(project:tide OR "drawn")')
  await expect(page.getByRole('alert')).toContainText('takes no text beside OR')
  await field(page).fill('NOT project:harbour "is drawn"')
  await expect(sessions(page).locator('.hit-line mark')).toHaveText('is drawn')
})

/** Every view of the library, and how a person comes to it from the one before. */
const views: readonly [name: string, reach: (page: Page) => Promise<unknown>][] = [
  ['the list', (page) => expect(rows(page).first()).toBeVisible()],
  ['a session', (page) => rows(page).nth(1).click()],
  ['by project', (page) => page.getByRole('button', { name: 'By project' }).click()],
  ['sorted by calls', (page) => sessions(page).getByRole('button', { name: 'Calls' }).click()],
  ['several', (page) => page.keyboard.press('Shift+ArrowDown').then(() => page.keyboard.press('Shift+ArrowDown'))],
  ['the filter', (page) => page.keyboard.press('F')],
  [
    'hits',
    async (page) => {
      await page.keyboard.press('Escape')
      await page.keyboard.press('/')
      await page.keyboard.type('project:harbour lamp')
      await expect(sessions(page).locator('.hit-line').first()).toBeVisible()
      await page.keyboard.press('Enter')
    }
  ],
  [
    'nothing found',
    (page) =>
      field(page)
        .fill('"no such thing anywhere"')
        .then(() => expect(page.getByText('No matches.')).toBeVisible())
  ],
  [
    'the keys',
    (page) =>
      page.keyboard
        .press('Escape')
        .then(() => page.keyboard.press('Escape'))
        .then(() => page.keyboard.press('?'))
  ]
]

for (const { colorScheme, size } of [
  { colorScheme: 'light', size: { width: 1440, height: 900 } },
  { colorScheme: 'dark', size: { width: 1024, height: 700 } }
] as const) {
  test(`axe finds nothing in the library (${colorScheme}, ${size.width} × ${size.height})`, async ({
    page,
    serve,
    home
  }) => {
    test.setTimeout(200_000)
    fillDays(home)
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.goto(await serve())
    const found: Record<string, string[]> = {}
    for (const [view, reach] of views) {
      await reach(page)
      const now = await violations(page)
      if (now.length > 0) found[view] = now
    }
    expect(found).toEqual({})
  })
}

test('in a small window, as at 200 % zoom, nothing is pushed out of it', async ({ page, serve, home }) => {
  fillDays(home)
  await page.setViewportSize({ width: 720, height: 450 })
  await page.goto(await serve())
  await rows(page).first().click()
  await page.keyboard.press(' ')
  await expect(preview(page)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Open/ }).last()).toBeInViewport()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720)
  await page.keyboard.press(' ')
  await expect(preview(page)).toHaveCount(0)
})
