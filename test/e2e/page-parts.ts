import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** A line of `playhead todos --at SEQ --json`. */
export interface TodoState {
  seq: number
  trackId: string | null
  items: { text: string; status: string }[]
}

export const slider = (page: Page) => page.getByRole('slider', { name: 'Playhead' })
export const seqOf = async (page: Page) => Number(await slider(page).getAttribute('aria-valuenow'))
export const grid = (page: Page) => page.getByRole('grid', { name: 'Timeline' })
/** What is said of the log that is shown; other parts have a status of their own. */
export const statusBar = (page: Page) => page.getByRole('contentinfo').getByRole('status')
export const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })

/** The panel's items as a person reads them: text and status, in order. */
export async function todoPanel(page: Page) {
  const items = page.getByRole('region', { name: 'Todos' }).getByRole('listitem')
  return items.evaluateAll((nodes) =>
    nodes.map((node) => ({
      text: node.querySelector('.todo-text')?.textContent ?? '',
      status: node.getAttribute('data-status')
    }))
  )
}

/** Opens the page and waits until it has all rows of the log (`Indexed` is not said before), so that a key leads where it will lead later. */
export async function open(page: Page, url: string) {
  await page.goto(url)
  await expect(statusBar(page)).toContainText('Indexed', { timeout: 30_000 })
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
}

/** What axe finds in a part of the page that is serious or worse: rule and elements. */
export async function seriousViolations(page: Page, part = 'body'): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include(part).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
