import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { JsonTree } from './json-tree.tsx'

const items = (root: ParentNode) => [...root.querySelectorAll('[role="treeitem"]')]
const texts = (root: ParentNode) => items(root).map((item) => item.textContent.trim())

test('a small value is expanded', async () => {
  const { container } = await render(<JsonTree label="Input" value={{ a: [1, 'two'], b: { c: null } }} />)
  expect(texts(container)).toEqual(['{', 'a: [', '0: 1', '1: "two"', 'b: {', 'c: null'])
})

test('arrow keys move, collapse and expand', async () => {
  const { container } = await render(<JsonTree label="Input" value={{ a: [1, 2], b: 3 }} />)
  const [root] = items(container)
  if (root instanceof HTMLElement) root.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('a: [')
  await userEvent.keyboard('{ArrowLeft}')
  expect(texts(container)).toEqual(['{', 'a: [ 2 items ]', 'b: 3'])
  await userEvent.keyboard('{End}')
  expect(document.activeElement?.textContent).toContain('b: 3')
  await userEvent.keyboard('{Home}{ArrowDown}{ArrowRight}{ArrowRight}')
  expect(document.activeElement?.textContent).toContain('0: 1')
})

test('handled keys do not bubble', async () => {
  const heard: string[] = []
  const listen = (event: KeyboardEvent) => heard.push(event.key)
  window.addEventListener('keydown', listen)
  const { container } = await render(<JsonTree label="Input" value={{ a: 1 }} />)
  const [root] = items(container)
  if (root instanceof HTMLElement) root.focus()
  await userEvent.keyboard('{ArrowRight}{ArrowLeft}{End}n')
  window.removeEventListener('keydown', listen)
  expect(heard).toEqual(['n'])
})

test('a list of a hundred thousand shows its first members and offers more', async () => {
  const value = { list: Array.from({ length: 100_000 }, (_, index) => index) }
  const screen = await render(<JsonTree label="Input" value={value} />)
  await screen.getByText('list: [ 100,000 items ]').click()
  expect(items(screen.container)).toHaveLength(2 + 100 + 1)
  await screen.getByText('Show 1,000 more members of 99,900').click()
  expect(items(screen.container)).toHaveLength(2 + 1100 + 1)
})

test('a long string can be expanded; text of a log is never markup', async () => {
  const long = `<img src=x onerror=alert(1)> ${'x'.repeat(300)} end`
  const screen = await render(<JsonTree label="Input" value={{ long }} />)
  expect(screen.container.querySelector('img')).toBeNull()
  expect(screen.container.textContent).not.toContain('end')
  await screen.getByText(/329 characters|33\d characters/).click()
  expect(screen.container.textContent).toContain(long)
  expect(screen.container.querySelector('img')).toBeNull()
})

test('cut values are labelled', async () => {
  const screen = await render(
    <JsonTree
      label="Input"
      value={{ a: 'first', 'odd key': [1] }}
      cut={
        new Map([
          ['$.a', 34_000],
          ['$["odd key"]', 9]
        ])
      }
    />
  )
  await expect.element(screen.getByText('cut, 34,000 characters in the log')).toBeVisible()
  await expect.element(screen.getByText('cut, 9 items in the log')).toBeVisible()
})

test('of a deep value only expanded parts are visited', async () => {
  let deep: unknown = 1
  for (let level = 0; level < 50_000; level++) deep = [deep]
  const { container } = await render(<JsonTree label="Input" value={deep} />)
  expect(items(container).length).toBeLessThan(100)
})
