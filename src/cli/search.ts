import type { LibraryFound, LibraryHit } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import { lastOf, type SessionCard } from '#core/library/session-card.ts'
import { terminalSafeLine } from '#core/terminal-safe-text.ts'
import { type Command, exitFine, exitNothing, exitUsage, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { Output } from '#backend/export/output.ts'
import { OwnLibrary } from './own-library.ts'
import type { Progress } from './progress.ts'
import { askedSessions, filterDetails, filterOptions, limitOf, sessionQueryOf } from './session-filter.ts'
import { rootsOf } from './session-roots.ts'
import { sessionSearchOf } from '#core/library/session-search.ts'
import { foundTextOf } from '#core/query/query-choices.ts'
import { folderText, timeText, titleOf } from './session-lines.ts'
import { isTerminal } from './terminal.ts'

const options = { ...filterOptions, regex: { type: 'boolean' }, 'ignore-case': { type: 'boolean' } } as const

export const search: Command = {
  usage:
    'search [TEXT] [--where QUERY] [--regex] [--ignore-case] [--agent A] [--project DIR] [--since T] [--state S] [--limit N] [--json] [--root DIR]…',
  summary: 'find text in all sessions on this machine, newest first',
  details: [
    'TEXT            Lines with this text. It can be left out where the QUERY has a text.',
    '--where QUERY   Only sessions that match a query, and only lines with its texts: project:cli since:7d "not found" (docs/query.md).',
    '--regex         TEXT is a JavaScript regular expression.',
    '--ignore-case   Ignore case.',
    ...filterDetails,
    '--limit N       Print at most N lines.',
    '--json          Print one object per match: path, line, seq, kind, tool, at (ms since the epoch), text.',
    '',
    'Without --json a match is path:line:text. A terminal shows the title of each session above. Matches are printed as they are found.',
    'Exit codes: 0 found, 1 nothing found, 2 wrong use, or a file could not be read.'
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const { cards, ...texts } = sessionSearchOf(await sessionQueryOf(values.where))
    const text = textOf(positionals, texts.texts.length > 0)
    const asked = await askedSessions(cards, values, environment)
    const maxLines = limitOf(values.limit)
    const roots = await rootsOf(values.root, environment.home)
    const opening = { roots, what: 'searching', patienceMs: values.json === true ? Infinity : 0 }
    return await OwnLibrary.use(environment, opening, async (library, progress) => {
      const isWhole = await library.isWhole()
      const where = await library.whereOf(asked)
      const given = { regex: values.regex ?? false, caseSensitive: values['ignore-case'] !== true }
      const found = texts.texts.map(foundTextOf)
      const query = {
        texts: text === null ? found : [{ text, ...given }, ...found],
        without: texts.without.map(foundTextOf)
      }
      const print = values.json === true ? jsonPrinter() : textPrinter(environment)
      const printer = new SearchPrinter(library, maxLines, environment, progress, print)
      const exit = await printer.run({ where, ...query })
      return isWhole ? exit : exitUsage
    })
  }
}

/** Null: none is given, and the query has one. */
function textOf([text, ...more]: readonly string[], hasText: boolean): string | null {
  if (text === undefined && hasText) return null
  if (text === undefined || text === '') throw new UsageError('no TEXT given')
  if (more.length > 0) throw new UsageError(`unexpected argument "${more[0]}"; quote a TEXT of several words`)
  if (text.length > 1000) throw new UsageError('TEXT is longer than 1,000 characters')
  return text
}

/** Returns the lines to print for a hit. */
type PrintHit = (card: SessionCard, hit: LibraryHit) => string

function jsonPrinter(): PrintHit {
  return (_card, { path, line, seq, kind, tool, at, text }) => JSON.stringify({ path, line, seq, kind, tool, at, text })
}

function textPrinter({ stdout, home }: Pick<Environment, 'stdout' | 'home'>): PrintHit {
  // Escaped, so that no name or text starts a line.
  const place = ({ path, line }: LibraryHit): string => `${terminalSafeLine(path)}:${line}:`
  if (!isTerminal(stdout)) return (_card, hit) => `${place(hit)}${terminalSafeLine(hit.text)}`
  let last: string | null = null
  return (card, hit) => {
    const heading = card.id === last ? '' : `${last === null ? '' : '\n'}${headingOf(card, home)}\n`
    last = card.id
    return `${heading}  ${place(hit)} ${terminalSafeLine(hit.text)}`
  }
}

function headingOf(card: SessionCard, home: string): string {
  const { agent, project } = card
  const where = [agent ?? '', project === null ? '' : folderText(project, home), timeText(lastOf(card))]
  return [titleOf(card), ...where.filter((word) => word !== '')].join('  ')
}

/** Small pages, so that the first hits are printed early. */
const pageSessions = 20
const pageHits = 500

class SearchPrinter {
  readonly #library: OwnLibrary
  readonly #maxLines: number
  readonly #environment: Environment
  readonly #progress: Progress
  readonly #print: PrintHit
  readonly #output: Output
  /** Sessions printed so far, and hits printed of the last of them. */
  #sessions = 0
  #printedOfLast = 0
  #printed = 0

  constructor(
    library: OwnLibrary,
    maxLines: number | null,
    environment: Environment,
    progress: Progress,
    print: PrintHit
  ) {
    this.#library = library
    this.#maxLines = maxLines ?? Infinity
    this.#environment = environment
    this.#progress = progress
    this.#print = print
    this.#output = new Output(environment.stdout)
  }

  /** Returns the exit code. */
  async run(params: Parameters<OwnLibrary['handlers']['library.find']>[0]): Promise<number> {
    const notices: LibraryFound[] = []
    let wake: () => void = () => {}
    this.#library.on('library.found', (found) => {
      notices.push(found)
      wake()
    })
    const { find } = await this.#library.handlers['library.find'](params)
    for (;;) {
      const found = notices.findLast((each) => each.find === find)
      notices.length = 0
      if (found === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else {
        await this.#printNew(find, found)
        if (!found.searching || this.#isFull) return await this.#end(find, found)
      }
      // Notices may have arrived meanwhile.
      wake = () => {}
    }
  }

  /** Prints new hits. Only the last session can have more; sessions before it are complete. */
  async #printNew(find: number, { sessionsWithHits, bytesSearched, bytes }: LibraryFound): Promise<void> {
    this.#progress.at(bytesSearched, bytes)
    await this.#page(find, Math.max(0, this.#sessions - 1), 1)
    while (this.#sessions < sessionsWithHits && !this.#isFull) {
      const before = this.#sessions
      await this.#page(find, before, pageSessions)
      // The search was ended.
      if (this.#sessions === before) break
    }
  }

  get #isFull(): boolean {
    return this.#printed >= this.#maxLines
  }

  async #page(find: number, from: number, count: number): Promise<void> {
    const isNew = from === this.#sessions
    const perSession = isNew ? Math.min(pageHits, this.#maxLines - this.#printed) : 1
    const { sessions } = await this.#library.handlers['library.hits']({ find, from, count, perSession })
    for (const { card, hits, shown } of sessions) {
      if (this.#isFull) return
      if (isNew) {
        this.#sessions++
        await this.#printHits(card, shown)
        this.#printedOfLast = Math.min(perSession, hits)
      }
      while (this.#printedOfLast < hits && !this.#isFull) {
        const next = Math.min(pageHits, this.#maxLines - this.#printed)
        const page = { find, session: card.id, from: this.#printedOfLast, count: next }
        const more = await this.#library.handlers['library.sessionHits'](page)
        await this.#printHits(card, more.hits)
        // Lines deleted since are not printed, but counted.
        this.#printedOfLast += Math.min(next, hits - this.#printedOfLast)
      }
    }
  }

  async #printHits(card: SessionCard, hits: readonly LibraryHit[]): Promise<void> {
    for (const hit of hits.slice(0, this.#maxLines - this.#printed)) {
      this.#output.line(this.#print(card, hit))
      this.#printed++
    }
    this.#progress.end()
    await this.#output.flush()
  }

  async #end(find: number, { searching, hits, isCut, error }: LibraryFound): Promise<number> {
    this.#progress.end()
    await this.#library.handlers['library.endFind']({ find })
    if (error !== null) throw new HostError('unavailable', error)
    const isStopped = this.#isFull && (searching || hits > this.#printed)
    if (isStopped) say(this.#environment, `stopped after ${this.#printed} lines (--limit); there are more`)
    else if (isCut) {
      say(this.#environment, `stopped after ${this.#printed} lines; narrow the search with --project or --since`)
    }
    return this.#printed > 0 ? exitFine : exitNothing
  }
}
