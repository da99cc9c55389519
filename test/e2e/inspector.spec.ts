import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { grid, inspector, open, seriousInBothThemes, seriousViolations } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
const session = { session_id: 's1', parent_tool_use_id: null }
const init = { type: 'system', subtype: 'init', cwd: '/tmp', tools: ['Bash'], model: 'model-1', ...session }

function said(text: string) {
  const content = [{ type: 'text', text }]
  return {
    type: 'assistant',
    message: { id: text.slice(0, 20), role: 'assistant', model: 'model-1', content },
    ...session
  }
}

let calls = 0
/** A call and its result. `kept`: what the agent notes of the result. */
function called(name: string, input: object, content: unknown, kept?: object) {
  const id = `toolu_${calls++}`
  const call = [{ type: 'tool_use', id, name, input }]
  const result = [{ type: 'tool_result', tool_use_id: id, content }]
  const message = { id: `msg_${id}`, role: 'assistant', model: 'model-1', content: call }
  return [
    { type: 'assistant', message, ...session },
    { type: 'user', message: { role: 'user', content: result }, ...session, tool_use_result: kept }
  ]
}

/** A log in a file of its own. */
function written(name: string, records: readonly (object | string | Buffer)[]): string {
  const path = test.info().outputPath(name)
  const lines = records.map((record) =>
    Buffer.isBuffer(record) ? record : Buffer.from(typeof record === 'string' ? record : JSON.stringify(record))
  )
  writeFileSync(path, Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])))
  return path
}

const tab = (page: Page, name: string) => inspector(page).getByRole('tab', { name, exact: true })

/** Selects the row of a line by the dialog that goes there. */
async function goTo(page: Page, line: number) {
  await page.keyboard.press('g')
  await page.getByRole('dialog').getByRole('textbox').fill(`line ${line}`)
  await page.keyboard.press('Enter')
  await expect(inspector(page)).toContainText(`line ${line.toLocaleString('en-US')}`)
}

const hostile = [
  '# A title',
  '<script>document.title = "owned"</script>',
  '<img src=x onerror="document.title = \'owned\'"><svg onload="document.title = \'owned\'"></svg>',
  '[click](javascript:document.title=1) ![picture](https://example.com/picture.png)',
  `| ${'c | '.repeat(10_000)}\n| ${'- | '.repeat(10_000)}`,
  '```js',
  'const never = "closed"'
].join('\n\n')

test('markdown of a log is inert: nothing runs, nothing is fetched', async ({ page, serve }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await open(page, await serve(written('hostile.jsonl', [init, said(hostile)])))
  await goTo(page, 2)
  await expect(inspector(page).getByText('A title', { exact: true })).toBeVisible()
  await expect(page).not.toHaveTitle(/owned/)
  expect(await inspector(page).locator('script, svg[onload], img, [href^="javascript:"]').count()).toBe(0)
  expect(asked.filter((url) => url.includes('example.com'))).toEqual([])
  await inspector(page).getByRole('button', { name: 'As written' }).click()
  await expect(inspector(page)).toContainText('<script>')
})

test('each kind of call is shown as what it is, and axe finds nothing in it', async ({ page, serve }) => {
  test.slow()
  const patch = [
    { oldStart: 41, oldLines: 2, newStart: 41, newLines: 2, lines: [' const a = 1', '-old()', '+fresh()'] }
  ]
  const edit = { file_path: '/src/a.ts', old_string: 'old()', new_string: 'fresh()' }
  const image = [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }]
  const found = 'src/a.ts:3:find(x)\nsrc/b.ts:9:find(y)'
  const pages = 'Links: [{"title":"A page","url":"https://example.com/a"}]\n\nIt says so.'
  const log = [
    init,
    ...called('Bash', { command: 'npm test', description: 'Run the tests' }, '\u001b[31mnot ok\u001b[0m 1'),
    ...called('Edit', edit, 'The file was updated.', { filePath: '/src/a.ts', structuredPatch: patch }),
    ...called('Write', { file_path: '/src/b.ts', content: 'export const b = 1\n' }, 'Created.'),
    ...called('Read', { file_path: '/src/a.ts' }, '    41→const a = 1\n    42→fresh()'),
    ...called('Grep', { pattern: 'find' }, found),
    ...called('WebSearch', { query: 'x' }, pages),
    ...called('Task', { prompt: 'Look **around**.', subagent_type: 'explorer' }, 'All is *well*.'),
    ...called('mcp__s__find', { where: { x: 1 } }, '{"found":[1,2]}'),
    ...called('Read', { file_path: '/a.png' }, image)
  ]
  await open(page, await serve(written('kinds.jsonl', log)))
  const expected = [
    ['npm test', 'not ok 1'],
    ['/src/a.ts', 'fresh()', '42'],
    ['Written', 'export const b = 1'],
    ['lines 41 to 42', 'const a = 1'],
    ['2 lines in 2 files', 'src/b.ts'],
    ['1 page', 'A page', 'It says so.'],
    ['Look around.', 'All is well.'],
    ['where', 'found'],
    ['image/png']
  ]
  for (const [at, texts] of expected.entries()) {
    // The call, then its result: both show both.
    for (const line of [2 + 2 * at, 3 + 2 * at]) {
      await goTo(page, line)
      for (const text of texts) await expect(inspector(page)).toContainText(text)
    }
    expect(await seriousViolations(page, '[aria-label=Inspector]')).toEqual([])
  }
  await expect(inspector(page).getByRole('img', { name: 'Image' })).toBeVisible()
})

test('the inspector widens by its key, and an edit then stands side by side', async ({ page, serve }) => {
  const edit = { file_path: '/src/a.ts', old_string: 'one\ntwo\n', new_string: 'one\n2\n' }
  const url = await serve(written('wide.jsonl', [init, ...called('Edit', edit, 'Done.')]))
  await open(page, url)
  await goTo(page, 2)
  await expect(inspector(page).locator('.diff-split')).toHaveCount(0)
  await page.keyboard.press('w')
  await expect(inspector(page).locator('.diff-split').first()).toBeVisible()
  await inspector(page).getByRole('button', { name: 'Unified' }).click()
  await expect(inspector(page).locator('.diff-split')).toHaveCount(0)
  await open(page, page.url())
  await goTo(page, 2)
  await expect(inspector(page).getByRole('button', { name: 'Unified' })).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('w')
  await expect(inspector(page).getByRole('button', { name: 'Unified' })).toBeHidden()
})

test('a call says how long it took only where the log tells, and how that is known', async ({ page, serve }) => {
  const at = (time: string) => ({ timestamp: `2026-01-02T10:00:${time}Z` })
  const [call, result] = called('Bash', { command: 'make' }, 'ok')
  const [untimedCall, untimedResult] = called('Bash', { command: 'make test' }, 'ok')
  const records = [init, { ...call, ...at('01.000') }, { ...result, ...at('03.500') }, untimedCall, untimedResult]
  const path = written('durations.jsonl', records as object[])
  await open(page, await serve(path))
  const took = (line: number) => grid(page).locator(`[data-line="${line}"] .took`)
  await expect(took(2)).toHaveText('2.5 s')
  await expect(took(4)).toHaveText('')
  await goTo(page, 2)
  await expect(inspector(page)).toContainText('took 2.5 s (from timestamps)')
  await goTo(page, 4)
  await expect(inspector(page)).toContainText('duration unknown')
  await expect(inspector(page)).not.toContainText('took')
})

test('an output of 20 MB comes in pieces, and whole when asked; its last line is there', async ({ page, serve }) => {
  test.slow()
  const line = 'a line of the output that is neither short nor long\n'
  const output = `${line.repeat(Math.ceil(20_000_000 / line.length))}the very last line`
  await open(page, await serve(written('large.jsonl', [init, ...called('Bash', { command: 'make' }, output)])))
  await goTo(page, 2)
  const count = output.length.toLocaleString('en-US')
  await expect(inspector(page)).toContainText(`of ${count} characters`)
  await inspector(page)
    .getByRole('button', { name: `Show all ${count} characters` })
    .click()
  await expect(inspector(page)).toContainText(`${output.split('\n').length.toLocaleString('en-US')} lines`)
  const box = inspector(page).getByRole('group', { name: 'Output' })
  await box.focus()
  await page.keyboard.press('End')
  await expect(box).toContainText('the very last line')
  await goTo(page, 3)
  await tab(page, 'Raw').click()
  await inspector(page).getByRole('button', { name: 'Show 8.4 MB more' }).click()
  await expect(inspector(page)).not.toContainText('Reading the line')
  const raw = inspector(page).getByRole('group', { name: 'Line, pretty' })
  await raw.focus()
  await page.keyboard.press('End')
  await inspector(page)
    .getByRole('button', { name: /more of this text/ })
    .click()
  await expect(inspector(page)).toContainText(`${Math.round(output.length / 1e6)} MB)`)
})

test('the raw line: members in place, the issue under its value, and every byte', async ({ page, serve }) => {
  const bad = Buffer.concat([
    Buffer.from('{"type":"assistant","x":"'),
    Buffer.from([0xff]),
    Buffer.from('","session_id":"s1"}')
  ])
  const records = [init, '{"type":"system","subtype":7,"n":12345678901234567890,"n":1,"session_id":"s1"}', bad]
  await open(page, await serve(written('raw.jsonl', records)))
  await goTo(page, 2)
  await tab(page, 'Log issues').click()
  await expect(inspector(page)).toContainText('For the types system and result, subtype must be a string.')
  await inspector(page).getByRole('button', { name: 'Show in Raw' }).click()
  const shown = inspector(page).getByRole('group', { name: 'Line, pretty' })
  await expect(shown).toContainText('"n": 12345678901234567890,')
  await expect(shown.locator('.raw-line.of-violation').first()).toContainText('"subtype": 7,')
  await expect(inspector(page)).toContainText('valid UTF-8 · LF')
  await goTo(page, 3)
  await expect(inspector(page)).toContainText('not UTF-8')
  await inspector(page).getByRole('button', { name: 'Bytes' }).click()
  await expect(inspector(page).getByRole('group', { name: 'Bytes' }).locator('mark')).toHaveText('ff')
  await expect(inspector(page)).toContainText('byte')
})

test('all of it can be reached with the keyboard', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await page.keyboard.press('.')
  await tab(page, 'Event').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tab(page, 'Raw')).toHaveAttribute('aria-selected', 'true')
  // Its buttons come with the line.
  await expect(inspector(page).getByRole('button', { name: 'Pretty' })).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(inspector(page).getByRole('button', { name: 'Pretty' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(inspector(page).getByRole('button', { name: 'As written' })).toHaveAttribute('aria-pressed', 'true')
  await expect(grid(page)).toBeVisible()
})

test('axe finds nothing in the tabs of a row with issues', async ({ page, serve }) => {
  test.slow()
  await open(page, await serve(sample))
  await page.keyboard.press('.')
  for (const name of ['Event', 'Raw', 'Log issues']) {
    await tab(page, name).click()
    await expect(tab(page, name)).toHaveAttribute('aria-selected', 'true')
    expect(await seriousInBothThemes(page, '[aria-label=Inspector]')).toEqual([])
  }
  await tab(page, 'Raw').click()
  for (const layout of ['As written', 'Bytes', 'Pretty']) {
    await inspector(page).getByRole('button', { name: layout }).click()
    expect(await seriousInBothThemes(page, '[aria-label=Inspector]')).toEqual([])
  }
})
