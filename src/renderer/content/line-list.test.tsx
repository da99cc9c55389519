import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { LineList } from './line-list.tsx'

/** The list in a box of 600 px. `key`: the keys that bubble. */
async function show(text: string, wrap = false) {
  const key = vi.fn()
  const screen = await render(
    <div style={{ width: 600 }} onKeyDown={({ key: pressed }) => key(pressed)}>
      <LineList label="Output" text={text} wrap={wrap} />
    </div>
  )
  const box = screen.getByRole('group', { name: 'Output' }).element() as HTMLElement
  return { screen, box, key, rows: () => [...box.querySelectorAll('.line-text')].map((row) => row.textContent) }
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`).join('\n')

/** The text that Ctrl+C copies. */
function copied(box: HTMLElement): string {
  const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true })
  box.dispatchEvent(event)
  return event.clipboardData?.getData('text/plain') ?? ''
}

test('a short text is rendered whole', async () => {
  const { box, rows } = await show('one\r\n\u001b[31mtwo\u001b[0m\n\u0000three\n')
  expect(rows()).toEqual(['one', 'two', '␀three'])
  expect(box.scrollHeight).toBe(box.clientHeight)
})

test('of 20 MB only visible lines are rendered, and all can be reached', async () => {
  const count = 1_500_000
  const { screen, box, rows } = await show(numbered(count))
  await expect.element(screen.getByText('1,500,000 lines', { exact: true })).toBeVisible()
  expect(rows().length).toBeLessThan(60)
  expect(rows()[0]).toBe('line 0')
  box.scrollTop = box.scrollHeight
  await expect.poll(() => rows().at(-1)).toBe(`line ${count - 1}`)
  expect(rows().length).toBeLessThan(60)
  box.scrollTop = box.scrollHeight / 2
  await expect.poll(() => Number(rows()[10]?.slice(5))).toBeGreaterThan(count * 0.4)
})

test('a line of 20 MB is split into short rows', async () => {
  const { screen, box, rows } = await show('x'.repeat(20_000_000))
  await expect.element(screen.getByText('1 line', { exact: true })).toBeVisible()
  for (const row of rows()) expect(row?.length).toBeLessThanOrEqual(2000)
  expect(box.querySelectorAll('*').length).toBeLessThan(150)
})

test('wrapped rows fit the box', async () => {
  const { box, rows } = await show('some words that go on and on '.repeat(50), true)
  await expect.poll(() => rows().length).toBeGreaterThan(10)
  expect(box.scrollWidth).toBeLessThanOrEqual(box.clientWidth)
  expect(rows().join('')).toBe('some words that go on and on '.repeat(50))
})

test('Ctrl+A selects and copies the whole text', async () => {
  const { box } = await show(numbered(5000))
  box.focus()
  await userEvent.keyboard('{Control>}a{/Control}')
  expect(copied(box)).toBe(numbered(5000))
  await userEvent.click(box)
  expect(copied(box)).toBe('')
})

test('Ctrl+A copies the whole text, also while it is still being read', async () => {
  const text = numbered(1_500_000)
  const { screen, box } = await show(text)
  box.focus()
  await userEvent.keyboard('{Control>}a{/Control}')
  expect(copied(box)).toBe(text)
  await expect.element(screen.getByText('1,500,000 lines', { exact: true })).toBeVisible()
  expect(copied(box)).toBe(text)
})

test('a selection extends beyond the rendered lines', async () => {
  const { screen, box, rows } = await show(numbered(5000))
  await expect.element(screen.getByText('5,000 lines', { exact: true })).toBeVisible()
  const text = (line: number) => box.querySelector(`[data-line="${line}"] .line-text`)?.firstChild
  const first = text(2)
  if (first == null) throw new Error('line 2 is not drawn')
  const heard = new Promise((resolve) => document.addEventListener('selectionchange', resolve, { once: true }))
  getSelection()?.setBaseAndExtent(first, 3, first, 4)
  await heard
  box.scrollTop = 2000 * 18
  await expect.poll(() => rows().includes('line 2010')).toBe(true)
  const last = text(2010)
  if (last == null) throw new Error('line 2010 is not drawn')
  getSelection()?.extend(last, 4)
  await expect.poll(() => copied(box).split('\n').length).toBe(2009)
  const lines = copied(box).split('\n')
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(['e 2', 'line 3', 'line'])
})

test('scroll keys act on the box while it can scroll; other keys bubble', async () => {
  const { box, key } = await show(numbered(100))
  box.focus()
  await userEvent.keyboard('{End}n')
  expect(key.mock.calls.flat()).toEqual(['n'])
})

test('the box expands on demand', async () => {
  const { screen, box } = await show(numbered(300))
  const before = box.clientHeight
  await screen.getByRole('button', { name: 'Expand' }).click()
  await expect.poll(() => box.clientHeight).not.toBe(before)
  await screen.getByRole('button', { name: 'Collapse' }).click()
  await expect.poll(() => box.clientHeight).toBe(before)
})
