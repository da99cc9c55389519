import type { MissingLogs, RunFile } from '../log-format.ts'
import type { SessionStep } from './rollout-decoded.ts'

/**
 * Which call of `spawn_agent` the rollout of a subagent belongs to: docs/formats/codex-rollout.md#a-threads-track-is-its-spawn-call.
 * Once given, a track stays.
 */
export class ThreadTracks {
  private readonly byFile = new Map<string, string>()
  /** Call ids by the id or the path of the thread. */
  private readonly byThread = new Map<string, string>()
  /** Calls whose rollout is not known, in order: the name of the task by the id of the call. */
  private readonly unclaimed = new Map<string, string | undefined>()
  /** Calls that have a result. */
  private readonly answered = new Set<string>()

  constructor(files: readonly RunFile[]) {
    for (const { name, callId } of files) if (callId !== undefined) this.byFile.set(name, callId)
  }

  /** A subagent is asked for. */
  spawned(id: string, taskName: string | undefined): void {
    this.unclaimed.set(id, taskName)
  }

  /** A call of `spawn_agent` has its result: where that names no thread, none was started. */
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

  /** Some record says which thread works on a call. */
  linked(callId: string, thread: string): void {
    this.byThread.set(thread, callId)
  }

  /** Whether a call asked for a subagent whose rollout is not known. */
  isSpawn(callId: string): boolean {
    return this.unclaimed.has(callId)
  }

  /** The track of a subagent's file, given the head of its session if it has one. */
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
