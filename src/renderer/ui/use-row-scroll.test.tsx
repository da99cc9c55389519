import { useEffect } from 'react'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { type RowScroll, useRowScroll } from './use-row-scroll.ts'

const sizes = { line: 18, head: 30 }
const height = 500
let scroll: RowScroll | null = null

function Numbers({ count, atEnd = false }: { count: number; atEnd?: boolean }) {
  const { setElement, scroll: here, drawn, space } = useRowScroll(count, sizes, atEnd)
  const { first, last, top, slots } = drawn
  useEffect(() => {
    scroll = here
  }, [here])
  return (
    <div ref={setElement} data-testid="list" style={{ height, overflowY: 'auto', overflowAnchor: 'none' }}>
      <div style={{ position: 'sticky', top: 0, height: sizes.head, zIndex: 1 }} />
      <div style={{ height: space }}>
        <div style={{ transform: `translateY(${top}px)` }}>
          {Array.from({ length: Math.max(0, last - first) }, (_, at) => (
            <div key={(first + at) % slots} data-line={first + at} style={{ height: sizes.line }} />
          ))}
        </div>
      </div>
    </div>
  )
}

/** The distance of the first line from the head, from the rendered lines. Throws if they disagree or leave a gap. */
function originOf(list: HTMLElement): number {
  const top = list.getBoundingClientRect().top + sizes.head
  const lines = [...list.querySelectorAll<HTMLElement>('[data-line]')].map((line) => ({
    number: Number(line.dataset['line']),
    y: line.getBoundingClientRect().top - top
  }))
  const [highest, lowest] = [lines[0], lines.at(-1)]
  if (highest === undefined || lowest === undefined) throw new Error('no line is drawn')
  const origin = highest.y - highest.number * sizes.line
  for (const { number, y } of lines)
    if (y - number * sizes.line !== origin) throw new Error(`line ${number} is at ${y}`)
  if (highest.y > 0 || lowest.y + sizes.line < height - sizes.head) throw new Error('the view is not filled')
  return origin
}

/** Checks the positions of rendered lines in the next painted frame. */
async function expectDrawn(list: HTMLElement, view: number) {
  await new Promise(requestAnimationFrame)
  const y = originOf(list) + view * sizes.line
  expect(y).toBe(scroll?.yOf(view))
  expect(y).toBeGreaterThanOrEqual(0)
  expect(y).toBeLessThanOrEqual(height - sizes.head - sizes.line)
}

it.each([2000, 440_000, 5_000_000])('shows each of %i lines where it is, with no drift', async (count) => {
  const screen = await render(<Numbers count={count} />)
  const list = screen.getByTestId('list').element() as HTMLElement
  for (const view of [0, count - 1, Math.floor(count / 2), 7, count - 40]) {
    scroll?.show(view, false)
    await expectDrawn(list, view)
  }
  // Such small steps do not move the thumb of a long list.
  const middle = Math.floor(count / 3)
  for (let view = middle; view < middle + 60; view++) {
    scroll?.show(view, true)
    await expectDrawn(list, view)
  }
  scroll?.putAt(middle, 25)
  for (let step = 1; step <= 20; step++) {
    list.dispatchEvent(new WheelEvent('wheel', { deltaY: 7 }))
    list.scrollTop += 7
    await expect.poll(() => originOf(list) + middle * sizes.line).toBe(25 - step * 7)
  }
  expect(list.querySelectorAll('[data-line]').length).toBeLessThan(45)
})

it('stays at its end while it grows beyond the maximum height, and when it shrinks again', async () => {
  const screen = await render(<Numbers count={1} atEnd />)
  const list = screen.getByTestId('list').element() as HTMLElement
  for (const count of [200, 256, 257, 300_000, 444_444, 444_445, 600_000, 5_000_000, 5_000_001, 500]) {
    await screen.rerender(<Numbers count={count} atEnd />)
    await expect.poll(() => originOf(list) + count * sizes.line).toBe(height - sizes.head)
  }
})

it('shows a line as soon as the list has it', async () => {
  const screen = await render(<Numbers count={100} />)
  const list = screen.getByTestId('list').element() as HTMLElement
  scroll?.show(3_000_000, false)
  await expect.poll(() => originOf(list)).toBe(0)
  await screen.rerender(<Numbers count={4_000_000} />)
  await expectDrawn(list, 3_000_000)
})
