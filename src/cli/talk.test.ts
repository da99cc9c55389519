import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { environment, folder, sink } from '../../test/command-line.ts'
import { dialogueStandIn, WrittenDialogue } from '../../test/stand-in/dialogue-play.ts'
import { run } from './run.ts'

/** What a person types once each of these is said, in order. */
async function talk(
  play: WrittenDialogue,
  typed: readonly (readonly [after: RegExp, line: string | null])[],
  flags: readonly string[] = []
): Promise<{ code: number; said: string; sent: Record<string, unknown>[] }> {
  const machine = mkdtempSync(join(folder, 'talk-'))
  const standIn = dialogueStandIn(machine, play.play())
  const stdin = new PassThrough()
  const rest = [...typed]
  let said = ''
  let read = 0
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString()
      for (let [next] = rest; next !== undefined && next[0].test(said.slice(read)); [next] = rest) {
        rest.shift()
        read = said.length
        if (next[1] === null) stdin.end()
        else stdin.write(`${next[1]}\n`)
      }
      done()
    }
  })
  const variables = {
    ...process.env,
    PATH: `${machine}:${process.env['PATH'] ?? ''}`,
    PLAYHEAD_STATE_DIR: join(machine, 'state')
  }
  const argv = ['run', 'claude', '--interactive', ...flags, '--', 'Tidy', 'up.']
  const streams = { stdin, stdout: sink().stream, stderr }
  const code = await run(
    argv,
    environment({ variables, ...streams, now: Date.now, untilStopped: async () => await new Promise(() => {}) })
  )
  return { code, said, sent: standIn.read.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

const responses = (sent: readonly Record<string, unknown>[]): unknown[] =>
  sent.flatMap(({ response }) => (response === undefined ? [] : [(response as { response: unknown }).response]))

test('a person answers, refuses, chooses, prompts and finishes in a terminal', async () => {
  const rule = { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'ls *' }], behavior: 'allow' }
  const questions = [{ question: 'Which?', options: [{ label: 'one', description: 'the first' }, { label: 'two' }] }]
  const dialogue = new WrittenDialogue()
    .asks(
      'r-1',
      'Bash',
      { command: 'ls\u001b[2J\nrm' },
      { permission_suggestions: [{ ...rule, destination: 'session' }] }
    )
    .answer('r-1', { allow: 'run' }, {})
    .asks('r-2', 'Bash', { command: 'rm -r .' })
    .refuse('r-2', 'Never.')
    .asks('r-3', 'AskUserQuestion', { questions })
    .answer('r-3', { answers: [] }, {})
    .endTurn()
    .prompt('And now?')
    .endTurn()
    .finish()
  const { code, said, sent } = await talk(dialogue, [
    [/\[1\] Claude Code asks: Bash/, 'a 7'],
    [/there is no request 7/, 'r 1'],
    [/\[2\] Claude Code asks: Bash/, 'd 2 Never.'],
    [/\[3\] Claude Code asks: AskUserQuestion[^]*1 {2}one: the first/, 'c 3 2'],
    [/the turn is over/, 'And now?'],
    [/the turn is over/, null]
  ])
  expect(code).toBe(0)
  // What an agent asks is never a command to the terminal.
  expect(said).toContain('command: ls\\u001b[2J\n  rm')
  expect(said).toContain('r 1 allows for this run: Bash(ls *)')
  expect(said).not.toContain('\u001b')
  const [one, two, three] = responses(sent)
  expect(one).toMatchObject({ behavior: 'allow', updatedPermissions: [{ ...rule, destination: 'session' }] })
  expect(two).toMatchObject({ behavior: 'deny', message: 'Never.' })
  expect(three).toMatchObject({ updatedInput: { answers: { 'Which?': 'two' } } })
  expect(
    sent.filter(({ type }) => type === 'user').map(({ message }) => (message as { content: string }).content)
  ).toEqual([...['Tidy up.', 'And now?']])
})

test('a dangerous mode needs the flag, and a prompt has to be given', async () => {
  const dialogue = new WrittenDialogue().endTurn().finish()
  const { said } = await talk(dialogue, [
    [/the turn is over/, '/mode bypassPermissions'],
    [/must be allowed when the run is started/, '/nonsense'],
    [/\/nonsense is no command/, '/finish']
  ])
  expect(said).toMatch(/Claude Code is done/)
  const err = sink()
  expect(await run(['run', 'claude', '--interactive'], environment({ stderr: err.stream }))).toBe(2)
  expect(err.text()).toMatch(/no prompt; give a PROMPT after --/)
})
