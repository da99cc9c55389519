import { isJsonObject, type JsonObject, objectAt } from '../../json.ts'
import { addTokens, tokenCategories, type Tokens, tokensOf } from '../../requests/tokens.ts'
import { EventSequence } from '../event-sequence.ts'
import type { IssueDraft } from '../issue.ts'
import type { EventDraft, Fold, FoldContext, FoldResult, LinePosition } from '../log-format.ts'
import { OpenText } from '../open-text.ts'
import { SessionTodos } from './session-todos.ts'
import type { StreamDecoded, StreamStep } from './stream-decoded.ts'
import type { TaskNote } from './tracker.ts'

type ResultStep = Extract<StreamStep, { kind: 'result' }>

const noIssues: readonly IssueDraft[] = []
// More than anybody asks in one turn.
const maxModels = 20
/** As many as are noted of a session. */
const maxNotes = 10_000

/** Joins the pieces of what the model says (docs/formats/gemini-stream-json.md#pieces-of-an-answer-are-one-text); follows the todo lists of each session. */
export class StreamFold implements Fold<StreamDecoded> {
  private readonly sequence: EventSequence
  private readonly text: OpenText
  private readonly inPieces: boolean
  private session: string | undefined
  private todos = new SessionTodos()
  /** Ids of tasks by the calls that make them: a note may come before its call, and before its session. */
  private readonly noted = new Map<string, string>()

  constructor(context: FoldContext) {
    this.sequence = new EventSequence(context)
    this.text = new OpenText(this.sequence)
    this.inPieces = context.inPieces ?? false
  }

  add(at: LinePosition, decoded: StreamDecoded): FoldResult {
    const { step, drafts, time } = decoded
    const [draft] = drafts
    if (step.kind === 'piece' && draft?.type === 'text' && !this.inPieces) {
      this.text.piece(at, time, draft)
      return this.result(noIssues, time)
    }
    if (step.kind === 'task') this.note(step.note)
    if ((step.kind === 'aside' || step.kind === 'task') && this.text.isOpen) {
      this.text.aside(at, drafts)
      return this.result(noIssues, time)
    }
    this.text.end()
    this.sequence.begin(at, time, decoded.sessionId)
    return this.result(this.step(decoded), time)
  }

  end(): FoldResult {
    this.text.end()
    return this.result(noIssues, undefined)
  }

  /** Gives the record's events. What it gives back are issues that only the lines before could tell. */
  private step({ drafts, step, sessionId }: StreamDecoded): readonly IssueDraft[] {
    switch (step.kind) {
      case 'session':
        // A process that resumes a session says `init` again.
        if (sessionId !== undefined && sessionId === this.session) return noIssues
        this.session = sessionId
        this.todos = new SessionTodos()
        break
      case 'call':
        this.todos.ordinary(step.id)
        break
      case 'write':
        this.todos.write(step.id, step.toolName, step.items)
        this.sequence.called(step.id)
        break
      case 'track':
        this.todos.track(step.id, step.toolName, step.call)
        this.sequence.called(step.id)
        break
      case 'result':
        return this.answered(step, drafts)
      case 'end':
        if (step.stats !== undefined) this.noteTurn(step.stats)
        break
    }
    for (const [body, draft] of drafts.entries()) this.sequence.emit(draft, body, undefined)
    return noIssues
  }

  private note(note: TaskNote): void {
    if (this.noted.size < maxNotes) this.noted.set(note.toolId, note.taskId)
    this.todos.made(note)
  }

  /** A turn states what it took in all, and since 0.34 by model. */
  private noteTurn(stats: JsonObject): void {
    const models = Object.entries(objectAt(stats, 'models') ?? {}).slice(0, maxModels)
    const byModel = models.flatMap(([model, used]) => (isJsonObject(used) ? [{ model, tokens: tokensOf(used) }] : []))
    const whole = tokensOf(stats)
    const known = byModel.reduce<Tokens>((sum, { tokens }) => addTokens(sum, tokens), {})
    const agree = tokenCategories.every((category) => (known[category] ?? 0) === (whole[category] ?? 0))
    for (const { model, tokens } of agree ? byModel : [{ model: byModel[0]?.model, tokens: whole }]) {
      this.sequence.note({ about: 'turn', trackId: undefined, model, tokens })
    }
  }

  /** A list that the call has made comes before its result; one that a refused call leaves comes after it. */
  private answered({ id, rejected, madeTask }: ResultStep, drafts: readonly EventDraft[]): readonly IssueDraft[] {
    const outcome = this.todos.result(id, rejected, madeTask ?? this.noted.get(id))
    const list = (): void => {
      const items = outcome?.items ?? null
      if (items !== null) this.sequence.emit({ type: 'todo_list', todoId: id, items }, -1, undefined)
    }
    if (!rejected) list()
    for (const [body, draft] of drafts.entries()) {
      this.sequence.emit(draft, body, undefined, { toolName: outcome?.toolName })
    }
    if (rejected) list()
    return outcome === null || outcome.issue === null ? noIssues : [outcome.issue]
  }

  private result(issues: readonly IssueDraft[], timestamp: number | undefined): FoldResult {
    const { events, tokens } = this.sequence.drain()
    const result: FoldResult = { events, issues, timestamp, ...(tokens && { tokens }) }
    return this.text.isOpen ? { ...result, held: true } : result
  }
}
