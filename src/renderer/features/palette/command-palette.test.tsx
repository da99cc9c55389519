import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import '../../ui/controls.css'
import { beforeEach, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useKeys } from '../../keyboard.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { testHost } from '../../../../test/page/host.ts'
import { KeysDialog } from '../keys/keys-dialog.tsx'
import { CommandPalette } from './command-palette.tsx'

beforeEach(() => localStorage.clear())

function Page() {
  useKeys()
  return (
    <>
      <input aria-label="Somewhere" />
      <KeysDialog />
      <CommandPalette />
    </>
  )
}

async function page() {
  const app = createAppStore(testHost([]).host, { storage: localStorage })
  const screen = await render(
    <AppStoreContext value={app}>
      <Page />
    </AppStoreContext>
  )
  return { app, screen, palette: screen.getByRole('dialog', { name: 'Command palette' }) }
}

it('finds a command by its words and runs it with the former focus', async () => {
  const { app, screen, palette } = await page()
  await screen.getByRole('textbox', { name: 'Somewhere' }).click()
  await userEvent.keyboard('{Control>}k{/Control}')
  const field = palette.getByRole('combobox', { name: 'Search commands' })
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('shortcuts keyboard')
  await expect.element(palette.getByRole('option')).toHaveTextContent('Keyboard shortcuts')
  await expect.element(palette.getByRole('option')).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.element(screen.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(screen.getByRole('textbox', { name: 'Somewhere' })).toHaveFocus()
  expect(app.getState().dialog).toBe('none')
})

it('moves around with the arrows, closes with its key, and reports no results', async () => {
  const { palette } = await page()
  await userEvent.keyboard('{Control>}k{/Control}')
  const last = palette.getByRole('option').last()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(last).toHaveAttribute('aria-selected', 'true')
  await expect.element(last).toBeInViewport()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(palette.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('xyz')
  await expect.element(palette.getByRole('status')).toHaveTextContent('No matching commands.')
  await userEvent.keyboard('{Enter}{Control>}k{/Control}')
  await expect.element(palette).not.toBeInTheDocument()
})

it('shows no disabled keys; those with Ctrl still work', async () => {
  const { app, screen, palette } = await page()
  await userEvent.keyboard('?')
  const keys = screen.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect.element(keys).toBeVisible()
  await keys.getByRole('checkbox', { name: /Single-key shortcuts/ }).click()
  const key = [...keys.element().querySelectorAll('kbd')].find(({ textContent }) => textContent === '?')
  expect(key?.dataset['off']).toBe('true')
  await userEvent.keyboard('{Escape}?')
  expect(app.getState().dialog).toBe('none')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(palette).toBeVisible()
  await expect.element(palette.getByRole('option', { name: 'Keyboard shortcuts' })).not.toHaveTextContent('?')
  await expect.element(palette.getByRole('option', { name: 'Command palette' })).toHaveTextContent('Ctrl K')
  const again = createAppStore(testHost([]).host, { storage: localStorage })
  expect(again.getState().layout.getState().singleKeys).toBe(false)
})

it('ignores keys typed into a field or composed by an input method', async () => {
  const { app, screen } = await page()
  const field = screen.getByRole('textbox', { name: 'Somewhere' })
  await field.click()
  await userEvent.keyboard('?')
  await expect.element(field).toHaveValue('?')
  expect(app.getState().dialog).toBe('none')
  window.dispatchEvent(new KeyboardEvent('keydown', { key: '?', isComposing: true }))
  expect(app.getState().dialog).toBe('none')
})

it('lists the last command first, and finds commands by description and group in any order', async () => {
  const { app, palette } = await page()
  await userEvent.keyboard('{Control>}k{/Control}')
  const options = palette.getByRole('option')
  const field = palette.getByRole('combobox', { name: 'Search commands' })
  await field.fill('shortcuts keyboard')
  await userEvent.keyboard('{Enter}{Escape}{Control>}k{/Control}')
  await expect.element(options.first()).toHaveTextContent('Keyboard shortcuts')
  expect(app.getState().settings.getState().history.commands).toEqual(['keys'])
  await field.fill('EVENT next')
  const names = () => options.elements().map((option) => option.querySelector('span')?.textContent)
  expect(names()).toEqual(['Next event', 'Previous event'])
  // Without a log they cannot run.
  expect(options.elements().every((option) => option.getAttribute('aria-disabled') === 'true')).toBe(true)
  await userEvent.keyboard('{Enter}')
  await expect.element(palette).toBeVisible()
  await field.fill('#3')
  await expect.element(palette.getByRole('status')).toHaveTextContent('No matching commands.')
})
