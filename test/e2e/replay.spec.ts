import { writeFileSync } from 'node:fs'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { corpusLog, expect, playhead, sample, test } from './playhead-server.ts'

interface Snapshot {
  seq: number
  trackId: string | null
  items: { text: string; status: string }[]
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Playhead' })
const seqOf = async (page: Page) => Number(await slider(page).getAttribute('aria-valuenow'))
const grid = (page: Page) => page.getByRole('grid', { name: 'Timeline' })
const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })

/** The panel's items as a person reads them: text and status, in order. */
async function todoPanel(page: Page) {
  const items = page.getByRole('region', { name: 'Todos' }).getByRole('listitem')
  return items.evaluateAll((nodes) =>
    nodes.map((node) => ({
      text: node.querySelector('.todo-text')?.textContent ?? '',
      status: node.getAttribute('data-status')
    }))
  )
}

async function open(page: Page, url: string) {
  await page.goto(url)
  await expect(page.getByRole('status')).toContainText('Indexed')
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
}

const logs: [string, string | null][] = [
  ['the sample run', sample],
  ['a transcript of 4 MB', corpusLog('claude-transcript/dagster-io__erk__a98d6941.jsonl')],
  ['a stream-json log with subagents', corpusLog('claude-stream-json/presmihaylov__claudecontrol__879828b3.jsonl')]
]

for (const [name, file] of logs) {
  test(`${name}: End, then [ twice: the todo panel is what \`todos --at\` prints`, async ({ page, serve }) => {
    test.skip(file === null, 'the corpus is not here')
    await open(page, await serve(file!))
    await grid(page).focus()
    await page.keyboard.press('End')
    await expect.poll(() => seqOf(page)).toBe(Number(await slider(page).getAttribute('aria-valuemax')))
    await page.keyboard.press('[')
    await page.keyboard.press('[')
    const seq = await seqOf(page)
    const { stdout, code } = await playhead('todos', file!, '--at', String(seq), '--json')
    expect(code).toBe(0)
    const states = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Snapshot)
    const changed = states.find((state) => state.seq === seq)
    expect(changed, 'the playhead is on an event that changed a list').toBeDefined()
    await expect.poll(() => todoPanel(page)).toEqual(changed!.items)
  })
}

test('dragging the scrubber moves the playhead, the todo panel and the timeline together', async ({ page, serve }) => {
  await open(page, await serve(sample))
  const box = (await slider(page).boundingBox())!
  const middle = box.y + box.height / 2
  await page.mouse.move(box.x + 2, middle)
  await page.mouse.down()
  for (const part of [0.1, 0.35, 0.8]) {
    await page.mouse.move(box.x + box.width * part, middle, { steps: 4 })
    const seq = await seqOf(page)
    const { stdout } = await playhead('todos', sample, '--at', String(seq), '--json')
    // In these places the playhead is on an event of the main agent, whose list the panel then shows.
    const main = JSON.parse(stdout.split('\n')[0]!) as Snapshot
    await expect.poll(() => todoPanel(page)).toEqual(main.items)
    await expect(grid(page).locator(`[aria-selected=true][data-seq="${seq}"]`)).toBeVisible()
  }
  await page.mouse.up()
})

test('a line that breaks the contract is marked in place, with code, JSON path and its exact bytes', async ({
  page,
  serve
}) => {
  const lines = [
    '{"type":"system","subtype":"init","cwd":"/w","session_id":"s","tools":[],"model":"m","uuid":"u"}',
    '{"type":"system","subtype":7,"session_id":"s"}',
    '{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"<img src=x onerror=alert(1)>"}]},"parent_tool_use_id":null,"session_id":"s"}',
    '{"type":"assistant","mess'
  ]
  const file = test.info().outputPath('broken grüße.jsonl')
  writeFileSync(file, lines.join('\n'))
  await open(page, await serve(file))

  const violation = grid(page).locator('[data-line="2"]')
  await expect(violation.first()).toHaveAttribute('data-severity', 'violation')
  await expect(grid(page)).toContainText('TypedParse')
  await expect(grid(page)).toContainText('$.subtype')
  await expect(grid(page).locator('[data-line="4"]').first()).toHaveAttribute('data-severity', 'malformed')
  // A log is shown as text, never as HTML.
  await expect(grid(page)).toContainText('<img src=x onerror=alert(1)>')
  expect(await page.locator('img').count()).toBe(0)

  await violation.first().click()
  await inspector(page)
    .getByRole('tab', { name: /^Issues/ })
    .click()
  await expect(inspector(page)).toContainText('TypedParse')
  await expect(inspector(page)).toContainText('$.subtype')
  await inspector(page).getByRole('tab', { name: 'Raw' }).click()
  await expect(inspector(page)).toContainText(lines[1]!)
})

test('keys: arrows, Home, End, issues, find, go to, help', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await grid(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => seqOf(page)).toBe(0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => seqOf(page)).toBe(1)

  await page.keyboard.press('.')
  await expect(grid(page).locator('[aria-selected=true]')).toHaveAttribute('data-severity', 'violation')
  await page.keyboard.press('.')
  await expect(grid(page).locator('[aria-selected=true]')).toHaveAttribute('data-severity', 'malformed')

  await page.keyboard.press('/')
  const find = page.getByRole('searchbox', { name: 'Find' })
  await expect(find).toBeFocused()
  await find.fill('countWords')
  await expect(page.getByRole('banner')).toContainText(/\d+ hits/)
  await find.press('Enter')
  await expect(page.getByRole('banner')).toContainText(/\d+ of \d+/)
  await find.press('Escape')

  await grid(page).focus()
  await page.keyboard.press('g')
  const goTo = page.getByRole('dialog')
  await goTo.getByRole('textbox').fill('event 12')
  await page.keyboard.press('Enter')
  await expect.poll(() => seqOf(page)).toBe(12)

  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('todo')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('opening: a path that is not there says what to do; one that is opens', async ({ page, serve }) => {
  await page.goto(await serve())
  const path = page.getByRole('textbox', { name: /path/i })
  await path.fill('/no/such/log.jsonl')
  await path.press('Enter')
  await expect(page.getByText('/no/such/log.jsonl')).toBeVisible()
  await expect(page.getByText('not-found')).toBeVisible()
  await path.fill(sample)
  await path.press('Enter')
  await expect(page.getByRole('status')).toContainText('Indexed')
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no serious violation (${colorScheme})`, async ({ page, serve }) => {
    // Three runs of axe over a page with a thousand elements.
    test.slow()
    await page.emulateMedia({ colorScheme })
    await open(page, await serve(sample))
    await grid(page).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('[')
    for (const tab of ['Event', 'Raw', 'Issues']) {
      await inspector(page)
        .getByRole('tab', { name: new RegExp(`^${tab}`) })
        .click()
      const { violations } = await new AxeBuilder({ page }).analyze()
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    }
  })
}
