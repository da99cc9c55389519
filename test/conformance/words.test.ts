import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { gunzipSync } from 'node:zlib'
import { run } from '#cli/run.ts'
import { agentOf, agentTypes, unknownAgent } from '#core/formats/agents.ts'
import { sessionStates } from '#core/library/session-card.ts'
import { environment, folder, playhead, sink } from '../command-line.ts'
import { mcpClient } from '../mcp-client.ts'
import { askedOf } from './data-set.ts'
import { allFixtures } from './fixtures.ts'

/** All that Playhead tells of a session names its agent and its state alike. */

const root = join(folder, 'words')
const set = join(folder, 'words-set')

/** A log of each format. */
const logs = allFixtures()
  .filter(({ formatId }, at, all) => all[at - 1]?.formatId !== formatId)
  .map(({ formatId, name, input }) => {
    const path = join(root, `${formatId}-${name}-${basename(fileURLToPath(input))}`)
    mkdirSync(root, { recursive: true })
    cpSync(input, path)
    return { path, format: formatId }
  })

interface Session {
  readonly path: string
  readonly agent: string | null
  readonly state: string
}

async function lines<T>(...argv: string[]): Promise<T[]> {
  const { out } = await playhead(...argv)
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}

async function sessions(...argv: string[]): Promise<Session[]> {
  return await lines<Session>('sessions', '--root', root, '--json', ...argv)
}

let listed: Promise<Session[]> | null = null

/** Of an MCP tool, all its pages. */
async function answered<T>(
  { ask }: Awaited<ReturnType<typeof mcpClient>>,
  tool: string,
  given: Record<string, unknown>
): Promise<T[]> {
  const items: T[] = []
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const { content } = await ask(tool, { ...given, offset, limit: 500 })
    const page = JSON.parse(content[0]?.text ?? '') as { items: T[]; next?: number }
    items.push(...page.items)
    offset = page.next
  }
  return items
}

/** With a page that does nothing. */
const pages = join(folder, 'words-pages')

/** The events that a page of a part of a log holds. */
async function eventsInPage(path: string, ...how: string[]): Promise<{ agentType?: string }[]> {
  mkdirSync(join(pages, 'out', 'shared'), { recursive: true })
  for (const name of ['page.js', 'page.css', 'thread.js']) writeFileSync(join(pages, 'out', 'shared', name), '')
  const out = sink(true)
  const argv = ['export', path, ...how, '--to', 'html', '--where', 'seq:>=0']
  await run(argv, environment({ stdout: out.stream, root: pages }))
  const elements = out.text().matchAll(/<script type="application\/gzip" data-file="0">([^<]*)<\/script>/g)
  const bytes = Buffer.concat([...elements].map(([, base64 = '']) => Buffer.from(base64, 'base64')))
  return gunzipSync(bytes)
    .toString()
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { agentType?: string }]))
}

interface Span {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}

/** What the spans of a log say by an attribute. */
async function saidBySpans(key: string, path: string, ...how: string[]): Promise<Set<string>> {
  const requests = await lines<{ resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }>(
    ...['export', path, ...how, '--to', 'otlp']
  )
  const spans = requests.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  )
  const attributes = spans.flatMap((span) => span.attributes)
  return new Set(attributes.flatMap((one) => (one.key === key ? [one.value.stringValue ?? ''] : [])))
}

describe('the agent of a session', () => {
  test.each(logs)('$path has one name', async ({ path, format }) => {
    const how = ['--single', '--format', format]
    // What is not known is named nowhere but in events.
    const named = (list: readonly (string | null)[]): Set<string | null> =>
      new Set(list.filter((name) => name !== null && name !== unknownAgent))
    const events = await lines<{ agentType: string; finishReason?: string }>('export', path, ...how)
    const names = named(events.map((event) => event.agentType))
    const document = JSON.parse((await playhead('export', path, ...how, '--to', 'atif')).out) as {
      agent: { name: string }
    }
    const inSql = await lines<{ agent: string | null }>(
      'sql',
      path,
      'select distinct agent from events',
      ...how,
      '--json'
    )
    if (names.size > 0) expect(names).toContain(document.agent.name)
    expect(named(inSql.map(({ agent }) => agent))).toEqual(names)
    const card = (await (listed ??= sessions())).find((session) => session.path === path)
    if (card?.agent != null && names.size > 0) expect(names).toContain(card.agent)
    const inPage = (await eventsInPage(path, ...how)).map(({ agentType }) => agentType ?? null)
    expect(named(inPage)).toEqual(names)
    // The conventions of OpenTelemetry have a name for people there, which is one for each of ours.
    const fullNames = new Set([...names, unknownAgent].map((name) => agentOf(name ?? unknownAgent).name))
    for (const said of await saidBySpans('gen_ai.agent.name', path, ...how)) expect(fullNames).toContain(said)
    const reasons = events.map(({ finishReason }) => finishReason)
    for (const reason of await saidBySpans('playhead.finish_reason', path, ...how)) expect(reasons).toContain(reason)
    for (const name of named([card?.agent ?? null])) {
      const asked = [name ?? '', ...agentOf(name ?? '').words].map((word) => `agent:${word}`)
      const found = await Promise.all(asked.map(async (query) => (await playhead('query', path, ...how, query)).out))
      expect(found.map((out) => out.length > 0)).toEqual(asked.map(() => names.has(name)))
    }
  })

  test('is listed and asked for by that name, and by the words for it', async () => {
    const all = await sessions()
    expect(all.length).toBeGreaterThan(20)
    for (const type of agentTypes) {
      const own = all.filter(({ agent }) => agent === type).map(({ path }) => path)
      for (const word of [type, ...agentOf(type).words]) {
        const found = await sessions('--agent', word)
        expect(found.map(({ path }) => path)).toEqual(own)
      }
    }
    const text = (await playhead('sessions', '--root', root)).out
    for (const { agent } of all) if (agent !== null) expect(text).toContain(` ${agent} `)
  })
})

describe('what came of a session', () => {
  test('has one word in flags, queries and answers, and a former word still asks for it', async () => {
    const paths = (list: readonly Session[]): string[] => list.map(({ path }) => path)
    const all = await sessions()
    const client = await mcpClient('--root', root)
    try {
      const bare = ({ path, agent, state }: Session): Session => ({ path, agent, state })
      expect((await answered<Session>(client, 'list_sessions', {})).map(bare)).toEqual(all.map(bare))
      for (const state of sessionStates) {
        const own = paths(all.filter((session) => session.state === state))
        for (const word of state === 'error' ? [state, 'failed'] : [state]) {
          expect(paths(await sessions('--state', word))).toEqual(own)
          for (const where of [`state:${word}`, `is:${word}`]) {
            expect(paths(await sessions('--where', where))).toEqual(own)
            expect(paths(await answered(client, 'list_sessions', { where }))).toEqual(own)
          }
        }
      }
      for (const agent of new Set(all.map((session) => session.agent))) {
        if (agent === null) continue
        const own = paths(all.filter((session) => session.agent === agent))
        for (const word of [agent, ...agentOf(agent).words])
          expect(paths(await answered(client, 'list_sessions', { where: `agent:${word}` }))).toEqual(own)
      }
    } finally {
      await client.end()
    }
  })

  test('has one word in the library and in tables, and so has its agent', async () => {
    for (const { path, format } of logs) {
      await playhead('export', path, '--single', '--format', format, '--to', 'parquet', '-o', set)
    }
    const [rows = []] = await askedOf(
      `create view runs as select * from read_parquet('${set}/runs/**/*.parquet', hive_partitioning = false);`,
      ['select source_path, agent, final_state from runs']
    )
    const states = new Set<unknown>()
    for (const { path, agent, state } of await sessions()) {
      const row = rows.find(({ source_path: source }) => source === path)
      if (row === undefined || state === 'unreadable') continue
      expect([path, row['agent'], row['final_state']]).toEqual([path, agent ?? row['agent'], state])
      states.add(state)
    }
    expect([...states].every((state) => sessionStates.some((known) => known === state))).toBe(true)
    expect(states.size).toBeGreaterThan(2)
    const agents = new Set(rows.map(({ agent }) => `agent=${String(agent ?? '__HIVE_DEFAULT_PARTITION__')}`))
    const folders = readdirSync(join(set, 'runs')).flatMap((day) => readdirSync(join(set, 'runs', day)))
    expect(new Set(folders)).toEqual(agents)
  })
})
