import { commands } from '../../src/contract/commands.ts'
import { LibraryHome } from './library-home.ts'
import { grid, inspector, open, press, seqOf, tabTo } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

test.describe('from the first screen', () => {
  test.use({
    variables: async ({ state: _state }, use, info) => await use(new LibraryHome(info.outputPath('home')).variables)
  })

  test('a log is opened, read and closed with the keyboard alone', async ({ page, serve }) => {
    await page.goto(await serve())
    await expect(page.getByRole('main')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open the sample log' })).toBeVisible()

    // Open.
    await press(page, 'Control+o')
    await page.keyboard.type(sample)
    await press(page, 'Enter')
    await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
    await expect(page.getByRole('contentinfo').getByRole('status')).toContainText('Indexed')

    // Step.
    await press(page, 'Home', 'ArrowRight', 'ArrowRight')
    await expect.poll(() => seqOf(page)).toBe(2)

    // Filter, and back to all rows.
    await press(page, 'F')
    await page.keyboard.type('status:error')
    await press(page, 'Escape', 'Enter')
    await expect(grid(page)).toBeFocused()
    await expect(page.getByRole('button', { name: 'Filter, 1 active' })).toBeVisible()
    await expect(grid(page).locator('[data-row]').first()).toHaveAttribute('data-kind', 'tool')
    await press(page, 'End')
    const selected = grid(page).locator('[aria-selected=true]')
    await expect(selected).toHaveAttribute('data-kind', 'tool-error')
    const failed = await seqOf(page)

    // Select rows in the list itself.
    await tabTo(page, 'grid', 'Timeline')
    await press(page, 'Home')
    await expect.poll(() => seqOf(page)).toBeLessThanOrEqual(failed)

    // The inspector.
    await tabTo(page, 'tab', 'Event')
    await press(page, 'ArrowRight')
    await expect(inspector(page).getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true')

    // Find, out of whatever has the focus.
    await press(page, 'Control+f')
    await expect(page.getByRole('searchbox', { name: 'Find' })).toBeFocused()
    await page.keyboard.type('countWords')
    await press(page, 'Enter')
    await expect(grid(page)).toBeFocused()

    // All commands.
    await press(page, 'Control+k')
    await page.keyboard.type('widen')
    await press(page, 'Enter')
    await expect(page.getByRole('button', { name: 'Wide inspector' })).toHaveAttribute('aria-pressed', 'true')

    // Close.
    const close = await tabTo(page, 'button', /^Close sample-run/)
    await press(page, 'Enter')
    await expect(close).toBeHidden()
    await expect(grid(page)).toBeHidden()
  })
})

test('no key that is typed into a field does anything else', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await press(page, 'Home', 'ArrowRight')
  await expect.poll(() => seqOf(page)).toBe(1)
  const typed = commands.map(({ key }) => key).filter((key) => key.length === 1)
  const text = typed.join('')
  const opened = page.locator('dialog[open]')

  /** Types every key that is a command elsewhere. */
  async function typeAll(field: ReturnType<typeof page.getByRole>) {
    await expect(field).toBeFocused()
    await field.fill('')
    await page.keyboard.type(text)
    await expect(field).toHaveValue(text)
    expect(await seqOf(page)).toBe(1)
    await expect(opened).toHaveCount(0)
    await expect(grid(page)).toBeVisible()
  }

  // A note.
  await press(page, 'b')
  const note = page.getByRole('textbox', { name: /^Note for/ })
  if (!(await note.isVisible())) await page.getByRole('button', { name: /note/i }).first().press('Enter')
  await typeAll(note)
  await press(page, 'Enter')
  await expect(page.getByRole('region', { name: 'Bookmarks' })).toContainText(text)

  // Find.
  await press(page, 'Control+f')
  await typeAll(page.getByRole('searchbox', { name: 'Find' }))
  await press(page, 'Escape', 'Escape')

  // A task.
  await press(page, 'a')
  await typeAll(page.getByRole('textbox', { name: /task/i }))
})

test('keys that type something can be switched off, also for the next visit', async ({ page, serve, another }) => {
  const address = await serve(sample)
  await open(page, address)
  await press(page, 'Home', '?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await tabTo(page, 'checkbox', /^Single-key shortcuts/)
  await press(page, 'Space', 'Escape', 'p', '?', 'b')
  await expect(keys).toBeHidden()
  expect(await seqOf(page)).toBe(0)
  await press(page, 'ArrowRight')
  await expect.poll(() => seqOf(page)).toBe(1)
  await open(page, await another(address))
  await press(page, 'Home', 'p', '?')
  await press(page, 'Control+k')
  await expect(page.getByRole('combobox', { name: 'Search commands' })).toBeFocused()
  await expect(keys).toBeHidden()
  await expect(page.getByRole('option', { name: 'Go to', exact: false }).first().locator('kbd')).toHaveCount(0)
})

test('nothing on the page names a key that is switched off', async ({ page, serve }) => {
  const keysNamed = () =>
    page.evaluate(() => [
      // "Play  Space", "Speed  < >"
      ...[...document.querySelectorAll<HTMLElement>('[title]')].flatMap(({ title }) => title.split('  ')[1] ?? []),
      ...[...document.querySelectorAll('kbd')].map(({ textContent }) => textContent ?? '')
    ])
  const typed = (keys: readonly string[]) => keys.filter((key) => /^(?:[!-~](?: [!-~])?|Space)$/.test(key))
  await open(page, await serve(sample))
  expect(typed(await keysNamed()).length).toBeGreaterThan(10)
  await press(page, '?')
  await page.getByRole('checkbox', { name: /^Single-key shortcuts/ }).click()
  await press(page, 'Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const left = await keysNamed()
  expect(typed(left)).toEqual([])
  expect(left).toContain('←')
  expect(left).toContain('Ctrl K')
})
