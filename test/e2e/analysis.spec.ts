import type { Page } from '@playwright/test'
import { unsourcedNumbers } from '../page/unsourced-numbers.ts'
import { answered, asked, called, compacted, task, writeSession } from './claude-session.ts'
import { grid, inspector, open, press, seqOf, slider, tabTo } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

const waterfall = (page: Page) => page.getByRole('grid', { name: 'Waterfall' })
const table = (page: Page) => page.getByRole('grid', { name: /^Calls by/ })
const range = (page: Page) => page.getByRole('navigation', { name: 'Range' })
const filter = (page: Page) => page.getByRole('combobox', { name: 'Filter' })

/** What a person does: each click is one action. */
function person() {
  let actions = 0
  return {
    get actions() {
      return actions
    },
    async click(target: ReturnType<Page['getByRole']>) {
      actions++
      await target.click()
    }
  }
}

/** A session with two subagents, the second one the more expensive, and a compaction. */
function session(): string {
  const model = 'claude-sonnet-4-5'
  const call = (s: number, id: string, name: string, input: object, tokens: number, agent?: string) =>
    called(s, id, name, input, tokens, agent, model)
  const main = [
    asked(0, 'Count the sheep'),
    call(1, 'call-a', 'Task', task('Count the white sheep'), 1000),
    call(2, 'call-b', 'Task', task('Count the black sheep'), 1100),
    { ...answered(20, 'call-a', 'done'), toolUseResult: { status: 'completed', agentId: 'aaa', content: [] } },
    { ...answered(30, 'call-b', 'done'), toolUseResult: { status: 'completed', agentId: 'bbb', content: [] } },
    call(31, 'call-c', 'Bash', { command: 'make count' }, 90_000),
    answered(95, 'call-c', 'nine'),
    compacted(96, 91_000),
    call(97, 'call-d', 'Bash', { command: 'make again' }, 2000),
    answered(99, 'call-d', 'nine')
  ]
  const white = [asked(3, 'Count the white sheep', 'aaa'), call(5, 'w1', 'Grep', { pattern: 'white' }, 7000, 'aaa')]
  const black = [asked(3, 'Count the black sheep', 'bbb'), call(6, 'b1', 'Grep', { pattern: 'black' }, 52_000, 'bbb')]
  const all = (records: readonly object[], id: string, s: number, agent: string) => [
    ...records,
    answered(s, id, 'four', agent)
  ]
  writeSession('agent-aaa.jsonl', all(white, 'w1', 8, 'aaa'))
  writeSession('agent-bbb.jsonl', all(black, 'b1', 12, 'bbb'))
  return writeSession('session-1.jsonl', main)
}

test('the longest call, the most expensive subagent and the first compaction, in three actions each', async ({
  page,
  serve
}) => {
  await open(page, await serve(session()))
  const timeline = page.getByRole('tab', { name: 'Timeline' })
  const analysis = page.getByRole('tab', { name: 'Analysis' })

  const first = person()
  await first.click(analysis)
  await first.click(table(page).getByRole('button', { name: 'Longest call' }))
  await expect(table(page).getByRole('columnheader', { name: 'Longest call' })).toHaveAttribute(
    'aria-sort',
    'descending'
  )
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')
  await first.click(table(page).getByTitle('Move the playhead to the longest call').first())
  await expect(inspector(page)).toContainText('make count')
  expect(first.actions).toBeLessThanOrEqual(3)

  await timeline.click()
  const second = person()
  await second.click(analysis)
  await second.click(page.getByRole('group', { name: 'Group by' }).getByRole('button', { name: 'Subagent' }))
  await second.click(table(page).getByRole('button', { name: 'Cost' }))
  await expect(table(page).getByRole('columnheader', { name: 'Cost' })).toHaveAttribute('aria-sort', 'descending')
  // The main agent sent 94,100 tokens, the subagents 52,000 and 7,000.
  const rows = table(page).getByRole('row')
  await expect(rows.nth(1)).toContainText(/^main/)
  await expect(rows.nth(2)).toContainText('Count the black sheep')
  await expect(rows.nth(2).getByText(/≈ \$0\.16.*estimated/)).toBeAttached()
  await expect(rows.nth(3)).toContainText('Count the white sheep')
  expect(second.actions).toBeLessThanOrEqual(3)

  await timeline.click()
  const third = person()
  await third.click(analysis)
  await third.click(page.getByRole('tab', { name: 'Context' }))
  const compactions = page.getByRole('list', { name: 'Compactions' })
  await expect(compactions).toContainText(/91\.0k → ≈ 2\.0k, derived/)
  await third.click(compactions.getByRole('button').first())
  await expect(inspector(page)).toContainText(/compacted/i)
  expect(third.actions).toBeLessThanOrEqual(3)

  // No number without its source, wherever this page shows one that the log does not state.
  const faults: Record<string, string[]> = {}
  const look = async (where: string) => {
    const found = await page.evaluate(unsourcedNumbers)
    if (found.length > 0) faults[where] = found
  }
  const request = page.getByRole('slider', { name: 'Request' })
  await request.focus()
  for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await press(page, key)
    await look(`context, ${await request.getAttribute('aria-valuetext')}`)
  }
  await page.getByRole('tab', { name: 'Table' }).click()
  for (const group of await page.getByRole('group', { name: 'Group by' }).getByRole('button').all()) {
    await group.click()
    await expect(table(page)).toHaveAttribute('aria-busy', 'false')
    await look(`table by ${await group.textContent()}`)
  }
  await inspector(page).getByRole('tab', { name: 'Summary' }).click()
  await expect(inspector(page).getByRole('table', { name: 'Longest calls' })).toContainText('make count')
  await look('summary')
  await timeline.click()
  await look('timeline')
  expect(faults).toEqual({})
  // The walk sees what is there: a number that lost its source is found.
  await page.evaluate(() => {
    for (const each of document.querySelectorAll('[data-source="derived"]')) each.removeAttribute('title')
    document.querySelector('[role="contentinfo"], footer')?.append('≈ 3')
  })
  const broken = await page.evaluate(unsourcedNumbers)
  expect(broken.join('\n')).toContain('its title says nothing')
  expect(broken.join('\n')).toContain('≈ 3: without a source')
})

test('a range by mouse and by keyboard: marks, nests, links, and is what all views show', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await press(page, 'A')
  await expect(waterfall(page).getByRole('row', { name: /^Context/ })).toContainText('15.5k')
  const whole = await table(page).getAttribute('aria-rowcount')
  const split = await page.getByRole('img', { name: /^Time split/ }).getAttribute('aria-label')

  // Over the waterfall, then with Enter.
  const box = (await page.locator('.fall-plot').boundingBox())!
  await page.mouse.move(box.x + box.width * 0.2, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 3 })
  await page.mouse.up()
  await expect(page.getByText('zoom in')).toBeVisible()
  await press(page, 'Enter')
  await expect(range(page).getByRole('button', { name: 'Whole session' })).toBeVisible()
  await expect(page).toHaveURL(/view=analysis.*where=seq:\d+\.\.\d+/)
  await expect(page.getByRole('img', { name: /^Time split/ })).not.toHaveAttribute('aria-label', split ?? '')
  await expect(table(page)).not.toHaveAttribute('aria-rowcount', whole ?? '')

  // A second one within it, by keys alone.
  await tabTo(page, 'grid', 'Waterfall')
  await press(page, 'ArrowRight')
  await expect(waterfall(page).getByRole('gridcell', { name: /began/ })).toBeAttached()
  await press(page, 'Shift+ArrowRight', 'Shift+ArrowRight')
  await expect(page.getByText('zoom in')).toBeVisible()
  await press(page, 'Enter')
  await expect(range(page).getByRole('listitem')).toHaveCount(3)
  const nested = await range(page).textContent()
  await page.reload()
  await expect(range(page)).toHaveText(nested ?? '')
  await expect(table(page)).toHaveAttribute('aria-busy', 'false')

  // The rest of the query beside it: the ranges stay, Esc takes one after the other away.
  await tabTo(page, 'grid', /^Calls by/)
  await press(page, 'ArrowDown', 'Enter')
  await expect(page).toHaveURL(/where=.*seq:.*tool:/)
  await expect(range(page)).toHaveText(nested ?? '')
  await tabTo(page, 'grid', 'Waterfall', 'Shift+Tab')
  await press(page, 'Escape')
  await expect(range(page).getByRole('listitem')).toHaveCount(2)
  await press(page, 'Escape')
  await expect(range(page).getByRole('button', { name: 'Whole session' })).toHaveCount(0)
  await expect(page).toHaveURL(/where=(?!.*seq:).*tool:/)
  await expect(page.getByRole('group', { name: 'The rest of the query' })).toContainText('tool:')

  // Along the axis of the overview; the timeline shows the same events.
  const strip = (await slider(page).boundingBox())!
  await page.mouse.move(strip.x + strip.width * 0.3, strip.y + strip.height - 6)
  await page.mouse.down()
  await page.mouse.move(strip.x + strip.width * 0.6, strip.y + strip.height - 6, { steps: 3 })
  await page.mouse.up()
  await expect(page.getByText('zoom in')).toBeVisible()
  await slider(page).focus()
  await press(page, 'Enter')
  await expect(range(page).getByRole('button', { name: 'Whole session' })).toBeVisible()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await press(page, 'F')
  await expect(filter(page)).toHaveValue(/tool:\S+ seq:\d+\.\.\d+/)
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
  expect(await seqOf(page)).toBeGreaterThanOrEqual(0)
})
