import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { AgentId } from '#contract/live-runs.ts'
import type { Answer } from '#core/dialogue/ask.ts'
import type { DialogueCall } from '#core/dialogue/dialogue.ts'
import { recordedDialogues, recordingsAreHere, savedLogs } from '../conformance/recorded-dialogue.ts'
import { keepSession, keptPrompt } from '../kept-session.ts'
import { comparable, firstPrompt, recordedPlay, resumedSession, startMode, withLogs } from '../recorded-play.ts'
import { dialogueStandIn, type DialoguePlay, type KnownDialogue } from '../stand-in/dialogue-play.ts'
import { isThorough } from '../thorough.ts'
import { grid, statusBar } from './page-parts.ts'
import { expect, test } from './playhead-server.ts'

/** The recorded dialogues, with what their person did done in the page. */

const bar = (page: Page) => page.getByRole('region', { name: 'Live run', exact: true })
const box = (page: Page) => page.getByRole('textbox', { name: /^Write to/ })

const all = recordedDialogues().map(recordedPlay)
const usual = new Set(['claude-plan', 'codex-approve', 'gemini-approve'])

test('the recorded dialogues are had in the page', () => {
  test.skip(!recordingsAreHere, 'the recordings are not beside the checkout')
  expect(all.length).toBeGreaterThan(50)
})

for (const recorded of all.filter(({ name }) => isThorough || usual.has(name))) {
  test(`${recorded.name} is had in the page`, async ({ page, serve, state, another, context }, info) => {
    const play = withLogs(recorded, savedLogs(recorded.name))
    const agent = dialogueStandIn(info.outputPath('agent'), play)
    mkdirSync(info.outputPath('work'), { recursive: true })
    mkdirSync(state, { recursive: true })
    writeFileSync(join(state, 'agents.json'), JSON.stringify({ version: 1, commands: { [play.agent]: agent.command } }))
    const cwd = info.outputPath('work')
    const session = resumedSession(play)
    if (session !== null) keepSession(join(state, 'home'), play.agent, { id: session, cwd })
    await page.goto(await serve())
    await (session === null ? start(page, play, cwd) : goOn(page, play))
    for (const [number, step] of play.steps.entries()) {
      if (!('call' in step)) continue
      await expect.poll(() => agent.steps).toBeGreaterThan(number)
      // What was refused, as an answer that came late, has no control in the page.
      if (step.refused !== null) {
        agent.wasRefused()
        continue
      }
      if (step.known !== null) await expectKnown(page, step.known)
      await act(page, step.call)
    }
    await expect(bar(page).getByRole('button', { name: 'Run again', exact: true })).toBeVisible()
    await expect(page.locator('[data-ask]')).toHaveCount(0)

    // The page has no words for a question that is not answered.
    const expected = play.steps.flatMap((step) =>
      'in' in step && step.in !== null
        ? [step.in.replace('The user does not want to answer', 'The user refused this.')]
        : []
    )
    expect(agent.read.map(comparable)).toEqual(expected.map(comparable))
    const [run = ''] = readdirSync(join(state, 'runs'))
    const folder = join(state, 'runs', run)
    expect(readFileSync(join(folder, 'stdout.jsonl')).equals(agent.printed), 'the recording is what was printed').toBe(
      true
    )

    // A copy, of which nobody knows that it was a run.
    const copy = info.outputPath('copy')
    mkdirSync(copy)
    // Of the run, the host still removes what it needs no more.
    const kept = ['stdout.jsonl', 'session.jsonl', 'dialogue.jsonl'].filter((name) => existsSync(join(folder, name)))
    for (const name of kept) copyFileSync(join(folder, name), join(copy, name))
    const recording = kept.includes('session.jsonl') ? 'session.jsonl' : 'stdout.jsonl'
    const offline = await context.newPage()
    await offline.goto(await another(page.url()))
    await openLog(offline, join(copy, recording))
    await expectSameRows(page, offline)
    await page.reload()
    await expectSameRows(page, offline)
  })
}

const agentNames: Readonly<Record<AgentId, RegExp>> = { claude: /^Claude Code/, codex: /^Codex/, gemini: /^Gemini/ }

/** Goes on with the only session of the library. */
async function goOn(page: Page, play: DialoguePlay): Promise<void> {
  await page.getByRole('row', { name: keptPrompt }).click()
  await page.keyboard.press('R')
  await say(page.getByRole('dialog', { name: 'Go on with a session' }), play)
}

async function start(page: Page, play: DialoguePlay, cwd: string): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'New run' }).click()
  const form = page.getByRole('form', { name: 'New run' })
  await form.getByRole('radio', { name: agentNames[play.agent] }).check({ force: true })
  await form.getByRole('textbox', { name: 'Folder' }).fill(cwd)
  await say(form, play)
}

/** Begins a conversation with its first prompt, in its mode. */
async function say(form: Locator, play: DialoguePlay): Promise<void> {
  await form.getByRole('radio', { name: /^Conversation/ }).check({ force: true })
  await form.getByRole('textbox', { name: 'Prompt' }).fill(firstPrompt(play))
  const mode = startMode(play)
  if (mode !== null) await form.getByRole('combobox', { name: 'Permissions' }).selectOption(mode)
  const becomesDangerous = play.steps.some(
    (step) => 'call' in step && step.call.do === 'set-mode' && step.call.mode === 'bypassPermissions'
  )
  if (becomesDangerous) await form.getByRole('checkbox', { name: /^Its mode may become/ }).check()
  await form.getByRole('button', { name: 'Start run' }).click()
  if (becomesDangerous || mode !== null) await form.getByRole('button', { name: 'Start anyway' }).click()
}

const turnWords: Readonly<Record<string, RegExp>> = {
  starting: /Starting/,
  working: /Running/,
  asking: /Asks (?:for permission|a question)/,
  idle: /Waits for you/
}

/** The page says what the host knew when its person did the next thing. */
async function expectKnown(page: Page, { turn, asks, usd }: KnownDialogue): Promise<void> {
  const shown = async () =>
    await page.locator('[data-ask]').evaluateAll((cards) => cards.map((card) => (card as HTMLElement).dataset['ask']))
  await expect.poll(shown).toEqual(asks)
  await expect(bar(page)).toContainText(turnWords[turn] ?? turn)
  if (usd !== null) await expect(bar(page)).toContainText(`$${usd.toFixed(2)}`)
}

async function act(page: Page, call: DialogueCall): Promise<void> {
  switch (call.do) {
    case 'answer':
      return await give(page.locator(`[data-ask=${JSON.stringify(call.ask)}]`), call.answer)
    case 'prompt':
      await box(page).fill(call.text)
      return await box(page).press(call.when === 'now' ? 'Control+Enter' : 'Enter')
    case 'interrupt':
      return await page.getByRole('button', { name: 'Interrupt', exact: true }).click()
    case 'finish':
      return await page.getByRole('button', { name: 'Finish', exact: true }).click()
    case 'set-mode': {
      const mode = page.getByRole('combobox', { name: 'Permissions' })
      const title = await mode.locator(`option[value=${JSON.stringify(call.mode)}]`).textContent()
      await mode.selectOption(call.mode)
      if (title?.endsWith('(dangerous)') === true) await page.getByRole('button', { name: 'Change anyway' }).click()
      return
    }
    default:
      throw new Error(`no recording has ${call.do}`)
  }
}

async function give(card: Locator, answer: Answer): Promise<void> {
  const button = (name: string) => card.getByRole('button', { name, exact: true })
  if ('answers' in answer) {
    for (const [at, { choices, text }] of answer.answers.entries()) {
      const option = (label: string) =>
        card
          .locator('.question')
          .nth(at)
          .locator('.option')
          .filter({ has: card.page().getByText(label, { exact: true }) })
      for (const choice of choices)
        await option(choice).getByRole('radio').or(option(choice).getByRole('checkbox')).check()
      if (text === null) continue
      await option('Something else').locator('input').check()
      await card.locator('.question').nth(at).getByRole('textbox').fill(text)
    }
    return await button('Answer').click()
  }
  if ('refuse' in answer) {
    if ((await button('Do not answer').count()) > 0) return await button('Do not answer').click()
    await button('Refuse…').click()
    if (answer.refuse !== '') await card.getByRole('textbox').fill(answer.refuse)
    if (answer.endTurn) await card.getByRole('checkbox', { name: 'and end the turn' }).check()
    return await button('Refuse').click()
  }
  if (answer.allow === 'run') {
    await button('Allow for this run…').click()
    return await button('Allow for this run').click()
  }
  if (answer.mode !== undefined) await card.getByRole('combobox', { name: 'and then' }).selectOption(answer.mode)
  await card.getByRole('button', { name: /^(?:Allow once|Approve plan)$/ }).click()
}

/** Shows a log, and waits until the page has all of it. */
async function openLog(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: 'Open a log' }).first().click()
  const field = page.getByLabel('Path of a log')
  await field.fill(path)
  await field.press('Enter')
  await expect(statusBar(page)).toContainText('Indexed')
}

async function expectSameRows(...pages: readonly [Page, Page]): Promise<void> {
  await expect(async () => {
    const [live, offline] = [await rowsOf(pages[0]), await rowsOf(pages[1])]
    expect(live).toEqual(offline)
  }).toPass({ timeout: 45_000 })
}

/** The texts of all rows of the timeline once they are read: the window is made high enough for them. */
async function rowsOf(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 6000 })
  const rows = grid(page).getByRole('row')
  expect(await rows.count()).toBe(Number(await grid(page).getAttribute('aria-rowcount')))
  expect(await grid(page).locator('.unread').count()).toBe(0)
  return await rows.allInnerTexts()
}
