import { writeFileSync } from 'node:fs'
import { open } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

test('breakpoints and bookmarks are in view below any number of subagents', async ({ page, serve }) => {
  const session = { session_id: 's1' }
  const lines: object[] = [{ type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'm', uuid: 'u', ...session }]
  for (let at = 0; at < 200; at++) {
    const input = { description: `Look at part ${at}`, prompt: 'Look', subagent_type: 'general' }
    const content = [{ type: 'tool_use', id: `t${at}`, name: 'Task', input }]
    const message = { id: `m${at}`, role: 'assistant', model: 'm', content }
    lines.push({ type: 'assistant', message, parent_tool_use_id: null, ...session })
    const asked = { role: 'user', content: [{ type: 'text', text: 'Look' }] }
    lines.push({ type: 'user', message: asked, parent_tool_use_id: `t${at}`, ...session })
  }
  const file = test.info().outputPath('many.jsonl')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  await open(page, await serve(file))
  const runs = page.getByRole('navigation', { name: 'Logs' })
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
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720)
})
