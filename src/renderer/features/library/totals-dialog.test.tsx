import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Params } from '#contract/methods.ts'
import { totalsOf } from '#core/library/session-totals.ts'
import { cannedLibrary, testCard } from '../../../../test/page/library.ts'
import { type TestHost, testHost } from '../../../../test/page/host.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { TotalsDialog } from './totals-dialog.tsx'
import { costGaps, pricedCost, statedCost } from '../../../../test/costs.ts'

const cards = [
  testCard({ id: 'a', project: '/w/cli', costGaps: null, cost: statedCost(2) }),
  testCard({
    id: 'b',
    project: '/w/cli',
    costGaps: null,
    cost: pricedCost(0.5)
  }),
  testCard({ id: 'c', project: '/w/cli', costGaps: costGaps({ models: ['glm'], unpriced: 1 }) }),
  testCard({ id: 'd', project: '/w/app', counts: null, costGaps: null })
]

async function show() {
  let host: TestHost
  const asked: Params<'library.totals'>[] = []
  const library = cannedLibrary(cards, () => host)
  host = testHost(
    [],
    {},
    {
      ...library.handlers,
      'library.totals': async (params) => {
        asked.push(params)
        const { all, groups } = totalsOf(cards, params.by)
        return { version: 1, all, groups: [...groups], further: 0 }
      }
    }
  )
  const app = createAppStore(host.host, { storage: { getItem: () => null, setItem: () => {} } })
  app.getState().setDialog('totals')
  await page.viewport(1280, 800)
  const screen = await render(
    <AppStoreContext value={app}>
      <TotalsDialog />
    </AppStoreContext>
  )
  return { app, asked, dialog: screen.getByRole('dialog', { name: 'Totals' }) }
}

it('shows sums by project, and of which sessions they are', async () => {
  const { dialog, asked } = await show()
  const table = dialog.getByRole('table', { name: 'Totals' })
  await expect.element(table.getByRole('row').nth(1)).toHaveTextContent(/^cli330m 00s.*3\.6M.*60\.0k.*≥ \$2\.50\*/)
  await expect.element(table.getByRole('row').nth(2)).toHaveTextContent(/^app.*1–.*unknown/)
  await expect.element(dialog.getByText(' in 2 of 4 sessions').last()).toBeVisible()
  expect(asked).toContainEqual({ where: 'since:30d', by: 'project' })
})

it('every number of a sum has its origin', async () => {
  const { dialog } = await show()
  await expect.element(dialog.getByRole('table', { name: 'Totals' })).toBeVisible()
  const cells = [...dialog.element().querySelectorAll('td, .totals-all dd')].filter(
    (cell) => /[0-9]/.test(cell.textContent) && !/^\d+( 1 not counted yet)?$/.test(cell.textContent)
  )
  expect(cells.length).toBeGreaterThan(6)
  for (const cell of cells) {
    expect(cell.querySelector('[title]')?.getAttribute('title'), cell.textContent).toMatch(/\.$/)
    expect(cell.querySelector('.unseen')?.textContent, cell.textContent).toMatch(/\.$/)
  }
})

it('a range, a group and the chart are chosen by keys; Escape closes it', async () => {
  const { app, dialog, asked } = await show()
  await expect.element(dialog.getByRole('img', { name: /^Cost by day/ })).toBeVisible()
  const choose = async (name: string): Promise<void> => {
    ;(dialog.getByRole('group').getByRole('button', { name, exact: true }).element() as HTMLElement).focus()
    await userEvent.keyboard('{Enter}')
  }
  await choose('All')
  await choose('By model')
  await expect.element(dialog.getByRole('columnheader', { name: 'Model' })).toBeVisible()
  expect(asked).toContainEqual({ where: '', by: 'model' })
  await choose('Tokens in')
  await expect.element(dialog.getByRole('img', { name: /^Tokens in by day/ })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(app.getState().dialog).toBe('none')
})
