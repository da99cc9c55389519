import type { Page } from '@playwright/test'
import { grid, inspector, open, violations } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

/** Every view of a run, and how a person comes to it from the one before. */
const views: readonly [name: string, reach: (page: Page) => Promise<unknown>][] = [
  ['the timeline', (page) => page.keyboard.press('.')],
  ['turns closed', (page) => page.keyboard.press('Z')],
  ['turns open again, on a call', (page) => page.keyboard.press('Z').then(() => page.keyboard.press('e'))],
  ['the exact line', (page) => inspector(page).getByRole('tab', { name: 'Raw' }).click()],
  [
    'the issues of a line',
    (page) =>
      inspector(page)
        .getByRole('tab', { name: /^Log issues/ })
        .click()
  ],
  ['a wide inspector', (page) => page.keyboard.press('w')],
  ['all issues', (page) => page.keyboard.press('w').then(() => page.keyboard.press('I'))],
  ['todos over time', (page) => page.keyboard.press('v')],
  [
    'the timeline again, with a bookmark and a breakpoint',
    (page) =>
      page.keyboard
        .press('v')
        .then(() => page.keyboard.press('b'))
        .then(() => page.keyboard.press('Escape'))
        .then(() => page.keyboard.press('B'))
  ],
  [
    'the analysis',
    async (page) => {
      await page.keyboard.press('A')
      await expect(page.getByRole('grid', { name: /^Calls by/ })).toHaveAttribute('aria-busy', 'false')
    }
  ],
  [
    'the context',
    async (page) => {
      await page.getByRole('tab', { name: 'Context' }).click()
      await expect(page.getByRole('slider', { name: 'Request' })).toBeVisible()
    }
  ],
  ['the keys', (page) => page.keyboard.press('A').then(() => page.keyboard.press('?'))],
  ['all commands', (page) => page.keyboard.press('Escape').then(() => page.keyboard.press('Control+k'))],
  ['no command', (page) => page.keyboard.type('xyz')],
  ['the way to a line', (page) => page.keyboard.press('Escape').then(() => page.keyboard.press('g'))],
  ['the filter', (page) => page.keyboard.press('Escape').then(() => page.keyboard.press('F'))],
  [
    'an error of the filter, and saved views',
    async (page) => {
      await page.keyboard.type('tool:Bash dur:>10sec')
      await expect(page.getByRole('alert')).toContainText('dur:')
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.keyboard.press('V')
      await expect(page.getByRole('dialog', { name: 'Views' })).toBeVisible()
    }
  ],
  [
    'a new run',
    async (page) => {
      // The views; the text, by its first Escape.
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Clear the query' }).click()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await page.keyboard.press('r')
      await expect(page.getByRole('dialog', { name: 'New run' }).getByRole('radio').first()).toBeAttached()
    }
  ],
  [
    'hits',
    async (page) => {
      await page.keyboard.press('Escape')
      await page.keyboard.press('/')
      await page.keyboard.type('e')
      await page.keyboard.press('Enter')
      await expect(grid(page).locator('.hit').first()).toBeVisible()
    }
  ]
]

/** Both themes, each in another size of the window: what is shown of the page differs with it. */
const windows = [
  { colorScheme: 'light', size: { width: 1440, height: 900 } },
  { colorScheme: 'dark', size: { width: 1024, height: 700 } }
] as const

for (const { colorScheme, size } of windows) {
  test(`axe finds nothing in any view (${colorScheme}, ${size.width} × ${size.height})`, async ({ page, serve }) => {
    // Axe measures the contrast of a thousand elements in each.
    test.setTimeout(400_000)
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await open(page, await serve(sample))
    const found: Record<string, string[]> = {}
    for (const [view, reach] of views) {
      await reach(page)
      const now = await violations(page)
      if (now.length > 0) found[view] = now
    }
    expect(found).toEqual({})

    // One word in the color of what it stands on, among many that look alike.
    await page.keyboard.press('Escape')
    const word = grid(page)
      .getByRole('row')
      .nth(5)
      .locator('*', { hasText: /^\w{2,}$/ })
      .first()
    await word.evaluate((element) => (element.style.color = 'rgb(128 128 128 / 20%)'))
    expect((await violations(page)).join()).toContain('color-contrast')
  })
}
