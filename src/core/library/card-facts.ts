import type { AgentEvent } from '../events/agent-event.ts'
import { type AgentType, unknownAgent } from '../formats/agents.ts'
import { recordsOf } from '../formats/decode-parts.ts'
import type { Framing, LogFormat } from '../formats/log-format.ts'
import type { SessionFacts, SessionFormat } from '../formats/log-store.ts'
import { rowKindOf } from '../index/row-kind.ts'
import { isJsonObject, type JsonValue } from '../json.ts'
import { indexOfAscii } from '../lines/index-of-ascii.ts'
import { PromptTitle, titleOf, wellFormed } from './session-title.ts'

/** Characters; longer texts are not names or paths. */
const maxName = 300
const maxPath = 4096
/** Limit of titles whose record is not found yet. */
const maxTitles = 20

/** The facts of a session from its log's records and events. The first value wins; for titles the last. */
export class CardFacts {
  readonly #session: SessionFormat | undefined
  readonly #titleMarkers: readonly string[]
  /** The file name without extension: */
  readonly #file: string
  readonly #prompts: PromptTitle
  /** Whether the end of the log is being read: its prompts are not the first ones. */
  isAtEnd = false
  #sessionId: string | null = null
  #agent: AgentType | null = null
  /** The file name contains the session id. */
  #isNamedFile = false
  readonly #format: LogFormat
  #parent: { readonly of: string | null; readonly session: string } | null = null
  #fork: { readonly of: string | null; readonly session: string } | null = null
  #project: string | null = null
  #branch: string | null = null
  #version: string | null = null
  #model: string | null = null
  /** Such as `auto`: the program chooses the model. */
  #chosenModel: string | null = null
  #personsTitle: string | null = null
  #agentsTitle: string | null = null
  #endedAt: number | null = null
  /** Titles of the agent, each valid if the log has the record. */
  #titlesOf: { readonly record: string; readonly title: string }[] = []

  constructor(format: LogFormat, path: string) {
    const { session } = format
    this.#format = format
    this.#session = session
    this.#titleMarkers = session?.titleMarkers ?? []
    this.#file = path.slice(path.lastIndexOf('/') + 1).replace(/\.jsonl?(?:\.zst)?$/, '')
    this.#prompts = new PromptTitle(session)
  }

  /** As events name it. */
  get agent(): AgentType | null {
    return this.#agent
  }
  get sessionId(): string | null {
    return this.#sessionId
  }
  get parentSession(): string | null {
    return this.#own(this.#parent)
  }
  get forkedFrom(): string | null {
    return this.#own(this.#fork)
  }
  get project(): string | null {
    return this.#project
  }
  get branch(): string | null {
    return this.#branch
  }
  get version(): string | null {
    return this.#version
  }
  get model(): string | null {
    return this.#model ?? this.#chosenModel
  }
  get endedAt(): number | null {
    return this.#endedAt
  }
  /** The user's or the agent's title. `hasRecord`: whether the log has a record of this id. */
  givenTitle(hasRecord: (id: string) => boolean): string | null {
    return (
      this.#personsTitle ??
      this.#agentsTitle ??
      this.#titlesOf.findLast(({ record }) => hasRecord(record))?.title ??
      null
    )
  }
  get promptTitle(): string | null {
    return this.#prompts.title
  }

  /** Whether later records can only add a title. */
  get hasAll(): boolean {
    return this.#sessionId !== null && this.wanted.length === 0
  }

  /** Unknown facts that later records may state. */
  get wanted(): readonly ('project' | 'prompt' | 'model')[] {
    const wanted: ('project' | 'prompt' | 'model')[] = []
    if (this.#project === null) wanted.push('project')
    if (!this.#prompts.isFound) wanted.push('prompt')
    if (this.#model === null) wanted.push('model')
    const lacks = this.#session?.lacks
    return lacks === undefined ? wanted : wanted.filter((what) => !lacks.includes(what))
  }

  record(value: JsonValue | undefined): void {
    const facts = isJsonObject(value) ? this.#session?.facts(value) : null
    if (facts !== undefined && facts !== null) this.addFacts(facts)
  }

  /** `event`: of the log's own agent. */
  event(event: AgentEvent): void {
    const { sessionId, agentType, type } = event
    if (agentType !== unknownAgent) this.#agent ??= agentType
    if (type === 'text') {
      if (!this.isAtEnd && rowKindOf(event) === 'prompt') this.#prompts.prompt(event.text)
    } else if (type === 'session.started') {
      const { cwd, model, version } = event
      this.addFacts({ ...(cwd && { cwd }), ...(model && { model }), ...(version && { version }) })
    } else if (type === 'turn.completed') this.#setModel(event.model)
    this.#setSession(sessionId)
  }

  /** Reads only the titles of a line. Most lines have none and are not parsed. */
  titleIn(line: Uint8Array, framing: Framing): void {
    if (!this.#titleMarkers.some((marker) => indexOfAscii(line, marker) >= 0)) return
    for (const { value } of recordsOf(this.#format, line, framing).records) {
      const facts = isJsonObject(value) ? this.#session?.facts(value) : null
      if (facts !== undefined && facts !== null) this.#setTitle(facts)
    }
  }

  addFacts(facts: SessionFacts): void {
    const { cwd, branch, version, model, parentSession, forkedFrom, endedAt } = facts
    const sessionId = nameIn(facts.sessionId)
    this.#setSession(facts.sessionId)
    const parent = nameIn(parentSession)
    if (parent !== null) this.#parent ??= { of: sessionId, session: parent }
    const fork = nameIn(forkedFrom)
    if (fork !== null) this.#fork ??= { of: sessionId, session: fork }
    this.#project ??= nameIn(cwd, maxPath)
    this.#branch ??= nameIn(branch)
    this.#version ??= nameIn(version)
    this.#setModel(model)
    this.#setTitle(facts)
    if (endedAt !== undefined) this.#endedAt = Math.max(this.#endedAt ?? endedAt, endedAt)
  }

  #setTitle({ title, isNamed, titleOf: record }: SessionFacts): void {
    const line = title === undefined ? null : titleOf(title)
    if (line === null) return
    if (record !== undefined) {
      this.#titlesOf.push({ record, title: line })
      if (this.#titlesOf.length > maxTitles) this.#titlesOf.shift()
    } else if (isNamed === true) this.#personsTitle = line
    else this.#agentsTitle = line
  }

  #setModel(model: string | undefined): void {
    const name = nameIn(model)
    if (name === null) return
    // Gemini CLI: `auto`, `auto-gemini-3`.
    if (/^auto(?:-|$)/.test(name)) this.#chosenModel ??= name
    else this.#model ??= name
  }

  /** The id in the file name wins, else the first: a log may have lines of the session it was copied from. */
  #setSession(sessionId: string | undefined): void {
    const id = nameIn(sessionId)
    if (id === null || this.#isNamedFile || id === this.#sessionId) return
    this.#isNamedFile = this.#file === id || this.#file.endsWith(`-${id}`)
    if (this.#isNamedFile) this.#sessionId = id
    else this.#sessionId ??= id
  }

  /** A fact from a record of another session belongs to that session. */
  #own(stated: { readonly of: string | null; readonly session: string } | null): string | null {
    if (stated === null || stated.session === this.#sessionId) return null
    return stated.of === null || stated.of === this.#sessionId ? stated.session : null
  }
}

/** A valid name; null if it is not one. */
export function nameIn(text: string | undefined, maxLength = maxName): string | null {
  if (text === undefined || text.length > maxLength || /\p{Cc}/u.test(text)) return null
  return text.trim() === '' ? null : wellFormed(text)
}
