import { statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agentIds, type LiveRun } from '#contract/live-runs.ts'
import { DialogueRuns } from '../../../test/dialogue-runs.ts'
import { processesOf, program } from '../../../test/run-processes.ts'
import { AgentScript } from '../../../test/stand-in/agent-script.ts'
import type { DialogueStep } from '../../../test/stand-in/dialogue-play.ts'
import { every } from '../../../test/thorough.ts'

/** What an agent can print to a host that talks to it. */

const session = '0e7ecc99-26b4-49b0-abb1-767b20aa5bf2'

let host: DialogueRuns
beforeEach(() => {
  host = new DialogueRuns()
})
afterEach(async () => await host.close())

const fileOf = ({ recording }: LiveRun, name: string): string => join(dirname(recording), name)

describe.each(agentIds)('%s', (agent) => {
  test('asks by an id of any length, which is shown short and answered whole', async () => {
    const id = 'i'.repeat(100_000)
    const { run, standIn } = await host.begin(
      new AgentScript(agent, session).opens().asks(id, 'ls').answered(id).endsTurn().waits().play()
    )
    const [ask] = (await host.turn(run, 'asking')).dialogue?.asks ?? []
    expect(ask?.id.length).toBeLessThan(2000)
    expect(JSON.stringify(ask).length).toBeLessThan(10_000)
    await host.handlers['run.answer']({ run, ask: ask?.id ?? '', answer: { allow: 'once' } })
    await host.turn(run, 'idle')
    expect(standIn.read.at(-1)).toContain(id)
    await host.finished(run)
    const events = await host.events(run)
    const asked = events.filter(({ type }) => type === 'permission_request')
    const answered = events.filter(({ data }) => data['kind'] === 'answer')
    expect(asked).toHaveLength(1)
    expect(answered.map(({ data }) => [data['request_id'], data['decision']])).toEqual([
      [asked[0]?.data['request_id'], 'allowed']
    ])
  })

  test('asks about what is nested in any number of levels: the page and the stream say so', async () => {
    const depths = [1001, 990, 991, 992, 993, 994, 995, 998, 997, 996, 999, 1000, 100, 5000, 100_000]
    const deep = (depth: number): DialogueStep[] => {
      const about = agent === 'gemini' ? { kind: 'other', content: ['DEEP'] } : { nested: 'DEEP' }
      const { steps } = new AgentScript(agent, session).opens().asks(7, 'ls', about).waits().play()
      const nested = '['.repeat(depth) + ']'.repeat(depth)
      return steps.map((step) => ('out' in step ? { out: step.out.replace('"DEEP"', nested) } : step))
    }
    const said = every(7, depths).map(async (depth) => {
      const { run } = await host.begin({ ...new AgentScript(agent, session).play(), steps: deep(depth) })
      const shown = await host.turn(run, 'asking')
      expect(shown.dialogue?.asks).toHaveLength(1)
      await host.finished(run)
      const asked = (await host.events(run)).filter(({ type }) => type === 'permission_request')
      expect([depth, ...asked.map(({ data }) => [data['request_id'], data['denied']])]).toEqual([depth, ['7', false]])
    })
    await Promise.all(said)
  })

  test('is stopped if it floods Playhead with requests whose answers it does not read', async () => {
    const id = 'i'.repeat(100_000)
    const request = {
      claude: { type: 'control_request', request_id: id, request: { subtype: 'mcp_message' } },
      codex: { id, method: 'item/tool/call', params: {} },
      gemini: { jsonrpc: '2.0', id, method: 'fs/read_text_file', params: {} }
    }[agent]
    const flood = join(host.home, 'flood')
    writeFileSync(flood, `${JSON.stringify(request)}\n`.repeat(20))
    const command = program(host.home, ['case "$1" in --version) exit; esac', `while :; do cat '${flood}'; done`])
    const { run } = await host.start(agent, command, { interactive: true })
    const ended = await host.ended(run)
    expect(ended).toMatchObject({ finishReason: 'error', dialogue: { turn: 'ended' } })
    expect(ended.message).toMatch(/was stopped because it did not read the answers to its own requests/)
    expect(statSync(fileOf(ended, 'dialogue.jsonl')).size).toBeLessThan(20 << 20)
    expect(processesOf(run)).toEqual([])
  })
})
