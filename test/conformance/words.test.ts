import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { agentOf, agentTypes, unknownAgent } from '#core/formats/agents.ts'
import { sessionStates } from '#core/library/session-card.ts'
import { folder, playhead } from '../command-line.ts'
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

describe('the agent of a session', () => {
  test.each(logs)('$path has one name', async ({ path, format }) => {
    const how = ['--single', '--format', format]
    // What is not known is named nowhere but in events.
    const named = (list: readonly (string | null)[]): Set<string | null> =>
      new Set(list.filter((name) => name !== null && name !== unknownAgent))
    const names = named((await lines<{ agentType: string }>('export', path, ...how)).map((event) => event.agentType))
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
