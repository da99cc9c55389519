import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const resources = join(import.meta.dirname, '..', 'resources')
const read = (...path: string[]): Buffer => readFileSync(join(resources, ...path))

/** Pixels of a PNG that is whole: signature, a square header with alpha, an end. */
function sizeOf(png: Buffer): number {
  expect(png.subarray(0, 8)).toEqual(Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]))
  expect(png.toString('latin1', 12, 16)).toBe('IHDR')
  expect(png.toString('latin1', png.length - 8, png.length - 4)).toBe('IEND')
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  expect([height, png[24], png[25]]).toEqual([width, 8, 6])
  return width
}

test('Linux: every file has the size that its name says', () => {
  const names = readdirSync(join(resources, 'icons'))
  for (const name of names) {
    const size = sizeOf(read('icons', name))
    expect(name).toBe(`${size}x${size}.png`)
  }
  const sizes = names.map((name) => Number.parseInt(name)).sort((a, b) => a - b)
  expect(sizes).toEqual([16, 24, 32, 48, 64, 96, 128, 256, 512, 1024])
})

test('Windows: the directory of the .ico leads to pictures of the sizes it lists, one after the other to its end', () => {
  const ico = read('icon.ico')
  expect([ico.readUInt16LE(0), ico.readUInt16LE(2)]).toEqual([0, 1])
  const count = ico.readUInt16LE(4)
  let end = 6 + 16 * count
  const sizes = Array.from({ length: count }, (_, i) => {
    const at = 6 + 16 * i
    const [length, offset] = [ico.readUInt32LE(at + 8), ico.readUInt32LE(at + 12)]
    expect(offset).toBe(end)
    end += length
    const size = sizeOf(ico.subarray(offset, end))
    expect([ico[at], ico[at + 1], ico.readUInt16LE(at + 4), ico.readUInt16LE(at + 6)]).toEqual([
      size % 256,
      size % 256,
      1,
      32
    ])
    return size
  })
  expect(end).toBe(ico.length)
  expect(sizes).toEqual([16, 20, 24, 32, 40, 48, 64, 128, 256])
})

test('macOS: the blocks of the .icns fill it, each with a picture of the size that its type means', () => {
  const sizesOfTypes: Record<string, number> = {
    icp4: 16,
    icp5: 32,
    ic07: 128,
    ic08: 256,
    ic09: 512,
    ic10: 1024,
    ic11: 32,
    ic12: 64,
    ic13: 256,
    ic14: 512
  }
  const icns = read('icon.icns')
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length])
  const found: Record<string, number> = {}
  let at = 8
  while (at < icns.length) {
    const end = at + icns.readUInt32BE(at + 4)
    found[icns.toString('latin1', at, at + 4)] = sizeOf(icns.subarray(at + 8, end))
    at = end
  }
  expect(at).toBe(icns.length)
  expect(found).toEqual(sizesOfTypes)
})

test('the drawing has no colour that the design has not', () => {
  const tokens = readFileSync(join(resources, '../src/renderer/styles/tokens.css'), 'utf8')
  const colours =
    read('icon.svg')
      .toString()
      .match(/#[0-9a-f]{6}\b/g) ?? []
  expect(colours.length).toBeGreaterThan(3)
  for (const colour of colours) expect(tokens).toContain(colour)
})
