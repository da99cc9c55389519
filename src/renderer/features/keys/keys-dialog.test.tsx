import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import '../../ui/controls.css'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { testHost } from '../../../../test/page/host.ts'
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
