import { expect, it, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { Boundary } from './boundary.tsx'

function Part({ fails }: { fails: () => boolean }) {
  if (fails()) throw new Error('no such row')
  return <p>all is well</p>
}

it('an error affects only its part, until a retry or another log', async () => {
  // React logs each error to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let fails = true
  const page = (of: string) => (
    <>
      <p>the rest</p>
      <Boundary part="timeline" of={of}>
        <Part fails={() => fails} />
      </Boundary>
    </>
  )
  const screen = await render(page('log 1'))
  await expect.element(screen.getByRole('alert')).toHaveTextContent(/The timeline failed.*no such row/)
  await expect.element(screen.getByText('the rest', { exact: true })).toBeVisible()
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByRole('alert')).toBeVisible()
  fails = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(screen.getByText('all is well')).toBeVisible()
  fails = true
  await screen.rerender(page('log 1'))
  await expect.element(screen.getByRole('alert')).toBeVisible()
  fails = false
  await screen.rerender(page('log 2'))
  await expect.element(screen.getByText('all is well')).toBeVisible()
})
