import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { CallRow, ContextRequest } from '#contract/analysis.ts'
import type { Handlers, LogStatus, Params } from '#contract/methods.ts'
import { spanFlags, type SpanKind, spanKinds } from '#core/analysis/span-list.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost, testStart } from '../../../../test/page/host.ts'
import { AnalysisView } from './analysis-view.tsx'
import { costGaps, pricedCost } from '../../../../test/costs.ts'

/** 40 events, one a second: a prompt, and calls at events 2 to 9, 4 to 6, 12 (of unknown length) and 20 to 21. */
const rows: CannedRow[] = Array.from({ length: 40 }, (_, at) => ({
  kind: at === 0 ? 'prompt' : [2, 4, 12, 20].includes(at) ? 'tool' : 'assistant',
  tool: [2, 4, 12, 20].includes(at) ? 1 : 0,
  text: `row ${at}`,
  time: testStart + at * 1000
}))

type CannedSpan = readonly [kind: SpanKind, first: number, last: number, flags?: number, track?: number]
const canned: readonly CannedSpan[] = [
  ['call', 4, 6, spanFlags.failed],
  ['call', 2, 9, spanFlags.stated],
  ['call', 12, -1],
  ['call', 20, 21, 0, 1],
  ['turn', 0, 39],
  ['subagent', 20, 21, 0, 1],
  ['run', 0, 39]
]

function spansAnswer({ from }: Params<'log.spans'>) {
  const page = canned.slice(from)
  const at = (row: number) => (row < 0 ? NaN : testStart + row * 1000)
  return {
    ...{ counted: rows.length, rows: rows.length, from, total: canned.length, settled: 0, count: page.length },
    kind: Uint8Array.from(page, ([kind]) => spanKinds.indexOf(kind)).buffer,
    flags: Uint8Array.from(page, ([, , , flags = 0]) => flags).buffer,
    track: Uint16Array.from(page, ([, , , , track = 0]) => track).buffer,
    begin: Float64Array.from(page, ([, first]) => at(first)).buffer,
    end: Float64Array.from(page, ([, , last]) => at(last)).buffer,
    first: Int32Array.from(page, ([, first]) => first).buffer,
    last: Int32Array.from(page, ([, , last]) => last).buffer,
    parent: Int32Array.from(page, () => -1).buffer
  }
}

const group = (name: string, more: Partial<CallRow> = {}): CallRow => ({
  ...{ name, term: `tool:${name}`, calls: 3, failed: 1, unknownLengths: 0, statedLengths: 1, totalMs: 9000 },
  ...{ selfMs: 8000, longestMs: 7000, longestRow: 2, p50Ms: 2000, p95Ms: 7000, bytesOut: 1200, tokensOut: 90 },
  tokensAtLeast: false,
  cost: { cost: pricedCost(0.5), gaps: null },
  ...more
})

const request = (number: number, more: Partial<ContextRequest> = {}): ContextRequest => ({
  ...{ request: number, of: 'request', track: 0, model: null, rowFirst: number * 5, rowLast: number * 5 + 1 },
  ...{ begin: null, end: null, cacheRead: 1000, cacheWrite: 50, input: 20, output: 30, outputIs: 'stated' },
  ...{ outputByText: null, window: 200_000, added: [], cost: { cost: null, gaps: costGaps() } },
  ...more
})

const requests = [
  request(0),
  request(1, { added: [{ tool: 'Bash', results: 2, bytes: 900, row: 6 }] }),
  request(2, { output: 2, outputIs: 'understated', outputByText: 300 })
]

async function show(changes: Partial<LogStatus> = {}, more: Partial<Handlers> = {}, groups = 12) {
  await page.viewport(1000, 760)
  const asked: Params<'log.callTable'>[] = []
  const handlers: Partial<Handlers> = {
    'log.spans': async (params) => spansAnswer(params),
    'log.timeSplit': async () => ({
      ...{ counted: 40, rows: 40, calls: 4, unknownLengths: 1 },
      split: {
        ...{ begin: testStart, end: testStart + 39_000, wallMs: 39_000 },
        ...{ waitingMs: 4000, toolsMs: 10_000, modelMs: 24_000, unknownMs: 1000 }
      },
      parallelism: { callMs: 12_000, selfMs: 12_000, busyMs: 10_000, mostCalls: 2, mostSubagents: 1 }
    }),
    'log.callTable': async (params) => {
      asked.push(params)
      const { from, count } = params
      const length = Math.max(0, Math.min(count, groups - from))
      return {
        ...{ counted: 40, rows: 40, read: 4, spans: 4, problem: null, several: false, from, total: groups },
        groups: Array.from({ length }, (_, at) =>
          group(`Tool${from + at}`, at === 1 ? { unknownLengths: 1, tokensAtLeast: true } : {})
        ),
        all: group('all')
      }
    },
    'log.context': async ({ from }) => ({
      ...{ counted: 40, rows: 40, from, total: requests.length, requests: requests.slice(from) },
      compactions: [{ row: 9, track: 0, at: null, before: 84_000, beforeIs: 'stated', after: 1070, afterIs: 'derived' }]
    }),
    ...more
  }
  const tracks = [
    { trackId: null, label: '', depth: 0, call: -1 },
    { trackId: 'sub', label: 'Look around', depth: 1, call: 2 }
  ]
  const { host, status } = testHost(
    rows,
    { tracks, firstTimestamp: testStart, lastTimestamp: testStart + 39_000, ...changes },
    handlers
  )
  const store = createLogStore(host, status)
  const app = createAppStore(host, { storage: { getItem: () => null, setItem: () => {} } })
  const screen = await render(
    <AppStoreContext value={app}>
      <LogStoreContext value={store}>
        <main
          style={{ display: 'flex', flexDirection: 'column', width: 900, height: 700, container: 'main / inline-size' }}
        >
          <AnalysisView />
        </main>
      </LogStoreContext>
    </AppStoreContext>
  )
  const waterfall = screen.getByRole('grid', { name: 'Waterfall' })
  const table = screen.getByRole('grid', { name: /^Calls by/ })
  await expect.element(waterfall.getByRole('row').nth(1)).toBeInTheDocument()
  return { screen, store, waterfall, table, asked }
}

const query = (store: Awaited<ReturnType<typeof show>>['store']) => store.getState().filter.text
const plot = () => document.querySelector<HTMLElement>('.fall-plot') ?? document.body

test('each track has a row in words, subagents with their names', async () => {
  const { waterfall } = await show()
  await expect.element(waterfall.getByRole('row', { name: /main 3 calls, 1 failed/ })).toBeInTheDocument()
  await expect.element(waterfall.getByRole('row', { name: /Look around 1 call/ })).toBeInTheDocument()
})

test('keys go through the calls of a track; the playhead and the name follow', async () => {
  const { waterfall, store } = await show()
  waterfall.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => store.getState().row).toBe(2)
  const cell = waterfall.getByRole('gridcell', { name: /Bash, row 2, 7\.0 s, stated in the log, began .*, ok/ })
  await expect.element(cell).toBeInTheDocument()
  await userEvent.keyboard('{ArrowRight}')
  await expect.poll(() => store.getState().row).toBe(4)
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(waterfall.getByRole('gridcell', { name: /length not known/ })).toBeInTheDocument()
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  await expect.poll(() => store.getState().row).toBe(20)
})

test('a drag marks a range, Enter shows only it, Escape widens again', async () => {
  const { screen, waterfall, store, asked } = await show()
  const box = plot().getBoundingClientRect()
  const at = (share: number) => ({
    clientX: box.left + box.width * share,
    clientY: box.top + 60,
    pointerId: 1,
    bubbles: true
  })
  plot().setPointerCapture = () => {}
  plot().dispatchEvent(new PointerEvent('pointerdown', { ...at(0.1), button: 0 }))
  await expect
    .poll(() => {
      plot().dispatchEvent(new PointerEvent('pointermove', at(0.3)))
      return store.getState().selection
    })
    .not.toBeNull()
  plot().dispatchEvent(new PointerEvent('pointerup', at(0.3)))
  plot().dispatchEvent(new PointerEvent('lostpointercapture', at(0.3)))
  const marked = store.getState().selection
  waterfall.element().focus()
  await userEvent.keyboard('{Enter}')
  expect(query(store)).toBe(`seq:${marked?.from}..${marked?.to}`)
  const range = screen.getByRole('navigation', { name: 'Range' })
  await expect.element(range.getByRole('button', { name: 'Whole session' })).toBeInTheDocument()
  await expect.poll(() => asked.at(-1)?.range).toEqual({ by: 'rows', from: marked?.from, to: (marked?.to ?? 0) + 1 })
  await userEvent.keyboard('{Escape}')
  expect(query(store)).toBe('')
})

test('ranges nest, and a crumb goes back to its own', async () => {
  const { screen, store } = await show()
  store.parts.ranging.zoomIn({ from: 0, to: 39 })
  store.parts.ranging.zoomIn({ from: 2, to: 20 })
  store.parts.ranging.zoomIn({ from: 4, to: 9 })
  const range = screen.getByRole('navigation', { name: 'Range' })
  await range.getByRole('button', { name: 'Turn 1' }).click()
  expect(query(store)).toBe('seq:0..39')
})

test('a heading sorts by its column, and by it the other way round', async () => {
  const { table, asked } = await show()
  const heading = table.getByRole('columnheader', { name: 'Longest call' })
  await heading.getByRole('button').click()
  await expect.element(heading).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => asked.at(-1)).toMatchObject({ sort: 'longestMs', descending: true })
  await heading.getByRole('button').click()
  await expect.element(heading).toHaveAttribute('aria-sort', 'ascending')
})

test('a table of 100,000 groups renders what is in view, also at its end', async () => {
  const { table, asked } = await show({}, {}, 100_000)
  await expect.element(table).toHaveAttribute('aria-rowcount', '100001')
  expect(table.getByRole('row').elements().length).toBeLessThan(60)
  table.element().focus()
  await userEvent.keyboard('{End}')
  await expect.element(table.getByRole('row', { name: /Tool99999/ })).toBeInTheDocument()
  expect(table.getByRole('row').elements().length).toBeLessThan(60)
  expect(asked.length).toBeLessThan(8)
})

test('Enter on a group writes its term into the query', async () => {
  const { table, store } = await show()
  await expect.element(table.getByRole('row', { name: /Tool0/ })).toBeInTheDocument()
  table.element().focus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(query(store)).toBe('tool:Tool0')
})

test('without times the axis is events, and the page says so', async () => {
  const { screen } = await show({ firstTimestamp: null, lastTimestamp: null })
  await expect.element(screen.getByRole('note')).toHaveTextContent('This log does not state two times')
  await expect.element(screen.getByRole('button', { name: 'Events' })).toHaveAttribute('aria-pressed', 'true')
  await expect.element(screen.getByRole('button', { name: 'Active time' })).toBeDisabled()
})

test('a session without calls says so', async () => {
  const { screen } = await show(
    {},
    {
      'log.spans': async ({ from }) => ({
        ...spansAnswer({ log: 'log-1', from: canned.length, count: 1 }),
        from,
        total: from
      }),
      'log.callTable': async ({ from }) => ({
        ...{ counted: 40, rows: 40, read: 0, spans: 0, problem: null, several: false, from, total: 0 },
        ...{ groups: [], all: group('all', { calls: 0 }) }
      })
    }
  )
  await expect.element(screen.getByText('This session has no tool calls.', { exact: true })).toBeInTheDocument()
})

test('the context says what was added, and what was compacted', async () => {
  const { screen } = await show()
  await screen.getByRole('tab', { name: 'Context' }).click()
  const bar = screen.getByRole('slider', { name: 'Request' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', expect.stringMatching(/^Request 1 of 3, 1\.1k tokens/))
  bar.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(screen.getByRole('table')).toHaveTextContent('Bash')
  await userEvent.keyboard('{End}')
  await expect.element(bar).toHaveAttribute('aria-valuetext', expect.stringContaining('output at least 2'))
  await expect.element(screen.getByRole('list', { name: 'Compactions' })).toHaveTextContent('84.0k → ≈ 1.1k')
})

test('every number says where it is from', async () => {
  const { screen } = await show()
  for (const tab of ['Table', 'Context']) {
    await screen.getByRole('tab', { name: tab }).click()
    await expect.poll(() => document.querySelectorAll('[data-source]').length).toBeGreaterThan(8)
    expect(numbersWithoutSource()).toEqual([])
  }
  const sourced = [...document.querySelectorAll<HTMLElement>('.analysis .sourced')]
  expect(sourced.length).toBeGreaterThan(4)
  for (const element of sourced) {
    expect(element.title).not.toBe('')
    expect(element.textContent).toMatch(/derived|allocated|estimated|at least/)
  }
})

/** Texts with a digit that are not names, and not within an element that tells their source. */
function numbersWithoutSource(): string[] {
  const root = document.querySelector('.analysis')
  const names =
    '[data-source], [role="rowheader"], .fall-heads, .range-crumbs button, .fall-row > [role="gridcell"], .context-compactions button, .context-request > button, .figure-row > :first-child, .figure-heads'
  const texts = document.createTreeWalker(root ?? document.body, NodeFilter.SHOW_TEXT)
  const found: string[] = []
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (/\d/.test(node.textContent ?? '') && node.parentElement?.closest(names) === null)
      found.push(node.textContent ?? '')
  }
  return found
}
