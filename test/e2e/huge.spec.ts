import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import type { Page } from '@playwright/test'
import { launchOptions } from '../../playwright.config.ts'
import { grid, slider } from './page-parts.ts'
import { expect, test } from './playhead-server.ts'

// More rows than are drawn one to one, and a scrollbar that can be grabbed: Playwright hides it by default.
const rows = 400_000
test.use({ launchOptions: { ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] } })

async function writeLog(path: string): Promise<void> {
  const file = createWriteStream(path)
  file.write('{"type":"system","subtype":"init","cwd":"/w","tools":[],"model":"m","session_id":"s"}\n')
  for (let row = 1; row < rows; row += 1000) {
    let lines = ''
    for (let line = row; line < Math.min(rows, row + 1000); line++) {
      lines += `{"type":"assistant","message":{"id":"m${line}","role":"assistant","content":[{"type":"text","text":"row ${line}"}]},"parent_tool_use_id":null,"session_id":"s"}\n`
    }
    if (!file.write(lines)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'close')
}

/** The lines in view, once nothing moves and each says what it is: contiguous, in place, from edge to edge. */
async function linesInView(page: Page): Promise<{ first: number; last: number; offset: number }> {
  let seen: { first: number; last: number; offset: number; wrong: string } | undefined
  await expect(async () => {
    const before = seen?.offset
    seen = await grid(page).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      const lines = [...element.querySelectorAll<HTMLElement>('.drawn > [data-row]')]
        .map((line) => ({ line, box: line.getBoundingClientRect(), row: Number(line.dataset['row']) }))
        .filter(({ box }) => box.bottom > top + 24.5 && box.top < bottom - 0.5)
        .sort((a, b) => a.box.top - b.box.top)
      const [first, last] = [lines[0], lines.at(-1)]
      if (first === undefined || last === undefined) return { first: -1, last: -1, offset: NaN, wrong: 'nothing' }
      const wrong = lines
        .filter(
          ({ line, box, row }, at) =>
            row !== first.row + at ||
            line.getAttribute('aria-rowindex') !== String(row + 3) ||
            !line.textContent.includes(row === 0 ? 'm' : `row ${row}`) ||
            Math.abs(box.top - first.box.top - at * 24) > 0.01
        )
        .map(({ line }) => line.outerHTML)
      if ((first.row > 0 && first.box.top > top + 24.5) || last.box.bottom < bottom - 0.5)
        wrong.push('the view is not filled')
      // Above the first row are the column heads and the head of the turn.
      const offset = (first.row + 1) * 24 + (top + 24 - first.box.top)
      return { first: first.row, last: last.row, offset, wrong: wrong.join('\n') }
    })
    expect(seen.wrong).toBe('')
    expect(seen.offset).toBe(before)
  }).toPass({ intervals: [50] })
  return seen!
}

test('400,000 rows: wheel, thumb, keys, a line by number and another window show the right rows', async ({
  page,
  serve
}) => {
  // A large log on a machine that may have others to do.
  test.slow()
  const file = test.info().outputPath('rows.jsonl')
  await writeLog(file)
  await page.goto(await serve(file))
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(rows + 2), { timeout: 120_000 })
  await expect(slider(page)).toHaveAttribute('aria-valuemax', String(rows - 1))

  await page.keyboard.press('End')
  await expect.poll(async () => (await linesInView(page)).last).toBe(rows - 1)
  await page.keyboard.press('Home')
  await expect.poll(async () => (await linesInView(page)).first).toBe(0)

  const box = (await grid(page).boundingBox())!
  for (const line of [60, 200_000, 399_940]) {
    await page.keyboard.press('g')
    await page.getByRole('dialog').getByRole('textbox').fill(String(line))
    await page.keyboard.press('Enter')
    await expect(grid(page).locator(`[aria-selected=true][data-line="${line}"]`)).toBeVisible()
    const before = await linesInView(page)
    expect(before.first < line && before.last >= line - 1, `line ${line} from ${before.first} to ${before.last}`).toBe(
      true
    )
    await page.mouse.move(box.x + 300, box.y + 200)
    await page.mouse.wheel(0, 120)
    await expect.poll(async () => (await linesInView(page)).offset, `down from line ${line}`).toBe(before.offset + 120)
    await page.mouse.wheel(0, -240)
    await expect.poll(async () => (await linesInView(page)).offset, `up from line ${line}`).toBe(before.offset - 120)
  }

  // The thumb, with the mouse: from the top to the end, to the middle, and back.
  await page.keyboard.press('Home')
  await expect.poll(async () => (await linesInView(page)).first).toBe(0)
  // Below the arrow that the scrollbar begins with.
  const [bar, top] = [box.x + box.width - 4, box.y + 16]
  await page.mouse.move(bar, top)
  await page.mouse.down()
  await page.mouse.move(bar, box.y + box.height / 2, { steps: 20 })
  const middle = await linesInView(page)
  expect(middle.first / rows).toBeGreaterThan(0.4)
  expect(middle.first / rows).toBeLessThan(0.6)
  // Past both ends: Chromium's thumb does not always keep its place under the mouse.
  await page.mouse.move(bar, box.y + box.height + 60, { steps: 20 })
  await expect.poll(async () => (await linesInView(page)).last).toBe(rows - 1)
  await page.mouse.move(bar, box.y - 60, { steps: 20 })
  await expect.poll(async () => (await linesInView(page)).first).toBe(0)
  await page.mouse.move(bar, box.y + box.height / 3, { steps: 20 })
  await page.mouse.up()
  const third = await linesInView(page)
  expect(third.first / rows).toBeGreaterThan(0.1)
  expect(third.first / rows).toBeLessThan(0.6)

  for (const size of [
    { width: 1100, height: 600 },
    { width: 1440, height: 1000 },
    { width: 1440, height: 900 }
  ]) {
    await page.setViewportSize(size)
    await expect.poll(async () => (await linesInView(page)).offset).toBe(third.offset)
  }
})
