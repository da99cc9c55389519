import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import { type ComponentProps } from 'react'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { Diff } from './diff.tsx'
import { PatchDiff } from './patch-diff.tsx'

const before = 'export function countWords(text) {\n  return text.split(" ").length;\n}\n'
const after =
  'export function countWords(text) {\n  const words = text.trim().split(/ +/);\n  return words.length;\n}\n'

async function show(props: Partial<ComponentProps<typeof Diff>>, width = 1000) {
  const screen = await render(
    <div style={{ width }}>
      <Diff before={before} after={after} path="src/count.mjs" layout="split" {...props} />
    </div>
  )
  const texts = (selector: string) => [...screen.container.querySelectorAll(selector)].map((part) => part.textContent)
  return { screen, container: screen.container, texts }
}

test('both sides are beside each other, changes with a sign, missing lines as gaps', async () => {
  const { texts, container } = await show({ firstLine: 7 })
  await expect.poll(() => texts('.diff-half.before .line-text').length).toBe(3)
  expect(texts('.diff-half.before .line-text')).toEqual(before.trim().split('\n'))
  expect(texts('.diff-half.after .line-text')).toEqual(after.trim().split('\n'))
  expect(texts('.diff-half.before .diff-sign')).toEqual([' ', '-', ' '])
  expect(texts('.diff-half.after .diff-sign')).toEqual([' ', '+', '+', ' '])
  expect(texts('.diff-half.after .diff-number')).toEqual(['7', '8', '9', '10'])
  expect(container.querySelectorAll('.diff-none')).toHaveLength(1)
  expect(texts('.diff-plus, .diff-minus')).toEqual(['+2', '−1'])
})

test('changed words are marked, in the colors of the language', async () => {
  const { texts } = await show({ before: 'const a = count(b)', after: 'const a = countAll(b)' })
  await expect.poll(() => texts('ins')).toEqual(['countAll'])
  expect(texts('del')).toEqual(['count'])
  expect(texts('.c-keyword')).toEqual(['const', 'const'])
})

test('in a narrow box the sides are below each other, with both numbers', async () => {
  const { texts } = await show({ firstLine: 7 }, 400)
  await expect.poll(() => texts('.diff-item .line-text').length).toBe(5)
  expect(texts('.diff-sign').join('')).toBe(' -++ ')
  expect(texts('.diff-number')).toEqual(['7', '7', '8', '', '', '8', '', '9', '9', '10'])
})

test('unchanged lines are hidden and can be expanded', async () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`)
  const { screen, texts } = await show({ before: lines.join('\n'), after: lines.with(40, 'other').join('\n') }, 400)
  await expect.poll(() => texts('.line-text').length).toBe(8)
  await screen.getByRole('button', { name: '37 unchanged lines' }).click()
  await expect.poll(() => texts('.line-text')).toContain('line 3')
  expect(document.activeElement?.className).toBe('line-scroll')
})

test('lines that were not compared, and equal sides, are reported', async () => {
  const lines = (word: string, count: number) => Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n')
  const many = await show({ before: lines('a', 60_000), after: lines('b', 60_000) })
  expect(many.container.textContent).toContain('Too many differences')
  expect(many.container.textContent).toContain('20,000 more lines are not compared, nor shown.')
  await many.screen.unmount()
  const same = await show({ before: 'a', after: 'a' })
  expect(same.container.textContent).toContain('No changes.')
})

test('a selection in a split diff covers one side', async () => {
  const { texts, container } = await show({ before: 'one\ntwo\nthree', after: 'one\n2\nthree' })
  await expect.poll(() => texts('.diff-half.before .line-text').length).toBe(3)
  const cell = (line: number) => container.querySelector(`[data-line="${line}"] .diff-half.before .line-text`)
  cell(0)?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  const [first, last] = [cell(0), cell(2)]
  if (first == null || last == null) throw new Error('lines are missing')
  await expect.poll(() => container.querySelector<HTMLElement>('.line-box')?.dataset['side']).toBe('before')
  getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length)
  const event = new ClipboardEvent('copy', { clipboardData: new DataTransfer(), bubbles: true, cancelable: true })
  first.dispatchEvent(event)
  expect(event.clipboardData?.getData('text/plain')).toBe('one\ntwo\nthree')
})

test('a line of 4 MB is cut with a note', async () => {
  const line = 'const a=1;'.repeat(400_000)
  const { container, texts } = await show({ before: `head\n${line}`, after: `head\n${line}x` })
  await expect.poll(() => container.textContent).toContain('… 3,998,000 more characters')
  for (const text of texts('.line-text')) expect(text?.length).toBeLessThan(2100)
})

test('a patch is shown by file, with the kind of each change', async () => {
  const patch =
    '*** Begin Patch\n*** Add File: a.ts\n+const a = 1\n*** Update File: b.ts\n*** Move to: c.ts\n@@\n-old <script>\n+new\n*** Delete File: d.ts\n*** End Patch'
  const { container } = await render(<PatchDiff patch={patch} layout="unified" />)
  const heads = [...container.querySelectorAll('.block > header')].map((head) => head.textContent)
  expect(heads).toEqual(['a.tsadded+1−0', 'b.tsmoved to c.ts+1−1', 'd.tsdeleted'])
  expect(container.textContent).toContain('old <script>')
  expect(container.querySelector('script')).toBeNull()
  expect(container.textContent).toContain('The file was deleted. The patch does not contain its lines.')
})

test('a long patch is continued on demand', async () => {
  const file = (at: number) => `diff --git a/f${at} b/f${at}\n--- a/f${at}\n+++ b/f${at}\n@@ -1 +1 @@\n-a\n+b\n`
  const many = await render(
    <PatchDiff patch={Array.from({ length: 30 }, (_, at) => file(at)).join('')} layout="unified" />
  )
  expect(many.container.querySelectorAll('.block')).toHaveLength(20)
  await many.getByRole('button', { name: 'Show 10 more files of 30' }).click()
  expect(many.container.querySelectorAll('.block')).toHaveLength(30)
  await many.unmount()
  const long = await render(
    <PatchDiff patch={`--- a/x\n+++ b/x\n@@ -0,0 +1,50000 @@\n${'+line\n'.repeat(50_000)}`} layout="unified" />
  )
  await long.getByRole('button', { name: 'Show 20,000 more lines of 50,003 lines' }).click()
  expect(long.container.textContent).toContain('+39,997')
})
