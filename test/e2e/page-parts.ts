import { expect, type Page } from '@playwright/test'
import type { Result } from 'axe-core'
import { axeViolations } from './axe.ts'

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
  await expect(statusBar(page)).toContainText('Indexed')
  await expect(grid(page).getByRole('row').nth(1)).toBeVisible()
}

/** Presses keys one after the other. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Tab, until the element of that role and name has the focus. */
export async function tabTo(page: Page, role: Parameters<Page['getByRole']>[0], name: string | RegExp, key = 'Tab') {
  const target = page.getByRole(role, { name }).first()
  for (let presses = 0; presses < 120; presses++) {
    if (await target.evaluate((element) => element === document.activeElement).catch(() => false)) return target
    await page.keyboard.press(key)
  }
  throw new Error(`Tab does not lead to ${role} ${String(name)}`)
}

const worst = new Set<unknown>(['serious', 'critical'])

/** What axe finds in a part of the page that is serious or worse: rule and elements. */
export async function seriousViolations(page: Page, part = 'body'): Promise<string[]> {
  return (await axeViolations(page, part)).filter(({ impact }) => worst.has(impact)).map(inWords)
}

/** As `seriousViolations`, in both themes: of what axe looks at, only contrast differs between them. */
export async function seriousInBothThemes(page: Page, part = 'body'): Promise<string[]> {
  // Colors that fade into those of the other theme would be measured on their way.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await seriousViolations(page, part)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const dark = await axeViolations(page, part, ['color-contrast'])
  return [...light, ...dark.map((violation) => `dark: ${inWords(violation)}`)]
}

/** Everything axe finds in the page, however slight: rule and elements. */
export async function violations(page: Page): Promise<string[]> {
  return (await axeViolations(page, 'html')).map(inWords)
}

function inWords({ id, nodes }: Result): string {
  return `${id}: ${nodes.map(({ html }) => html).join(' ')}`
}
