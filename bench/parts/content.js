import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { root } from '../../bin/prepare.js'
import { figure } from '../figures.js'
import { folder } from '../logs.js'
import { withPage } from '../screen.js'

const out = join(folder, 'content-page')
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** For how long the inspector's parts block the page when they draw what a log can hold at worst, and while that is scrolled through. */
export async function run() {
  await build({
    root: join(root, 'bench/content-page'),
    logLevel: 'error',
    base: './',
    plugins: [react()],
    build: { outDir: out, emptyOutDir: true, target: 'chrome140' }
  })
  const server = createServer(({ url = '/' }, response) => {
    const name = url === '/' ? 'index.html' : url.replace(/[^\w./-]|\.\./g, '')
    response.setHeader('content-type', types[extname(name)] ?? 'application/octet-stream')
    createReadStream(join(out, name))
      .on('error', () => response.writeHead(404).end())
      .pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const found = await withPage(`http://127.0.0.1:${server.address().port}/`, async (page) => {
      await page.waitForFunction(() => window.contentCases !== undefined)
      const names = await page.evaluate(() => window.contentCases)
      // What is measured first would pay for code that runs for the first time.
      await page.evaluate((name) => window.prepareContent(name), names[0])
      await page.evaluate(() => window.measureContent())
      const results = []
      for (const name of names) {
        await page.evaluate((one) => window.prepareContent(one), name)
        const trace = await traced(page, () => page.evaluate(() => window.measureContent()))
        results.push({ ...trace.result, longestRunMs: trace.longestRunMs })
      }
      return results
    })
    return found.map(({ name, longest, longestRunMs, elements }) => {
      const note = `${longest.toFixed(0)} ms with the wait for a core; ${elements} elements`
      return figure(name, longestRunMs, 'ms', { most: 100, note })
    })
  } finally {
    server.close()
  }
}

/** What `work` gives, and for how many ms the page's thread ran at most without a pause, which other processes cannot lengthen. */
async function traced(page, work) {
  const session = await page.context().newCDPSession(page)
  const events = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value))
  await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] } })
  const result = await work()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  const thread = events.find(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  let longestRunMs = 0
  for (const { tid, pid, tdur = 0 } of events) {
    if (tid === thread?.tid && pid === thread?.pid) longestRunMs = Math.max(longestRunMs, tdur / 1000)
  }
  return { result, longestRunMs }
}
