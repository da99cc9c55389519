import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { writeWholeNow } from '../whole-file.ts'
import { stateWriteFailure } from '../write-failure.ts'

/** A rectangle of the desktop, in its own pixels. */
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

/** Where a window goes. Without `x` and `y` the system chooses. */
export interface WindowPlace {
  readonly x?: number
  readonly y?: number
  readonly width: number
  readonly height: number
  readonly maximized: boolean
}

const firstSize = { width: 1440, height: 900 }
/** So much of a window's title bar has to be on a display for somebody to take hold of it. */
const grip = { width: 120, height: 24 }

/** Where the window was the last time, in the state folder. */
export class WindowMemory {
  readonly #file: string

  constructor(folder: string) {
    this.#file = join(folder, 'window.json')
  }

  /**
   * Where the window goes now. `areas`: what can be used of each display, the main one first. A window that no display shows any more
   * comes to the middle of the main one; one that is larger than its display becomes as large as that.
   */
  place(areas: readonly Area[]): WindowPlace {
    const kept = this.#read()
    const [main] = areas
    if (kept === null) return { ...fitted(firstSize, main), maximized: false }
    const { x, y, maximized } = kept
    const home = areas.find((area) => canBeGripped({ ...kept, ...fitted(kept, area) }, area))
    const size = fitted(kept, home ?? main)
    if (home !== undefined) return { x, y, ...size, maximized }
    return main === undefined ? { ...size, maximized } : { ...centred(size, main), ...size, maximized }
  }

  /** Called while the window closes, so it writes at once. Gives why it could not; null: it is kept. */
  keep({ x, y, width, height }: Area, maximized: boolean): string | null {
    try {
      writeWholeNow(this.#file, JSON.stringify({ version: 1, x, y, width, height, maximized }), { makesFolder: true })
      return null
    } catch (error) {
      return stateWriteFailure(dirname(this.#file), this.#file, error).message
    }
  }

  #read(): z.infer<typeof PlaceFile> | null {
    try {
      return PlaceFile.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch {
      return null
    }
  }
}

function canBeGripped(window: Area, display: Area): boolean {
  const overlap = (at: number, length: number, from: number, room: number): number =>
    Math.min(at + length, from + room) - Math.max(at, from)
  return (
    overlap(window.x, window.width, display.x, display.width) >= Math.min(grip.width, window.width) &&
    overlap(window.y, grip.height, display.y, display.height) >= grip.height
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
