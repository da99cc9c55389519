import type { AgentEvent } from '../events/agent-event.ts'
import { HeldTexts } from './held-texts.ts'
import { normalizedLine } from './normalized-jsonl.ts'
import type { Redactor, SecretPlace } from './redact.ts'
import { withText } from './redacted-log.ts'
import { jsonStrings, unescaped } from './secrets/json-strings.ts'

type Give = (event: AgentEvent, raw: string | undefined) => void

interface Item {
  readonly event: AgentEvent | null
  readonly raw: string | undefined
  readonly give: Give | (() => void)
}

/** Redacts the events of a run, in order, also secrets that begin in one text and end in a later one of the same speaker. */
export class RedactedEvents {
  private readonly redactor: Redactor
  private readonly held: HeldTexts<Item>

  constructor(redactor: Redactor) {
    this.redactor = redactor
    this.held = new HeldTexts(redactor, (item, clean) => this.release(item, clean?.[0] ?? null))
  }

  /** `raw`: the line that the event came from, at `place`. `give` gets both without their secrets, now or later: in the order in which they were added. */
  add(event: AgentEvent, raw: string | undefined, place: SecretPlace, give: Give): void {
    const isText = event.type === 'text'
    const stream = isText ? [event.trackId, event.role, event.category].join(' ') : ''
    const size = 200 + (isText ? event.text.length : 0) + (raw?.length ?? 0)
    this.held.add({ event, raw, give }, size, isText ? [{ stream, text: event.text, isPiece: false }] : [], place)
  }

  /** Something else that has to be done between the events before it and those behind it. */
  aside(give: () => void): void {
    if (this.held.isEmpty) give()
    else this.held.add({ event: null, raw: undefined, give }, 200, [], null)
  }

  end(): void {
    this.held.end()
  }

  private release({ event, raw, give }: Item, text: string | null): void {
    if (event === null) {
      ;(give as () => void)()
      return
    }
    const across = text === null || event.type !== 'text' ? event : { ...event, text }
    const line = normalizedLine(across)
    const redacted = this.redactor.line(line)
    // Only strings change, and none that says what the event is.
    const clean = redacted === line ? across : (JSON.parse(redacted) as AgentEvent)
    give(
      clean,
      raw === undefined
        ? undefined
        : this.redactor.line(event.type === 'text' ? this.rawOf(raw, event.text, text) : raw)
    )
  }

  /** A line without the parts of secrets that go on in other lines. `clean`: what became of the text, where it changed. */
  private rawOf(raw: string, text: string, clean: string | null): string {
    const strings = [...jsonStrings(raw)].map(({ start, end, escaped }) => {
      const inside = raw.slice(start, end)
      return escaped ? unescaped(inside) : inside
    })
    if (strings.includes(text)) return clean === null ? raw : withText(raw, text, clean)
    // The text stands in pieces on several lines, of which this one has the first.
    const first = strings
      .filter((string) => string !== '' && text.startsWith(string))
      .sort((a, b) => b.length - a.length)[0]
    if (first === undefined) return raw
    const [redacted = first] = this.redactor.pieces([first, text.slice(first.length)])
    return redacted === first ? raw : withText(raw, first, redacted)
  }
}
