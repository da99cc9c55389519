import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { LineRun } from '#contract/files.ts'
import type { Handlers, Params, Result } from '#contract/methods.ts'
import { codeOf, createdCode, doubtCodeOf } from '#core/files/step-code.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost, testStart } from '../../../../test/page/host.ts'
import { FilesView } from './files-view.tsx'

const rows: CannedRow[] = Array.from({ length: 20 }, (_, at) => ({
  kind: at === 0 ? 'prompt' : 'tool-result',
  tool: 2,
  text: `row ${at}`,
  time: testStart + at * 1000
}))

const paths = ['/w/src/a.ts', '/w/src/b.ts', '/w/notes \u202e.md', '/w/<b>x</b>.ts', '/w/\u001b[31mred.sh']
/** File, row, code. */
const steps: readonly (readonly [file: number, row: number, kind: number])[] = [
  [0, 2, codeOf('shown')],
  [1, 3, createdCode],
  [0, 5, codeOf('replaced')],
  [2, 6, codeOf('named')],
  [3, 7, codeOf('deleted')],
  [4, 7, codeOf('named')],
  [0, 12, codeOf('shown')]
]

function filesAnswer({ file, step, doubt }: Params<'log.files'>): Result<'log.files'> {
  const total = { files: paths.length, steps: steps.length, doubts: 1 }
  const rest = steps.slice(step)
  return {
    ...{ read: 20, rows: 20, problem: null, folder: '/w', further: 0, total, settled: total, paths: paths.slice(file) },
    stepFile: Uint32Array.from(rest, ([of]) => of).buffer,
    stepRow: Uint32Array.from(rest, ([, row]) => row).buffer,
    stepKind: Uint8Array.from(rest, ([, , kind]) => kind).buffer,
    doubtSeq: Uint32Array.from([8].slice(doubt)).buffer,
    doubtKind: Uint8Array.from([doubtCodeOf('check')].slice(doubt)).buffer
  }
}

const seen = { author: 'before', confidence: 'seen', confirmed: 2, stale: null } as const
const written = { ...seen, author: 5, confidence: 'written', confirmed: 5 } as const
const stale = { ...seen, confidence: 'stale', stale: { row: 8, effect: 'check' } } as const

/** The content of a file of these runs. */
function contentOf(
  runs: readonly (LineRun & { readonly text?: (at: number) => string })[],
  { from, count }: { from: number; count: number },
  more: Partial<Result<'log.fileAt'>> = {}
): Result<'log.fileAt'> {
  const lines = runs.flatMap(({ count: of, known, text }) =>
    Array.from({ length: of }, (_, at) => ({ known, text: known === null ? '' : (text?.(at) ?? `line ${at}`) }))
  )
  const asked = lines.slice(from, from + count)
  const own: LineRun[] = []
  for (const line of asked) {
    const last = own.at(-1)
    if (last !== undefined && last.known === line.known) last.count++
    else own.push({ count: 1, known: line.known })
  }
  const isFull = lines.every(({ known }) => known !== null)
  return {
    ...{ read: 20, rows: 20, problem: null, making: null, knowledge: isFull ? 'full' : 'part', deleted: false },
    ...{ tooLarge: false, total: lines.length, length: lines.length, unplaced: null, stale: null },
    ...{ known: lines.filter(({ known }) => known !== null).length, count: asked.length },
    text: asked.map(({ text }) => text).join('\n'),
    runs: own,
    ...more
  }
}

/** File a: lines 1 to 3 known, 4 to 40 not, the rest known. Event 5 changed line 2. */
function fileAt({ file, seq, beforeChange, ...asked }: Params<'log.fileAt'>): Result<'log.fileAt'> {
  if (file === 3) return contentOf([], asked, { deleted: true, total: 0, knowledge: 'full' })
  if (file === 2) return contentOf([], asked, { total: null, knowledge: 'none' })
  if (file === 1) return contentOf([{ count: 100_000, known: written, text: (at) => `const v${at} = 1` }], asked)
  if (seq < 5 || beforeChange === true)
    return contentOf(
      [
        { count: 3, known: seen },
        { count: 37, known: null },
        { count: 5, known: seen }
      ],
      asked
    )
  if (seq < 8)
    return contentOf(
      [
        { count: 1, known: seen },
        { count: 1, known: written, text: () => 'const answer = 42' },
        { count: 1, known: seen, text: () => 'line 2' },
        { count: 37, known: null },
        { count: 5, known: seen }
      ],
      asked
    )
  return contentOf([{ count: 45, known: stale }], asked, { stale: { row: 8, effect: 'check' } })
}

async function show(more: Partial<Handlers> = {}, seq = 6) {
  await page.viewport(1000, 760)
  const { host, status } = testHost(
    rows,
    {},
    {
      'log.files': async (params) => filesAnswer(params),
      'log.fileAt': async (params) => fileAt(params),
      'log.fileLines': async () => ({
        ...{ read: 20, rows: 20, problem: null, making: null, further: 0 },
        events: [
          { row: 2, did: 'showed' },
          { row: 5, did: 'wrote' }
        ]
      }),
      ...more
    }
  )
  const store = createLogStore(host, status)
  const app = createAppStore(host, { storage: { getItem: () => null, setItem: () => {} } })
  const screen = await render(
    <AppStoreContext value={app}>
      <LogStoreContext value={store}>
        <main style={{ display: 'flex', flexDirection: 'column', width: 980, height: 700 }}>
          <FilesView />
        </main>
      </LogStoreContext>
    </AppStoreContext>
  )
  await expect.poll(() => store.getState().isComplete).toBe(true)
  store.parts.playhead.placeEvent(seq)
  const tree = screen.getByRole('tree', { name: 'Files' })
  const slider = screen.getByRole('slider', { name: 'Version of the file' })
  return { screen, store, tree, slider }
}

const seqOf = (store: Awaited<ReturnType<typeof show>>['store']) => store.getState().seq

test('the tree says of each file what is known of it at the playhead', async () => {
  const { tree, store } = await show()
  await expect.element(tree.getByRole('treeitem', { name: 'a.ts, changed once, 1 read' })).toBeInTheDocument()
  await expect.element(tree.getByRole('treeitem', { name: 'b.ts, created, changed once' })).toBeInTheDocument()
  await expect.element(tree.getByRole('treeitem', { name: /^b>.ts, no event about it yet/ })).toBeInTheDocument()
  store.parts.playhead.placeEvent(9)
  await expect
    .element(tree.getByRole('treeitem', { name: 'a.ts, changed once, 1 read, may have changed since event 8' }))
    .toBeInTheDocument()
  await expect.element(tree.getByRole('treeitem', { name: /deleted, changed once/ })).toBeInTheDocument()
  store.parts.playhead.placeEvent(1)
  await expect.element(tree.getByRole('treeitem', { name: 'a.ts, no event about it yet' })).toBeInTheDocument()
})

test('names of files are text, without marks and sequences that disguise them', async () => {
  const { tree } = await show({}, 19)
  await expect.element(tree.getByText('notes ⟨U+202E⟩.md')).toBeInTheDocument()
  await expect.element(tree.getByRole('treeitem', { name: /^<b>x</ })).toBeInTheDocument()
  expect(document.querySelector('.files-tree b')).toBeNull()
  for (const character of ['\u001b', '\u202e']) expect(tree.element().textContent).not.toContain(character)
})

test('lines say who wrote them and how sure that is; unknown ones are one row', async () => {
  const { screen, tree, store } = await show()
  await tree.getByRole('treeitem', { name: /^a\.ts/ }).click()
  const content = screen.getByRole('grid', { name: 'a.ts at event 6' })
  await expect.element(content).toHaveAttribute('aria-rowcount', '9')
  await expect
    .element(content.getByRole('gridcell', { name: /^written by event 5, written: known from event 5, Read/ }))
    .toBeInTheDocument()
  await expect.element(content.getByText('Lines 4 to 40: no event up to here shows them.')).toBeInTheDocument()
  await expect.element(screen.getByText(/^8 of 45 lines are known, 1 changed/)).toBeInTheDocument()
  await content.getByRole('gridcell', { name: /^written by event 5/ }).click()
  await expect.poll(() => seqOf(store)).toBe(5)
  store.parts.playhead.placeEvent(10)
  await expect.element(screen.getByText(/May have changed since.*tests, a build or a linter ran/)).toBeInTheDocument()
  const lines = screen.getByRole('grid', { name: /^a\.ts/ }).getByRole('row')
  await expect.element(lines.first()).toHaveAttribute('data-confidence', 'stale')
})

test('the versions move the playhead, by keys and with Alt from anywhere', async () => {
  const { slider, tree, store } = await show()
  await tree.getByRole('treeitem', { name: /^a\.ts/ }).click()
  await expect.element(slider).toHaveAttribute('aria-valuetext', 'Edit 5, 2 of 3')
  slider.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => seqOf(store)).toBe(12)
  await userEvent.keyboard('{Home}')
  await expect.poll(() => seqOf(store)).toBe(2)
  tree.element().focus()
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
  await expect.poll(() => seqOf(store)).toBe(5)
})

test('a file of 100,000 lines scrolls, is searched, and gives its lines to the clipboard', async () => {
  const { screen, tree, store } = await show()
  await tree.getByRole('treeitem', { name: /^b\.ts/ }).click()
  const content = screen.getByRole('grid', { name: 'b.ts at event 6' })
  await expect.element(content).toHaveAttribute('aria-rowcount', '100000')
  content.element().focus()
  await userEvent.keyboard('{End}')
  await expect.element(content.getByText('v99999')).toBeInTheDocument()
  expect(content.getByRole('row').all().length).toBeLessThan(100)
  store.parts.finding.setQuery({ text: 'v7777' })
  await expect.poll(() => store.getState().textHits?.count).toBe(11)
  store.parts.finding.next(1)
  await expect.element(content.getByRole('mark').or(content.getByText('v7777')).first()).toBeInTheDocument()
  await expect.poll(() => store.getState().textHits?.at).toBe(0)
  expect(store.getState().viewedFile).toMatchObject({ path: '/w/src/b.ts', line: 7778 })
})

test('all events about the selected lines', async () => {
  const { screen, tree, store } = await show()
  await tree.getByRole('treeitem', { name: /^a\.ts/ }).click()
  const content = screen.getByRole('grid', { name: 'a.ts at event 6' })
  await expect.element(content.getByText('answer')).toBeInTheDocument()
  content.element().focus()
  await userEvent.keyboard('{ArrowDown}{Shift>}{ArrowDown}{Enter}{/Shift}')
  const events = screen.getByRole('region', { name: 'Events about lines 2 to 3' })
  await expect.element(events.getByRole('listitem').nth(1)).toHaveTextContent(/event 5.*wrote them/)
  await events.getByRole('button', { name: 'event 2' }).click()
  await expect.poll(() => seqOf(store)).toBe(2)
})

test('changes since the start, with what is not known', async () => {
  const { screen, tree } = await show()
  await tree.getByRole('treeitem', { name: /^a\.ts/ }).click()
  await screen.getByRole('button', { name: 'Since start' }).click()
  const changes = screen.getByRole('group', { name: /^Changes of/ })
  await expect.element(changes.getByText('Lines 4 to 40: not known')).toBeInTheDocument()
  await expect.element(changes.getByText('answer')).toBeInTheDocument()
  await expect.element(screen.getByText(/as far as both versions are known/)).toBeInTheDocument()
})

test('what is not there is said in words', async () => {
  const { screen, tree } = await show({}, 19)
  await tree.getByRole('treeitem', { name: /^notes/ }).click()
  await expect.element(screen.getByText(/^Nothing is known of its content here/)).toBeInTheDocument()
  await tree.getByText('b>.ts').click()
  await expect.element(screen.getByText('The file is deleted here.')).toBeInTheDocument()
})

test('a session without files, a list and a content that cannot be read', async () => {
  const none = await show({
    'log.files': async () => ({
      ...filesAnswer({ log: '', file: 9, step: 99, doubt: 9, count: 1 }),
      total: { files: 0, steps: 0, doubts: 0 },
      settled: { files: 0, steps: 0, doubts: 0 }
    })
  })
  await expect.element(none.screen.getByText(/^No event of this session is about a file/)).toBeInTheDocument()
  await none.screen.unmount()
  let fails = true
  const broken = await show({
    'log.fileAt': async (params) => (fails ? { ...fileAt(params), problem: 'The log has changed.' } : fileAt(params))
  })
  await expect.element(broken.screen.getByText('The file could not be read: The log has changed.')).toBeInTheDocument()
  fails = false
  await broken.screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(broken.screen.getByRole('grid', { name: /at event 6/ })).toBeInTheDocument()
})
