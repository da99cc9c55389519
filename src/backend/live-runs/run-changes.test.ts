import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HostError } from '#contract/host-error.ts'
import { git, hasGit } from '../../../test/git.ts'
import { RunHost } from '../../../test/run-host.ts'
import { newFolder } from '../../../test/run-processes.ts'
import { dialogueStandIn, WrittenDialogue } from '../../../test/stand-in/dialogue-play.ts'
import { program } from '../../../test/stand-in/stand-in.ts'

let host: RunHost
let folder = ''
let work = ''
beforeEach(() => {
  host = new RunHost()
  folder = newFolder()
  work = join(folder, 'work')
  mkdirSync(work)
  writeFileSync(join(work, 'a.txt'), 'one\n')
})
afterEach(async () => await host.close())

const filesOf = async (run: string, turn: number | null): Promise<string[]> =>
  (await host.handlers['run.changes']({ run, turn })).files.map(({ kind, path }) => `${kind} ${path}`)

test.skipIf(!hasGit)('a run that is not talked to has one turn', async () => {
  git(work, ['init', '-q'])
  const command = program(folder, 'claude', `echo two >> a.txt; echo new > b.txt; cat > /dev/null`)
  const run = await host.start('claude', command, { cwd: work, keepsChanges: true })
  await host.ended(run.run)
  const { turns, patch, isGivenUp } = await host.handlers['run.changes']({ run: run.run, turn: null })
  expect([turns, isGivenUp]).toEqual([1, false])
  expect(patch).toContain('+two')
  expect(await filesOf(run.run, 1)).toEqual(['changed a.txt', 'added b.txt'])
  expect(await filesOf(run.run, 2)).toEqual([])
})

test.skipIf(!hasGit)('each turn of a conversation has its own changes', async () => {
  git(work, ['init', '-q'])
  const dialogue = new WrittenDialogue('Tidy up.').endTurn().prompt('More').says('Working.').endTurn().finish()
  const { command } = dialogueStandIn(join(folder, 'agent'), dialogue.play())
  const options = { cwd: work, prompt: 'Tidy up.', interactive: true, keepsChanges: true }
  const { run } = await host.start('claude', command, options)
  const turnsOf = async (): Promise<number> => (await host.handlers['run.changes']({ run, turn: null })).turns
  await expect.poll(turnsOf).toBe(1)
  writeFileSync(join(work, 'second.txt'), 'x\n')
  await host.handlers['run.prompt']({ run, text: 'More', when: 'if-idle' })
  await expect.poll(turnsOf).toBe(2)
  await host.handlers['run.finish']({ run })
  await host.ended(run)
  expect([await filesOf(run, 1), await filesOf(run, 2), await turnsOf()]).toEqual([[], ['added second.txt'], 2])
})

test('without the wish, or a repository, there are none, and the run goes on', async () => {
  const command = program(folder, 'claude', 'cat > /dev/null')
  for (const keepsChanges of [true, false]) {
    const { run } = await host.start('claude', command, { cwd: work, keepsChanges })
    expect((await host.ended(run)).state).toBe('ended')
    const refused = host.handlers['run.changes']({ run, turn: null })
    await expect(refused).rejects.toSatisfy((error) => error instanceof HostError && error.code === 'unavailable')
  }
})
