import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { diskName, diskSpace, type LookAtDisk } from '../disk-space.ts'
import type { DiskEvidence } from './feed-messages.ts'

const MB = 1 << 20
/** The user is warned below this. */
const lowBytes = 1024 * MB
/** A start must be confirmed below this. */
const agreedBytes = 256 * MB
/** The run is stopped below this: the final output and Playhead's own writes must fit. */
const stopBytes = 32 * MB
/** A disk counts as full below this, a small one below 1/64 of its size. */
const fullBytes = MB

/** Poll intervals, shorter with less space. */
const pollMs = { plenty: 1000, low: 100, nearlyFull: 20 }

interface Disk {
  readonly folder: string
  readonly name: string
  /** It holds the recording. */
  readonly holdsRecording: boolean
  /** Free bytes at the start. */
  readonly free: number
}

/** The disks of the recording and of the run's folder, which may be the same. */
async function disksOf(recording: string, folder: string, look: LookAtDisk): Promise<Disk[]> {
  const folders = [dirname(recording), folder]
  const devices = await Promise.all(folders.map(async (one) => (await stat(one).catch(() => null))?.dev ?? null))
  const different = devices[0] === devices[1] ? folders.slice(0, 1) : folders
  const disks = different.map(async (one, number) => {
    const space = await look(one)
    return space && { folder: one, name: await diskName(one), holdsRecording: number === 0, free: space.free }
  })
  return (await Promise.all(disks)).filter((disk) => disk !== null)
}

/** Throws 'low-disk', with the disk and its free space, if the user must confirm. */
export async function checkDisks(recording: string, folder: string, look: LookAtDisk = diskSpace): Promise<void> {
  const scarce = (await disksOf(recording, folder, look)).find(({ free }) => free < agreedBytes)
  if (scarce === undefined) return
  const { name, free } = scarce
  throw new HostError(
    'low-disk',
    `The disk ${name} has only ${roomText(free)} left. Output that does not fit is lost. Free some space first.`
  )
}

export interface RunDisksOptions {
  readonly recording: string
  readonly folder: string
  readonly look?: LookAtDisk | undefined
  /** Space is low; a sentence for the user. */
  readonly low: (sentence: string) => void
  /** Space is scarce: what can wait should. A sentence for the user. */
  readonly scarce?: (sentence: string) => void
  /** The run must be stopped; the reason, such as "the disk /home had less than 32 MB left". */
  readonly stop: (reason: string) => void
}

/** Polls the disks of an active run. */
export class RunDisks {
  readonly #options: RunDisksOptions
  #disks: readonly Disk[] = []
  #timer: NodeJS.Timeout | null = null
  #polling: Promise<void> = Promise.resolve()
  #ended = false
  #isLow = false
  #isScarce = false
  #isStopped = false
  #wasScarce = false
  /** Size of the recording when there was space the last time. */
  #whole = 0
  #fullFrom: number | null = null

  constructor(options: RunDisksOptions) {
    this.#options = options
  }

  /** Resolves after the first poll. */
  async watch(): Promise<void> {
    await this.#findDisks()
    if (!this.#ended) await this.#poll()
  }

  /** Polls a last time, after all processes have ended. */
  async end(): Promise<DiskEvidence> {
    this.#ended = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#polling
    // The run may end before `watch`.
    if (this.#disks.length === 0) await this.#findDisks()
    await this.#pollOnce()
    const { recording } = this.#options
    const name = this.#disks.find(({ holdsRecording }) => holdsRecording)?.name ?? (await diskName(dirname(recording)))
    return { disk: name, wasScarce: this.#wasScarce, fullFrom: this.#fullFrom, saidFull: false, notSaved: null }
  }

  async #findDisks(): Promise<void> {
    const { recording, folder, look = diskSpace } = this.#options
    this.#disks = await disksOf(recording, folder, look)
  }

  async #poll(): Promise<void> {
    this.#polling = this.#pollOnce().then((wait) => {
      if (this.#ended || this.#disks.length === 0) return
      this.#timer = setTimeout(() => void this.#poll(), wait)
      this.#timer.unref()
    })
    await this.#polling
  }

  /** Returns the ms until the next poll. */
  async #pollOnce(): Promise<number> {
    let wait = pollMs.plenty
    for (const disk of this.#disks) wait = Math.min(wait, await this.#pollDisk(disk))
    return wait
  }

  async #pollDisk({ folder, name, holdsRecording, free: atStart }: Disk): Promise<number> {
    const { recording, look = diskSpace } = this.#options
    // Size before space: if there is space afterwards, these bytes were written.
    const length = (await stat(recording).catch(() => null))?.size ?? 0
    const space = await look(folder)
    if (space === null) return pollMs.plenty
    const { free, total } = space
    if (holdsRecording) {
      if (free < agreedBytes) this.#wasScarce = true
      if (free < Math.min(fullBytes, total / 64)) this.#fullFrom ??= this.#whole
      else if (this.#fullFrom === null) this.#whole = length
    }
    // A run that was started with less is stopped at half of it.
    const stopsAt = Math.min(stopBytes, atStart / 2)
    if (free < lowBytes && !this.#isLow) {
      this.#isLow = true
      this.#options.low(
        `The disk ${name} has only ${roomText(free)} left. The run will be stopped at ${roomText(stopsAt)}.`
      )
    }
    // Not at once in a run that was started with less.
    if (free < Math.min(agreedBytes, (3 * atStart) / 4) && !this.#isScarce) {
      this.#isScarce = true
      this.#options.scarce?.(`The disk ${name} has only ${roomText(free)} left. Free some space to go on.`)
    }
    if (free < stopsAt && !this.#isStopped) {
      this.#isStopped = true
      this.#options.stop(`the disk ${name} had less than ${roomText(stopsAt)} left`)
    }
    if (free >= lowBytes) return pollMs.plenty
    return free < 2 * stopBytes ? pollMs.nearlyFull : pollMs.low
  }
}

function roomText(bytes: number): string {
  if (bytes >= 1024 * MB) return `${(bytes / (1024 * MB)).toFixed(0)} GB`
  return bytes >= MB ? `${Math.round(bytes / MB)} MB` : `${Math.round(bytes / 1024)} kB`
}
