import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { parsedJson } from '#core/parsed-json.ts'
import { writeWholeNow } from '../whole-file.ts'
import { stateWriteFailure } from '../write-failure.ts'

/** A rectangle of the desktop in device-independent pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const Length = z.int().min(1).max(100_000)
const Offset = z.int().min(-100_000).max(100_000)
const PlaceFile = z.object({
  version: z.literal(1),
  x: Offset,
  y: Offset,
  width: Length,
  height: Length,
  maximized: z.boolean()
})

/** Without `x` and `y` the system chooses the position. */
export interface WindowPlace {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
  readonly maximized: boolean
}

const firstSize = { width: 1440, height: 900 }
/** The part of the title bar that must be on a display, in pixels, so that the window can be moved. */
const minGrip = { width: 120, height: 24 }

/** The last place of the window, in the state folder. */
export class WindowMemory {
  readonly #file: string

  constructor(folder: string) {
    this.#file = join(folder, 'window.json')
  }

  /** `areas`: work areas, the main display first. A window off all displays is centred on it; a large one shrinks. */
  place(areas: readonly Area[]): WindowPlace {
    const kept = parsedJson(PlaceFile, this.#text())
    const [main] = areas
    if (kept === null) return { ...fitted(firstSize, main), maximized: false }
    const { x, y, maximized } = kept
    const home = areas.find((area) => isReachable({ ...kept, ...fitted(kept, area) }, area))
    const size = fitted(kept, home ?? main)
    if (home !== undefined) return { x, y, ...size, maximized }
    return main === undefined ? { ...size, maximized } : { ...centred(size, main), ...size, maximized }
  }

  /** Synchronous, because the window is closing. Returns why it failed, else null. */
  keep({ x, y, width, height }: Area, maximized: boolean): string | null {
    try {
      writeWholeNow(this.#file, JSON.stringify({ version: 1, x, y, width, height, maximized }), { makesFolder: true })
      return null
    } catch (error) {
      return stateWriteFailure(dirname(this.#file), this.#file, error).message
    }
  }

  #text(): string | null {
    try {
      return readFileSync(this.#file, 'utf8')
    } catch {
      return null
    }
  }
}

function isReachable(window: Area, display: Area): boolean {
  const overlap = (at: number, length: number, from: number, room: number): number =>
    Math.min(at + length, from + room) - Math.max(at, from)
  return (
    overlap(window.x, window.width, display.x, display.width) >= Math.min(minGrip.width, window.width) &&
    overlap(window.y, minGrip.height, display.y, display.height) >= minGrip.height
  )
}

function fitted(size: { width: number; height: number }, display: Area | undefined): { width: number; height: number } {
  return {
    width: Math.min(size.width, display?.width ?? Infinity),
    height: Math.min(size.height, display?.height ?? Infinity)
  }
}

function centred(size: { width: number; height: number }, display: Area): { x: number; y: number } {
  return {
    x: display.x + Math.round((display.width - size.width) / 2),
    y: display.y + Math.round((display.height - size.height) / 2)
  }
}
