import { join } from 'node:path'
import * as z from 'zod'
import { messageOf } from '#contract/host-error.ts'
import { StateFile, valueOf } from '../state-file.ts'

/** A rectangle of the desktop in device-independent pixels. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const Length = z.int().min(1).max(100_000)
const Offset = z.int().min(-100_000).max(100_000)
/** Null: not kept so far. */
interface KeptPlace {
  readonly x: number | null
  readonly y: number | null
  readonly width: number | null
  readonly height: number | null
  readonly maximized: boolean
}
const members = {
  x: valueOf<number | null>(Offset, null),
  y: valueOf<number | null>(Offset, null),
  width: valueOf<number | null>(Length, null),
  height: valueOf<number | null>(Length, null),
  maximized: valueOf(z.boolean(), false)
}

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
  readonly #file: StateFile<KeptPlace>

  constructor(folder: string, problem?: (message: string) => void) {
    const instead = 'the window opens in the usual place'
    this.#file = new StateFile(join(folder, 'window.json'), { members, instead, problem })
  }

  /** `areas`: work areas, the main display first. A window off all displays is centred on it; a large one shrinks. */
  place(areas: readonly Area[]): WindowPlace {
    const { x, y, width, height, maximized } = this.#file.readNow()
    const [main] = areas
    if (x === null || y === null || width === null || height === null)
      return { ...fitted(firstSize, main), maximized: false }
    const kept = { x, y, width, height }
    const home = areas.find((area) => isReachable({ ...kept, ...fitted(kept, area) }, area))
    const size = fitted(kept, home ?? main)
    if (home !== undefined) return { x, y, ...size, maximized }
    return main === undefined ? { ...size, maximized } : { ...centred(size, main), ...size, maximized }
  }

  /** Synchronous, because the window is closing. Returns why it failed, else null. */
  keep({ x, y, width, height }: Area, maximized: boolean): string | null {
    try {
      this.#file.writeNow({ x, y, width, height, maximized })
      return null
    } catch (error) {
      return messageOf(error)
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
