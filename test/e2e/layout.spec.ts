import { writeFileSync } from 'node:fs'
import { open } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

test('breakpoints and bookmarks are in view below any number of subagents', async ({ page, serve }) => {
  const session = { session_id: 's1' }
  const lines: object[] = [{ type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'm', uuid: 'u', ...session }]
  for (let at = 0; at < 200; at++) {
    const input = {
      description: `Look at part ${at} ${at === 0 ? 'of all that there is '.repeat(8) : ''}`.trim(),
      prompt: 'Look',
      subagent_type: 'general'
    }
    const content = [{ type: 'tool_use', id: `t${at}`, name: 'Task', input }]
    const message = { id: `m${at}`, role: 'assistant', model: 'm', content }
    lines.push({ type: 'assistant', message, parent_tool_use_id: null, ...session })
    const asked = { role: 'user', content: [{ type: 'text', text: 'Look' }] }
    lines.push({ type: 'user', message: asked, parent_tool_use_id: `t${at}`, ...session })
    const usage = { input_tokens: 12_345, output_tokens: 6789 }
    const said = {
      ...{ id: `s${at}`, role: 'assistant', model: 'm', usage },
      content: [{ type: 'text', text: 'Seen' }]
    }
    lines.push({ type: 'assistant', message: said, parent_tool_use_id: `t${at}`, ...session })
  }
  const file = test.info().outputPath('many.jsonl')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  await open(page, await serve(file))
  const runs = page.getByRole('navigation', { name: 'Logs' })
  // What is said of a track is on one line, and whole.
  const track = runs.getByRole('button', { name: /^Look at part 0 / })
  await expect(track).toContainText('12.3k in')
  await expect
    .poll(() => track.evaluate((line) => line.scrollWidth <= line.clientWidth && line.scrollHeight <= 28))
    .toBe(true)
  const figure = track.getByText('12.3k in')
  await expect.poll(() => figure.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true)
  await runs.getByText('All 201 tracks').click()
  await expect(runs.getByRole('heading', { name: 'Breakpoints' })).toBeInViewport()
  await expect(runs.getByRole('heading', { name: 'Bookmarks' })).toBeInViewport()
  await runs.getByText('Look at part 199').scrollIntoViewIfNeeded()
  await expect(runs.getByText('Look at part 199')).toBeInViewport()
})

test('in a small window, as at 200 % zoom, nothing is pushed out of it', async ({ page, serve }) => {
  await page.setViewportSize({ width: 720, height: 450 })
  await open(page, await serve(sample))
  await page.keyboard.press('e')
  await expect(page.getByRole('button', { name: 'Wide inspector' })).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Escape')
  for (const view of ['Timeline', /^Todos/]) {
    await page.getByRole('tab', { name: view }).click()
    await expect.poll(() => page.evaluate(cutControls)).toEqual([])
  }
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('table', { name: 'Calls by tool' }).evaluate((table) => table.scrollIntoView())
  await expect.poll(() => page.evaluate(cutControls)).toEqual([])
  const { width, height } = await page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    return { width: scrollWidth, height: scrollHeight }
  })
  expect({ width, height }).toEqual({ width: 720, height: 450 })
})

/** Runs in the page: the names of controls that are not whole, and that nothing can be scrolled to show. */
function cutControls(): string[] {
  return [...document.querySelectorAll('button, input, select, a[href]')].flatMap((control) => {
    const { left, right, top, bottom, width } = control.getBoundingClientRect()
    if (width < 2 || !control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    let [cutX, cutY] = [left < 0 || right > innerWidth, top < 0 || bottom > innerHeight]
    for (let box = control.parentElement; box !== null; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box)
      const edges = box.getBoundingClientRect()
      if (/auto|scroll/.test(`${overflowX} ${overflowY}`)) return []
      cutX ||= overflowX !== 'visible' && (left < edges.left - 1 || right > edges.right + 1)
      cutY ||= overflowY !== 'visible' && (top < edges.top - 1 || bottom > edges.bottom + 1)
    }
    return cutX || cutY ? [control.getAttribute('aria-label') ?? control.textContent] : []
  })
}

test('in a small window all controls of the timeline are whole', async ({ page, serve }) => {
  await page.setViewportSize({ width: 720, height: 700 })
  const session = { session_id: 's1', parent_tool_use_id: null }
  const turn = (at: number) => [
    { type: 'user', message: { role: 'user', content: 'Go on' }, ...session },
    { type: 'stream_event', uuid: `u${at}`, event: { type: 'ping' }, ...session },
    { type: 'result', subtype: 'success', is_error: false, result: 'Done', ...session }
  ]
  const lines = Array.from({ length: 1000 }, (_, at) => turn(at)).flat()
  const file = test.info().outputPath('records.jsonl')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  await open(page, await serve(file))
  await expect(page.getByRole('button', { name: /^Show 1,000 records/ })).toBeInViewport({ ratio: 1 })
  const turns = page.getByRole('button', { name: 'Collapse all turns' })
  await expect(turns).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Show the current row' })).toBeInViewport({ ratio: 1 })
  await turns.click()
  await expect(page.getByRole('button', { name: 'Expand all turns' })).toBeVisible()
})

test('text that is written from right to left begins at the right, and is cut at its left end', async ({
  page,
  serve
}) => {
  const session = { session_id: 's1' }
  const said = 'אני בודק את הקבצים ואז כותב את הסיכום '.repeat(12)
  const lines = [
    { type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'm', uuid: 'u', ...session },
    ...[said, 'left to right '.repeat(30)].map((text, at) => ({
      ...{ type: 'assistant', parent_tool_use_id: null, ...session },
      message: { id: `m${at}`, role: 'assistant', model: 'm', content: [{ type: 'text', text }] }
    }))
  ]
  const file = test.info().outputPath('rtl.jsonl')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  await open(page, await serve(file))
  const summaries = page.locator('.row[data-kind=assistant] .summary')
  await expect(summaries.first()).toContainText('אני')
  // Polled: a row that is drawn again has no layout while it is out of the document.
  await expect
    .poll(() =>
      summaries.evaluateAll((all) =>
        all.map((each) => [getComputedStyle(each).direction, each.scrollWidth > each.clientWidth])
      )
    )
    .toEqual([
      ['rtl', true],
      ['ltr', true]
    ])
  // The inspector as well.
  const paragraph = page.getByRole('region', { name: 'Inspector' }).locator('.md-paragraph')
  for (const [row, direction] of [
    [0, 'rtl'],
    [1, 'ltr']
  ] as const) {
    await summaries.nth(row).click()
    await expect(paragraph).toHaveCSS('direction', direction)
  }
})

test('with forced colors the states of todo lanes keep their own, and what is selected has an edge', async ({
  page,
  serve
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open(page, await serve(sample))
  await page.keyboard.press('v')
  const lanes = page.locator('.lane-canvas')
  await expect(lanes).toBeVisible()
  // Green for what is done, blue for what is in progress: more than shades of grey.
  await expect
    .poll(() =>
      lanes.evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
        const hues = new Set<string>()
        for (let at = 0; at < data.length; at += 4) {
          const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(at, at + 4)
          if (alpha < 200 || Math.max(red, green, blue) - Math.min(red, green, blue) < 60) continue
          hues.add(green > red && green > blue ? 'green' : blue > red && blue > green ? 'blue' : 'other')
        }
        return [...hues].toSorted()
      })
    )
    .toEqual(expect.arrayContaining(['blue', 'green']))
  await page.keyboard.press('Control+k')
  const chosen = page.getByRole('listbox', { name: 'Commands' }).getByRole('option', { selected: true })
  await expect(chosen).toHaveCSS('outline-style', 'solid')
})
