import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type DialogueStandIn, dialogueStandIn, WrittenDialogue } from '../stand-in/dialogue-play.ts'
import { grid, seriousInBothThemes, tabTo } from './page-parts.ts'
import { expect, test } from './playhead-server.ts'

/** Runs that a person talks to, with an agent that speaks the protocol and waits for each line of it. */

const bar = (page: Page) => page.getByRole('region', { name: 'Live run', exact: true })
const box = (page: Page) => page.getByRole('textbox', { name: 'Write to Claude Code' })
const asked = (page: Page, name: string | RegExp) => page.getByRole('group', { name })
const answers = ({ read }: DialogueStandIn) =>
  read.map((line) => JSON.parse(line) as { type: string }).filter(({ type }) => type === 'control_response')

interface Talking {
  /** Starts a run of `dialogue` in the form. */
  readonly talk: (dialogue: WrittenDialogue, prompt: string) => Promise<DialogueStandIn>
}

const talks = test.extend<Talking>({
  talk: async ({ page, serve, state }, use, info) => {
    await use(async (dialogue, prompt) => {
      const agent = dialogueStandIn(info.outputPath('agent'), dialogue.play())
      const cwd = info.outputPath('work')
      mkdirSync(cwd, { recursive: true })
      mkdirSync(state, { recursive: true })
      writeFileSync(join(state, 'agents.json'), JSON.stringify({ version: 1, commands: { claude: agent.command } }))
      await page.goto(await serve())
      await page.getByRole('banner').getByRole('button', { name: 'New run' }).click()
      const form = page.getByRole('form', { name: 'New run' })
      await form.getByRole('radio', { name: /^Conversation/ }).check({ force: true })
      await form.getByRole('textbox', { name: 'Folder' }).fill(cwd)
      await form.getByRole('textbox', { name: 'Prompt' }).fill(prompt)
      await page.keyboard.press('Control+Enter')
      return agent
    })
  }
})

const edit = { file_path: '/w/a.ts', old_string: 'let a = 1\n', new_string: 'const a = 1\n' }
const forRun = {
  permission_suggestions: [
    { type: 'addRules', rules: [{ toolName: 'Edit' }], behavior: 'allow', destination: 'localSettings' }
  ]
}
const grant = {
  behavior: 'allow',
  updatedInput: edit,
  updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Edit' }], behavior: 'allow', destination: 'session' }]
}

talks('three requests, a refusal with a message, a follow-up and an interrupt', async ({ page, talk }) => {
  const dialogue = new WrittenDialogue('Tidy up.')
    .says('I make a folder first.')
    .asks('r1', 'Bash', { command: 'mkdir -p build/one' })
    .allow('r1', { command: 'mkdir -p build/one' })
    .asks('r2', 'Edit', edit, forRun)
    .answer('r2', { allow: 'run' }, grant)
    .asks('r3', 'Bash', { command: 'rm -rf dist' })
    .refuse('r3', 'Not this folder, use build')
    .endTurn()
    .prompt('And now the tests')
    .says('I run them.')
    .interrupt()
    .prompt('Only the fast ones')
    .endTurn()
    .finish()
  const agent = await talk(dialogue, 'Tidy up.')

  const first = asked(page, 'Bash needs your permission')
  await expect(first).toContainText('mkdir -p build/one')
  await expect(bar(page)).toContainText('Asks for permission')
  await expect(page).toHaveTitle(/^\(1\) /)
  expect(await seriousInBothThemes(page)).toEqual([])
  await first.getByRole('button', { name: 'Allow once' }).click()

  const second = asked(page, 'Edit needs your permission')
  await expect(second).toContainText('const a = 1')
  await second.getByRole('button', { name: 'Allow for this run…' }).click()
  await expect(second).toContainText('nobody is asked again for')
  await second.getByRole('button', { name: 'Allow for this run', exact: true }).click()

  await expect(first).toContainText('rm -rf dist')
  await first.getByRole('button', { name: 'Refuse…' }).click()
  await page.keyboard.type('Not this folder, use build')
  await first.getByRole('button', { name: 'Refuse', exact: true }).click()
  await expect(bar(page)).toContainText('Waits for you')
  expect(answers(agent)).toMatchObject([
    { response: { request_id: 'r1', response: { behavior: 'allow' } } },
    { response: { request_id: 'r2', response: grant } },
    { response: { request_id: 'r3', response: { behavior: 'deny', message: 'Not this folder, use build' } } }
  ])

  await box(page).fill('And now the tests')
  await page.keyboard.press('Enter')
  await expect(grid(page)).toContainText('I run them.')
  await page.getByRole('button', { name: 'Interrupt' }).click()
  await expect(bar(page)).toContainText('Waits for you')
  await box(page).fill('Only the fast ones')
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('$1.50')
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(bar(page)).toContainText('Done')
  await expect(box(page)).toHaveCount(0)
})

talks('a run is talked to with the keyboard alone', async ({ page, talk }) => {
  const questions = [
    {
      question: 'Which runner?',
      header: 'Runner',
      options: [{ label: 'vitest', description: 'fast' }, { label: 'jest' }]
    }
  ]
  const dialogue = new WrittenDialogue('Set up tests.')
    .asks('q1', 'AskUserQuestion', { questions })
    .answer('q1', { answers: [] }, { behavior: 'allow' })
    .asks('r1', 'Bash', { command: 'npm i vitest' })
    .refuse('r1', '')
    .says('Then not.')
    .waits()
  const agent = await talk(dialogue, 'Set up tests.')
  await expect(asked(page, 'Claude Code asks a question')).toBeVisible()
  expect(await seriousInBothThemes(page, '.asks')).toEqual([])
  await page.keyboard.press('Alt+a')
  await expect(asked(page, 'Claude Code asks a question')).toBeFocused()
  await tabTo(page, 'radio', 'vitest')
  await page.keyboard.press('Space')
  await tabTo(page, 'button', /^Answer$/)
  await page.keyboard.press('Enter')
  await expect(asked(page, 'Bash needs your permission')).toBeVisible()
  await page.keyboard.press('Alt+a')
  await tabTo(page, 'button', 'Refuse…')
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', /^Refuse$/)
  await page.keyboard.press('Enter')
  await expect(grid(page)).toContainText('Then not.')
  expect(answers(agent)).toMatchObject([
    {
      response: {
        request_id: 'q1',
        response: { behavior: 'allow', updatedInput: { answers: { 'Which runner?': 'vitest' } } }
      }
    },
    { response: { request_id: 'r1', response: { behavior: 'deny' } } }
  ])
  await box(page).fill('Use node:test')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Queued prompts' })).toContainText('Use node:test')
  expect(await seriousInBothThemes(page, '.talk')).toEqual([])
})
