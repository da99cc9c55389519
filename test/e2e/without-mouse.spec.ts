import { grid, inspector, open, press, seqOf, slider, tabTo } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

// What a person does with a run from end to end.
test('a whole review of a run without a mouse', async ({ page, serve }) => {
  test.slow()
  await open(page, await serve(sample))
  const selected = grid(page).locator('[aria-selected=true]')

  // What was asked, what failed, what changed: from place to place.
  await press(page, 'p')
  await expect(selected).toHaveAttribute('data-kind', 'prompt')
  await press(page, 'e')
  await expect(selected).toHaveAttribute('data-kind', 'tool-error')
  const failed = await seqOf(page)
  await press(page, ']')
  await expect(selected).toHaveAttribute('data-kind', 'todo')
  await press(page, '[')
  await expect.poll(() => seqOf(page)).toBeLessThan(failed + 20)

  // Into a subagent and out of it.
  await press(page, 'Home', 'g')
  await page.keyboard.type('#0')
  await press(page, 'Enter')
  await expect.poll(() => seqOf(page)).toBe(0)

  // A note where it failed, and a place for play to stop at.
  await press(page, 'e', 'b')
  await page.keyboard.type('x marks it')
  await press(page, 'Enter')
  await expect(
    page
      .getByRole('textbox', { name: /note/i })
      .or(page.getByText(/bookmark/i))
      .first()
  ).toBeVisible()
  await press(page, 'B', 'Home')
  await press(page, '>', '>', '>', 'Space')
  await expect.poll(() => seqOf(page)).toBe(failed)
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()

  // The call, its exact line, its issues.
  await tabTo(page, 'tab', 'Event')
  await press(page, 'ArrowRight')
  await expect(inspector(page).getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true')
  await press(page, 'ArrowRight')
  await expect(inspector(page).getByRole('tab', { name: /^Log issues/ })).toHaveAttribute('aria-selected', 'true')
  await press(page, 'w')
  await press(page, 'w')

  // All issues, and from one of them to its row.
  await press(page, 'I')
  await tabTo(page, 'tree', /issues/i)
  await press(page, 'ArrowDown', 'ArrowDown', 'Enter')
  await expect(selected).toHaveAttribute('data-severity', /violation|malformed/)
  await press(page, 'I')

  // The todos over time, and back.
  await press(page, 'v')
  await expect(page.getByRole('tab', { name: 'Todos' })).toHaveAttribute('aria-selected', 'true')
  await press(page, 'v')
  await expect(grid(page)).toBeVisible()

  // Turns closed and opened.
  await press(page, 'Z')
  await expect(grid(page).locator('[data-row]')).toHaveCount(0)
  await press(page, 'Z')

  // Text and rows that matter.
  await press(page, '/')
  await page.keyboard.type('countWords')
  await press(page, 'Enter', 'n')
  await expect(grid(page).locator('.hit').first()).toBeVisible()
  await press(page, 'Escape')

  // The scrubber.
  await tabTo(page, 'slider', 'Playhead')
  await press(page, 'Home', 'PageUp')
  await expect.poll(() => seqOf(page)).toBeGreaterThan(0)
  await press(page, '+', '0', 'End')
  await expect.poll(() => seqOf(page)).toBe(Number(await slider(page).getAttribute('aria-valuemax')))

  // The size of a panel.
  const edge = await tabTo(page, 'separator', 'Width of the inspector', 'Shift+Tab')
  const before = Number(await edge.getAttribute('aria-valuenow'))
  await press(page, 'ArrowLeft')
  await expect.poll(async () => Number(await edge.getAttribute('aria-valuenow'))).toBe(before + 16)
  await press(page, 'Enter')
  await expect.poll(async () => Number(await edge.getAttribute('aria-valuenow'))).toBe(before)
})
