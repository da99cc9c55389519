import type { LibraryFound, LibraryHit } from '#contract/library.ts'
import { HostError } from '#contract/host-error.ts'
import { lastOf, type SessionCard } from '#core/library/session-card.ts'
import { terminalSafeLine } from '#core/terminal-safe-text.ts'
import { agentOf } from '#core/formats/agents.ts'
import { type Command, exitFine, exitNothing, exitUsage, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { Output } from '#backend/export/output.ts'
import { OwnLibrary } from './own-library.ts'
import { Progress } from './progress.ts'
import { filterDetails, filterOf, filterOptions, limitOf, rootsOf } from './session-filter.ts'
import { folderText, timeText, titleOf } from './session-lines.ts'
import { isTerminal } from './terminal.ts'

const options = { ...filterOptions, regex: { type: 'boolean' }, 'ignore-case': { type: 'boolean' } } as const

export const search: Command = {
  usage:
    'search TEXT [--regex] [--ignore-case] [--agent A] [--project DIR] [--since T] [--state S] [--limit N] [--json] [--root DIR]…',
  summary: 'find text in all sessions on this machine, newest first',
  details: [
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
    const text = textOf(positionals)
    const filter = filterOf(values, environment)
    const most = limitOf(values.limit)
    const roots = await rootsOf(values.root, environment.home)
    const progress = new Progress(environment, 'searching', false)
    const library = await OwnLibrary.open(environment, roots, values.json === true ? Infinity : 0)
    try {
      await library.listed(progress)
      const isWhole = await library.isWhole()
      const wanted = await library.withLinkFollowed(filter)
      const query = { text, regex: values.regex ?? false, caseSensitive: values['ignore-case'] !== true }
      const print = values.json === true ? jsonPrinter() : textPrinter(environment)
      const following = new Following(library, most, environment, progress, print)
      const exit = await following.run({ filter: wanted, ...query })
      return isWhole ? exit : exitUsage
    } finally {
      progress.end()
      await library.close()
    }
  }
}

function textOf([text, ...more]: readonly string[]): string {
  if (text === undefined || text === '') throw new UsageError('no TEXT given')
  if (more.length > 0) throw new UsageError(`unexpected argument "${more[0]}"; quote a TEXT of several words`)
  if (text.length > 1000) throw new UsageError('TEXT is longer than 1,000 characters')
  return text
}

/** Gives the lines to print for a hit of a session. */
type PrintHit = (card: SessionCard, hit: LibraryHit) => string

function jsonPrinter(): PrintHit {
  return (_card, { path, line, seq, kind, tool, at, text }) => JSON.stringify({ path, line, seq, kind, tool, at, text })
}

function textPrinter({ stdout, home }: Pick<Environment, 'stdout' | 'home'>): PrintHit {
  // Nothing in a name or a text can begin a line of its own.
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
  const where = [
    agent === null ? '' : agentOf(agent).words[0],
    project === null ? '' : folderText(project, home),
    timeText(lastOf(card))
  ]
  return [titleOf(card), ...where.filter((word) => word !== '')].join('  ')
}

/** Sessions and hits of one question: what is found first is printed first. */
const pageSessions = 20
const pageHits = 500

/** Prints the hits of a search while it finds them. */
class Following {
  readonly #library: OwnLibrary
  readonly #most: number
  readonly #environment: Environment
  readonly #progress: Progress
  readonly #print: PrintHit
  readonly #output: Output
  /** So many sessions were begun, and so many hits of the last of them told. */
  #sessions = 0
  #told = 0
  #all = 0

  constructor(library: OwnLibrary, most: number | null, environment: Environment, progress: Progress, print: PrintHit) {
    this.#library = library
    this.#most = most ?? Infinity
    this.#environment = environment
    this.#progress = progress
    this.#print = print
    this.#output = new Output(environment.stdout)
  }

  /** Gives the exit code. */
  async run(params: Parameters<OwnLibrary['handlers']['library.find']>[0]): Promise<number> {
    const told: LibraryFound[] = []
    let wake: () => void = () => {}
    this.#library.on('library.found', (found) => {
      told.push(found)
      wake()
    })
    const { find } = await this.#library.handlers['library.find'](params)
    for (;;) {
      const found = told.findLast((each) => each.find === find)
      told.length = 0
      if (found === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else {
        await this.#more(find, found)
        if (!found.searching || this.#isFull) return await this.#end(find, found)
      }
      // What was told meanwhile is looked at first.
      wake = () => {}
    }
  }

  /** Prints what is there and was not printed. The last session may get more hits, those before it have all of theirs. */
  async #more(find: number, { sessionsWithHits, bytesSearched, bytes }: LibraryFound): Promise<void> {
    this.#progress.at(bytesSearched, bytes)
    await this.#page(find, Math.max(0, this.#sessions - 1), 1)
    while (this.#sessions < sessionsWithHits && !this.#isFull) {
      const before = this.#sessions
      await this.#page(find, before, pageSessions)
      // It was ended.
      if (this.#sessions === before) break
    }
  }

  get #isFull(): boolean {
    return this.#all >= this.#most
  }

  async #page(find: number, from: number, count: number): Promise<void> {
    const isNew = from === this.#sessions
    const perSession = isNew ? Math.min(pageHits, this.#most - this.#all) : 1
    const { sessions } = await this.#library.handlers['library.hits']({ find, from, count, perSession })
    for (const { card, hits, shown } of sessions) {
      if (this.#isFull) return
      if (isNew) {
        this.#sessions++
        await this.#lines(card, shown)
        this.#told = Math.min(perSession, hits)
      }
      while (this.#told < hits && !this.#isFull) {
        const next = Math.min(pageHits, this.#most - this.#all)
        const page = { find, session: card.id, from: this.#told, count: next }
        const more = await this.#library.handlers['library.sessionHits'](page)
        await this.#lines(card, more.hits)
        // Lines that went since they were found are left out, and counted.
        this.#told += Math.min(next, hits - this.#told)
      }
    }
  }

  async #lines(card: SessionCard, hits: readonly LibraryHit[]): Promise<void> {
    for (const hit of hits.slice(0, this.#most - this.#all)) {
      this.#output.line(this.#print(card, hit))
      this.#all++
    }
    this.#progress.end()
    await this.#output.flush()
  }

  async #end(find: number, { searching, hits, isCut, error }: LibraryFound): Promise<number> {
    this.#progress.end()
    await this.#library.handlers['library.endFind']({ find })
    if (error !== null) throw new HostError('unavailable', error)
    const isStopped = this.#isFull && (searching || hits > this.#all)
    if (isStopped) say(this.#environment, `stopped after ${this.#all} lines (--limit); there are more`)
    else if (isCut) {
      say(this.#environment, `stopped after ${this.#all} lines; narrow the search with --project or --since`)
    }
    return this.#all > 0 ? exitFine : exitNothing
  }
}
