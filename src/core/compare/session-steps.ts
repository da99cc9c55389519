import type { AgentEvent } from '../events/agent-event.ts'
import type { TodoItem } from '../events/todo.ts'
import { scriptCalls } from '../formats/agents.ts'
import { wholeTextHash } from '../formats/text-hash.ts'
import { isFailedCall } from '../index/failed-call.ts'
import { rowKindOf } from '../index/row-kind.ts'
import type { RowMark } from '../formats/log-format.ts'
import { toolOutput } from '../index/tool-output.ts'
import { toolSummary } from '../index/tool-summary.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import type { Edit, FileEdit } from '../tools/file-edits.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { toolUse } from '../tools/tool-use.ts'
import type { TouchedFiles } from './common-folder.ts'
import type { ComparedSession } from './compare-sessions.ts'
import { NormalText } from './normal-text.ts'
import { maxTarget, type Step, type TrackSteps } from './step.ts'

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type OpenStep = Mutable<Step>

/** Files of one call that are compared. */
const maxParts = 100
/** Files by which the folder of a session is found. */
const maxTouched = 2000
/** Targets that are kept to have each only once. */
const maxKnown = 20_000
/** Events that are named for a file. */
const maxFileEvents = 100

/** Collects the steps of a session, event by event in log order. */
export class SessionSteps {
  /** Of the folder that is given, else of the first one that the session states, which is in its first events. */
  text: NormalText
  private readonly tracks = new Map<string | null, Track>()
  /** By call: its event. */
  private readonly starts = new Map<string, number>()
  private readonly isGiven: boolean
  private stated: string | null = null
  private readonly paths = new Set<string>()
  private readonly targets = new Map<string, string>()
  /** What agents print at the end of a session, mostly once more. */
  private endText: Answer | null = null

  /** `folder`: where the session worked; null: as its log states. */
  constructor(folder: string | null = null) {
    this.isGiven = folder !== null
    this.text = new NormalText(folder)
  }

  /** `markOf`: why an event is no part of the conversation, such as a copy in a fork; null for others. */
  session(markOf: (seq: number) => RowMark | null): ComparedSession {
    const all = [...this.tracks].map(([trackId, { steps }]): TrackSteps => {
      const own = steps.filter(({ seq }) => markOf(seq) === null)
      const first = own[0]?.seq ?? Infinity
      const history = steps.filter(({ seq }) => seq < first && markOf(seq) === 'duplicate')
      return { trackId, history: inOrder(history), steps: inOrder(own) }
    })
    const filled = all.filter(({ steps }) => steps.length > 0)
    // Subagents by their first event. A log of a subagent alone has it as main agent.
    const tracks = filled.toSorted((a, b) => Number(a.trackId !== null) - Number(b.trackId !== null))
    const starts = tracks.flatMap(({ trackId }): [string, number][] => {
      // A subagent's track has the id of the call that started it.
      const start = this.starts.get(trackId ?? '')
      return trackId === null || start === undefined ? [] : [[trackId, start]]
    })
    return { tracks, starts: new Map(starts) }
  }

  /** What is known of the session's folder. */
  get touched(): TouchedFiles {
    return { stated: this.stated, paths: this.paths }
  }

  /** By target of a step: the events that changed the file, in order, without failed ones. */
  changes({ tracks }: ComparedSession): ReadonlyMap<string, readonly number[]> {
    const events = new Map<string, number[]>()
    for (const { steps } of tracks) {
      for (const { tool, target, outcome, seq } of steps) {
        if (!changingTools.has(tool) || outcome === 'failed') continue
        const known = events.get(target)
        if (known === undefined) events.set(target, [seq])
        else if (known.length < maxFileEvents && !known.includes(seq)) known.push(seq)
      }
    }
    // Those of subagents come after the main agent's.
    for (const seqs of events.values()) seqs.sort((one, other) => one - other)
    return events
  }

  /** The last thing the main agent said; null: nothing. */
  lastAnswer({ tracks }: ComparedSession): Answer | null {
    const last = tracks[0]?.steps.findLast(({ kind }) => kind === 'text')
    return last === undefined ? this.endText : { seq: last.seq, hash: last.hash }
  }

  add(event: AgentEvent, seq: number): void {
    const { trackId = null } = event
    if (event.type === 'session.started' && event.cwd !== undefined && this.stated === null) {
      this.stated = event.cwd
      if (!this.isGiven) this.text = new NormalText(event.cwd)
    }
    let track = this.tracks.get(trackId)
    if (track === undefined) this.tracks.set(trackId, (track = { steps: [], open: new Map(), batch: 0 }))
    switch (event.type) {
      case 'tool.started':
        this.call(track, event.toolId, this.acts(event.toolName, event.input), seq)
        break
      case 'tool.completed':
        this.result(track, event)
        break
      default: {
        if (event.type === 'text' && rowKindOf(event) === 'result-text' && event.text.trim() !== '') {
          this.endText = { seq, hash: this.of('text', '', '', event.text.trim()).hash }
        }
        const act = this.act(event)
        if (act === null) break
        const { length: place } = track.steps
        track.steps.push({ seq, place, outcome: null, resultHash: null, batch: ++track.batch, ...act })
      }
    }
  }

  private call(track: Track, id: string, acts: readonly Act[], seq: number): void {
    const { batch } = track
    const { length } = track.steps
    const steps = acts.map((act, i) => ({
      ...{ ...act, seq, place: length + i, batch },
      ...{ outcome: 'open' as const, resultHash: null }
    }))
    track.steps.push(...steps)
    track.open.set(id, steps)
    this.starts.set(id, seq)
  }

  private result(track: Track, event: AgentEvent & { type: 'tool.completed' }): void {
    const steps = track.open.get(event.toolId)
    if (steps === undefined) return
    // What follows a result is no longer in parallel to its call. A later result of the call replaces this one.
    track.batch++
    const text = event.error ?? toolOutput(event.output ?? '').body
    const result = wholeTextHash(this.text.of(text).trim())
    for (const step of steps) {
      step.outcome = isFailedCall(event) ? 'failed' : 'ok'
      step.resultHash = result
    }
  }

  /** Null: no step. */
  private act(event: AgentEvent): Act | null {
    switch (event.type) {
      case 'todo_list':
        return this.of('todos', '', todosTarget(event.items), todosText(event.items))
      case 'turn.completed':
        return this.of('turn', '', event.finishReason, event.finishReason)
      case 'error':
        return this.of('error', '', event.error, event.error)
      case 'text': {
        const kind = rowKindOf(event)
        if (kind === 'prompt') return this.of('prompt', '', event.text, event.text.trim())
        return kind === 'assistant' ? this.of('text', '', event.text, event.text.trim()) : null
      }
      default:
        return null
    }
  }

  private of(kind: Step['kind'], tool: string, target: string, whole: string): Act {
    const about = this.text
      .of(target.slice(0, 4 * maxTarget))
      .replace(/\s+/g, ' ')
      .slice(0, maxTarget)
    return {
      kind,
      tool,
      target: this.own(about),
      file: null,
      hash: wholeTextHash(`${kind} ${tool} ${this.text.of(whole)}`)
    }
  }

  /** What a call does, in words that all agents share. */
  private acts(name: string, input: JsonObject): readonly Act[] {
    const use = toolUse(name, input)
    const kind = toolKind(name)
    switch (use.what) {
      case 'edits':
        return use.files.slice(0, maxParts).map((file) => this.edit(file))
      case 'command': {
        const command = this.text.command(use.command.text)
        return [this.normal(kind ?? 'shell', command, command)]
      }
      case 'script': {
        const calls = scriptCalls(use.script.text)
        if (calls?.calls === 1) return this.acts(calls.tool, calls.input)
        return [this.of('call', kind ?? name, use.script.text, use.script.text)]
      }
      case 'read': {
        const path = this.path(use.path)
        const act = `${path} ${use.first} ${String(input['limit'] ?? input['end_line'] ?? '')}`
        return [{ ...this.normal('read', path, act), file: this.own(path) }]
      }
      case 'agent':
        return [this.of('call', 'agent', use.prompt.text, use.prompt.text)]
      case 'plan':
      case 'other':
        return [this.of('call', kind ?? name, toolSummary(input).text, sortedJson(input, 0))]
    }
  }

  private edit({ path, kind, movedTo, edits }: FileEdit): Act {
    const target = this.path(path)
    const isWhole = edits.length > 0 && edits.every((edit) => edit.kind === 'whole')
    const tool =
      kind === 'deleted' ? 'delete' : kind === 'created' || (kind === 'written' && isWhole) ? 'write' : 'edit'
    const act = [target, movedTo ?? '', ...edits.flatMap(editTexts)].map((text) => this.text.of(text)).join('\n\0')
    return { ...this.normal(tool, target, act), file: this.own(target) }
  }

  /** Of texts that are normalized already. */
  private normal(tool: string, target: string, act: string): Act {
    return {
      ...{ kind: 'call', tool, target: this.own(target.slice(0, maxTarget)), file: null },
      hash: wholeTextHash(`call ${tool} ${act}`)
    }
  }

  private path(path: string): string {
    if (this.paths.size < maxTouched && path.length <= maxTarget) this.paths.add(path)
    return this.text.path(path)
  }

  /** The same text once, without the line of the log that it is a part of. */
  private own(text: string): string {
    const known = this.targets.get(text)
    if (known !== undefined) return known
    // Joining and splitting copies it: a part keeps the whole text in memory.
    const copy = text.split('').join('')
    if (this.targets.size >= maxKnown) this.targets.clear()
    this.targets.set(copy, copy)
    return copy
  }
}

/** Tools of a step that change a file. */
const changingTools: ReadonlySet<string> = new Set(['write', 'edit', 'delete'])

/** Something an agent said: its event and a hash of its normalized words. */
export interface Answer {
  readonly seq: number
  readonly hash: number
}

type Act = Pick<Step, 'kind' | 'tool' | 'target' | 'file' | 'hash'>

interface Track {
  /** `batch`: calls with the same number ran in parallel: none of them had a result when the others began. */
  readonly steps: (OpenStep & { readonly batch: number })[]
  readonly open: Map<string, readonly OpenStep[]>
  batch: number
}

/** Parallel calls have no order of their own, so they get one that is the same in every session. */
function inOrder(steps: readonly (OpenStep & { readonly batch: number })[]): readonly Step[] {
  return steps.toSorted(
    (a, b) =>
      a.batch - b.batch ||
      compareTexts(a.tool, b.tool) ||
      compareTexts(a.target, b.target) ||
      a.hash - b.hash ||
      a.place - b.place
  )
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** "2 of 5 done: Write tests" and the other items. */
function todosTarget(items: readonly TodoItem[]): string {
  const done = items.filter(({ status }) => status === 'completed').length
  const [doing, others] = [items.filter(isInProgress), items.filter((item) => !isInProgress(item))]
  return `${done} of ${items.length} done: ${[...doing, ...others].map(({ text }) => text).join('; ')}`
}

function isInProgress({ status }: TodoItem): boolean {
  return status === 'in_progress'
}

function todosText(items: readonly TodoItem[]): string {
  return items.map(({ text, status }) => `${status} ${text}`).join('\n')
}

function editTexts(edit: Edit): readonly string[] {
  if (edit.kind === 'replace') return [edit.before.text, edit.after.text, String(edit.all)]
  return [edit.kind === 'whole' ? edit.text.text : edit.patch.text]
}

/** JSON with the members of each object in alphabetical order. */
function sortedJson(value: JsonValue | undefined, depth: number): string {
  if (depth > 100) return ''
  if (Array.isArray(value)) return `[${value.map((each) => sortedJson(each, depth + 1)).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value) ?? ''
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${sortedJson(value[key], depth + 1)}`)
  return `{${members.join(',')}}`
}
