import { existsSync, writeFileSync } from 'node:fs'
import { corpusPath } from '../conformance/corpus.ts'
import { grid, inspector, open, seqOf, slider, type TodoState, todoPanel } from './page-parts.ts'
import { expect, type PageTest, playhead, sample } from './playhead-server.ts'

/** What people do with a run, on any page that shows it: `serve` of `test` gives its address. */
export function reviewARun(test: PageTest): void {
  const logs: [string, string][] = [
    ['the sample run', sample],
    ['a transcript of 4 MB', corpusPath('claude-transcript/dagster-io__erk__a98d6941.jsonl')],
    ['a stream-json log with subagents', corpusPath('claude-stream-json/presmihaylov__claudecontrol__879828b3.jsonl')]
  ]

  for (const [name, file] of logs) {
    test(`${name}: End, then [ twice: the todo panel is what \`todos --at\` prints`, async ({ page, serve }) => {
      test.skip(!existsSync(file), 'the corpus is not here')
      await open(page, await serve(file))
      await page.keyboard.press('End')
      await expect.poll(() => seqOf(page)).toBe(Number(await slider(page).getAttribute('aria-valuemax')))
      await page.keyboard.press('[')
      await page.keyboard.press('[')
      const seq = await seqOf(page)
      const { stdout, code } = await playhead('todos', file, '--at', String(seq), '--json')
      expect(code).toBe(0)
      const states = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as TodoState)
      const changed = states.find((state) => state.seq === seq)
      expect(changed, 'the playhead is on an event that changed a list').toBeDefined()
      await expect.poll(() => todoPanel(page)).toEqual(changed!.items)
    })
  }

  test('dragging the scrubber moves the playhead, the todo panel and the timeline together', async ({
    page,
    serve
  }) => {
    await open(page, await serve(sample))
    const box = (await slider(page).boundingBox())!
    const middle = box.y + box.height / 2
    await page.mouse.move(box.x + 2, middle)
    await page.mouse.down()
    for (const part of [0.1, 0.25, 0.8]) {
      await page.mouse.move(box.x + box.width * part, middle, { steps: 4 })
      const seq = await seqOf(page)
      const { stdout } = await playhead('todos', sample, '--at', String(seq), '--json')
      // In these places the playhead is on an event of the main agent, whose list the panel then shows.
      const main = JSON.parse(stdout.split('\n')[0]!) as TodoState
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
      .getByRole('tab', { name: /^Log issues/ })
      .click()
    await expect(inspector(page)).toContainText('TypedParse')
    await expect(inspector(page)).toContainText('$.subtype')
    await inspector(page).getByRole('tab', { name: 'Raw' }).click()
    await inspector(page).getByText('As written', { exact: true }).click()
    await expect(inspector(page)).toContainText(lines[1]!)
  })

  test('keys, with nothing focused: arrows, Home, End, issues, play, find, go to, help', async ({ page, serve }) => {
    await open(page, await serve(sample))
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    await press('End')
    await expect.poll(() => seqOf(page)).toBe(Number(await slider(page).getAttribute('aria-valuemax')))
    await press('Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft')
    await expect.poll(() => seqOf(page)).toBe(1)

    await press('.')
    await expect(grid(page).locator('[aria-selected=true]')).toHaveAttribute('data-severity', 'violation')
    await press('.')
    await expect(grid(page).locator('[aria-selected=true]')).toHaveAttribute('data-severity', 'malformed')
    await press(',')
    await expect(grid(page).locator('[aria-selected=true]')).toHaveAttribute('data-severity', 'violation')

    await press('Space')
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
    await press('Space')
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible()

    await press('g')
    await page.getByRole('dialog').getByRole('textbox').fill('event 12')
    await press('Enter')
    await expect.poll(() => seqOf(page)).toBe(12)

    await press('?')
    await expect(page.getByRole('dialog')).toContainText('todo')
    await press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)

    // A click does not take the keys away.
    await inspector(page).getByRole('tab', { name: 'Raw', exact: true }).click()
    await press('ArrowRight')
    await expect.poll(() => seqOf(page)).toBe(13)
  })

  test('find: Enter leads to a hit and out of the field, n and N go on, Escape ends it until the next n', async ({
    page,
    serve
  }) => {
    await open(page, await serve(sample))
    await page.keyboard.press('/')
    const find = page.getByRole('searchbox', { name: 'Find', exact: true })
    await expect(find).toBeFocused()
    await page.keyboard.type('countWords')
    // The answer is not there yet.
    await page.keyboard.press('Enter')
    const count = page.getByRole('banner')
    await expect(count).toContainText(/\D1 of \d+/)
    await page.keyboard.press('n')
    await page.keyboard.press('n')
    await expect(count).toContainText(/\D3 of \d+/)
    await page.keyboard.press('N')
    await expect(count).toContainText(/\D2 of \d+/)
    await expect(find).toHaveValue('countWords')
    await expect(grid(page).locator('mark').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(find).toHaveValue('')
    await expect(grid(page).locator('mark')).toHaveCount(0)
    await page.keyboard.press('n')
    await expect(count).toContainText(/\D3 of \d+/)
  })
}
