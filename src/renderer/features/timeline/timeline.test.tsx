import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import { userEvent } from 'vitest/browser'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost, testStart } from '../../../../test/page/host.ts'
import { Timeline } from './timeline.tsx'

const tool: CannedRow = { kind: 'tool', tool: 1, time: testStart }

/** A timeline of 600 px with `rows`, all columns loaded. */
async function show(rows: readonly CannedRow[]) {
  const { host, status } = testHost(rows)
  const store = createLogStore(host, status)
  const screen = await render(
    <AppStoreContext value={createAppStore(host, { storage: localStorage })}>
      <LogStoreContext value={store}>
        <div style={{ display: 'flex', flexDirection: 'column', width: 800, height: 600 }}>
          <Timeline />
        </div>
      </LogStoreContext>
    </AppStoreContext>
  )
  await expect.poll(() => store.getState().columns.rows, { timeout: 60_000 }).toBe(rows.length)
  const grid = screen.getByRole('grid', { name: 'Timeline' })
  const all = (selector: string) => [...grid.element().querySelectorAll<HTMLElement>(selector)]
  return { store, screen, grid, all, log: store.getState() }
}

/** Whether a row is in the visible part of the grid. */
function isInView(row: Element | undefined): boolean {
  const grid = row?.closest('[role="grid"]')
  if (!row || !grid) return false
  const [inner, outer] = [row.getBoundingClientRect(), grid.getBoundingClientRect()]
  return inner.top >= outer.top + 24 && inner.bottom <= outer.bottom + 0.5
}

describe('the timeline', () => {
  it('has a row per event and record, with the attributes that tests and assistive technology need', async () => {
    const { grid, all } = await show([
      { kind: 'prompt', text: 'Count the words' },
      { ...tool, text: 'ls -la' },
      { kind: 'record', severity: 'violation' }
    ])
    await expect.element(grid).toHaveAttribute('aria-rowcount', '6')
    await expect
      .poll(() => all('[data-line]').map((row) => row.getAttribute('aria-rowindex')))
      .toEqual(['3', '4', '5', '6'])
    await expect.poll(() => all('[data-seq="0"]')[0]?.textContent).toContain('PromptCount the words')
    expect(all('[data-seq="1"]')[0]?.dataset).toMatchObject({ line: '2', kind: 'tool' })
    expect(all('[data-kind="record"]')[0]?.dataset).toMatchObject({ line: '3', severity: 'violation' })
    expect(all('[data-line="3"]')[1]?.textContent).toBe('TypedParse$.subtypemust be a string')
    expect(all('[aria-selected="true"]').map((row) => row.dataset['seq'])).toEqual(['0'])
  })

  it('shows rows that do not count, with the reason', async () => {
    const { all } = await show([
      { kind: 'prompt', mark: 'abandoned' },
      { kind: 'tool', mark: 'duplicate' },
      { kind: 'assistant' }
    ])
    await expect.poll(() => all('[data-mark]').map((row) => row.dataset['mark'])).toEqual(['abandoned', 'duplicate'])
    expect(all('[data-mark] .badge').map((badge) => badge.textContent)).toEqual(['abandoned', 'duplicate'])
    expect(all('[data-kind="assistant"]')[0]?.dataset).not.toHaveProperty('mark')
  })

  it('scrolls to the playhead, and not on a click', async () => {
    const { store, all, log } = await show(Array.from({ length: 500 }, () => tool))
    log.playhead.placeEvent(300)
    await expect.poll(() => isInView(all('[data-seq="300"]')[0])).toBe(true)
    const lowest = all('[data-row]').filter(isInView).at(-1)
    const top = lowest?.getBoundingClientRect().top
    lowest?.click()
    await expect.poll(() => lowest?.getAttribute('aria-selected')).toBe('true')
    expect(lowest?.getBoundingClientRect().top).toBe(top)
    expect(store.getState().seq).toBe(Number(lowest?.dataset['seq']))
  })

  it('scrolls without moving the playhead', async () => {
    const { store, grid, all } = await show(Array.from({ length: 500 }, () => tool))
    grid.element().scrollTop = 240 * 24
    await expect.poll(() => isInView(all('[data-seq="250"]')[0])).toBe(true)
    expect(store.getState().seq).toBe(0)
  })

  it('dims the future after the first move', async () => {
    const { all, log } = await show(Array.from({ length: 10 }, () => tool))
    await expect.poll(() => all('.row').length).toBe(10)
    expect(all('.future')).toEqual([])
    log.playhead.placeEvent(6)
    await expect.poll(() => all('.future').map((row) => row.dataset['seq'])).toEqual(['7', '8', '9'])
  })

  it('hides records without an event, counts them, and shows them on demand', async () => {
    const record: CannedRow = { kind: 'record' }
    const { grid, all, screen } = await show([tool, record, record, { ...record, severity: 'notice' }, tool])
    await expect.poll(() => all('.row').map((row) => row.dataset['line'])).toEqual(['1', '4', '5'])
    ;(grid.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowDown}')
    await screen.getByRole('button', { name: 'Show 2 records without an event' }).click()
    await expect.poll(() => all('.row').map((row) => row.dataset['line'])).toEqual(['1', '2', '3', '4', '5'])
    expect(document.activeElement).toBe(grid.element())
    await screen.getByRole('button', { name: 'Hide 2 records without an event' }).click()
    await expect.poll(() => all('.row').length).toBe(3)
    expect(all('[aria-selected="true"]').map((row) => row.dataset['line'])).toEqual(['4'])
  })

  it('reports a log without events, and shows its records', async () => {
    const { all, screen } = await show([{ kind: 'record' }, { kind: 'record' }])
    await expect.element(screen.getByText('No events.')).toBeVisible()
    await screen.getByRole('gridcell').getByRole('button', { name: 'Show 2 records without an event' }).click()
    await expect.poll(() => all('[data-kind="record"]').length).toBe(2)
  })

  it('shows a result on the line of its call, both selectable, or alone on demand', async () => {
    const call: CannedRow = { ...tool, text: 'npm test' }
    const { store, grid, all } = await show([call, { kind: 'tool-result', tool: 1, pair: 0, text: '3 passed' }, tool])
    await expect.poll(() => all('.row').map((row) => row.dataset['line'])).toEqual(['1', '3'])
    await expect.poll(() => all('.row')[0]?.textContent).toMatch(/npm test.*3 passed/)
    const result = () => all('[data-seq="1"]')[0]
    expect(result()?.getAttribute('role')).toBe('gridcell')
    ;(grid.element() as HTMLElement).focus()
    store.getState().stepping.step(1)
    await expect.poll(() => all('[aria-selected="true"]')).toEqual([result()])
    expect(grid.element().getAttribute('aria-activedescendant')).toBe(result()?.id)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => all('.row').map((row) => row.dataset['line'])).toEqual(['1', '2', '3'])
    expect(result()?.getAttribute('aria-selected')).toBe('true')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => all('.row').length).toBe(2)
    all('[data-apart]')[0]?.click()
    await expect.poll(() => all('.row').length).toBe(3)
    all('[data-apart]')[0]?.click()
    await expect.poll(() => all('.row').length).toBe(2)
    all('.row .summary')[0]?.click()
    await expect.poll(() => store.getState().row).toBe(0)
    all('.joined-result .summary')[0]?.click()
    await expect.poll(() => store.getState().row).toBe(1)
    await expect.poll(() => store.getState().review.phase).toBe('ready')
    store.getState().reviewing.toggleBookmark(1)
    await expect.poll(() => result()?.textContent).toContain('Bookmark')
  })

  const damage: readonly CannedRow[] = [
    {
      ...({ kind: 'error', severity: 'malformed', line: 2, text: 'Failed to parse JSONL: column 9: cut off' } as const),
      badges: [{ text: 'JSONL_PARSE_ERROR', tone: 'bad' }],
      issue: { code: 'JsonParse', path: null, message: 'column 9: cut off' }
    },
    { kind: 'unparsed', line: 2, text: '{"type": oops' }
  ]

  it('shows a line that is not JSON in one row: what is wrong, and its text', async () => {
    const { store, grid, all } = await show([tool, ...damage, { ...tool, line: 3 }])
    await expect.element(grid).toHaveAttribute('aria-rowcount', '4')
    await expect
      .poll(() => all('.row')[1]?.querySelector('.what')?.textContent)
      .toBe('Not JSONcolumn 9: cut off{"type": oops')
    expect(all('.issue-line')).toEqual([])
    expect(all('.row').map((row) => row.getAttribute('aria-rowindex'))).toEqual(['2', '3', '4'])
    const [icon, text] = all('.row')[1]?.querySelectorAll('[role="img"]') ?? []
    expect([icon?.getAttribute('aria-label'), text?.getAttribute('aria-label')]).toEqual(['malformed', 'Text'])
    expect(all('.row')[1]?.querySelector('.label')?.getAttribute('data-term')).toBe('issue:JsonParse')
    ;(grid.element() as HTMLElement).focus()
    store.getState().stepping.step(1)
    store.getState().stepping.step(1)
    await expect.poll(() => all('[aria-selected="true"]').map((cell) => cell.dataset['kind'])).toEqual(['unparsed'])
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => all('.row').length).toBe(4)
    expect(all('.row')[1]?.querySelector('.what')?.textContent).toBe('Not JSONcolumn 9: cut off')
    expect(all('.row')[2]?.querySelector('.what')?.textContent).toBe('Unparsed{"type": oops')
    all('[data-apart]')[0]?.click()
    await expect.poll(() => all('.row').length).toBe(3)
    all('.joined-result [data-apart]')[0]?.click()
    await expect.poll(() => all('.row').length).toBe(4)
  })

  it('tells the issue of a line once where that holds records, is cut off, or is no line of a known log', async () => {
    const [error, text] = damage as [CannedRow, CannedRow]
    const { severity: _, issue, ...rest } = error
    const { all } = await show([
      { kind: 'assistant', severity: 'malformed', line: 2, text: 'second', ...(issue && { issue }) },
      ...[rest, text],
      { ...text, severity: 'malformed', line: 3, ...(issue && { issue }) },
      { ...error, line: 4, issue: { code: 'LineTooLong', path: null, message: '70 MiB' } },
      { kind: 'error', severity: 'malformed', line: 5, text: 'overloaded', ...(issue && { issue }) }
    ])
    const words = () => all('.row .what, .issue-line').map((row) => row.textContent)
    await expect
      .poll(words)
      .toEqual([
        'Assistantsecond',
        'JsonParsecolumn 9: cut off',
        'Not JSON{"type": oops',
        'UnparsedJsonParsecolumn 9: cut off{"type": oops',
        'Too long70 MiB',
        'ErrorJsonParsecolumn 9: cut offoverloaded'
      ])
  })

  it('marks a match in the text of a line that is not JSON', async () => {
    const { store, all } = await show([tool, ...damage])
    store.getState().finding.setQuery({ text: 'oops' })
    await expect.poll(() => all('.row.hit mark').map((mark) => mark.textContent)).toEqual(['oops'])
    expect(all('.row').length).toBe(2)
  })

  it('has a sticky head per turn, which collapses it by click or Enter', async () => {
    const work: CannedRow[] = Array.from({ length: 60 }, () => tool)
    const { store, grid, all } = await show([
      { kind: 'prompt', text: 'Count the words' },
      ...work.slice(1),
      { kind: 'turn', text: 'done' },
      { kind: 'prompt', text: 'And the lines' },
      ...work
    ])
    const heads = () => all('.lines .turn-line').map((head) => head.querySelector('.title')?.textContent)
    await expect.poll(heads).toEqual(['Count the words'])
    grid.element().scrollTop = 30 * 24
    await expect.poll(() => all('.head-in-view')[0]?.textContent).toContain('Turn 1')
    all('.head-in-view .turn-line')[0]?.click()
    await expect.poll(heads).toEqual(['Count the words', 'And the lines'])
    expect(all('.lines .turn-line')[0]?.getAttribute('aria-selected')).toBe('true')
    expect(all('.lines .turn-line')[0]?.querySelector('.end')?.textContent).toContain('61 events')
    ;(grid.element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => store.getState().layout.closedTurns.size).toBe(0)
    store.getState().collapsing.toggleAllTurns()
    await expect.poll(() => all('[data-row]').length).toBe(0)
    // A move to an event expands its turn.
    store.getState().playhead.placeEvent(90)
    await expect.poll(() => isInView(all('[data-seq="90"]')[0])).toBe(true)
    expect([...store.getState().layout.closedTurns]).toEqual([0])
  })

  it('shows bookmarks and breakpoints of collapsed turns', async () => {
    const { store, all } = await show([{ kind: 'prompt' }, tool, tool, tool])
    await expect.poll(() => store.getState().review.phase).toBe('ready')
    store.getState().reviewing.toggleBookmark(2)
    await expect.poll(() => all('.row:has(.mark-bookmark)').map((row) => row.dataset['line'])).toEqual(['3'])
    expect(all('.row:has(.mark-bookmark) .line')[0]?.textContent).toBe('3, Bookmark')
    store.getState().reviewing.toggleBreakpointHere(3)
    const head = () => all('.lines .turn-line')[0]?.querySelector('.hidden-marks')
    expect(head()).toBeNull()
    store.getState().collapsing.toggleAllTurns()
    await expect.poll(() => head()?.textContent).toMatch(/^Breakpoint: .*, Bookmark$/)
  })

  it('marks matches in their rows', async () => {
    const { all, log } = await show([
      { ...tool, text: 'run words' },
      { ...tool, text: 'run lines' }
    ])
    log.finding.setQuery({ text: 'words' })
    await expect.poll(() => all('mark').map((mark) => mark.textContent)).toEqual(['words'])
    expect(all('.row.hit').map((row) => row.dataset['seq'])).toEqual(['0'])
  })
})
