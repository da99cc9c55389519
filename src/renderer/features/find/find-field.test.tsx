import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { userEvent } from 'vitest/browser'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Handlers } from '#contract/methods.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost } from '../../../../test/page/host.ts'
import { FindField } from './find-field.tsx'

const texts = ['npm test', 'Error: no such file', 'an error', 'npm run build', 'error 12']
const rows = texts.map((text): CannedRow => ({ kind: 'assistant', text }))

/** The field over a log of five rows. */
async function show(handlers: Partial<Handlers> = {}) {
  const { host, status, found } = testHost(rows, {}, handlers)
  const store = createLogStore(host, status)
  const screen = await render(
    <LogStoreContext value={store}>
      <div className="app" style={{ display: 'flex', width: 400, height: 200 }}>
        <FindField />
        <div role="grid" tabIndex={-1} />
      </div>
    </LogStoreContext>
  )
  await expect.poll(() => store.getState().columns.rows).toBe(rows.length)
  const field = screen.getByRole('searchbox', { name: 'Find' })
  const toggle = (name: string) => screen.getByRole('button', { name })
  const count = () => document.querySelector('.find-count')?.textContent
  return { screen, store, field, toggle, count, found }
}

/** A host whose search results the test controls. */
const silent: Partial<Handlers> = {
  'log.find': async () => ({ find: 1 }),
  'log.hits': async ({ from, count }) => ({ rows: Uint32Array.of(1, 2, 4).slice(from, from + count).buffer })
}
const progress = { log: 'log-1', find: 1, as: 'find', generation: 1, bytes: 100, error: null }

describe('the field', () => {
  it('ignores case, or matches it on demand', async () => {
    const { field, toggle, count } = await show()
    await field.fill('error')
    await expect.poll(count).toBe('3 matches')
    await toggle('Match case').click()
    await expect.poll(count).toBe('2 matches')
    await expect.element(toggle('Match case')).toHaveAttribute('aria-pressed', 'true')
  })

  it('has keys for its toggles, which keep the focus', async () => {
    const { field, toggle, count } = await show()
    await field.fill(String.raw`error \d`)
    await expect.poll(count).toBe('no matches')
    await userEvent.keyboard('{Alt>}r{/Alt}')
    await expect.poll(count).toBe('1 match')
    await expect.element(toggle('Regular expression')).toHaveAttribute('aria-pressed', 'true')
    await userEvent.keyboard('{Alt>}c{/Alt}')
    await expect.element(toggle('Match case')).toHaveAttribute('aria-pressed', 'true')
    await expect.element(field).toHaveFocus()
    await expect.element(field).toHaveValue(String.raw`error \d`)
  })

  it('shows the error of an expression below', async () => {
    const { screen, field, toggle, count } = await show()
    await toggle('Regular expression').click()
    await field.fill('(a')
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Invalid regular expression')
    await expect.element(field).toHaveAttribute('aria-invalid', 'true')
    expect(count()).toBe('')
    await field.fill('(an|Error)')
    await expect.poll(count).toBe('3 matches')
    expect(screen.getByRole('alert').elements()).toEqual([])
  })

  it('shows its progress, is stopped by Escape, and left by the next Escape', async () => {
    const { field, count, found, store } = await show(silent)
    await field.fill('x')
    await expect.poll(() => store.getState().find.searching).toBe(true)
    found({ ...progress, searching: true, hits: 2, bytesSearched: 37 })
    await expect.poll(count).toBe('2 matches, 37%')
    await expect.element(field).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(count).toBe('2 matches, stopped')
    await expect.element(field).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement?.getAttribute('role')).toBe('grid')
    expect([...store.getState().find.hits]).toEqual([1, 2])
  })

  it('goes to the next match during the search, with its number', async () => {
    const { field, count, found, store } = await show(silent)
    await field.fill('x')
    await userEvent.keyboard('{Enter}')
    expect(store.getState().row).toBe(0)
    found({ ...progress, searching: true, hits: 1, bytesSearched: 10 })
    await expect.poll(count).toBe('1 of 1, 10%')
    expect(store.getState().row).toBe(1)
    found({ ...progress, searching: false, hits: 3, bytesSearched: 100 })
    await expect.poll(count).toBe('1 of 3')
  })

  it('shows why a search failed, beside its matches', async () => {
    const { screen, field, count, found } = await show(silent)
    await field.fill('x')
    found({ ...progress, searching: false, hits: 1, bytesSearched: 50, error: 'The file can no longer be read.' })
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The file can no longer be read.')
    expect(count()).toBe('1 match')
  })
})
