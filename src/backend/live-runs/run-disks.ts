import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { diskName, diskSpace, type LookAtDisk } from '../disk-space.ts'
import type { DiskEvidence } from './feed-messages.ts'

const MB = 1 << 20
/** Below so much the person is told. */
const lowBytes = 1024 * MB
/** Below so much a run is started only where the person agrees. */
const agreedBytes = 256 * MB
/** Below so much a run is stopped: what it prints while it ends, and what Playhead writes then, still has to fit. */
const stopBytes = 32 * MB
/** Below so much a disk counts as full; of a small one below a 64th of it. */
const fullBytes = MB

/** How often the disks are looked at, in ms: more often where there is less room. */
const lookMs = { plenty: 1000, low: 100, nearlyFull: 20 }

interface Disk {
  /** A folder on it. */
  readonly folder: string
  readonly name: string
  /** It holds the recording. */
  readonly holdsRecording: boolean
  /** At the start. */
  readonly free: number
}

/** The disks that a run writes to: that of its recording, and that of its folder, which may be the same. */
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

/** Throws 'low-disk', with the disk and what is left on it, where there is so little room that the person has to agree first. */
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
  /** The folder of the run. */
  readonly folder: string
  readonly look?: LookAtDisk | undefined
  /** There is little room; a sentence for people. */
  readonly low: (sentence: string) => void
  /** There is so little that the run has to be stopped; the reason, for people, "the disk /home had less than 32 MB left". */
  readonly stop: (reason: string) => void
}

/** Looks at the disks of a run while it goes on. */
export class RunDisks {
  readonly #options: RunDisksOptions
  #disks: readonly Disk[] = []
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> = Promise.resolve()
  #ended = false
  #isLow = false
  #isStopped = false
  #wasScarce = false
  /** How long the recording was when there was room for it the last time. */
  #whole = 0
  #fullFrom: number | null = null

  constructor(options: RunDisksOptions) {
    this.#options = options
  }

  /** Resolves once it has looked for the first time. */
  async watch(): Promise<void> {
    await this.#findDisks()
    if (!this.#ended) await this.#look()
  }

  /** Nothing of the run is left: looks for the last time. */
  async end(): Promise<DiskEvidence> {
    this.#ended = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await this.#looking
    // A run may be over before it was watched.
    if (this.#disks.length === 0) await this.#findDisks()
    await this.#lookOnce()
    const { recording } = this.#options
    const name = this.#disks.find(({ holdsRecording }) => holdsRecording)?.name ?? (await diskName(dirname(recording)))
    return { disk: name, wasScarce: this.#wasScarce, fullFrom: this.#fullFrom, saidFull: false, notSaved: null }
  }

  async #findDisks(): Promise<void> {
    const { recording, folder, look = diskSpace } = this.#options
    this.#disks = await disksOf(recording, folder, look)
  }

  async #look(): Promise<void> {
    this.#looking = this.#lookOnce().then((wait) => {
      if (this.#ended || this.#disks.length === 0) return
      this.#timer = setTimeout(() => void this.#look(), wait)
      this.#timer.unref()
    })
    await this.#looking
  }

  /** Gives after how many ms to look again. */
  async #lookOnce(): Promise<number> {
    let wait = lookMs.plenty
    for (const disk of this.#disks) wait = Math.min(wait, await this.#lookAt(disk))
    return wait
  }

  async #lookAt({ folder, name, holdsRecording, free: atStart }: Disk): Promise<number> {
    const { recording, look = diskSpace } = this.#options
    // Asked before the room is: where there is room afterwards, there was room for these bytes.
    const length = (await stat(recording).catch(() => null))?.size ?? 0
    const space = await look(folder)
    if (space === null) return lookMs.plenty
    const { free, total } = space
    if (holdsRecording) {
      if (free < agreedBytes) this.#wasScarce = true
      if (free < Math.min(fullBytes, total / 64)) this.#fullFrom ??= this.#whole
      else if (this.#fullFrom === null) this.#whole = length
    }
    // Whoever agreed to start with less has it stopped at half of that.
    const stopsAt = Math.min(stopBytes, atStart / 2)
    if (free < lowBytes && !this.#isLow) {
      this.#isLow = true
      this.#options.low(
        `The disk ${name} has only ${roomText(free)} left. The run will be stopped at ${roomText(stopsAt)}.`
      )
    }
    if (free < stopsAt && !this.#isStopped) {
      this.#isStopped = true
      this.#options.stop(`the disk ${name} had less than ${roomText(stopsAt)} left`)
    }
    if (free >= lowBytes) return lookMs.plenty
    return free < 2 * stopBytes ? lookMs.nearlyFull : lookMs.low
  }
}

function roomText(bytes: number): string {
  if (bytes >= 1024 * MB) return `${(bytes / (1024 * MB)).toFixed(0)} GB`
  return bytes >= MB ? `${Math.round(bytes / MB)} MB` : `${Math.round(bytes / 1024)} kB`
}
