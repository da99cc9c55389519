import { statSync } from 'node:fs'
import { figure } from '../figures.js'
import { frameWork } from '../frame-work.js'
import { libraryHome, logsBelow } from '../library-home.js'
import { withPage } from '../screen.js'
import { forget, withServer } from '../server.js'
import { spread } from '../spread.js'

const steps = 120

/** A session is scrolled through while the library counts all sessions, and while it rests. */
export async function run() {
  const home = libraryHome()
  const session = logsBelow(home)
    .filter((path) => path.includes('.claude') && path.endsWith('.jsonl'))
    .map((path) => ({ path, bytes: statSync(path).size }))
    .reduce((most, one) => (one.bytes > most.bytes ? one : most)).path
  forget()
  const env = { HOME: home, USERPROFILE: home, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', GEMINI_CLI_HOME: '' }
  const { counting, resting } = await withServer(
    async ({ url, connect }) => {
      const server = await connect()
      await server.call('library.status', {})
      return await withPage(url, async (page) => {
        await page.getByRole('contentinfo').getByText('Indexed', { exact: true }).waitFor()
        const measured = async () => ({
          work: await frameWork(page, () => scroll(page)),
          between: await frameTimes(page)
        })
        await phase(server, (now) => now === 'counts')
        const counting = await measured()
        if ((await server.call('library.status', {})).phase !== 'counts')
          throw new Error('all was counted before the end')
        await server.call('library.pause', { isPaused: true })
        return { counting, resting: await measured() }
      })
    },
    { env, files: [session] }
  )
  return [
    figure('a frame of an open session while the library counts, p95', counting.between.p95, 'ms', {
      most: 17,
      note: `p50 ${counting.between.p50}, most ${counting.between.max}; while it rests p95 ${resting.between.p95}`
    }),
    figure('work of the page for such a frame, p95', counting.work.p95, 'ms', {
      most: 16.7,
      note: `most ${counting.work.max}; while it rests p95 ${resting.work.p95}`
    })
  ]
}

async function phase(server, isSo) {
  while (!isSo((await server.call('library.status', {})).phase)) await new Promise((resume) => setTimeout(resume, 50))
}

/** Through the timeline with the wheel, forth and back. */
async function scroll(page) {
  const { x, y, width, height } = await page.getByRole('grid', { name: 'Timeline' }).boundingBox()
  await page.mouse.move(x + width / 2, y + height / 2)
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, step < steps / 2 ? 240 : -240)
    await page.waitForTimeout(16)
  }
}

/** From one frame to the next while the timeline is scrolled. */
async function frameTimes(page) {
  await page.evaluate(() => {
    window.framesAt = []
    const note = (at) => {
      window.framesAt.push(at)
      window.frameWanted = requestAnimationFrame(note)
    }
    window.frameWanted = requestAnimationFrame(note)
  })
  await scroll(page)
  const at = await page.evaluate(() => {
    cancelAnimationFrame(window.frameWanted)
    return window.framesAt
  })
  return spread(at.slice(1).map((time, frame) => time - at[frame]))
}
