import type { RunStream } from '#core/bridge/run-stream.ts'
import { type CallChange, type LateCall, ToolClock } from '#core/bridge/tool-clock.ts'
import type { GrowingFile } from './growing-file.ts'

/** The clocks of the machine, in ms. */
export interface Clocks {
  /** Never set. */
  readonly now: () => number
  /** Since the epoch, as files have it. */
  readonly wallTime: () => number
}

export const machineClocks: Clocks = { now: () => performance.now(), wallTime: () => Date.now() }

/** Watches how long the calls of a running agent take, from when they are written. */
export class CallWatch {
  readonly #stream: RunStream
  readonly #clocks: Clocks
  readonly #clock = new ToolClock()
  /** All that was printed up to then is read. */
  #readAtMs = -Infinity

  constructor(stream: RunStream, clocks: Clocks) {
    this.#stream = stream
    this.#clocks = clocks
  }

  /** In ms from now; null: no call will be late. */
  get wakeInMs(): number | null {
    const { toolLimitMs } = this.#stream
    const wakeAtMs = toolLimitMs === null ? null : this.#clock.wakeAtMs(toolLimitMs)
    return wakeAtMs === null ? null : Math.max(0, wakeAtMs - this.#clocks.now())
  }

  /** What became different with what was read last, of `file`. */
  async take(changes: readonly CallChange[], file: GrowingFile): Promise<void> {
    if (changes.length === 0) return
    const nowMs = this.#clocks.now()
    // What is read late, as on a busy machine, began when it was written.
    const ageMs = changes.some(({ kind }) => kind === 'started') ? await this.#ageOf(file) : 0
    const begunMs = Math.max(this.#readAtMs, nowMs - ageMs)
    for (const change of changes) this.#clock.take(change, change.kind === 'started' ? begunMs : nowMs)
  }

  /** All that was written at `readAtMs` is read. Returns the calls that are late, each once. */
  late(readAtMs: number): readonly LateCall[] {
    this.#readAtMs = readAtMs
    const { toolLimitMs } = this.#stream
    return toolLimitMs === null ? [] : this.#clock.late(toolLimitMs, this.#clocks.now())
  }

  async #ageOf(file: GrowingFile): Promise<number> {
    const writtenAt = await file.writtenAt()
    return writtenAt === null ? 0 : Math.max(0, this.#clocks.wallTime() - writtenAt)
  }
}
