import '../styles/tokens.css'
import '../styles/base.css'
import '../ui/controls.css'
import { expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { ImageView } from './image-view.tsx'

const text = (of: string) => new TextEncoder().encode(of)

async function png(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')?.fillRect(0, 0, width, height / 2)
  return new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer())
}

test('an image is drawn from its bytes, with its size, and in full size on a click', async () => {
  const bytes = await png(1200, 40)
  const screen = await render(
    <div style={{ width: 300 }}>
      <ImageView bytes={bytes} mediaType="image/jpeg" alt="Screenshot" />
    </div>
  )
  await expect.element(screen.getByText(/^image\/png · 1,200 × 40 · /)).toBeVisible()
  const image = screen.getByRole('img', { name: 'Screenshot', includeHidden: true }).element() as HTMLImageElement
  expect(image.src).toMatch(/^blob:/)
  expect(image.width).toBeLessThan(300)
  await screen.getByRole('button', { name: 'Screenshot: show full size' }).click()
  expect(image.width).toBe(1200)
})

test('its object URL is revoked when it is unmounted', async () => {
  const revoke = vi.spyOn(URL, 'revokeObjectURL')
  const screen = await render(<ImageView bytes={await png(2, 2)} alt="Dot" />)
  const { src } = screen.container.querySelector('img') as HTMLImageElement
  await screen.unmount()
  expect(revoke).toHaveBeenCalledWith(src)
})

test('SVG and other types are only named, whatever type the log states', async () => {
  for (const bytes of [text('<svg xmlns="http://www.w3.org/2000/svg"/>'), text('<html>'), text('')]) {
    const screen = await render(<ImageView bytes={bytes} mediaType="image/png" alt="Vector" />)
    expect(screen.container.querySelector('img, svg, object, iframe')).toBeNull()
    expect(screen.container.textContent).toContain('The log says image/png; the bytes are not PNG, JPEG, GIF or WebP')
    await screen.unmount()
  }
})

test('a cut image is reported', async () => {
  const screen = await render(<ImageView bytes={(await png(50, 50)).slice(0, 20)} alt="Cut" />)
  await expect.element(screen.getByText('The image cannot be shown. It is damaged or cut.')).toBeVisible()
})
