import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

test('speedscope imports a trace, each lane as a profile', async ({ page }, info) => {
  const trace = info.outputPath('run.trace.json')
  const { code, stderr } = await playhead('export', sample, '--to', 'trace', '-o', trace)
  expect([code, stderr]).toEqual([0, expect.stringContaining('a trace written to')])
  const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as {
    traceEvents: { ph: string; tid: number; name: string }[]
  }
  const lanes = new Set(traceEvents.filter(({ ph }) => ph === 'X').map(({ tid }) => tid))
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  const speedscope = await speedscopeWith(trace)
  try {
    await page.goto(speedscope.url)
    await expect(page.getByText(new RegExp(`\\(tid 1\\) \\(1/${lanes.size}\\)`))).toBeVisible()
    await expect(page).toHaveTitle(/trace\.json/)
    expect(errors).toEqual([])
  } finally {
    speedscope.close()
  }
})
