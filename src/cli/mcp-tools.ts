import * as z from 'zod'
import { HostError } from '#contract/host-error.ts'
import { EventSet } from '#core/export/event-set.ts'
import { Redactor } from '#core/export/redact.ts'
import type { JsonObject, JsonValue } from '#core/json.ts'
import { type QueryKey, queryKeys } from '#core/query/query-keys.ts'
import { readEvents } from '#backend/export/read-events.ts'
import type { QueriedLog } from '#backend/query/queried-log.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import { type BoundedList, boundedList, boundedText, Captured, redactedValue } from './bounded-answer.ts'
import { exitUsage } from './command.ts'
import type { Environment } from './environment.ts'
import { OwnLibrary } from './own-library.ts'
import { queryOf, withLog } from './where.ts'

/** Bytes that a command may print for one answer. */
const maxPrinted = 64 << 20

export interface McpTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodRawShape
  /** Rejects with a `HostError` or `UsageError` that says what to do. */
  answer(args: never): Promise<unknown>
}

export interface ToolOptions {
  readonly environment: Environment
  /** The folders of sessions; null: those of the agents. */
  readonly roots: readonly string[] | null
  readonly redacts: boolean
  /** Runs a command line of Playhead in an environment. */
  readonly run: (argv: readonly string[], environment: Environment) => Promise<number>
}

const session = z
  .string()
  .min(1)
  .max(4096)
  .describe('A session: its id or the first characters of it, or its path, as list_sessions gives them')
const seq = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
const offset = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)
  .default(0)
  .describe('Where to go on: next of the answer before')
const limit = z.int().min(1).max(500).default(50).describe('Items at most')
const text = z.string().max(1000)

const keysOf = (keys: readonly QueryKey[]): string =>
  keys
    .filter(({ former }) => former !== true)
    .map(({ example }) => example)
    .join(' ')

/** The questions that an agent can ask. Each answers as the command of the same name prints. */
export function mcpTools(options: ToolOptions): readonly McpTool[] {
  const { environment, redacts } = options
  const sessions = new Sessions(options)
  const lines = async (argv: readonly string[], page: Page): Promise<BoundedList> => {
    const { out, note } = await printed(options, argv)
    const items = out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JsonValue)
    return { ...boundedList(items, { ...page, redacts }), ...(note !== '' && { note }) }
  }
  const roots = (options.roots ?? []).flatMap((root) => [`--root=${root}`])
  const tool = <Shape extends z.ZodRawShape>(
    name: string,
    title: string,
    description: string,
    input: Shape,
    answer: (args: z.output<z.ZodObject<Shape>>) => Promise<unknown>
  ): McpTool => ({ name, title, description, input, answer })
  return [
    tool(
      'list_sessions',
      'List sessions',
      `Sessions of coding agents on this machine, newest first, with their totals. where: a query such as project:cli since:7d state:error. Terms are combined with blanks, OR, NOT and brackets. Keys: ${keysOf(queryKeys.sessions)}`,
      { where: text.optional(), offset, limit },
      async ({ where, ...page }) => {
        await sessions.lookAgain()
        return await lines(['sessions', '--json', ...roots, ...(where === undefined ? [] : [`--where=${where}`])], page)
      }
    ),
    tool(
      'search_sessions',
      'Search sessions',
      'Lines with a text in all sessions, newest first: path, line, seq of the event, text. where: only sessions that match, as in list_sessions.',
      { text: z.string().min(1).max(1000), where: text.optional(), limit },
      async ({ text: wanted, where, limit: most }) => {
        await sessions.lookAgain()
        const argv = ['search', '--json', `--limit=${most}`, ...roots]
        return await lines([...argv, ...(where === undefined ? [] : [`--where=${where}`]), '--', wanted], {
          offset: 0,
          limit: most
        })
      }
    ),
    tool(
      'query_events',
      'Query events',
      `Events of a session that match a query, in order, with long texts cut. Without a query: all. Such as tool:shell status:error dur:>10s "not found". Keys: ${keysOf(queryKeys.rows)}`,
      { session, query: text.default(''), offset, limit },
      async ({ session: named, query, ...page }) =>
        await sessions.read(named, async (log, source) => {
          const seqs = await log.events(queryOf(query))
          const shown = seqs.slice(page.offset, page.offset + page.limit)
          const items = await eventsOf(log, source, shown, options)
          const { items: fitting, next } = boundedList(items, { offset: 0, limit: page.limit, redacts: false })
          const end = page.offset + (next ?? items.length)
          return { matches: seqs.length, items: fitting, ...(end < seqs.length && { next: end }) }
        })
    ),
    tool(
      'get_event',
      'Get one event',
      'One event of a session in full, as JSON text. Long ones come in parts: go on with from.',
      { session, seq, from: seq.default(0) },
      async ({ session: named, seq: wanted, from }) =>
        await sessions.read(named, async (log, source) => {
          const [event] = await eventsOf(log, source, [wanted], options)
          if (event === undefined)
            throw new HostError(
              'bad-params',
              `seq ${wanted}: the last event of this session is ${log.index.rows.events - 1}`
            )
          return boundedText(JSON.stringify(event), from)
        })
    ),
    tool(
      'todos_at',
      'Todo lists at an event',
      'The todo lists of a session after one event, of the main agent and its subagents. Without seq: every list of the session with its changes.',
      { session, seq: seq.optional(), offset, limit },
      async ({ session: named, seq: at, ...page }) =>
        await lines(
          ['todos', '--json', ...(at === undefined ? [] : [`--at=${at}`]), '--', await sessions.path(named)],
          page
        )
    ),
    tool(
      'findings',
      'What went wrong',
      'Facts about what went wrong in a session: repeated failures, refused calls, lost caches, destructive commands and others, with the events that show them. all: also information that is mostly harmless.',
      { session, all: z.boolean().default(false), offset, limit },
      async ({ session: named, all, ...page }) =>
        await lines(['findings', '--json', ...(all ? ['--all'] : []), '--', await sessions.path(named)], page)
    ),
    tool(
      'files_at',
      'Files at an event',
      'The files that the agent touched up to an event, and how well their content is known. With path: the content of one file at that event.',
      {
        session,
        seq: seq.optional(),
        path: z.string().min(1).max(4096).optional(),
        from: seq.default(0),
        offset,
        limit
      },
      async ({ session: named, seq: at, path, from, ...page }) => {
        const at_ = at === undefined ? [] : [`--at=${at}`]
        const file = await sessions.path(named)
        if (path === undefined) return await lines(['files', '--json', ...at_, '--', file], page)
        const argv = ['files', `--path=${path}`, ...at_, ...(redacts ? ['--redact'] : []), '--', file]
        const { out, note } = await printed(options, argv)
        return { ...boundedText(out, from), ...(note !== '' && { note }) }
      }
    ),
    tool(
      'compare_sessions',
      'Compare two sessions',
      'What two sessions did, side by side: totals, and the aligned steps that differ, with the numbers of their events.',
      { a: session, b: session, offset, limit },
      async ({ a, b, ...page }) => {
        const { out } = await printed(options, ['diff', '--json', '--', await sessions.path(a), await sessions.path(b)])
        const { summary, sections } = JSON.parse(out) as {
          summary: JsonValue
          sections: readonly { rows: readonly JsonObject[] }[]
        }
        const rows = sections.flatMap((section) => section.rows)
        const different = rows.filter((row) => row['class'] !== 'same' || (row['result'] ?? 'same') !== 'same')
        return {
          summary: redacts ? redactedValue(summary) : summary,
          rows: rows.length,
          ...boundedList(different, { ...page, redacts })
        }
      }
    ),
    tool(
      'stats',
      'Numbers of a session',
      'Events, calls and failures by tool, tokens, cost, time and how it was split, issues of a session.',
      { session },
      async ({ session: named }) => {
        const { out } = await printed(options, ['stats', '--json', '--', await sessions.path(named)])
        const { requests: _requests, ...stats } = JSON.parse(out) as JsonObject
        return boundedList([stats], { offset: 0, limit: 1, redacts })
      }
    )
  ]

  async function printed({ run }: ToolOptions, argv: readonly string[]): Promise<{ out: string; note: string }> {
    const [out, err] = [new Captured(maxPrinted), new Captured(1 << 16)]
    const exit = await run(argv, { ...environment, stdout: out, stderr: err })
    const note = err.text.replace(/^playhead: /gm, '').trim()
    // Some commands print what could be read and exit with 2.
    if (exit === exitUsage && out.text === '') throw new HostError('bad-params', note.split('\nusage: ')[0] ?? note)
    if (out.isCut) throw new HostError('unavailable', 'The answer is too large. Ask for a part.')
    return { out: out.text, note: exit === exitUsage ? note : '' }
  }
}

interface Page {
  readonly offset: number
  readonly limit: number
}

/** Events read before and after each one. */
const around = 20

/** Events by their numbers, without secrets, also those across texts. */
async function eventsOf(
  log: QueriedLog,
  source: RunOptions,
  seqs: readonly number[],
  { redacts }: ToolOptions
): Promise<JsonObject[]> {
  const events = new EventSet(log.index.rows.events)
  const wanted = new Set(seqs)
  // The events around them are read as well: a secret may begin in the text before.
  for (const one of seqs) for (let at = Math.max(0, one - around); at <= one + around; at++) events.add(at)
  const redactor = redacts ? new Redactor() : null
  const found: JsonObject[] = []
  const request = { source, redactor, prices: null, events, bookmarks: [], version: '', read: () => {} }
  await readEvents({ flush: async () => {} }, request, 'none', (event, at) => {
    if (!wanted.has(at.seq)) return
    const { eventId: _id, agentId: _agent, teamMetadata: _team, sessionId: _session, ...rest } = event
    found.push(JSON.parse(JSON.stringify({ seq: at.seq, ...rest })) as JsonObject)
  })
  return found
}

/** The sessions that may be asked about: those of the library, and no other file. */
class Sessions {
  readonly #options: ToolOptions
  /** By what they were asked by. */
  readonly #paths = new Map<string, string>()

  constructor(options: ToolOptions) {
    this.#options = options
  }

  /** New sessions are found, too. */
  async lookAgain(): Promise<void> {
    await this.#use(async (library) => await library.handlers['library.lookAgain']({}))
  }

  async path(named: string): Promise<string> {
    const known = this.#paths.get(named)
    if (known !== undefined) return known
    const found = await this.#use(async (library) => matching(await library.all(), named))
    const [card, ...others] = found
    if (card === undefined)
      throw new HostError('not-found', `No session "${named}". list_sessions gives the ids and paths of all.`)
    if (others.length > 0) {
      const some = found.slice(0, 5).map(({ path }) => path)
      throw new HostError(
        'bad-params',
        `"${named}" are ${found.length} sessions, such as ${some.join(', ')}. Give a path.`
      )
    }
    if (this.#paths.size < 1000) this.#paths.set(named, card.path)
    return card.path
  }

  async read<T>(named: string, use: (log: QueriedLog, source: RunOptions) => Promise<T>): Promise<T> {
    const source = { path: await this.path(named), format: null, single: false }
    return await withLog(source, this.#options.environment, async (log) => await use(log, source))
  }

  async #use<T>(work: (library: OwnLibrary) => Promise<T>): Promise<T> {
    const { environment, roots } = this.#options
    return await OwnLibrary.use(environment, { roots }, work)
  }
}

function matching(cards: readonly SessionCard[], named: string): SessionCard[] {
  const exact = cards.filter(({ path, sessionId, id }) => [path, sessionId, id].includes(named))
  if (exact.length > 0 || named.length < 4) return exact
  return cards.filter(({ sessionId }) => sessionId?.startsWith(named) === true)
}
