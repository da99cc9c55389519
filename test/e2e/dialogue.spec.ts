import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { keepSession } from '../kept-session.ts'
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
  /** Starts a run of `dialogue` in the form. `prepare`: what else is filled in. */
  readonly talk: (
    dialogue: WrittenDialogue,
    prompt: string,
    prepare?: (form: Locator) => Promise<void>
  ) => Promise<DialogueStandIn>
}

const talks = test.extend<Talking>({
  talk: async ({ page, serve, state }, use, info) => {
    await use(async (dialogue, prompt, prepare = async () => {}) => {
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
      await prepare(form)
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
    .asks('r1', 'Bash', { command: 'npm test' })
    .allow('r1', { command: 'npm test' })
    .asks('r2', 'Edit', edit, forRun)
    .answer('r2', { allow: 'run' }, grant)
    .asks('r3', 'Bash', { command: 'npm i vitest' })
    .refuse('r3', '')
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

  const command = asked(page, 'Bash needs your permission')
  await expect(command).toContainText('npm test')
  expect(await seriousInBothThemes(page, '.asks')).toEqual([])
  await page.keyboard.press('Alt+a')
  await expect(command).toBeFocused()
  await tabTo(page, 'button', 'Allow once')
  await page.keyboard.press('Enter')

  const change = asked(page, 'Edit needs your permission')
  await expect(change).toBeVisible()
  await page.keyboard.press('Alt+a')
  await expect(change).toBeFocused()
  await tabTo(page, 'button', 'Allow for this run…')
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', /^Allow for this run$/)
  expect(await seriousInBothThemes(page, '.asks')).toEqual([])
  await page.keyboard.press('Enter')

  await expect(command).toContainText('npm i vitest')
  await page.keyboard.press('Alt+a')
  await expect(command).toBeFocused()
  await tabTo(page, 'button', 'Refuse…')
  await page.keyboard.press('Enter')
  await tabTo(page, 'button', /^Refuse$/)
  expect(await seriousInBothThemes(page, '.asks')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(grid(page)).toContainText('Then not.')
  expect(answers(agent)).toMatchObject([
    {
      response: {
        request_id: 'q1',
        response: { behavior: 'allow', updatedInput: { answers: { 'Which runner?': 'vitest' } } }
      }
    },
    { response: { request_id: 'r1', response: { behavior: 'allow' } } },
    { response: { request_id: 'r2', response: grant } },
    { response: { request_id: 'r3', response: { behavior: 'deny' } } }
  ])
  await box(page).fill('Use node:test')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('list', { name: 'Queued prompts' })).toContainText('Use node:test')
  expect(await seriousInBothThemes(page, '.talk')).toEqual([])
})

talks('a plan is approved and the mode changed with the keyboard alone', async ({ page, talk }) => {
  const plan = '# Plan\n\n1. Read the tests\n2. Mend them'
  const dialogue = new WrittenDialogue('Plan it.')
    .asks('p1', 'ExitPlanMode', { plan })
    .allow('p1', { plan })
    .says('I begin.')
    .setMode('bypassPermissions')
    .waits()
  const agent = await talk(dialogue, 'Plan it.', async (form) => {
    await form.getByRole('checkbox', { name: /^Its mode may become/ }).check()
  })
  await tabTo(page, 'button', 'Start anyway')
  await page.keyboard.press('Enter')
  const card = asked(page, 'Claude Code asks you to approve its plan')
  await expect(card).toContainText('Mend them')
  expect(await seriousInBothThemes(page)).toEqual([])
  await page.keyboard.press('Alt+a')
  await expect(card).toBeFocused()
  await tabTo(page, 'combobox', 'and then')
  await page.keyboard.press('ArrowDown')
  await tabTo(page, 'button', 'Approve plan', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(grid(page)).toContainText('I begin.')
  expect(answers(agent)).toMatchObject([
    { response: { response: { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }] } } }
  ])

  const mode = await tabTo(page, 'combobox', 'Permissions')
  await page.keyboard.press('End')
  const dialog = page.getByRole('dialog', { name: 'Change to a dangerous mode?' })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  expect(await seriousInBothThemes(page, 'dialog')).toEqual([])
  await tabTo(page, 'button', 'Change anyway')
  await page.keyboard.press('Enter')
  await expect(mode).toHaveValue('bypassPermissions')
  await expect(page.getByRole('img', { name: 'Dangerous' })).toBeVisible()
  expect(await seriousInBothThemes(page, '.talk')).toEqual([])
})

talks('queued prompts are changed with the keyboard alone', async ({ page, talk }) => {
  const dialogue = new WrittenDialogue('Tidy up.')
    .says('I work.')
    .interrupt()
    .prompt('Run the tests')
    .says('I run them.')
    .waits()
  await talk(dialogue, 'Tidy up.')
  await expect(grid(page)).toContainText('I work.')
  const queue = page.getByRole('list', { name: 'Queued prompts' })
  const texts = queue.locator('.queued > .cut')
  await tabTo(page, 'textbox', 'Write to Claude Code')
  for (const [at, text] of ['Write the log', 'Run tests', 'Say it'].entries()) {
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
    await expect(texts).toHaveCount(at + 1)
  }
  expect(await seriousInBothThemes(page)).toEqual([])
  await tabTo(page, 'button', 'Edit prompt 2', 'Shift+Tab')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(texts).toHaveText(['Run tests', 'Write the log', 'Say it'])
  await tabTo(page, 'button', 'Edit prompt 1', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'prompt 1' })).toBeFocused()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Run the tests')
  expect(await seriousInBothThemes(page, '.talk')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(texts).toHaveText(['Run the tests', 'Write the log', 'Say it'])
  await tabTo(page, 'button', 'Remove prompt 3')
  await page.keyboard.press('Enter')
  await expect(texts).toHaveText(['Run the tests', 'Write the log'])
  await tabTo(page, 'button', 'Put it back')
  await page.keyboard.press('Enter')
  await expect(texts).toHaveText(['Run the tests', 'Write the log', 'Say it'])
  await tabTo(page, 'button', 'Interrupt')
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('Waits for you')
  await tabTo(page, 'button', 'Go on with the queue', 'Shift+Tab')
  expect(await seriousInBothThemes(page, '.talk')).toEqual([])
  await page.keyboard.press('Enter')
  await expect(grid(page)).toContainText('I run them.')
  await expect(texts).toHaveText(['Write the log', 'Say it'])
})

talks('a conversation goes on as one, with the keyboard alone', async ({ page, talk, state }, info) => {
  const dialogue = new WrittenDialogue('Tidy up.').endTurn().finish()
  await talk(dialogue, 'Tidy up.', async (form) => {
    await form.getByText('Limits', { exact: true }).click()
    await form.getByRole('textbox', { name: 'Cost limit' }).fill('5')
  })
  keepSession(join(state, 'home'), 'claude', { id: 'w-1', cwd: info.outputPath('work') })
  await expect(bar(page)).toContainText('Waits for you')
  await tabTo(page, 'button', 'Finish')
  await page.keyboard.press('Enter')
  await expect(bar(page)).toContainText('Done')
  await tabTo(page, 'button', 'Go on…')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Go on with a session' })
  await expect(dialog.getByRole('radio', { name: /^Conversation/ })).toBeChecked()
  await expect(dialog.getByRole('textbox', { name: 'Prompt' })).toBeFocused()
  await expect(dialog.getByRole('textbox', { name: 'Cost limit' })).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Cost limit' })).toHaveValue('5')
  expect(await seriousInBothThemes(page, 'dialog')).toEqual([])
})
