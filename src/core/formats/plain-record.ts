import type { ZodType } from 'zod'
import type { TurnCompleted } from '../events/agent-event.ts'
import type { TodoItem } from '../events/todo.ts'
import { isFiniteNumber, isJsonObject, type JsonObject, type JsonValue, stringAt } from '../json.ts'
import { tokenCategories, type Tokens } from '../requests/tokens.ts'
import type { TokenNote } from '../requests/request-note.ts'
import type { Agent } from './agent.ts'
import { instantOf } from './instant.ts'
import { type IssueDraft, unknownType } from './issue.ts'
import { callInput, jsonText } from './json-depth.ts'
import { parseJson } from './json-text.ts'
import type { Decoded, EventDraft, LinePosition } from './log-format.ts'
import { lineId } from './log-format.ts'
import { malformedDrafts } from './malformed.ts'
import { RecordBuilder } from './record-builder.ts'
import { requiredIssues } from './required.ts'
import type { StatedDuration } from './stated-amounts.ts'
import { toolCompleted } from './tool-completed.ts'

interface StatedList {
  readonly body: number
  readonly items: readonly TodoItem[]
}

/** Where and when a step happens. */
interface Happening {
  /** Absent: the record's. */
  readonly time?: number | undefined
  readonly track?: string | undefined
}

/** What a record says, in order. `body` is an index into `drafts`. */
export type PlainStep = Happening &
  (
    | {
        readonly kind: 'emit'
        readonly body: number
        /** The log may have said the same text, or made the same call, a moment before. */
        readonly repeats?: true
      }
    /** A call that writes the todo list. */
    | {
        readonly kind: 'list'
        readonly body: number
        readonly id: string
        readonly toolName: string
        readonly items: readonly TodoItem[]
      }
    /** The list as it stands, whoever wrote it. */
    | { readonly kind: 'standing'; readonly body: number; readonly items: readonly TodoItem[] }
    | {
        readonly kind: 'result'
        readonly body: number
        readonly id: string
        readonly failed: boolean
        /** What it says that the list is. */
        readonly stated?: StatedList | undefined
      }
    | { readonly kind: 'note'; readonly note: TokenNote }
    /** The model of the main agent's requests from here on, where they do not name theirs. */
    | { readonly kind: 'model'; readonly model: string }
    /** How the run ended, which may be stated before its steps. */
    | { readonly kind: 'last'; readonly ended: TurnCompleted }
  )

/** The record's place in a tree of records. */
export interface TreeNode {
  readonly id: string
  readonly parent: string | undefined
}

/** A record that says all it means by itself: `PlainFold` only puts such records in order. */
export interface PlainDecoded extends Decoded {
  readonly steps: readonly PlainStep[]
  readonly sessionId?: string | undefined
  readonly node?: TreeNode | undefined
  /** Ids of calls count from here on anew. */
  readonly newScope?: boolean | undefined
}

type Category = 'assistant-message' | 'user-message' | 'reasoning' | 'result' | 'status'

const roles = {
  'assistant-message': 'assistant',
  'user-message': 'user',
  reasoning: 'assistant',
  result: 'assistant',
  status: 'system'
} as const satisfies Record<Category, string>

/** Collects what a record says. */
export class PlainBuilder extends RecordBuilder {
  readonly steps: PlainStep[] = []
  /** Of the steps that follow, where the record has several times or tracks. */
  time: number | undefined
  track: string | undefined
  readonly #agent: Agent
  readonly #at: LinePosition
  #calls = 0

  constructor(agent: Agent, at: LinePosition) {
    super()
    this.#agent = agent
    this.#at = at
  }

  /** Adds an event. */
  emit(draft: EventDraft, repeats?: true): void {
    const body = this.draft(draft)
    this.#add(repeats === undefined ? { kind: 'emit', body } : { kind: 'emit', body, repeats })
  }

  /** Adds a text, unless it is blank. `repeats`: as in `PlainStep`. */
  say(category: Category, text: string | undefined, repeats?: true): void {
    if (text === undefined || text.trim() === '') return
    this.emit({ type: 'text', text, role: roles[category], category }, repeats)
  }

  /** An id for a call without one. */
  newId(): string {
    return lineId(this.#at.line, this.#calls++)
  }

  /** Adds a call, or the list that it writes. `input`: an object, or its JSON in a text. `repeats`: as in `PlainStep`. */
  call(id: string, toolName: string, input: JsonValue | undefined, path: string, repeats?: true): void {
    const given = inputOf(input)
    const items = this.#agent.todoItems?.(toolName, given) ?? null
    if (items !== null) return this.list(id, toolName, items)
    this.emit({ type: 'tool.started', toolName, toolId: id, input: callInput(given, path, this.issues) }, repeats)
  }

  /** Adds a todo list that a call writes, or that stands by itself. */
  list(id: string, toolName: string, items: readonly TodoItem[]): void {
    this.#add({ kind: 'list', body: this.draft({ type: 'todo_list', todoId: id, items }), id, toolName, items })
  }

  /** Adds the list as it stands: an event only if it is another than the last one. */
  standing(items: readonly TodoItem[]): void {
    this.#add({ kind: 'standing', body: this.draft({ type: 'todo_list', todoId: this.newId(), items }), items })
  }

  /** Adds a result. `list`: the todo list that it states beside its text. */
  result(id: string, failed: boolean, text: string, duration?: StatedDuration, list?: readonly TodoItem[]): void {
    const said = failed && text === '' ? 'failed; the log does not say why' : text
    const body = this.draft(toolCompleted(id, failed, said, duration))
    const stated = list && { body: this.draft({ type: 'todo_list', todoId: id, items: list }), items: list }
    this.#add({ kind: 'result', body, id, failed, ...(stated && { stated }) })
  }

  /** Adds what a request to the model took. `key`: unique to the request in the log. `costUsd`: as the log states it. */
  tokens(key: string, model: string | undefined, tokens: Tokens, costUsd?: number): void {
    if (costUsd === undefined && tokenCategories.every((category) => tokens[category] === undefined)) return
    this.note({ about: 'request', key, trackId: this.track, model, tokens, ...(costUsd !== undefined && { costUsd }) })
  }

  /** From here on the main agent asks this model. */
  uses(model: string | undefined): void {
    if (model !== undefined) this.steps.push({ kind: 'model', model })
  }

  note(note: TokenNote): void {
    this.#add({ kind: 'note', note })
  }

  /** Ends the run, after its last record. */
  last(ended: TurnCompleted): void {
    this.#add({ kind: 'last', ended })
  }

  /** Reports a record of unknown kind. */
  unknownRecord(value: JsonObject): void {
    this.issues.push(unknownType(typeof value['type'] === 'string' ? '$.type' : '$'))
  }

  /** Reports what `schema` requires of a part of the record at `path`. */
  require(schema: ZodType, value: JsonValue | undefined, path: string): void {
    for (const issue of requiredIssues(schema, value ?? null)) {
      this.issues.push({ ...issue, path: `${path}${(issue.path ?? '$').slice(1)}` })
    }
  }

  /** What the record says. */
  decoded({ time, sessionId, node, newScope }: Omit<PlainDecoded, 'drafts' | 'issues' | 'steps'> = {}): PlainDecoded {
    const { drafts, issues, steps } = this
    // No spread: a fifth of the reading of short records.
    return { drafts, issues, steps, time, sessionId, node, newScope }
  }

  #add(step: PlainStep): void {
    const { time, track } = this
    this.steps.push(time === undefined && track === undefined ? step : { ...step, time, track })
  }
}

/** A line that is not JSON. */
export function malformedPlainLine(text: string, issue: IssueDraft, cut: boolean): PlainDecoded {
  const drafts = malformedDrafts(text, issue, cut)
  return { drafts, issues: [issue], steps: drafts.map((_, body) => ({ kind: 'emit', body })) }
}

function inputOf(input: JsonValue | undefined): JsonObject {
  if (isJsonObject(input)) return input
  if (typeof input !== 'string' || input === '') return {}
  const parsed = parseJson(input)
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : { input }
}

/** The text of a content: a text, or a list of texts and of parts with a text. Images are named. */
export function contentText(content: JsonValue | undefined): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content))
    return isJsonObject(content) ? (stringAt(content, 'text') ?? jsonText(content)) : jsonText(content)
  return (content as readonly JsonValue[])
    .map((part) => {
      if (typeof part === 'string') return part
      if (!isJsonObject(part)) return ''
      const text = stringAt(part, 'text')
      return text ?? (/image/.test(stringAt(part, 'type') ?? '') ? '[image]' : '')
    })
    .filter((text) => text !== '')
    .join('\n')
}

/** A time that is a number of ms or seconds since the epoch, or a text. */
export function momentOf(value: JsonValue | undefined): number | undefined {
  if (!isFiniteNumber(value)) return instantOf(value)
  if (value <= 0) return undefined
  const ms = Math.round(value < 100_000_000_000 ? value * 1000 : value)
  return ms <= 8_640_000_000_000_000 ? ms : undefined
}
