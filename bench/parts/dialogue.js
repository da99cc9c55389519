import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { figure } from '../figures.js'
import { frameWork } from '../frame-work.js'
import { folder } from '../logs.js'
import { pause, within } from '../processes.js'
import { withPage } from '../screen.js'
import { forget, withServer } from '../server.js'
import { spread } from '../spread.js'

const scratch = join(folder, 'asking')
const notes = join(scratch, 'notes')
const sizes = { timed: 100, asks: 200, open: 60, prompts: 50, runs: 10 }
const mostFrameMs = 50
const mostMs = 300

/** Interactive runs in Chromium: how soon a request is on the page, and what many of them cost it. */
export async function run() {
  forget()
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })
  const agent = fileURLToPath(new URL('../asking-agent.js', import.meta.url))
  const command = join(scratch, 'agent')
  const start = `#!/bin/sh\n[ "$1" = --version ] && { echo 1.2.3; exit; }\nexec '${process.execPath}' '${agent}' '${notes}'\n`
  writeFileSync(command, start, { mode: 0o755 })
  const { late, moves } = await withServer(async ({ url, connect }) => {
    const host = await connect()
    await host.call('agent.setCommand', { agent: 'claude', command })
    const runs = new Runs(host)
    return await withPage(url, async (page) => {
      page.setDefaultTimeout(30_000)
      await page.evaluate(noteAsks)
      const late = await lateness(page, runs)
      const moves = await manyAsks(page, runs)
      await runs.stopAll()
      return { late, moves }
    })
  })
  return [
    figure('from its print to the request on the page, p95', late.p95, 'ms', {
      most: mostMs,
      note: `${sizes.timed} requests; median ${late.p50}, most ${late.max}`
    }),
    ...moves.map(({ name, work }) =>
      figure(`${name}: work of the page for a frame, most`, work.max, 'ms', {
        most: mostFrameMs,
        note: `${work.count} frames; median ${work.p50}, p95 ${work.p95}`
      })
    )
  ]
}

/** What a person does, done at once. */
class Runs {
  #host
  #known = new Map()
  #waiting = new Set()

  constructor(host) {
    this.#host = host
    host.listen((name, run) => {
      if (name !== 'run.changed') return
      this.#known.set(run.run, run)
      for (const look of this.#waiting) look()
    })
  }

  async start(plan) {
    const request = {
      ...{ agent: 'claude', prompt: JSON.stringify(plan), cwd: scratch, model: null, mode: null },
      ...{ extraArguments: [], timeLimitMs: null, interactive: true }
    }
    return await this.#host.call('run.start', { request, confirmed: true })
  }

  async until(run, isSo) {
    let look = () => {}
    const seen = new Promise((resolve) => {
      look = () => isSo(this.#known.get(run)?.dialogue) && resolve()
      this.#waiting.add(look)
      look()
    })
    await within(60, 'a run', seen)
    this.#waiting.delete(look)
    return this.#known.get(run).dialogue
  }

  async answer(run, { id: ask }) {
    await this.#host.call('run.answer', { run, ask, answer: { allow: 'once' } })
  }

  /** Each as soon as it is asked, the oldest first. */
  async answerAll(run, count) {
    for (let at = 0; at < count; at++) {
      const { asks } = await this.until(run, (dialogue) => (dialogue?.asks.length ?? 0) > 0)
      const [ask] = asks
      await this.answer(run, ask)
      await this.until(run, (dialogue) => !dialogue.asks.some(({ id }) => id === ask.id))
    }
  }

  async queue(run, count) {
    for (let at = 0; at < count; at++)
      await this.#host.call('run.prompt', {
        run,
        text: `Then look at part ${at + 1}, and say what is wrong.`,
        when: 'queue'
      })
  }

  async stopAll() {
    for (const run of this.#known.keys()) await this.#host.call('run.stop', { run })
    for (const run of this.#known.keys()) await this.until(run, (dialogue) => dialogue?.turn === 'ended')
  }
}

/** Runs in the page: notes when each request is in it. */
function noteAsks() {
  window.asksSeen = new Map()
  new MutationObserver(() => {
    for (const { dataset } of document.querySelectorAll('[data-ask]'))
      if (!window.asksSeen.has(dataset.ask)) window.asksSeen.set(dataset.ask, Date.now())
  }).observe(document, { childList: true, subtree: true })
}

async function open(page, { recording }) {
  // Before it has drawn itself, a page takes no key.
  await page.getByRole('banner').waitFor()
  await page.keyboard.press('Control+o')
  const field = page.getByLabel('Path of a log')
  await field.fill(recording)
  await field.press('Enter')
  await page.locator('[data-ask]').first().waitFor()
}

async function lateness(page, runs) {
  const run = await runs.start({ asks: sizes.timed, open: 1, says: 10 })
  await open(page, run)
  for (let at = 0; at < sizes.timed; at++) {
    const { asks } = await runs.until(run.run, (dialogue) => dialogue?.asks.length === 1)
    await page.waitForFunction((id) => window.asksSeen.has(id), asks[0].id)
    // Not in step with what the host does at intervals.
    await pause(40 + ((at * 37) % 220))
    await runs.answer(run.run, asks[0])
    await runs.until(run.run, (dialogue) => !dialogue.asks.some(({ id }) => id === asks[0].id))
  }
  const seen = new Map(await page.evaluate(() => [...window.asksSeen]))
  const printed = readFileSync(notes, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  // The page was opened after the first.
  return spread(printed.slice(1).map(([id, at]) => seen.get(JSON.stringify(id)) - Number(at)))
}

async function manyAsks(page, runs) {
  const moves = []
  const measure = async (name, act) => moves.push({ name, work: await frameWork(page, act) })
  const { run, recording } = await runs.start({ asks: sizes.asks, open: sizes.open, says: 10 })
  await runs.until(run, (dialogue) => dialogue?.asks.length === sizes.open)
  await measure(`a run with ${sizes.open} open requests is opened`, async () => await open(page, { recording }))
  await measure('all of them are shown', async () => {
    for (const more = page.getByRole('button', { name: /^Show .* more requests?$/ }); (await more.count()) > 0;)
      await more.click()
    await page.waitForFunction((count) => document.querySelectorAll('[data-ask]').length === count, sizes.open)
  })
  await measure(`${sizes.prompts} prompts are queued`, async () => await runs.queue(run, sizes.prompts))
  const box = page.getByRole('textbox', { name: /^Write to/ })
  await measure(
    'a prompt is written',
    async () => await box.pressSequentially('And say why each of them failed.', { delay: 20 })
  )
  await box.fill('')
  const asks = page.getByRole('region', { name: 'Waiting for you' })
  await asks.hover({ position: { x: 300, y: 8 } })
  await measure('the requests are scrolled', async () => {
    for (let at = 0; at < 60; at++) {
      await page.mouse.wheel(0, at < 40 ? 300 : -600)
      await page.waitForTimeout(16)
    }
  })
  await measure(`${sizes.asks} requests are answered`, async () => await runs.answerAll(run, sizes.asks - sizes.open))
  const others = []
  await measure(`${sizes.runs} runs at once`, async () => {
    for (let at = 1; at < sizes.runs; at++) others.push(await runs.start({ asks: 20, open: 5, says: 20 }))
    await Promise.all(others.map((other) => runs.answerAll(other.run, 15)))
  })
  return moves
}
