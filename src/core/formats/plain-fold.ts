import { dropOldest } from '../drop-oldest.ts'
import type { TurnCompleted } from '../events/agent-event.ts'
import type { StateClass } from '../state/saved-state.ts'
import type { TokenNote } from '../requests/request-note.ts'
import { readsTodos, todoWords } from './agents.ts'
import { EventSequence } from './event-sequence.ts'
import type { EventDraft, Fold, FoldContext, FoldResult, LinePosition, LineStart } from './log-format.ts'
import type { PlainDecoded, PlainStep, TreeNode } from './plain-record.ts'
import { textHash } from './text-hash.ts'
import { type TodoCall, WrittenList } from './written-list.ts'

/** Limits of what is remembered. A log with more open calls or tracks is damaged. */
const mostTodoCalls = 100
const mostTracks = 1000
/** Texts and calls that may be said again. */
const mostSaid = 50
/** Records of the current branch that may be abandoned; with twice as many the older half is forgotten. */
const mostNodes = 20_000

/** A record of a branch. */
interface BranchNode extends LineStart {
  readonly id: string
}

type ResultStep = PlainStep & { readonly kind: 'result' }

/** Puts plain records in order: todo lists, repeated texts, branches that were left. */
export class PlainFold implements Fold<PlainDecoded> {
  private readonly sequence: EventSequence
  /** By track; '' is the main one. */
  private readonly lists = new Map<string, WrittenList>()
  /** Calls that write or read a list. */
  private readonly todoCalls = new Map<string, TodoCall>()
  /** Hashes of the last texts and ids of calls. */
  private said: number[] = []
  /** The current branch, oldest first, with records whose id came again. A list, as a branch is left from its end. */
  private branch: BranchNode[] = []
  /** Its records by id, the last one of an id. */
  private readonly nodes = new Map<string, BranchNode>()
  private tip: string | undefined
  private scopes = 0
  private ended: TurnCompleted | null = null
  private model: string | undefined

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
  }

  add(at: LinePosition, { drafts, steps, time, sessionId, node, newScope }: PlainDecoded): FoldResult {
    if (newScope === true) this.sequence.idScope = String(++this.scopes)
    this.sequence.begin(at, time, sessionId)
    if (node !== undefined) this.follow(node, at)
    let current = time
    for (const step of steps) {
      const next = step.time ?? time
      if (next !== current) this.sequence.begin(at, next, undefined)
      current = next
      this.step(step, drafts)
    }
    if (current !== time) this.sequence.begin(at, time, undefined)
    return this.sequence.drain(steps[0]?.track)
  }

  end(): FoldResult {
    if (this.ended !== null) {
      this.sequence.begin(this.sequence.here, undefined, undefined)
      this.sequence.emit(this.ended, -1, undefined)
      this.ended = null
    }
    return this.sequence.drain()
  }

  private step(step: PlainStep, drafts: readonly EventDraft[]): void {
    if (step.kind === 'note') return this.note(step.note)
    if (step.kind === 'model') {
      this.model = step.model
      return
    }
    if (step.kind === 'last') {
      this.ended = step.ended
      return
    }
    const draft = drafts[step.body]
    if (draft === undefined) return
    switch (step.kind) {
      case 'emit':
        if (this.isRepeated(draft) && step.repeats === true) return
        if (draft.type === 'tool.started' && readsTodos(draft.toolName)) {
          this.listOf(step.track).read(draft.toolId)
          this.addCall(draft.toolId, { toolName: draft.toolName, writes: false })
        }
        return this.sequence.emit(draft, step.body, step.track)
      case 'list':
        this.sequence.called(step.id)
        this.listOf(step.track).call(step.id, step.items)
        this.addCall(step.id, { toolName: step.toolName, writes: true })
        return this.sequence.emit(draft, step.body, step.track)
      case 'standing':
        if (this.listOf(step.track).stand(step.items)) this.sequence.emit(draft, step.body, step.track)
        return
      case 'result': {
        const call = this.todoCalls.get(step.id)
        const isOpen = call !== undefined && call.isAnswered !== true
        const toolName = isOpen && call.writes ? call.toolName : undefined
        this.sequence.emit(draft, step.body, step.track, { toolName })
        if (isOpen || (call === undefined && step.stated !== undefined)) this.settle(step, call, drafts)
      }
    }
  }

  private note(note: TokenNote): void {
    const isUnnamed = note.about === 'request' && note.model === undefined && note.trackId === undefined
    this.sequence.note(isUnnamed ? { ...note, model: this.model } : note)
  }

  private addCall(id: string, call: TodoCall): void {
    this.todoCalls.set(id, call)
    dropOldest(this.todoCalls, this.todoCalls.size - mostTodoCalls)
  }

  /**
   * A refusal brings back the list before (docs/formats/README.md#a-refused-call-changes-nothing), and what a result
   * states is the list (docs/formats/README.md#a-stated-list-is-the-list).
   */
  private settle(step: ResultStep, call: TodoCall | undefined, drafts: readonly EventDraft[]): void {
    const { id, failed, track, stated } = step
    this.addCall(id, { toolName: '', writes: false, ...call, isAnswered: true })
    const words =
      call === undefined || stated !== undefined ? null : todoWords(call.toolName, outputOf(drafts[step.body]))
    const list = stated?.items ?? (words === 'former' ? null : words)
    const items = this.listOf(track).settle(id, failed || words === 'former', list)
    // A refused call that reads changed nothing.
    if (items === null || (items !== list && call?.writes !== true)) return
    const body = stated?.items === items ? stated.body : -1
    this.sequence.emit(drafts[body] ?? { type: 'todo_list', todoId: id, items }, body, track)
  }

  private listOf(track = ''): WrittenList {
    const known = this.lists.get(track)
    if (known !== undefined) return known
    const list = new WrittenList()
    this.lists.set(track, list)
    dropOldest(this.lists, this.lists.size - mostTracks)
    return list
  }

  /** Whether it is one of the last texts or calls; it is from now on. */
  private isRepeated(draft: EventDraft): boolean {
    if (draft.type !== 'text' && draft.type !== 'tool.started') return false
    const hash = textHash(draft.type === 'text' ? draft.text : draft.toolId)
    if (this.said.includes(hash)) return true
    this.said.push(hash)
    if (this.said.length > mostSaid) this.said.shift()
    return false
  }

  /** A record whose parent is not the last one leaves what came after its parent. */
  private follow({ id, parent }: TreeNode, { file, offset }: LinePosition): void {
    if (parent !== undefined && parent !== this.tip && this.nodes.has(parent)) {
      for (let last = this.branch.at(-1); last !== undefined; last = this.branch.at(-1)) {
        const isKnown = this.nodes.get(last.id) === last
        if (isKnown && last.id === parent) break
        this.branch.pop()
        if (!isKnown) continue
        this.sequence.mark(last, 'abandoned')
        this.nodes.delete(last.id)
      }
    }
    this.tip = id
    const node = file === undefined ? { id, offset } : { id, file, offset }
    this.nodes.set(id, node)
    this.branch.push(node)
    if (this.branch.length >= 2 * mostNodes) this.forgetOldest()
  }

  /** In bulk, as to forget one record costs a search for the oldest. */
  private forgetOldest(): void {
    for (const node of this.branch.splice(0, mostNodes)) {
      if (this.nodes.get(node.id) === node) this.nodes.delete(node.id)
    }
  }
}

function outputOf(draft: EventDraft | undefined): string {
  return draft?.type === 'tool.completed' ? (draft.output ?? '') : ''
}

/** All classes in its state. */
export const plainStateClasses: readonly StateClass[] = [PlainFold, EventSequence, WrittenList]
