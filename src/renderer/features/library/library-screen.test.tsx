import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { page, userEvent } from 'vitest/browser'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { App } from '../../app.tsx'
import type { SessionCard } from '#core/library/session-card.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { type CannedRow, type TestHost, testHost } from '../../../../test/page/host.ts'
import { cannedLibrary, testCard } from '../../../../test/page/library.ts'

const rows = Array.from({ length: 40 }, (_, at): CannedRow => ({ kind: 'assistant', text: `row ${at}` }))

/** Sessions are grouped by day, so the clock is set to an evening: no test may cross midnight. */
const now = new Date(2026, 10, 24, 20, 30).getTime()

beforeEach(async () => {
  vi.setSystemTime(now)
  await page.viewport(1280, 800)
})

afterEach(() => {
  vi.useRealTimers()
})

function cardsOf(count: number, change: (at: number) => Partial<SessionCard> = () => ({})): SessionCard[] {
  return Array.from({ length: count }, (_, at) => {
    const endedAt = now - at * 3_600_000
    return testCard({ id: `s${at}`, title: `Session ${at}`, endedAt, modifiedAt: endedAt, ...change(at) })
  })
}

/** The page with a library. */
async function show(cards: readonly SessionCard[]) {
  let host: TestHost
  const library = cannedLibrary(cards, () => host)
  const opened: string[] = []
  host = testHost(
    rows,
    {},
    {
      ...library.handlers,
      'log.list': async () => ({ logs: [] }),
      'log.open': async ({ path }) => {
        opened.push(path)
        return { ...host.status, log: `log ${path.slice(-20)}`, path, name: path.split('/').at(-1) ?? '' }
      }
    }
  )
  const storage = { getItem: () => null, setItem: () => {} }
  const app = createAppStore(host.host, { storage })
  const screen = await render(
    <AppStoreContext value={app}>
      <App />
    </AppStoreContext>
  )
  app.getState().setConnection('open')
  const grid = screen.getByRole('grid', { name: 'Sessions' })
  const session = (id: string) => grid.element().querySelector<HTMLElement>(`[data-session="${id}"]`)
  const selected = () => grid.element().querySelector('[data-here]')?.getAttribute('data-session')
  if (cards.length > 0) await expect.poll(() => session('s0')).not.toBeNull()
  return { screen, app, library, opened, grid, session, selected, host }
}

describe('the library', () => {
  it('lists sessions in groups, as a grid with its number of lines', async () => {
    const { grid, session, library } = await show(cardsOf(300))
    await expect.element(grid).toHaveAttribute('aria-multiselectable', 'true')
    const lines = Number(grid.element().getAttribute('aria-rowcount'))
    expect(lines).toBeGreaterThan(300)
    expect(session('s0')?.getAttribute('aria-rowindex')).toBe('3')
    expect(session('s0')?.getAttribute('aria-label')).toContain('Session 0, done, cli, main, Claude Opus 4.5')
    expect(session('s200')).toBeNull()
    expect(library.cards.length).toBe(300)
  })

  it('calls no session live without a connection', async () => {
    const { app, screen, grid, session } = await show(cardsOf(3, () => ({ state: 'live' })))
    await expect.element(grid).toHaveTextContent('3 live')
    expect(session('s0')?.getAttribute('aria-label')).toContain('live')
    const view = screen.getByRole('button', { name: /^Live/ })
    await expect.element(view).toHaveTextContent('3')
    app.getState().setConnection('lost')
    await expect.element(grid).not.toHaveTextContent('3 live')
    await expect.element(grid).toHaveTextContent('not connected')
    await expect.element(view).not.toHaveTextContent('3')
    expect(session('s0')?.getAttribute('aria-label')).toContain('not connected')
    expect(grid.getByRole('img', { name: 'live' }).all()).toEqual([])
    app.getState().setConnection('open')
    await expect.element(grid).toHaveTextContent('3 live')
  })

  it('opens the selection with Enter, and returns to it', async () => {
    const { screen, session, selected, opened, grid } = await show(cardsOf(100))
    session('s2')?.click()
    await expect.poll(selected).toBe('s2')
    await userEvent.keyboard('{ArrowDown}{ArrowDown}')
    expect(selected()).toBe('s4')
    await expect.element(screen.getByRole('region', { name: 'Preview' })).toHaveTextContent('Session 4: please look')
    await userEvent.keyboard('{End}')
    await expect.poll(selected).toBe('s99')
    const { scrollTop } = grid.element()
    expect(scrollTop).toBeGreaterThan(3000)
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByRole('grid', { name: 'Timeline' })).toBeVisible()
    expect(opened[0]).toMatch(/s99\.jsonl$/)
    await expect.poll(() => document.title).toBe('Session 99 · Playhead')
    await userEvent.keyboard('l')
    await expect.element(grid).toBeVisible()
    expect([selected(), grid.element().scrollTop]).toEqual(['s99', scrollTop])
    await userEvent.keyboard('l')
    await expect.element(screen.getByRole('grid', { name: 'Timeline' })).toBeVisible()
  })

  it('finds what was done yesterday in a project in two clicks', async () => {
    const cards = cardsOf(60, (at) => (at % 3 === 0 ? { project: '/home/me/mise' } : {}))
    const { screen, grid } = await show(cards)
    await screen.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'mise' }).click()
    await expect.element(grid.getByText('Yesterday')).toBeVisible()
    await expect.poll(() => grid.element().querySelectorAll('[data-session="s1"]').length).toBe(0)
    const heads = [...grid.element().querySelectorAll('[data-group]')]
    const head = heads.find((each) => each.textContent?.includes('Yesterday'))
    const first = head?.nextElementSibling as HTMLElement
    first.click()
    await expect.element(screen.getByRole('region', { name: 'Preview' })).toHaveTextContent('Last answer')
  })

  it('lists the searched folders if there are no sessions, and adds folders', async () => {
    const { screen, library, host } = await show([])
    await expect.element(screen.getByRole('heading', { name: 'No sessions found on this machine' })).toBeVisible()
    await expect.element(screen.getByText('~/.codex/sessions')).toBeVisible()
    await screen.getByRole('button', { name: 'Add a folder…' }).click()
    const field = screen.getByLabelText('Add a folder that contains logs of any agent')
    await field.fill('nowhere')
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByText('There is no folder nowhere. Check its name.')).toBeVisible()
    await field.fill('/logs')
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByRole('dialog').getByRole('button', { name: 'Remove /logs' })).toBeVisible()
    await screen.getByRole('dialog').getByRole('button', { name: 'Remove /logs' }).click()
    await expect.poll(() => screen.getByRole('button', { name: 'Remove /logs' }).elements()).toEqual([])
    expect([library.cards.length, host.status.rows]).toEqual([0, rows.length])
  })

  it('shows the progress of reading, with placeholders', async () => {
    const { screen, library, grid } = await show(cardsOf(20))
    library.changed({ phase: 'cards', done: 20, all: 4611 })
    const bar = screen.getByRole('progressbar', { name: 'Reading sessions' })
    await expect.element(bar).toHaveAttribute('aria-valuetext', '20 of 4,611')
    await grid.element().scrollTo(0, 1e6)
    await expect.poll(() => grid.element().querySelectorAll('.card-bars').length).toBe(8)
    await screen.getByRole('button', { name: 'Pause' }).click()
    await expect.element(screen.getByRole('button', { name: 'Resume' })).toBeVisible()
    library.changed({ phase: 'idle', done: 0, all: 0 })
    await expect.poll(() => bar.elements()).toEqual([])
  })

  it('hides and shows the preview with Space', async () => {
    const { screen, session } = await show(cardsOf(10))
    session('s1')?.click()
    await expect.element(screen.getByRole('region', { name: 'Preview' })).toBeVisible()
    await userEvent.keyboard(' ')
    await expect.poll(() => screen.getByRole('region', { name: 'Preview' }).elements()).toEqual([])
    await userEvent.keyboard(' ')
    await expect.element(screen.getByRole('region', { name: 'Preview' })).toHaveTextContent('Session 1')
  })

  it('opens several sessions at once', async () => {
    const { session, opened, screen } = await show(cardsOf(10))
    session('s1')?.click()
    await userEvent.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}')
    await expect.element(screen.getByText('3 sessions selected')).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect
      .poll(() => opened.map((path) => path.replace(/.*\//, '')))
      .toEqual(['s3.jsonl', 's2.jsonl', 's1.jsonl'])
  })
})

describe('a text pasted outside a field', () => {
  function paste(text: string) {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }

  it('is a session id, a path or an address', async () => {
    const { opened, library, screen } = await show(cardsOf(3))
    library.meant.set('file:///logs/s1.jsonl', ['/logs/s1.jsonl'])
    paste(' file:///logs/s1.jsonl\n')
    await expect.poll(() => opened).toEqual(['/logs/s1.jsonl'])
    await expect.element(screen.getByRole('grid', { name: 'Timeline' })).toBeVisible()
  })

  it('offers a choice if it means several logs', async () => {
    const { opened, library, screen } = await show(cardsOf(3))
    library.meant.set('~/logs', ['/home/me/logs/a.jsonl', '/home/me/logs/b.jsonl'])
    paste('~/logs')
    const meant = screen.getByRole('list', { name: 'Suggestions' })
    await meant.getByRole('button', { name: 'b.jsonl' }).click()
    await expect.poll(() => opened).toEqual(['/home/me/logs/b.jsonl'])
  })
})

describe('a session with more changed files than the limit', () => {
  it('says that there are more', async () => {
    const { screen, library, session } = await show(cardsOf(2))
    library.previews.set('s1', { filesTotal: 5000, filesAtLeast: true })
    const preview = screen.getByRole('region', { name: 'Preview' })
    session('s0')?.click()
    await expect.element(preview).toHaveTextContent('Files changed')
    await expect.element(preview).not.toHaveTextContent('≥')
    session('s1')?.click()
    await expect.element(preview).toHaveTextContent('≥ 5,000')
    await expect.element(preview).toHaveTextContent(/≥ 4,998.* more in the log/)
  })
})

describe('an empty or unreadable log', () => {
  it('has no pending figures, and states its error', async () => {
    const cards = cardsOf(2, (at) => ({
      state: at === 0 ? 'unreadable' : 'empty',
      counts: null,
      problem: at === 0 ? 'This is a binary file, not a log.' : null
    }))
    const { screen, session } = await show(cards)
    for (const id of ['s0', 's1']) expect(session(id)?.textContent).not.toContain('…')
    session('s0')?.click()
    const preview = screen.getByRole('region', { name: 'Preview' })
    await expect.element(preview.getByText('This is a binary file, not a log.')).toBeVisible()
    await expect.element(preview).not.toHaveTextContent('Tokens')
  })
})

describe('the search of the library', () => {
  async function searched() {
    const all = await show(cardsOf(100))
    all.library.texts.set(
      's60',
      Array.from({ length: 12 }, (_, at) => (at > 2 ? `the sessions branch ${at}` : 'no'))
    )
    await userEvent.keyboard('/')
    await expect.element(all.screen.getByRole('combobox', { name: 'Search all sessions' })).toHaveFocus()
    await userEvent.keyboard('"sessions branch"')
    await expect.poll(() => all.grid.element().querySelectorAll('.hit-line').length).toBe(4)
    return all
  }

  it('shows matches under their session, and opens the log at one', async () => {
    const { screen, app, grid } = await searched()
    await expect.element(screen.getByText('9 matches in 1 session').first()).toBeVisible()
    expect(grid.element().querySelector('mark')?.textContent).toBe('sessions branch')
    await userEvent.keyboard('{Enter}{ArrowDown}{ArrowDown}{Enter}')
    await expect.element(screen.getByRole('grid', { name: 'Timeline' })).toBeVisible()
    const log = () =>
      app
        .getState()
        .logStores.get(app.getState().active ?? '')
        ?.getState()
    await expect.poll(() => log()?.row).toBe(4)
    expect(log()?.find.text).toBe('sessions branch')
    await userEvent.keyboard('l')
    await expect.poll(() => grid.element().querySelector('[data-here]')?.getAttribute('data-seq')).toBe('4')
  })

  it('previews the session of a match, hides the preview with Space, and opens at the match', async () => {
    const { screen, app } = await searched()
    const preview = screen.getByRole('region', { name: 'Preview' })
    await userEvent.keyboard('{Enter}{ArrowDown}{ArrowDown}')
    await expect.element(preview).toHaveTextContent('Session 60: please look')
    await userEvent.keyboard(' ')
    await expect.poll(() => preview.elements()).toEqual([])
    await userEvent.keyboard(' ')
    await expect.element(preview).toHaveTextContent('Session 60: please look')
    await preview.getByRole('button', { name: 'Open at match' }).click()
    await expect.element(screen.getByRole('grid', { name: 'Timeline' })).toBeVisible()
    const { active, logStores } = app.getState()
    await expect.poll(() => logStores.get(active ?? '')?.getState().row).toBe(4)
  })

  it('shows more of a session, and ends with Escape', async () => {
    const { screen, grid } = await searched()
    await grid.getByText('5 more in this session').click()
    await expect.poll(() => grid.element().querySelectorAll('.hit-line').length).toBe(9)
    await screen.getByRole('combobox').click()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => grid.element().querySelector('[data-session="s0"]')).not.toBeNull()
    await expect.element(screen.getByRole('combobox')).toHaveValue('')
  })

  it('offers to search everywhere only if it is restricted', async () => {
    const { screen } = await show(cardsOf(12))
    await screen.getByRole('combobox').fill('nowhere')
    await expect.element(screen.getByText('No matches.')).toBeVisible()
    expect(screen.getByRole('button', { name: /^Search all 12/ }).elements()).toEqual([])
    await screen.getByRole('combobox').fill('nowhere agent:claude')
    await screen.getByRole('button', { name: 'Search all 12 sessions' }).click()
    await expect.element(screen.getByRole('combobox')).toHaveValue('nowhere')
  })

  it('is written by its panel and by the views, agents and projects beside, and sets them', async () => {
    const cards = cardsOf(30, (at) => (at % 5 === 0 ? { state: 'error' } : {}))
    const { screen } = await show(cards)
    const field = screen.getByRole('combobox')
    const beside = screen.getByRole('navigation', { name: 'Library' })
    await userEvent.keyboard('F')
    const panel = screen.getByRole('dialog', { name: 'Filter' })
    await panel.getByRole('checkbox', { name: 'Failed, state:error' }).click()
    await expect.element(field).toHaveValue('state:error')
    await expect.element(screen.getByText('6', { exact: true }).first()).toBeVisible()
    await expect.element(beside.getByRole('button', { name: /^Failed/ })).toHaveAttribute('aria-current', 'true')
    await userEvent.keyboard('{Escape}')
    await field.fill('state:failed "branch"')
    await beside.getByRole('button', { name: /^cli/ }).click()
    await expect.element(field).toHaveValue('state:error project:cli "branch"')
    await beside.getByRole('button', { name: /^Live/ }).click()
    await expect.element(field).toHaveValue('project:cli state:live "branch"')
    await beside.getByRole('button', { name: /^All sessions/ }).click()
    await expect.element(field).toHaveValue('"branch"')
    await field.fill('agent:claude')
    await expect.element(beside.getByRole('button', { name: /^Claude Code/ })).toHaveAttribute('aria-current', 'true')
    await userEvent.keyboard('{Escape}{Escape}')
    await expect.element(field).toHaveValue('')
  })

  it('is shown by its panel where it has former and shorter words', async () => {
    const { screen } = await show(cardsOf(3))
    await screen.getByRole('combobox').fill('state:failed agent:claude')
    await screen.getByRole('button', { name: /^Filter/ }).click()
    const panel = screen.getByRole('dialog', { name: 'Filter' })
    await expect.element(panel.getByRole('checkbox', { name: 'Failed, state:error' })).toBeChecked()
    await expect.element(panel.getByRole('checkbox', { name: 'Claude Code, agent:claude-code' })).toBeChecked()
    await expect.element(panel.getByRole('checkbox', { name: /^Done/ })).not.toBeChecked()
  })

  it('completes keys, and values with the number of their sessions', async () => {
    const { screen } = await show(cardsOf(12, (at) => (at % 4 === 0 ? { state: 'error' } : {})))
    const field = screen.getByRole('combobox')
    await userEvent.keyboard('/')
    await userEvent.keyboard('sta')
    await expect.element(screen.getByRole('option', { name: 'state:error 3' })).toBeVisible()
    await userEvent.keyboard('{ArrowUp}{Tab}')
    await expect.element(field).toHaveValue('state:')
    await userEvent.keyboard('err{Tab}')
    await expect.element(field).toHaveValue('state:error ')
    await expect.element(screen.getByText('3', { exact: true }).first()).toBeVisible()
  })

  it('says what is wrong, and where, and lists what it listed before', async () => {
    const { screen, session } = await show(cardsOf(12))
    const field = screen.getByRole('combobox')
    await field.fill('project:other OR tool:Bash')
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('tool: is a key for events. Open a session to use it.')
    await expect.element(field).toHaveAttribute('aria-invalid', 'true')
    expect(session('s0')).not.toBeNull()
    await field.fill('project:cli OR "text"')
    await expect.element(screen.getByRole('alert')).toHaveTextContent('takes no text beside OR')
    await field.fill('project:(cli OR other)')
    await expect.poll(() => screen.getByRole('alert').elements()).toEqual([])
  })
})
