import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { corpusLogs, corpusPath } from '../conformance/corpus.ts'
import { times } from '../thorough.ts'
import { launchOptions } from '../../playwright.config.ts'
import { expect, playhead, sample, test } from './playhead-server.ts'

// speedscope draws with WebGL.
test.use({ launchOptions: { ...launchOptions, args: [...launchOptions.args, '--enable-unsafe-swiftshader'] } })

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the built page of speedscope, and a trace beside it. */
async function speedscopeWith(trace: string): Promise<{ url: string; close(): void }> {
  const pages = join(dirname(fileURLToPath(import.meta.resolve('speedscope/package.json'))), 'dist/release')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    response.setHeader('content-type', types[extname(pathname)] ?? 'application/octet-stream')
    try {
      response.end(readFileSync(pathname === '/trace.json' ? trace : join(pages, pathname)))
    } catch {
      response.statusCode = 404
      response.end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/index.html#profileURL=/trace.json`, close: () => server.close() }
}

const real = corpusLogs()
const logs = [sample, ...(times(0, real.length) === 0 ? [] : real.map(corpusPath))]

test(`speedscope imports traces of ${logs.length} logs, each lane as a profile`, async ({ page }, info) => {
  test.setTimeout(30_000 + logs.length * 10_000)
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  let withoutSpans = 0
  for (const [i, log] of logs.entries()) {
    const trace = info.outputPath(`${i}.trace.json`)
    const { code, stderr } = await playhead('export', log, '--to', 'trace', '-o', trace)
    expect([0, 2], `${log}: ${stderr}`).toContain(code)
    const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as {
      traceEvents: { ph: string; tid: number; pid: number }[]
    }
    const lanes = new Set(traceEvents.filter(({ ph }) => ph === 'X').map(({ pid, tid }) => `${pid} ${tid}`))
    // speedscope refuses a trace with nothing to draw, as of a log that holds no turn and no call.
    if (lanes.size === 0) {
      withoutSpans++
      continue
    }
    const speedscope = await speedscopeWith(trace)
    try {
      await page.goto(speedscope.url)
      await expect(page, log).toHaveTitle(/trace\.json/)
      if (lanes.size > 1) await expect(page.getByText(new RegExp(`\\(\\d+/${lanes.size}\\)`)), log).toBeVisible()
      expect(errors, log).toEqual([])
    } finally {
      speedscope.close()
    }
  }
  expect(logs.length - withoutSpans).toBeGreaterThan(0)
  console.log(`speedscope: ${logs.length - withoutSpans} traces imported, ${withoutSpans} logs without spans`)
})
