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
// Limit of models per turn.
const maxModels = 20
/** Limit of notes per session. */
const maxNotes = 10_000

/** Joins pieces: docs/formats/gemini-stream-json.md#pieces-of-an-answer-are-one-text. */
export class StreamFold implements Fold<StreamDecoded> {
  private readonly sequence: EventSequence
  private readonly text: OpenText
  private readonly inPieces: boolean
  private session: string | undefined
  private todos = new SessionTodos()
  /** Task ids by call: a note may precede its call and its session. */
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
      return this.text.drain(time)
    }
    if (step.kind === 'task') this.note(step.note)
    if ((step.kind === 'aside' || step.kind === 'task') && this.text.isOpen) {
      this.text.aside(at, drafts)
      return this.text.drain(time)
    }
    this.text.end()
    this.sequence.begin(at, time, decoded.sessionId)
    return this.text.drain(time, this.step(decoded))
  }

  end(): FoldResult {
    this.text.end()
    return this.text.drain(undefined)
  }

  /** Emits the record's events. Returns issues that need earlier lines. */
  private step({ drafts, step, sessionId }: StreamDecoded): readonly IssueDraft[] {
    switch (step.kind) {
      case 'session':
        // A resumed session has another `init`.
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

  /** A turn states its tokens, since 0.34 by model. */
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

  /** The list of a call precedes its result; a list restored after a refusal follows it. */
  private answered({ id, rejected, madeTask }: ResultStep, drafts: readonly EventDraft[]): readonly IssueDraft[] {
    const [completed] = drafts
    const output = completed?.type === 'tool.completed' ? (completed.output ?? '') : ''
    const outcome = this.todos.result(id, rejected, madeTask ?? this.noted.get(id), output)
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
}
