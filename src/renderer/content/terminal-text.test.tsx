import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { TerminalText } from './terminal-text.tsx'

const ESC = '\u001b'

async function show(text: string) {
  const screen = await render(<TerminalText label="Output" text={text} />)
  const box = screen.getByRole('group', { name: 'Output' }).element() as HTMLElement
  return { screen, box, rows: () => [...box.querySelectorAll('.line-text')].map((row) => row.textContent) }
}

/** Red, green and blue of a displayed color, 0 to 255. */
function rgbOf(colour: string): [number, number, number] {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d')
  if (canvas === null) throw new Error('no canvas')
  canvas.fillStyle = colour
  canvas.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(colour).map((part) => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast by WCAG 2.1, 1 to 21. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

test('colors and weights are shown, other sequences are removed', async () => {
  const { box, rows } = await show(
    `${ESC}]0;title\u0007${ESC}[1;31mred${ESC}[0m ${ESC}[3mslanted${ESC}[23m ${ESC}[4mline${ESC}[0m${ESC}[2J${ESC}[5;5H end\u0007`
  )
  expect(rows()).toEqual(['red slanted line end␇'])
  expect([...box.querySelectorAll('.line-text > span')].map((span) => [span.className, span.textContent])).toEqual([
    ['t-fg t-bold', 'red'],
    ['t-italic', 'slanted'],
    ['t-underline', 'line']
  ])
})

test.each(['light', 'dark'])('every colour can be read in the %s theme', async (theme) => {
  document.documentElement.dataset['theme'] = theme
  const rgb = [0, 95, 175, 255].flatMap((r) =>
    [0, 95, 175, 255].flatMap((g) => [0, 95, 175, 255].map((b) => `2;${r};${g};${b}`))
  )
  const colours = [...Array.from({ length: 256 }, (_, at) => `5;${at}`), ...rgb]
  const text = colours
    .map(
      (colour, at) =>
        `${ESC}[38;${colour}mfront${ESC}[0m ${ESC}[7;38;${colour}mturned${ESC}[0m ${ESC}[38;${colours.at(-at - 1)};48;${colour}mboth${ESC}[0m`
    )
    .join(' ')
  const { box } = await show(text)
  const ground = getComputedStyle(box.closest('.line-box') ?? box).backgroundColor
  const spans = [...box.querySelectorAll('.line-text > span')]
  expect(spans.length).toBeGreaterThan(500)
  for (const span of spans) {
    const { color, backgroundColor } = getComputedStyle(span)
    const behind = backgroundColor === 'rgba(0, 0, 0, 0)' ? ground : backgroundColor
    expect(contrast(color, behind), `${span.getAttribute('style')} ${span.className}`).toBeGreaterThanOrEqual(4.5)
  }
  delete document.documentElement.dataset['theme']
})

test('progress is shown in its final state, and step by step on demand', async () => {
  const { screen, rows } = await show('get\n10 %\r50 %\r100 %\nset\n1 of 2\r2 of 2\n')
  expect(rows()).toEqual(['get', '100 %', 'set', '2 of 2'])
  await screen.getByRole('button', { name: 'Show every step of 2 rewritten lines' }).click()
  expect(rows()).toEqual(['get', '10 %␍', '50 %␍', '100 %', 'set', '1 of 2␍', '2 of 2'])
  await screen.getByRole('button', { name: 'Show final output' }).click()
  expect(rows()).toHaveLength(4)
})

test('a million sequences become a bounded number of elements', async () => {
  const { screen, box, rows } = await show(`${ESC}[31ma${ESC}[42mb`.repeat(500_000))
  await expect.element(screen.getByText(/^[\d,]+ lines?$/)).toBeVisible()
  expect(rows()[0]?.length).toBeGreaterThan(10)
  expect(box.querySelectorAll('*').length).toBeLessThan(10_000)
})

test('20 MB are read in slices, rendered where visible, and keep their colors', async () => {
  const line = `${ESC}[32mok${ESC}[0m a test that passes and says so at some length\n`
  const count = Math.ceil(20_000_000 / line.length)
  const { screen, box, rows } = await show(line.repeat(count))
  expect(rows()[0]).toBe('ok a test that passes and says so at some length')
  await expect
    .element(screen.getByText(`${count.toLocaleString('en-US')} lines`, { exact: true }), { timeout: 60_000 })
    .toBeVisible()
  box.scrollTop = box.scrollHeight
  await expect.poll(() => box.querySelector(`[data-line="${count - 1}"]`)).not.toBeNull()
  expect(box.querySelector(`[data-line="${count - 1}"] .t-fg`)?.textContent).toBe('ok')
  expect(box.querySelectorAll('*').length).toBeLessThan(300)
})

test('a requested line is wholly visible, also the last one', async () => {
  const lines = Array.from({ length: 80 }, (_, at) => `line ${at}`)
  const text = lines.join('\n')
  const drawn = (at: number, times: number) => (
    <div style={{ width: 600 }}>
      <TerminalText label="Output" text={text} shown={{ at: text.indexOf(`line ${at}`), times }} />
    </div>
  )
  const screen = await render(drawn(0, 0))
  const box = screen.getByRole('group', { name: 'Output' }).element()
  for (const [times, at] of [79, 40].entries()) {
    await screen.rerender(drawn(at, times + 1))
    await expect.poll(() => box.querySelector('.shown')?.textContent).toBe(`line ${at}`)
    const { top, bottom } = (box.querySelector('.shown') as Element).getBoundingClientRect()
    const { top: from, bottom: to } = box.getBoundingClientRect()
    expect([top >= from, bottom <= to]).toEqual([true, true])
  }
})
