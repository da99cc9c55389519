import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import { type ComponentProps } from 'react'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Code } from './code.tsx'

async function show(props: Omit<ComponentProps<typeof Code>, 'label'>) {
  const screen = await render(<Code label="Code" {...props} />)
  const box = screen.container.querySelector('.line-scroll') as HTMLElement
  const texts = (selector: string) => [...box.querySelectorAll(selector)].map((element) => element.textContent)
  return { screen, box, texts }
}

test('code has the colors of its language, by name or file extension', async () => {
  const { texts } = await show({ text: `const a = 'b' // 12\nreturn 12`, path: '/src/a.ts' })
  expect([texts('.c-keyword'), texts('.c-string'), texts('.c-comment'), texts('.c-number')]).toEqual([
    ['const', 'return'],
    ["'b'"],
    ['// 12'],
    ['12']
  ])
  const named = await show({ text: 'def f(): pass', language: 'python' })
  expect(named.texts('.c-keyword')).toEqual(['def', 'pass'])
})

test('unknown languages and markup are text', async () => {
  const { box, texts } = await show({ text: '<script>x</script>\u0000\u001b[31m', language: 'no-such-language' })
  expect(texts('.line-text')).toEqual(['<script>x</script>␀␛[31m'])
  expect(box.querySelector('script')).toBeNull()
  const html = await show({ text: '<script>alert(1)</script>', language: 'html' })
  expect(html.texts('.line-text')).toEqual(['<script>alert(1)</script>'])
  expect(html.box.querySelector('script')).toBeNull()
})

test('lines are numbered from the first line on', async () => {
  const { texts } = await show({ text: `a\n${'b'.repeat(2500)}\nc`, lineNumbers: true, firstLine: 99 })
  expect(texts('.line-number')).toEqual(['99', '100', '↪', '101'])
})

test('the box is as high as its rows at the current width', async () => {
  const screen = await render(
    <div style={{ width: 400, display: 'flex', flexDirection: 'column' }}>
      <div className="block-body" data-prompt="$">
        <Code label="Code" text={'word '.repeat(14)} language="bash" wrap />
      </div>
    </div>
  )
  const box = screen.container.querySelector('.line-scroll') as HTMLElement
  await expect.poll(() => box.querySelectorAll('.line-item').length).toBeGreaterThan(1)
  await expect.poll(() => box.clientHeight).toBe(box.scrollHeight)
})

test('the first mark is scrolled into view', async () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `const line${at} = ${at}`)
  const text = lines.join('\n')
  const from = text.indexOf('line4321')
  const { box, texts } = await show({ text, path: 'a.ts', marks: [{ from, to: from + 8, tone: 'issue' }] })
  await expect.poll(() => texts('mark')).toEqual(['line4321'])
  const [mark, view] = [box.querySelector('mark'), box].map((element) => element?.getBoundingClientRect())
  expect(mark?.top).toBeGreaterThan(view?.top ?? 0)
  expect(mark?.bottom).toBeLessThan(view?.bottom ?? 0)
})

test('a large file is highlighted only where visible, also in a long comment', async () => {
  const text = `/*\n${'a comment\n'.repeat(30)}*/\n${'const a = 1\n'.repeat(100_000)}`
  const { box, texts } = await show({ text, language: 'ts' })
  await expect.poll(() => texts('.c-comment').length).toBeGreaterThan(20)
  box.scrollTop = box.scrollHeight
  await expect.poll(() => texts('.c-keyword').length).toBeGreaterThan(20)
  expect(box.querySelectorAll('*').length).toBeLessThan(400)
})

test('a machine-made line has no colors and a bounded number of elements', async () => {
  const { box } = await show({ text: 'const a=1;'.repeat(100_000), language: 'js' })
  expect(box.querySelectorAll('*').length).toBeLessThan(200)
  expect(box.querySelector('[class^="c-"]')).toBeNull()
})
