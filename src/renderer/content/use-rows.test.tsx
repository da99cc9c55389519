import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { LineList } from './line-list.tsx'

test('the scroll position stays while the text grows', async () => {
  const text = Array.from({ length: 300_000 }, (_, at) => `line ${at}`).join('\n')
  const screen = await render(<LineList label="Output" text={text} />)
  const box = screen.getByRole('group', { name: 'Output' }).element() as HTMLElement
  await expect.element(screen.getByText('300,000 lines', { exact: true })).toBeVisible()
  box.scrollTop = 200_000 * 18
  const seen: (string | undefined)[] = []
  const first = () => box.querySelector('.line-text')?.textContent
  await expect.poll(first).toMatch(/^line 199\d{3}$/)
  const before = first()
  const watch = new MutationObserver(() => seen.push(first()))
  watch.observe(box, { childList: true, subtree: true, characterData: true })
  await screen.rerender(<LineList label="Output" text={`${text}\n${text}`} />)
  await expect.element(screen.getByText('600,000 lines', { exact: true })).toBeVisible()
  watch.disconnect()
  expect([...new Set([...seen, first()])]).toEqual([before])
})

test('another text starts at its top', async () => {
  const screen = await render(<LineList label="Output" text={'a\n'.repeat(100_000)} />)
  await expect.element(screen.getByText('100,000 lines', { exact: true })).toBeVisible()
  await screen.rerender(<LineList label="Output" text={'b\n'.repeat(50_000)} />)
  await expect.element(screen.getByText('50,000 lines', { exact: true })).toBeVisible()
  expect(screen.container.querySelector('.line-text')?.textContent).toBe('b')
})
