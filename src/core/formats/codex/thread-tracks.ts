import type { MissingLogs, RunFile } from '../log-format.ts'
import type { SessionStep } from './rollout-decoded.ts'

/** Tracks by call, which never change: docs/formats/codex-rollout.md#a-threads-track-is-its-spawn-call. */
export class ThreadTracks {
  private readonly byFile = new Map<string, string>()
  /** Call ids by thread id or path. */
  private readonly byThread = new Map<string, string>()
  /** Calls without a rollout, in order: task name by call id. */
  private readonly unclaimed = new Map<string, string | undefined>()
  private readonly answered = new Set<string>()

  constructor(files: readonly RunFile[]) {
    for (const { name, callId } of files) if (callId !== undefined) this.byFile.set(name, callId)
  }

  /** Adds a call. */
  addSpawn(id: string, taskName: string | undefined): void {
    this.unclaimed.set(id, taskName)
  }

  /** Adds a result. If it names no thread, none was started. */
  result(id: string): void {
    this.answered.add(id)
  }

  get missing(): MissingLogs {
    const linked = new Set(this.byThread.values())
    let named = 0
    let perhaps = false
    for (const id of this.unclaimed.keys()) {
      if (linked.has(id)) named += 1
      else perhaps ||= !this.answered.has(id)
    }
    return { named, perhaps }
  }

  /** Links a call to its thread. */
  link(callId: string, thread: string): void {
    this.byThread.set(thread, callId)
  }

  /** Whether a call has no rollout so far. */
  isSpawn(callId: string): boolean {
    return this.unclaimed.has(callId)
  }

  /** The track of a subagent's file. `session`: its header, if any. */
  trackOf(file: string, session: SessionStep | undefined): string {
    const { id = '', agentPath } = session ?? {}
    const known = this.byFile.get(file) ?? this.byThread.get(id) ?? this.byThread.get(agentPath ?? '')
    const track = known ?? this.candidate(agentPath) ?? (id === '' ? file : id)
    this.unclaimed.delete(track)
    return track
  }

  private candidate(agentPath: string | undefined): string | undefined {
    const name = agentPath?.slice(agentPath.lastIndexOf('/') + 1)
    let first: string | undefined
    for (const [id, taskName] of this.unclaimed) {
      if (taskName !== undefined && taskName === name) return id
      if (taskName === undefined || name === undefined) first ??= id
    }
    return first
  }
}
