import { writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { grid, open, seriousViolations } from './page-parts.ts'
import { expect, test } from './playhead-server.ts'

/** A session in which a test fails twice in the same way. */
function failingLog(path: string): string {
  const base = {
    agentId: 'claude-code',
    agentType: 'claude-code',
    teamMetadata: { teamName: 'solo', memberName: 'a', memberDisplayName: 'a', memberRole: 'agent' }
  }
  const call = (id: string, command: string, result: object) => [
    { type: 'tool.started', toolName: 'Bash', toolId: id, input: { command } },
    { type: 'tool.completed', toolId: id, ...result }
  ]
  const failed = { error: 'Exit code 1\nerror: it broke' }
  const bodies = [
    { type: 'text', text: 'Mend the build', role: 'user', category: 'user-message' },
    ...call('1', 'npm test', failed),
    ...call('2', 'ls', { output: 'a.ts' }),
    ...call('3', 'npm test', failed),
    ...call('4', 'rm -rf /tmp/x', { output: '' })
  ]
  const lines = bodies.map((body, i) =>
    JSON.stringify({ eventId: `e${i}`, timestamp: Date.UTC(2026, 0, 1) + i * 1000, ...base, ...body })
  )
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const panel = (page: Page) => page.getByRole('region', { name: 'Findings', exact: true })

test('the first failing loop is two actions away', async ({ page, serve }, info) => {
  await open(page, await serve(failingLog(info.outputPath('failing.jsonl'))))
  await page.getByRole('button', { name: /^Findings/ }).click()
  const repeated = panel(page).getByRole('region', { name: 'Same call, same error' })
  await expect(repeated).toContainText('2 times the same call with the same error: Bash: npm test')
  await repeated.getByRole('button', { name: 'Event 5' }).click()
  await expect(grid(page).locator('[aria-selected="true"]')).toHaveAttribute('data-seq', '5')

  await expect(panel(page)).not.toContainText('Temporary files deleted')
  await panel(page)
    .getByRole('button', { name: /^Information/ })
    .click()
  await expect(panel(page).getByRole('region', { name: 'Temporary files deleted' })).toContainText('rm -rf /tmp/x')
  await expect(grid(page).locator('.finding-mark').first()).toContainText('2× same error')

  // The rules and what is not useful here are remembered; the drawer stays open.
  await panel(page).getByRole('button', { name: 'Not useful' }).first().click()
  await expect(panel(page).getByRole('status')).toContainText('1 finding is hidden')
  await panel(page)
    .getByRole('button', { name: /^Rules/ })
    .click()
  await panel(page).getByRole('checkbox', { name: 'Temporary files deleted' }).uncheck()
  expect(await seriousViolations(page)).toEqual([])
  await page.reload()
  await expect(panel(page).getByRole('status')).toContainText('1 finding is hidden')
  await expect(panel(page).getByRole('region', { name: 'Temporary files deleted' })).toBeHidden()
  await panel(page).getByRole('button', { name: 'Undo' }).click()
  await expect(repeated).toBeVisible()
  await grid(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('j')
  await expect(grid(page).locator('[aria-selected="true"]')).toHaveAttribute('data-seq', '1')
  await panel(page).getByRole('button', { name: 'Close findings' }).click()
  await expect(panel(page)).toBeHidden()
})
