import type { MissingLogs, RunFile } from '../log-format.ts'
import { KeyedQueue } from './keyed-queue.ts'

/** Which agent a transcript line states. */
export interface Origin {
  /** The call that started the subagent, if stated (`agent_progress`). */
  readonly parentToolUseId: string | undefined
  readonly sidechain: boolean
  readonly agentId: string | undefined
  readonly uuid: string | undefined
  readonly parentUuid: string | undefined
  /** On a subagent's first line: the hash of its prompt. */
  readonly promptHash: number | undefined
}

/** Tracks by call, which never change: docs/formats/claude-transcript.md#a-subagents-track-is-its-call. */
export class SubagentTracks {
  /** Unassigned calls, by the hash of their prompt. */
  private readonly unclaimed = new KeyedQueue<number, string>()
  private readonly byAgent = new Map<string, string>()
  private readonly byUuid = new Map<string, string>()
  private readonly byFile = new Map<string, string>()
  private lastInline: string | undefined
  /** Agents with lines in the run, except copies in the session's own log (`agent_progress`). */
  private readonly logged = new Set<string>()
  /** Agents named by results, without lines. Up to 1.0 agents have neither ids nor logs. */
  private readonly unlogged = new Set<string>()
  /** Calls without a result and without an agent's lines. */
  private readonly open = new Set<string>()

  constructor(files: readonly RunFile[]) {
    for (const { name, callId } of files) {
      if (callId !== undefined) this.byFile.set(name, callId)
      this.logged.add(agentOf(name))
    }
  }

  get missing(): MissingLogs {
    let perhaps = false
    const known = new Set(this.byFile.values())
    for (const call of this.open) perhaps ||= !known.has(call)
    return { named: this.unlogged.size, perhaps }
  }

  call(id: string, promptHash: number | undefined): void {
    this.open.add(id)
    if (promptHash !== undefined) this.unclaimed.push(promptHash, id)
  }

  /** A result, which may name its agent. */
  result(callId: string, agentId: string | undefined): void {
    this.open.delete(callId)
    if (agentId === undefined) return
    if (!this.logged.has(agentId)) this.unlogged.add(agentId)
    this.assign(callId, agentId)
  }

  private assign(callId: string, agentId: string): void {
    if (!this.byAgent.has(agentId)) this.byAgent.set(agentId, callId)
  }

  /** Undefined for the main agent. */
  trackOf(origin: Origin, file: string | undefined): string | undefined {
    if (file !== undefined) return this.fileTrack(file, origin)
    if (origin.parentToolUseId !== undefined) {
      if (origin.agentId !== undefined) this.assign(origin.parentToolUseId, origin.agentId)
      return origin.parentToolUseId
    }
    if (!origin.sidechain) return undefined
    if (origin.agentId !== undefined) this.log(origin.agentId)
    return origin.agentId === undefined ? this.inlineTrack(origin) : this.agentTrack(origin.agentId, origin)
  }

  /** All lines of a subagent's file belong to it, also bookkeeping lines that name no agent. */
  private fileTrack(file: string, origin: Origin): string {
    const known = this.byFile.get(file)
    if (known !== undefined) {
      if (origin.agentId !== undefined) this.assign(known, origin.agentId)
      return known
    }
    const agentId = origin.agentId ?? agentOf(file)
    const track = this.agentTrack(agentId, origin)
    this.byFile.set(file, track)
    return track
  }

  private agentTrack(agentId: string, origin: Origin): string {
    const known = this.byAgent.get(agentId)
    if (known !== undefined) return known
    const track = this.claim(origin.promptHash) ?? agentId
    this.byAgent.set(agentId, track)
    return track
  }

  private inlineTrack({ uuid, parentUuid, promptHash }: Origin): string {
    const inherited = parentUuid === undefined ? undefined : (this.byUuid.get(parentUuid) ?? this.lastInline)
    const track = inherited ?? this.claim(promptHash) ?? uuid ?? 'sidechain'
    if (uuid !== undefined) this.byUuid.set(uuid, track)
    this.lastInline = track
    return track
  }

  /** The earliest unassigned call with this prompt. */
  private claim(promptHash: number | undefined): string | undefined {
    const call = promptHash === undefined ? undefined : this.unclaimed.shift(promptHash)
    if (call !== undefined) this.open.delete(call)
    return call
  }

  private log(agentId: string): void {
    this.logged.add(agentId)
    this.unlogged.delete(agentId)
  }
}

/** The agent of a file, by its name. */
function agentOf(file: string): string {
  return /agent-([^/]+)\.jsonl$/.exec(file)?.[1] ?? file
}
