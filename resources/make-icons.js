// Draws resources/icon.svg in every size a desktop asks for: `node resources/make-icons.js`, with Chromium.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'

const folder = import.meta.dirname
const sizes = [16, 20, 24, 32, 40, 48, 64, 96, 128, 256, 512, 1024]
/** Linux: one file a size. */
const setSizes = [16, 24, 32, 48, 64, 96, 128, 256, 512, 1024]
/** Windows, at 100 to 250 % scaling. */
const icoSizes = [16, 20, 24, 32, 40, 48, 64, 128, 256]
/** macOS: type and pixels; ic11 to ic14 and ic10 are those of displays with two pixels a point. */
const icnsTypes = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
  ['ic10', 1024]
]

async function draw(svg) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: ['--no-sandbox']
  })
  const page = await browser.newPage()
  const pictures = new Map()
  for (const size of sizes) {
    await page.setViewportSize({ width: size, height: size })
    // An image, so that the drawing's own media queries see the size of the icon.
    const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
    await page.setContent(
      `<style>body { margin: 0 } img { display: block }</style><img src="${source}" width="${size}" height="${size}">`
    )
    await page.locator('img').evaluate((image) => image.decode())
    const clip = { x: 0, y: 0, width: size, height: size }
    pictures.set(size, await page.screenshot({ omitBackground: true, clip }))
  }
  await browser.close()
  return pictures
}

/** Header, a directory of 16 bytes an image, then the PNGs. */
function icoOf(pictures) {
  const head = Buffer.alloc(6 + 16 * icoSizes.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(icoSizes.length, 4)
  let offset = head.length
  icoSizes.forEach((size, i) => {
    const at = 6 + 16 * i
    const { length } = pictures.get(size)
    head.writeUInt8(size % 256, at) // 256 is written as 0
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += length
  })
  return Buffer.concat([head, ...icoSizes.map((size) => pictures.get(size))])
}

/** Blocks of a type, a length that counts its own eight bytes, and the PNG. */
function icnsOf(pictures) {
  const blocks = icnsTypes.map(([type, size]) => block(type, pictures.get(size)))
  return block('icns', Buffer.concat(blocks))
}

function block(type, content) {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32BE(8 + content.length, 4)
  return Buffer.concat([head, content])
}

const pictures = await draw(readFileSync(join(folder, 'icon.svg')))
mkdirSync(join(folder, 'icons'), { recursive: true })
for (const size of setSizes) writeFileSync(join(folder, 'icons', `${size}x${size}.png`), pictures.get(size))
writeFileSync(join(folder, 'icon.ico'), icoOf(pictures))
writeFileSync(join(folder, 'icon.icns'), icnsOf(pictures))
