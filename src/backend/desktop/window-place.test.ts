import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Area, WindowMemory } from './window-place.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-window-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const main: Area = { x: 0, y: 25, width: 1920, height: 1055 }
const right: Area = { x: 1920, y: 0, width: 2560, height: 1440 }
const onRight: Area = { x: 2000, y: 100, width: 1600, height: 1000 }

describe('the place of the window', () => {
  test('is chosen by the system at first, within the display', () => {
    expect(new WindowMemory(folder).place([main])).toEqual({ width: 1440, height: 900, maximized: false })
    const small = { x: 0, y: 0, width: 1024, height: 700 }
    expect(new WindowMemory(folder).place([small])).toEqual({ width: 1024, height: 700, maximized: false })
  })

  test('is the last one', () => {
    const state = join(folder, 'not there yet')
    new WindowMemory(state).keep(onRight, true)
    expect(new WindowMemory(state).place([main, right])).toEqual({ ...onRight, maximized: true })
    expect(readdirSync(state)).toEqual(['window.json'])
  })

  test('is on another display if its display is gone', () => {
    new WindowMemory(folder).keep(onRight, false)
    expect(new WindowMemory(folder).place([main])).toEqual({
      x: 160,
      y: 53,
      width: 1600,
      height: 1000,
      maximized: false
    })
  })

  test('is corrected if the title bar is above or below all displays', () => {
    for (const y of [-400, 1079]) {
      new WindowMemory(folder).keep({ ...onRight, x: 100, y }, false)
      expect(new WindowMemory(folder).place([main]).y).toBe(53)
    }
  })

  test('is always reachable, for any saved place and displays', () => {
    const offset = fc.integer({ min: -20_000, max: 20_000 })
    const length = fc.integer({ min: 200, max: 8000 })
    const area = fc.record({ x: offset, y: offset, width: length, height: length })
    const memory = new WindowMemory(folder)
    fc.assert(
      fc.property(area, fc.array(area, { minLength: 1, maxLength: 4 }), fc.boolean(), (kept, areas, maximized) => {
        memory.keep(kept, maximized)
        const { x = 0, y = 0, width } = memory.place(areas)
        const grips = areas.filter(
          (display) =>
            Math.min(x + width, display.x + display.width) - Math.max(x, display.x) >= Math.min(100, width) &&
            y >= display.y - 8 &&
            y <= display.y + display.height - 16
        )
        expect(grips.length).toBeGreaterThan(0)
      }),
      { numRuns: 200 }
    )
  })

  test.each(['', 'null', '{', '{"version":1}', '{"version":1,"x":1e9,"y":0,"width":9,"height":9,"maximized":false}'])(
    'a file with %j counts as none',
    (text) => {
      writeFileSync(join(folder, 'window.json'), text)
      expect(new WindowMemory(folder).place([main])).toEqual({ width: 1440, height: 900, maximized: false })
    }
  )

  test('is no error if it cannot be written', () => {
    writeFileSync(join(folder, 'a file'), '')
    expect(() => new WindowMemory(join(folder, 'a file')).keep(onRight, false)).not.toThrow()
  })
})
