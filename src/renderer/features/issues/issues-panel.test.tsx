import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { expect, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, LogStatus } from '#contract/methods.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { statusOf, testHost } from '../../../../test/page/host.ts'
import { type CannedIssue, countsOf, issueHandler, rowsWith } from '../../../../test/page/issues.ts'
import { issuesText } from './issue-text.ts'
import { IssuesPanel } from './issues-panel.tsx'

const some: readonly CannedIssue[] = [
  { row: 3, code: 'JsonParse', message: 'column 4096: the line ends inside a string' },
  { row: 5, code: 'TypedParse', path: '$.subtype', message: 'must be a string, found number' },
  { row: 9, code: 'UnknownType', path: '$.type', message: 'unknown record type' },
  { row: 12, code: 'JsonParse', message: 'column 7: not a JSON value', file: 'agents/b.jsonl' }
]

/** The panel over a canned log, and its store. */
async function openPanel(
  issues: readonly CannedIssue[],
  {
    status = {},
    handlers = {},
    rows = 20
  }: { status?: Partial<LogStatus>; handlers?: Partial<Handlers>; rows?: number } = {}
) {
  const canned = rowsWith(issues, rows)
  const host = testHost(
    canned,
    { issues: countsOf(issues), ...status },
    { 'log.issues': issueHandler(issues), ...handlers }
  )
  const store = createLogStore(host.host, host.status)
  const onClose = vi.fn()
  const screen = await render(
    <LogStoreContext value={store}>
      <div style={{ display: 'flex', height: 240, width: 700 }}>
        <IssuesPanel onClose={onClose} />
      </div>
    </LogStoreContext>
  )
  await expect.poll(() => store.getState().columns.rows).toBe(rows)
  const tree = screen.getByRole('tree', { name: 'Issues by code' })
  const lines = () => [...screen.container.querySelectorAll('[role="treeitem"]')].map((line) => line.textContent)
  return { screen, host, store, tree, lines, onClose }
}

test('lists each code once with its meaning and count, and its issues below', async () => {
  const { lines } = await openPanel(some)
  await expect.poll(() => lines().length).toBe(7)
  await expect.poll(() => lines()[1]).toContain('the line ends inside a string')
  expect(lines()[0]).toBe('JsonParsenot JSON2')
  expect(lines()[1]).toMatch(/^4.*the line ends inside a stringcol 4,096$/)
  expect(lines()[2]).toMatch(/^13.*agents\/b\.jsonl not a JSON valuecol 7$/)
  expect(lines()[4]).toMatch(/^6.*must be a string, found number\$\.subtype$/)
})

test('a click selects the row of an issue and shows the issue', async () => {
  const { store, screen } = await openPanel(some)
  await screen.getByText('must be a string, found number').click()
  expect(store.getState()).toMatchObject({ row: 5, inspectorTab: 'issues' })
  await expect.element(screen.getByRole('treeitem', { selected: true })).toHaveTextContent('must be a string')
})

/** A panel whose issues arrive when `answer` is called, which also waits for the results. */
async function openBeforeIssues() {
  const canned = issueHandler(some)
  const held: (() => void)[] = []
  const handler: Handlers['log.issues'] = async (asked) => {
    if (asked.code !== undefined) await new Promise<void>((resume) => held.push(resume))
    return await canned(asked)
  }
  const { store, lines, screen } = await openPanel(some, { handlers: { 'log.issues': handler } })
  await expect.poll(() => lines().length).toBe(7)
  await expect.poll(() => held.length).toBe(2)
  const click = (view: number) => screen.container.querySelector<HTMLElement>(`[data-view="${view}"]`)?.click()
  const shown = () =>
    ['the line ends', 'not a JSON', 'must be', 'unknown'].every((text) => lines().join().includes(text))
  const answer = async () => {
    while (!shown()) {
      held.splice(0).forEach((resume) => resume())
      await expect.poll(() => shown() || held.length > 0).toBe(true)
    }
    await new Promise((resume) => setTimeout(resume))
  }
  return { store, click, answer }
}

test('a click on an unloaded issue selects its row later, unless another one is clicked', async () => {
  const { store, click, answer } = await openBeforeIssues()
  const rows: number[] = []
  store.subscribe(({ row }) => rows.push(row))
  click(1)
  click(4)
  await answer()
  expect(store.getState()).toMatchObject({ row: 5, inspectorTab: 'issues' })
  expect(rows).not.toContain(3)
})

test('a move of the playhead cancels a click on an unloaded issue', async () => {
  const { store, click, answer } = await openBeforeIssues()
  click(1)
  store.getState().playhead.select(7)
  await answer()
  expect(store.getState().row).toBe(7)
})

test('severities are hidden and shown, codes collapsed and expanded', async () => {
  const { screen, lines } = await openPanel(some)
  await expect.poll(() => lines().length).toBe(7)
  await screen.getByRole('button', { name: '2 malformed lines' }).click()
  await expect.poll(() => lines().length).toBe(4)
  await screen.getByRole('treeitem', { name: /^violation TypedParse/ }).click()
  await expect.poll(() => lines().length).toBe(3)
  await screen.getByRole('button', { name: '1 violation' }).click()
  await screen.getByRole('button', { name: '1 notice' }).click()
  await expect.element(screen.getByText('All issues are hidden by severity.')).toBeVisible()
  await screen.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => lines().length).toBe(6)
})

test('by keyboard: arrows move, Enter selects the row, Left collapses, Escape closes', async () => {
  const { store, tree, lines, screen, onClose } = await openPanel(some)
  await expect.poll(() => lines()[1]).toContain('col 4,096')
  ;(tree.element() as HTMLElement).focus()
  const active = () => screen.container.querySelector('[aria-selected="true"]')?.textContent
  await userEvent.keyboard('{ArrowDown}')
  expect(active()).toContain('not JSON')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(store.getState()).toMatchObject({ row: 12, inspectorTab: 'issues' })
  await userEvent.keyboard('{ArrowLeft}')
  expect(active()).toContain('not JSON')
  await userEvent.keyboard('{ArrowLeft}')
  await expect.poll(() => lines().length).toBe(5)
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  expect(active()).toContain('col 4,096')
  await userEvent.keyboard('{End}')
  expect(active()).toContain('$.type')
  await userEvent.keyboard('{Home}{Enter}')
  await expect.poll(() => lines().length).toBe(5)
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})

test('closing restores the focus', async () => {
  const before = document.createElement('button')
  document.body.append(before)
  before.focus()
  const { tree, screen, lines } = await openPanel(some)
  await expect.poll(() => lines().length).toBe(7)
  ;(tree.element() as HTMLElement).focus()
  await screen.unmount()
  expect(document.activeElement).toBe(before)
  before.remove()
})

test('the issue of the row at the playhead is active', async () => {
  const { store, screen } = await openPanel(some)
  await expect.element(screen.getByText('must be a string, found number')).toBeVisible()
  store.getState().playhead.select(12)
  await expect.element(screen.getByRole('treeitem', { selected: true })).toHaveTextContent('not a JSON value')
  await screen.getByRole('button', { name: 'Previous issue' }).click()
  await expect.element(screen.getByRole('treeitem', { selected: true })).toHaveTextContent('$.type')
  expect(store.getState().row).toBe(9)
})

test('of a million issues only visible ones are loaded, and the last one is reachable', async () => {
  const total = 1_000_000
  const asked: number[] = []
  const handler: Handlers['log.issues'] = async ({ from, count, row }) => {
    const start = row ?? from
    asked.push(count)
    const length = Math.min(count, total - start)
    const codes = [{ code: 'UnknownType' as const, severity: 'notice' as const, count: total }]
    const issues = Array.from({ length }, (_, at) => ({
      ...{ code: 'UnknownType', severity: 'notice' as const, path: '$.type', message: `the ${start + at}-th` },
      ...{ row: start + at, line: start + at + 1, file: null }
    }))
    return { from: start, total, codes, issues }
  }
  const { tree, screen, lines } = await openPanel([], {
    status: { issues: { malformed: 0, violation: 0, notice: total } },
    handlers: { 'log.issues': handler }
  })
  await expect.element(screen.getByText('the 0-th', { exact: true })).toBeVisible()
  ;(tree.element() as HTMLElement).focus()
  await userEvent.keyboard('{End}')
  await expect.element(screen.getByText('the 999999-th', { exact: true })).toBeVisible()
  expect(lines().length).toBeLessThan(60)
  expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThan(2000)
  await userEvent.keyboard('{Home}')
  await expect.element(screen.getByText('the 0-th', { exact: true })).toBeVisible()
})

test('new issues are added, and those taken back are removed', async () => {
  const issues = [...some]
  const { host, lines } = await openPanel(issues)
  await expect.poll(() => lines().length).toBe(7)
  issues.splice(
    3,
    1,
    { row: 14, code: 'TypedParse', path: '$.a', message: 'must be there' },
    { row: 15, code: 'HookFailed' }
  )
  host.progress({ ...host.status, rows: 20, issues: countsOf(issues), grownAt: 1 })
  await expect.poll(() => lines().length).toBe(9)
  await expect.poll(() => lines().join('\n')).toContain('must be there')
  expect(lines().join('\n')).not.toContain('not a JSON value')
})

test('an empty list states the reason', async () => {
  const { screen } = await openPanel([])
  await expect
    .element(screen.getByText('No issues. Every line follows the contract of Claude Code stream-json.'))
    .toBeVisible()
  const raw = await openPanel([], {
    status: { ...statusOf([]), format: null, formatNote: 'No format claims it.' },
    rows: 0
  })
  await expect.element(raw.screen.getByText(/No contract is known.*No format claims it\./)).toBeVisible()
  const reading = await openPanel([], { status: { phase: 'reading' } })
  await expect.element(reading.screen.getByText(/No issues so far/)).toBeVisible()
})

test('a read error is shown with a retry', async () => {
  let fails = true
  const handler = issueHandler(some)
  const { screen, lines } = await openPanel(some, {
    handlers: {
      'log.issues': async (params) => {
        if (fails) throw new HostError('unavailable', 'The file is gone.')
        return await handler(params)
      }
    }
  })
  await expect.element(screen.getByText('Issues could not be read: The file is gone.')).toBeVisible()
  fails = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => lines().length).toBe(7)
})

test('issues are copied one per line, as the command line prints them', async () => {
  const { host } = testHost(rowsWith(some, 20), {}, { 'log.issues': issueHandler(some) })
  const source = { host, log: 'log-1', path: '/logs/run.jsonl' }
  expect(await issuesText(source, new Set(['malformed', 'violation', 'notice'] as const))).toBe(
    [
      '/logs/run.jsonl:4: JsonParse - column 4096: the line ends inside a string',
      '/logs/run.jsonl:6: TypedParse $.subtype must be a string, found number',
      '/logs/run.jsonl:10: UnknownType $.type unknown record type',
      '/logs/agents/b.jsonl:13: JsonParse - column 7: not a JSON value',
      ''
    ].join('\n')
  )
  expect(await issuesText(source, new Set(['notice'] as const))).toMatch(/^[^\n]*UnknownType[^\n]*\n$/)
})
