import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agentIds } from '#contract/live-runs.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { RunHost } from '../../../test/run-host.ts'
import { newFolder } from '../../../test/run-processes.ts'
import { program } from '../../../test/stand-in/stand-in.ts'
import { isOlder } from './program-version.ts'

test.each([
  ['1.0.85', '1.0.86', true],
  ['1.0.86', '1.0.86', false],
  ['1.0.128', '1.0.86', false],
  ['2.0.0', '1.0.86', false],
  ['0.9.100', '1.0.86', true],
  ['0.60.0-alpha.1', '0.60.0', false],
  ['0.59.0-alpha.1', '0.60.0', true]
])('%s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected)
})

let host: RunHost
let folder = ''
beforeEach(() => {
  host = new RunHost()
  folder = newFolder()
})
afterEach(async () => await host.close())

/** What each prints that does not know how it is started or spoken to: 1.0.85, 0.39.0, 0.20.0. */
const complaints = {
  claude: "error: unknown option '--replay-user-messages'",
  codex: 'Error: No such device or address (os error 6)',
  gemini: 'Unknown argument: acp'
}
const old = { claude: '1.0.85', codex: '0.39.0', gemini: '0.38.2' }

describe.each(agentIds)('%s that is too old for a conversation', (agent) => {
  const { title, install, dialogue } = agentPrograms[agent]
  const says = (name: string): string =>
    `${name} is too old for a conversation, which needs ${dialogue.since} or newer. Update it with "${install}".`

  test('is named with what to install, before it is started', async () => {
    const command = program(join(folder, 'bin'), agent, 'cat > /dev/null', old[agent])
    const { dialogue: offered } = await host.handlers['agent.setCommand']({ agent, command })
    expect(offered?.problem).toBe(says(`${title} ${old[agent]}`))
    const newer = program(join(folder, 'newer'), agent, 'cat > /dev/null', dialogue.since)
    expect((await host.handlers['agent.setCommand']({ agent, command: newer })).dialogue?.problem).toBe(null)
  })

  test('is named where it does not know how it was started, also if it states no version', async () => {
    const command = program(join(folder, 'bin'), agent, `echo "${complaints[agent]}" >&2; exit 1`, 'none')
    const { run } = await host.start(agent, command, { interactive: true })
    const { finishReason, message } = await host.ended(run)
    expect([finishReason, message?.split(' It said: ')[0]]).toEqual(['error', says(title)])
  })

  test('is ended and named where it would go on', async () => {
    const command = program(join(folder, 'bin'), agent, 'exec sleep 300', old[agent])
    const { run } = await host.start(agent, command, { interactive: true })
    const { finishReason, message } = await host.ended(run)
    expect([finishReason, message?.split(' It said: ')[0]]).toEqual(['error', says(`${title} ${old[agent]}`)])
  })

  test('still takes one prompt', async () => {
    const command = program(join(folder, 'bin'), agent, 'cat > /dev/null; echo "{}"', old[agent])
    const { run } = await host.start(agent, command)
    expect((await host.ended(run)).message).not.toContain('too old')
  })
})
