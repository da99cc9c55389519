import { existsSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { corpusPath } from '../conformance/corpus.ts'
import { open, seqOf, seriousInBothThemes, slider, type TodoState, todoPanel } from './page-parts.ts'
import { expect, playhead, root, sample, test } from './playhead-server.ts'

const fixture = (path: string) => `${root}test/fixtures/formats/${path}`

const logs: [string, string][] = [
  ['the sample run', sample],
  ['TodoWrite', fixture('claude-stream-json/todowrite-2.0.77/input.jsonl')],
  ['tasks of Claude Code', fixture('claude-transcript/tasks-2.1.29/input.jsonl')],
  ['plans of Codex', fixture('codex-exec-json/plan-0.77/input.jsonl')],
  ['write_todos', fixture('gemini-stream-json/todos-0.61/input.jsonl')],
  ['the tracker of Gemini', fixture('gemini-chat/tracker-0.61/input.jsonl')],
  ['a run of several files, exported', fixture('normalized/run-of-several-files/input.jsonl')],
  ['a transcript of 4 MB', corpusPath('claude-transcript/dagster-io__erk__a98d6941.jsonl')],
  ['a transcript whose items were edited and came back', corpusPath('claude-transcript/entireio__cli__36ec89aa.jsonl')],
  ['a rollout with plans', corpusPath('codex-rollout/bricerising__specify-poker__35b2c96b.jsonl')],
  ['a chat with write_todos', corpusPath('gemini-chat/entireio__cli__114fcee3.json')],
  ['a recorded run whose subagent has a list', corpusPath('recorded/claude/subagent-todowrite/stdout.jsonl')]
]

type Items = TodoState['items']

/** What `playhead todos` prints of a log. */
async function printedLists(file: string): Promise<TodoState[]> {
  const { stdout } = await playhead('todos', file, '--json')
  const lines = stdout.split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as TodoState)
}

/** Some events of a log: the first, the last, some that wrote a list, and the ones after those. */
function someSeqs(lists: readonly TodoState[], last: number): number[] {
  const some = lists.filter((_, at) => at % Math.max(1, Math.ceil(lists.length / 3)) === 0)
  return [...new Set([0, ...some.flatMap(({ seq }) => [seq, seq + 1]), last])].filter((seq) => seq <= last)
}

/** The lists in force after an event: of each track the latest one up to it; an empty one where there is none. */
function listsAt(lists: readonly TodoState[], seq: number): Items[] {
  const latest = new Map<string | null, Items>()
  for (const list of lists) if (list.seq <= seq) latest.set(list.trackId, list.items)
  return latest.size === 0 ? [[]] : [...latest.values()]
}

async function goToEvent(page: Page, seq: number) {
  await page.keyboard.press('g')
  await page.getByRole('dialog').getByRole('textbox').fill(`#${seq}`)
  await page.keyboard.press('Enter')
  await expect.poll(() => seqOf(page)).toBe(seq)
}

/** What the panel shows of each track that has a list, one after the other; one empty list where none has. */
async function listsInPanel(page: Page): Promise<Items[]> {
  const panel = page.getByRole('region', { name: 'Todos', exact: true })
  const menu = panel.getByRole('combobox', { name: 'Track' })
  const buttons = panel.getByRole('group', { name: 'Track' }).getByRole('button')
  const lists: unknown[] = []
  if ((await menu.count()) > 0) {
    const values = await menu
      .getByRole('option')
      .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value))
    for (const value of values) {
      await menu.selectOption(value)
      lists.push(await todoPanel(page))
    }
  } else if ((await buttons.count()) > 0) {
    for (const button of await buttons.all()) {
      await button.click()
      lists.push(await todoPanel(page))
    }
  } else lists.push(await todoPanel(page))
  return lists as Items[]
}

const inOneOrder = (lists: readonly Items[]) => lists.map((items) => JSON.stringify(items)).toSorted()

for (const [name, file] of logs) {
  test(`${name}: the panel is what \`todos\` prints, for every track, wherever the playhead is`, async ({
    page,
    serve
  }) => {
    test.skip(!existsSync(file), 'the corpus is not here')
    await open(page, await serve(file))
    const last = Number(await slider(page).getAttribute('aria-valuemax'))
    const printed = await printedLists(file)
    for (const seq of someSeqs(printed, last)) {
      await goToEvent(page, seq)
      const wanted = inOneOrder(listsAt(printed, seq))
      await expect.poll(async () => inOneOrder(await listsInPanel(page)), `event ${seq}`).toEqual(wanted)
    }
  })
}

const lanes = (page: Page) => page.getByRole('treegrid', { name: 'Todos over time' })
const snapshots = (page: Page) => page.getByRole('grid', { name: 'Todo snapshots' })

async function openTodos(page: Page, url: string) {
  await open(page, url)
  await page.getByRole('tab', { name: 'Todos' }).click()
  await expect(lanes(page).getByRole('row').nth(1)).toContainText('main')
}

test('the todos over the run by mouse: hover, click, zoom, and the lists below', async ({ page, serve }) => {
  await openTodos(page, await serve(sample))
  const { stdout } = await playhead('todos', sample, '--json')
  const lists = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TodoState)
  await expect(snapshots(page)).toHaveAttribute('aria-rowcount', String(lists.length + 1))
  const { seq } = lists[2]!
  await snapshots(page).getByRole('row').nth(3).click()
  await expect.poll(() => seqOf(page)).toBe(seq)
  const main = lanes(page).getByRole('row').nth(1)
  const completed = lists[2]!.items.filter(({ status }) => status === 'completed').length
  await expect(main).toContainText(`${completed}/${lists[2]!.items.length}`)

  const plot = (await page.locator('.lane-plot').boundingBox())!
  const lane = (await lanes(page).getByRole('row').nth(2).boundingBox())!
  const y = lane.y + lane.height / 2
  await page.mouse.move(plot.x + plot.width * 0.55, y)
  await expect(page.locator('.lane-bubble')).toContainText(/(in progress|completed|pending).*for .*event/)
  await page.mouse.click(plot.x + plot.width * 0.55, y)
  await expect.poll(() => seqOf(page)).toBeGreaterThan(seq)
  const whole = page.getByRole('button', { name: 'Show the whole session' }).first()
  await expect(whole).toBeDisabled()
  await page.mouse.wheel(0, -400)
  await expect(whole).toBeEnabled()
  await page.mouse.dblclick(plot.x + plot.width * 0.5, y)
  await expect(whole).toBeDisabled()
  await page.getByRole('button', { name: 'Over events', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Gaps compressed' })).toBeDisabled()
})

test('the todos over the run by keyboard alone', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await page.keyboard.press('Home')
  await page.getByRole('tab', { name: 'Timeline' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(lanes(page)).toBeVisible()
  while ((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) !== 'Todos over time') {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const { stdout } = await playhead('todos', sample, '--json')
  const lists = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TodoState & { changes: { text: string }[] })
  const text = lists[0]!.items[0]!.text
  await expect(lanes(page).locator('[aria-selected=true]')).toContainText(text)
  const changes = lists.filter(
    ({ trackId, changes: all }) => trackId === null && all.some((change) => change.text === text)
  )
  for (const { seq } of changes) {
    await page.keyboard.press('Enter')
    await expect.poll(() => seqOf(page)).toBe(seq)
  }
  // What the bubble says is said without a mouse as well.
  await expect(page.locator('.lane-bubble')).toContainText(text)
  await page.keyboard.press('Shift+Enter')
  await expect.poll(() => seqOf(page)).toBe(changes.at(-2)!.seq)
  await page.keyboard.press('Tab')
  while ((await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))) !== 'Todo snapshots') {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('ArrowDown')
  const at = lists.findIndex(({ seq }) => seq === changes.at(-2)!.seq)
  await expect.poll(() => seqOf(page)).toBe(lists[at + 1]!.seq)
})

test('axe finds no serious violation among the todos', async ({ page, serve }) => {
  await openTodos(page, await serve(sample))
  await snapshots(page).getByRole('row').nth(4).click()
  await lanes(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.lane-bubble')).toBeVisible()
  expect(await seriousInBothThemes(page)).toEqual([])
})
