import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import fc from 'fast-check'
import { lettersOf, markdownText } from '../../../test/markdown-text.ts'
import { displayText } from '../ui/display-text.ts'
import { Markdown } from './markdown.tsx'
import { withoutReferences } from './markdown-tokens.ts'

async function show(text: string) {
  const { container } = await render(<Markdown text={text} />)
  return container
}

const all = (container: HTMLElement, selector: string) => [...container.querySelectorAll<HTMLElement>(selector)]
const texts = (container: HTMLElement, selector: string) =>
  all(container, selector).map((element) => element.textContent)

test('markup of the log is shown as text', async () => {
  const markup =
    '<script>document.title = "run"</script>\n\n<img src="https://example.org/a.png" onerror="document.title = \'run\'">\n\n' +
    'in a <b onclick="x()">line</b> and <iframe src="https://example.org"></iframe>\n\n<style>* { display: none }</style>\n\n' +
    '<svg><script>x</script></svg> <a href="javascript:x()">here</a>'
  const container = await show(markup)
  expect(all(container, 'script, img, iframe, style, svg, b, a, object, embed, form')).toEqual([])
  for (const part of ['<script>document.title = "run"</script>', '<b onclick="x()">', '<style>', '<iframe src=']) {
    expect(container.textContent).toContain(part)
  }
})

test('only absolute http addresses are links', async () => {
  const container = await show(
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](JaVaScRiPt&#58;x) [d](file:///etc/passwd) [e](src/app.ts:12) ' +
      '[f](https://example.org/f?g=1 "title") <https://example.org/h> [i](//example.org) [j](vbscript:x) [k]( http://example.org/k )'
  )
  const links = all(container, 'a') as HTMLAnchorElement[]
  expect(links.map(({ href }) => href)).toEqual([
    'https://example.org/f?g=1',
    'https://example.org/h',
    'http://example.org/k'
  ])
  for (const link of links) {
    expect([link.target, link.rel]).toEqual(['_blank', 'noreferrer noopener'])
    expect(link.dataset['address']).toBe(link.href)
  }
  for (const part of ['(javascript:alert(1))', '(data:text/html,x)', '(file:///etc/passwd)', '(src/app.ts:12)']) {
    expect(container.textContent).toContain(part)
  }
})

test('images are named and not fetched', async () => {
  const asked = performance.getEntriesByType('resource').length
  const container = await show('See ![the plan](https://example.invalid/plan.png) and ![x](data:image/png;base64,AAAA)')
  expect(container.textContent).toContain('image: the plan (https://example.invalid/plan.png)')
  expect(all(container, 'img, picture, video, audio, source, link')).toEqual([])
  const named = performance.getEntriesByType('resource').slice(asked)
  expect(named.filter(({ name }) => name.includes('example.invalid'))).toEqual([])
})

test('lists, tasks, quotes, tables and headings have their roles', async () => {
  const container = await show(
    '# Head\n\n1. one\n2. two\n   - inner\n\n- [x] done\n- [ ] open\n\n> said\n> > before\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n---\n\n**bold** *em* ~~gone~~ `code` &lt;tag&gt;'
  )
  expect(all(container, '[role="heading"]').map((head) => [head.ariaLevel, head.textContent])).toEqual([['3', 'Head']])
  expect(texts(container, 'ol > li')).toEqual(['1.one', '2.twoinner'])
  expect((all(container, 'input') as HTMLInputElement[]).map(({ checked, disabled }) => [checked, disabled])).toEqual([
    [true, true],
    [false, true]
  ])
  expect(texts(container, 'th')).toEqual(['a', 'b'])
  expect(texts(container, 'td')).toEqual(['1', '2'])
  expect(all(container, 'blockquote blockquote')).toHaveLength(1)
  expect(['strong', 'em', 'del', 'code'].map((name) => texts(container, name)[0])).toEqual([
    'bold',
    'em',
    'gone',
    'code'
  ])
  expect(container.textContent).toContain('<tag>')
})

test('an unclosed code block extends to the end', async () => {
  const container = await show('Before\n\n```ts\nconst a = 1\n\n# no heading\n<script>')
  expect(texts(container, '.line-text')).toEqual(['const a = 1', '', '# no heading', '<script>'])
  expect(all(container, '[role="heading"]')).toEqual([])
  expect(texts(container, '.c-keyword')).toEqual(['const'])
})

test('a table of 10,000 columns shows fifty with a note, and scrolls in its own box', async () => {
  const row = (cell: string) => `|${`${cell}|`.repeat(10_000)}\n`
  const container = await show(`${row('head')}${row('-')}${row('cell').repeat(20)}`)
  expect(all(container, 'th')).toHaveLength(50)
  expect(all(container, 'tr')).toHaveLength(21)
  expect(container.textContent).toContain('9,950 more columns not shown.')
  const box = all(container, '.md-table')[0]
  expect(box?.scrollWidth).toBeGreaterThan(box?.clientWidth ?? 0)
  expect(container.scrollWidth).toBe(container.clientWidth)
})

test.each(['[', '*a ', '>', '![', '<a ', '- ', '1. '])('100,000 times %j is text with a note', async (unit) => {
  const container = await show(unit.repeat(100_000))
  expect(container.textContent).toContain('Parsing this Markdown could take too long')
  expect(all(container, '*').length).toBeLessThan(200)
})

test('a long text is rendered from its start, and further when scrolled near', async () => {
  const paragraphs = Array.from({ length: 4000 }, (_, at) => `Paragraph ${at} ${'of some words '.repeat(8)}`)
  const { container } = await render(
    <div style={{ height: 400, overflow: 'auto' }}>
      <Markdown text={paragraphs.join('\n\n')} />
    </div>
  )
  const drawn = () => all(container, '.md-paragraph').length
  expect(drawn()).toBeGreaterThan(10)
  await expect.poll(drawn).toBeGreaterThan(1000)
  const before = drawn()
  expect(before).toBeLessThan(2000)
  expect(container.textContent).toContain('more characters…')
  // Rendered pieces are higher than estimated, so the end moves on during scrolling. The observer reports two frames at
  // once.
  const scrolled = async () => {
    container.firstElementChild?.scrollTo(0, 1e9)
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return drawn()
  }
  await expect.poll(scrolled).toBeGreaterThan(before)
})

test('the scroll position stays while the text grows', async () => {
  const paragraphs = (count: number) =>
    Array.from({ length: count }, (_, at) => `Paragraph ${at} ${'of some words '.repeat(8)}`).join('\n\n')
  const screen = await render(<Markdown text={paragraphs(600)} />)
  const drawn = () => all(screen.container, '.md-paragraph').length
  await expect.poll(drawn).toBe(600)
  let least = Infinity
  const watch = new MutationObserver(() => (least = Math.min(least, drawn())))
  watch.observe(screen.container, { childList: true, subtree: true })
  await screen.rerender(<Markdown text={paragraphs(900)} />)
  await expect.poll(drawn).toBe(900)
  watch.disconnect()
  expect(least).toBeGreaterThanOrEqual(590)
})

test('a table row keeps its cells beyond the columns of the head', async () => {
  const container = await show('| a | b |\n|---|---|\n| 1 | 2 | three | four |\n| 5 |\n')
  expect(all(container, 'tbody > tr').map((row) => texts(row, 'td'))).toEqual([
    ['1', '2', 'three | four'],
    ['5', '']
  ])
})

test('a focused link shows its target', async () => {
  const container = await show('[docs](https://example.org/docs)')
  await userEvent.tab()
  const link = all(container, 'a')[0]
  expect(document.activeElement).toBe(link)
  expect(texts(container, '[role="tooltip"]')).toEqual(['https://example.org/docs'])
  expect(all(container, '[role="tooltip"]')[0]?.matches(':popover-open')).toBe(true)
  link?.blur()
  await expect.poll(() => texts(container, '[role="tooltip"]')).toEqual([])
  if (link !== undefined) await userEvent.hover(link)
  expect(texts(container, '[role="tooltip"]')).toEqual(['https://example.org/docs'])
})

test('the word behind a fence is its label, several words are text', async () => {
  const container = await show(
    '~~~~tides\n~~~~\n\n```ts\nlet a\n```\n\n```sh extra words\nls\n```\n\n- ```\n  a\n  ``` please fix it\n\n> ``` and that'
  )
  expect(texts(container, '.md-note')).toEqual(['tides', 'ts'])
  expect(texts(container, '.md-paragraph')).toEqual(['sh extra words', '``` and that'])
  expect(texts(container, 'li').at(0)).toMatch(/please fix it$/)
  expect(texts(container, '.line-text')).toEqual(['let a', 'ls', 'a'])
})

test('a link shows its target, a definition is text', async () => {
  const container = await show(
    '[docs](https://a.b/c "the docs") [https://a.b](https://a.b) [x][y]\n\n[y]: z "w"\n[y]: v'
  )
  expect(container.textContent).toBe('docs (https://a.b/c "the docs") https://a.b [x][y][y]: z "w"\n[y]: v')
})

test('a target that is no address is shown, also where the text is the same', async () => {
  expect((await show('[notes.md](notes.md)')).textContent).toBe('notes.md (notes.md)')
})

test('numbers of lists are those of the text', async () => {
  const container = await show('3. a\n7. b\n\n1) c\n1) d')
  expect(texts(container, 'li')).toEqual(['3.a', '7.b', '1)c', '1)d'])
})

test('terminal sequences are no part of the text', async () => {
  const container = await show('\u001b[1mContext\u001b[22m **\u001b[38;5;208mUsage**\u001b[3')
  expect(container.textContent).toBe('Context Usage')
})

/** References are characters in prose, and written in code. */
function withoutAnyReferences(text: string): string {
  const without = withoutReferences(text)
  return without === text ? text : withoutAnyReferences(without)
}

test('shows every word of any text, in its order', async () => {
  await fc.assert(
    fc.asyncProperty(markdownText, async (text) => {
      const { container, unmount } = await render(<Markdown text={text} />)
      for (const box of all(container, 'input') as HTMLInputElement[]) if (box.checked) box.replaceWith('x')
      for (const image of all(container, '.md-image')) image.firstChild?.remove()
      const shown = lettersOf(withoutAnyReferences(container.textContent)).replaceAll('X', 'x')
      expect(shown, text).toBe(lettersOf(withoutAnyReferences(displayText(text))).replaceAll('X', 'x'))
      await unmount()
    }),
    { numRuns: import.meta.env['PLAYHEAD_THOROUGH'] === '1' ? 20_000 : 150 }
  )
}, 1_800_000)
