import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import '../../ui/controls.css'
import { expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useKeys } from '../../keyboard.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { testHost } from '../../../../test/page/host.ts'
import { CommandPalette } from '../palette/command-palette.tsx'
import { KeysDialog } from './keys-dialog.tsx'

it('lists each key on its own line, also if its description takes two', async () => {
  const app = createAppStore(testHost([]).host, { storage: localStorage })
  app.getState().setDialog('keys')
  const screen = await render(
    <AppStoreContext value={app}>
      <KeysDialog />
    </AppStoreContext>
  )
  const dialog = screen.getByRole('dialog', { name: 'Keyboard shortcuts' }).element()
  const words = [...dialog.querySelectorAll('dd')]
  expect(words.length).toBeGreaterThan(10)
  dialog.setAttribute('style', 'width: 300px')
  const places = words.map((word) => word.getBoundingClientRect())
  expect(Math.max(...places.map(({ height }) => height))).toBeGreaterThan(24)
  for (const word of words) {
    const last = word.previousElementSibling?.lastElementChild
    expect(last?.getBoundingClientRect().right, word.textContent).toBeLessThan(word.getBoundingClientRect().left)
  }
  places.slice(1).forEach(({ top }, before) => expect(top).toBeGreaterThanOrEqual(places[before]?.bottom ?? 0))
})

it('uses the keys of the settings, names them, and lists conflicts', async () => {
  const host = testHost(
    [],
    {},
    {
      'settings.get': async () => ({
        file: '/state/settings.json',
        settings: { views: [], keys: { keys: ['Mod+j'], palette: ['Mod+j', 'q'] } },
        history: { queries: [], commands: [] },
        problem: null,
        prices: { table: null, problem: null }
      })
    }
  )
  const app = createAppStore(host.host, { storage: localStorage })
  function Page() {
    useKeys()
    return (
      <>
        <KeysDialog />
        <CommandPalette />
      </>
    )
  }
  const screen = await render(
    <AppStoreContext value={app}>
      <Page />
    </AppStoreContext>
  )
  await app.getState().settings.getState().load()
  await userEvent.keyboard('?')
  expect(app.getState().dialog).toBe('none')
  await userEvent.keyboard('q')
  const palette = screen.getByRole('dialog', { name: 'Command palette' })
  await expect.element(palette.getByRole('option', { name: 'Command palette' })).toHaveTextContent('Ctrl Jq')
  await palette.getByRole('combobox').fill('keyboard shortcuts')
  await userEvent.keyboard('{Enter}')
  const dialog = screen.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect
    .element(dialog.getByRole('list', { name: 'Problems of the settings' }))
    .toHaveTextContent(
      'keys: Mod+j is set for "Command palette" and "Keyboard shortcuts". "Command palette" has it now.'
    )
  await expect.element(dialog).toHaveTextContent('/state/settings.json')
  const line = (what: string) => dialog.getByText(what, { exact: true }).element().previousElementSibling?.textContent
  expect(line('Search all commands')).toBe('Ctrl Jq')
  expect(line('Show keyboard shortcuts')).toBe('')
})
