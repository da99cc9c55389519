import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Page } from '@playwright/test'
import { grid, open, seriousViolations, slider, statusBar, tabTo } from './page-parts.ts'
import { expect, root, test } from './playhead-server.ts'

const fixture = join(root, 'test/fixtures/session-with-subagents')
const session = 'd7cbf5a2-16f4-4f8d-b8eb-4094d68ce00d'
const main = join(fixture, `${session}.jsonl`)
const agents = ['agent-a455a0ad19f1abc77', 'agent-a8e9970cfc386f3ae']
const beside = agents.map((agent) => join(fixture, session, 'subagents', `${agent}.jsonl`))

/** A page that has met its host, with the dialog in which logs are opened. */
async function openDialog(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
  await page.keyboard.press('Control+o')
  await expect(page.getByRole('dialog', { name: 'Open a log' })).toBeVisible()
}

/** The files or folders of this machine are dropped on the page, as a person drops them. */
async function drop(page: Page, ...files: string[]): Promise<void> {
  const browser = await page.context().newCDPSession(page)
  const move = async (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> => {
    const data = { items: [], files, dragOperationsMask: 1 }
    await browser.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  }
  await move('dragEnter')
  // The browser opens the file itself where the page has not said yet that it takes it.
  await expect(page.getByText('Drop to open')).toBeVisible()
  await move('dragOver')
  await move('drop')
  await browser.detach()
}

/** What is shown of the session with its subagents; all its events, wherever their lines stand. */
async function expectWhole(page: Page): Promise<void> {
  await expect(statusBar(page)).toContainText('Indexed')
  await expect(slider(page)).toHaveAttribute('aria-valuemax', '18')
  const logs = page.getByRole('complementary', { name: 'Logs' })
  await expect(logs.getByRole('button', { name: /^Close / })).toHaveCount(1)
  await expect(logs.getByText('3 files')).toBeVisible()
  await expect(logs.getByRole('list', { name: 'Tracks' })).toContainText('Count files')
  await expect(logs.getByRole('list', { name: 'Tracks' })).toContainText('Read docs')
}

const chooseFolder = (page: Page) => page.getByLabel('Choose folder', { exact: true })
const chooseFiles = (page: Page) => page.getByLabel('Choose files', { exact: true })

test.describe('a session has all its events', () => {
  test('by its path', async ({ page, serve }) => {
    await open(page, await serve(main))
    await expectWhole(page)
  })

  const ways: Record<string, (page: Page) => Promise<void>> = {
    'by its folder, chosen': (page) => chooseFolder(page).setInputFiles(fixture),
    'by its files, chosen together': (page) => chooseFiles(page).setInputFiles([main, ...beside]),
    'by its folder, dropped': (page) => drop(page, fixture),
    'by its log and the folder beside it, dropped together': (page) => drop(page, main, join(fixture, session)),
    'by its files, dropped together': (page) => drop(page, ...beside, main)
  }
  for (const [way, give] of Object.entries(ways)) {
    test(way, async ({ page, serve }) => {
      await openDialog(page, await serve())
      if (way.includes('dropped')) await page.keyboard.press('Escape')
      await give(page)
      await expectWhole(page)
    })
  }
})

test('of a folder with a few sessions all are opened, and what is no log is told', async ({ page, serve }, info) => {
  const folder = info.outputPath('given')
  cpSync(fixture, join(folder, 'a'), { recursive: true })
  const record = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })
  writeFileSync(join(folder, 'b.jsonl'), `${record}\n`)
  writeFileSync(join(folder, 'notes.json'), '{"some": "thing"}\n')
  writeFileSync(join(folder, 'picture.png'), 'x')
  await openDialog(page, await serve())
  await chooseFolder(page).setInputFiles(folder)
  const logs = page.getByRole('complementary', { name: 'Logs' })
  await expect(logs.getByRole('button', { name: /^Close / })).toHaveCount(2)
  await expect(page.getByText('1 file skipped: not a session log.')).toBeVisible()
  expect(await seriousViolations(page)).toEqual([])
  await page.getByRole('main').getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText(/skipped/)).toHaveCount(0)
})

test('of a folder with many sessions one is chosen', async ({ page, serve }, info) => {
  const folder = info.outputPath('many')
  mkdirSync(folder)
  for (let n = 0; n < 12; n++) {
    const record = { type: 'system', subtype: 'init', session_id: `s${n}`, model: 'm', tools: [] }
    writeFileSync(join(folder, `run-${n}.jsonl`), `${JSON.stringify(record)}\n`)
  }
  await openDialog(page, await serve())
  await chooseFolder(page).setInputFiles(folder)
  const dialog = page.getByRole('dialog', { name: 'Open a log' })
  await expect(dialog.getByText('Choose the session to open.')).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Suggestions' }).getByRole('button')).toHaveCount(12)
  expect(await seriousViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: /run-7/ }).click()
  await expect(page).toHaveTitle(/run-7\.jsonl/)
})

test('what holds no session says so', async ({ page, serve }, info) => {
  const folder = info.outputPath('none')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.json'), '{}\n')
  writeFileSync(join(folder, 'b.json'), '[]\n')
  await openDialog(page, await serve())
  const dialog = page.getByRole('dialog', { name: 'Open a log' })
  await chooseFolder(page).setInputFiles(folder)
  await expect(dialog.getByText('The folder holds no session Playhead can read.')).toBeVisible()
  await chooseFiles(page).setInputFiles(['a.json', 'b.json'].map((name) => join(folder, name)))
  await expect(dialog.getByText('None of the files is a session log Playhead can read.')).toBeVisible()
  // What was dropped says so where no dialog is open.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await drop(page, folder)
  await expect(dialog.getByText('The folder holds no session Playhead can read.')).toBeVisible()
})

test('sending says how far it is, and can be cancelled with the keyboard', async ({ page, serve }) => {
  await openDialog(page, await serve())
  // It waits until it is let go.
  let go = (): void => {}
  const waits = new Promise<void>((resolve) => (go = resolve))
  await page.route('**/drop/**', async (route) => {
    await waits
    await route.continue().catch(() => {})
  })
  await chooseFolder(page).setInputFiles(fixture)
  const dialog = page.getByRole('dialog', { name: 'Open a log' })
  await expect(dialog.getByText('Sending 5 files…')).toBeVisible()
  await expect(dialog.getByRole('progressbar', { name: 'Upload' })).toBeVisible()
  expect(await seriousViolations(page)).toEqual([])
  await tabTo(page, 'button', 'Cancel')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('progressbar')).toHaveCount(0)
  go()
  await chooseFolder(page).setInputFiles(fixture)
  await expectWhole(page)
})

test.describe('of a session whose log was sent alone', () => {
  const note = (page: Page) => page.getByRole('note').filter({ hasText: 'missing' })

  test('the missing subagent logs are told, and come with the folder of the session, at the same place', async ({
    page,
    serve
  }) => {
    await openDialog(page, await serve())
    await chooseFiles(page).setInputFiles(main)
    await expect(note(page)).toHaveText(/^2 subagent logs are missing\. Choose the session’s folder to show them\./)
    await expect(slider(page)).toHaveAttribute('aria-valuemax', '7')
    expect(await seriousViolations(page)).toEqual([])
    // Its number is another one with the events of the subagents.
    const here = grid(page).getByRole('row', { selected: true })
    await page.keyboard.press('End')
    await expect(slider(page)).toHaveAttribute('aria-valuenow', '7')
    await page.keyboard.press('ArrowLeft')
    const place = await here.getAttribute('data-line')
    await expect(slider(page)).toHaveAttribute('aria-valuenow', '6')
    const folder = note(page).getByLabel('Choose folder', { exact: true })
    await folder.setInputFiles(join(root, 'test/fixtures/compressed'))
    await expect(note(page)).toContainText('The folder holds no missing subagent log of this session.')
    await folder.setInputFiles(join(fixture, session))
    await expectWhole(page)
    await expect(note(page)).toHaveCount(0)
    await expect(slider(page)).toHaveAttribute('aria-valuenow', '17')
    await expect(here).toHaveAttribute('data-line', place ?? '')
  })

  for (const [what, folder] of Object.entries({
    'the folder it lies in': fixture,
    'the folder of the subagents': join(fixture, session, 'subagents')
  })) {
    test(`${what} does as well`, async ({ page, serve }) => {
      await openDialog(page, await serve())
      await chooseFiles(page).setInputFiles(main)
      await note(page).getByLabel('Choose folder', { exact: true }).setInputFiles(folder)
      await expectWhole(page)
      await expect(note(page)).toHaveCount(0)
    })
  }

  test('what is still missing is told, and can be dismissed', async ({ page, serve }) => {
    await openDialog(page, await serve())
    await chooseFiles(page).setInputFiles([main, ...beside.slice(0, 1)])
    await expect(note(page)).toContainText('1 subagent log is missing. Choose the session’s folder to show it.')
    await tabTo(page, 'button', 'Choose folder…')
    await note(page).getByRole('button', { name: 'Dismiss' }).click()
    await expect(note(page)).toHaveCount(0)
  })
})

test('beside a log that is opened by its path missing subagent logs are told, and nothing is asked', async ({
  page,
  serve
}, info) => {
  const log = info.outputPath('alone.jsonl')
  cpSync(main, log)
  await open(page, await serve(log))
  const note = page.getByRole('note').filter({ hasText: 'missing' })
  await expect(note).toHaveText('2 subagent logs are missing: not in the folder of this log.')
  await expect(note.getByRole('button', { name: 'Choose folder…' })).toHaveCount(0)
})
