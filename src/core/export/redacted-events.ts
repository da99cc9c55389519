import type { AgentEvent } from '../events/agent-event.ts'
import { HeldTexts } from './held-texts.ts'
import { normalizedLine } from './normalized-jsonl.ts'
import type { Redactor, SecretPlace } from './redact.ts'
import { withText } from './redacted-log.ts'
import { jsonStrings, unescaped } from './secrets/json-strings.ts'

type Emit = (event: AgentEvent, raw: string | undefined) => void

interface Item {
  readonly event: AgentEvent | null
  readonly raw: string | undefined
  readonly emit: Emit | (() => void)
}

/** Redacts the events of a run in order, including secrets across texts of one speaker. */
export class RedactedEvents {
  private readonly redactor: Redactor
  private readonly held: HeldTexts<Item>

  constructor(redactor: Redactor) {
    this.redactor = redactor
    this.held = new HeldTexts(redactor, (item, clean) => this.release(item, clean?.[0] ?? null))
  }

  /** `raw`: the event's line, at `place`. `emit` receives both redacted, now or later, in order of `add`. */
  add(event: AgentEvent, raw: string | undefined, place: SecretPlace, emit: Emit): void {
    const isText = event.type === 'text'
    const stream = isText ? [event.trackId, event.role, event.category].join(' ') : ''
    const size = 200 + (isText ? event.text.length : 0) + (raw?.length ?? 0)
    this.held.add({ event, raw, emit }, size, isText ? [{ stream, text: event.text, pieceOf: null }] : [], place)
  }

  /** Calls `emit` in order between the events. */
  aside(emit: () => void): void {
    if (this.held.isEmpty) emit()
    else this.held.add({ event: null, raw: undefined, emit }, 200, [], null)
  }

  end(): void {
    this.held.end()
  }

  private release({ event, raw, emit }: Item, text: string | null): void {
    if (event === null) {
      ;(emit as () => void)()
      return
    }
    const across = text === null || event.type !== 'text' ? event : { ...event, text }
    const line = normalizedLine(across)
    const redacted = this.redactor.line(line)
    // Only strings change, never the event's type.
    const clean = redacted === line ? across : (JSON.parse(redacted) as AgentEvent)
    emit(
      clean,
      raw === undefined
        ? undefined
        : this.redactor.line(event.type === 'text' ? this.rawOf(raw, event.text, text) : raw)
    )
  }

  /** Redacts a line, including parts of secrets across lines. `clean`: the redacted text, if it changed. */
  private rawOf(raw: string, text: string, clean: string | null): string {
    const strings = [...jsonStrings(raw)].map(({ start, end, escaped }) => {
      const inside = raw.slice(start, end)
      return escaped ? unescaped(inside) : inside
    })
    if (strings.includes(text)) return clean === null ? raw : withText(raw, text, clean)
    // The text is in pieces on several lines; this line has the first.
    const first = strings
      .filter((string) => string !== '' && text.startsWith(string))
      .sort((a, b) => b.length - a.length)[0]
    if (first === undefined) return raw
    const [redacted = first] = this.redactor.pieces([first, text.slice(first.length)])
    return redacted === first ? raw : withText(raw, first, redacted)
  }
}
