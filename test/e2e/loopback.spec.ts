import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium } from '@playwright/test'
import { expect, sample, test } from './playhead-server.ts'

test('the page breaks no policy of its own, and asks nothing of anybody else', async ({ page, serve }) => {
  const url = await serve(sample)
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (new URL(request.url()).host !== new URL(url).host) foreign.push(request.url())
  })
  await page.goto(url)
  await expect(page.getByRole('grid', { name: 'Timeline' })).toBeVisible()
  await expect(page.getByRole('status').first()).toBeVisible()
  expect(complaints).toEqual([])
  expect(foreign).toEqual([])
})

test('without its token the address shows nothing; with it the page can be loaded again', async ({ page, serve }) => {
  const url = await serve(sample)
  const { origin } = new URL(url)
  expect((await page.goto(origin))?.status()).toBe(403)
  await expect(page.getByText('Open the address that Playhead printed')).toBeVisible()
  await page.goto(url)
  await expect(page.getByRole('grid', { name: 'Timeline' })).toBeVisible()
  expect((await page.goto(origin))?.status()).toBe(200)
  await expect(page.getByRole('grid', { name: 'Timeline' })).toBeVisible()
  expect(await page.evaluate(() => document.cookie)).toBe('')
})

test('another site on this machine shares the cookie and still gets nothing', async ({ page, serve }) => {
  const url = await serve(sample)
  await page.goto(url)
  await expect(page.getByRole('grid', { name: 'Timeline' })).toBeVisible()

  const other = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>other'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  try {
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    const got = await page.evaluate(async (host) => {
      const socket = new Promise<string>((resolve) => {
        const rpc = new WebSocket(`ws://${host}/rpc`)
        rpc.onopen = () => resolve('open')
        rpc.onerror = () => resolve('refused')
      })
      const request = (path: string, options: RequestInit) =>
        fetch(`http://${host}${path}`, { credentials: 'include', ...options }).then(
          (answer) => `${answer.type} ${answer.status}`,
          () => 'refused'
        )
      const frame = document.createElement('iframe')
      frame.src = `http://${host}/`
      document.body.append(frame)
      return {
        socket: await socket,
        page: await request('/', {}),
        opaque: await request('/', { mode: 'no-cors' }),
        drop: await request('/drop/x.jsonl', { method: 'PUT', body: 'x' })
      }
    }, new URL(url).host)
    expect(got).toEqual({ socket: 'refused', page: 'refused', opaque: 'refused', drop: 'refused' })
    await expect(page.frameLocator('iframe').getByRole('grid')).toHaveCount(0)
  } finally {
    other.closeAllConnections()
    other.close()
  }
})

test('a name of somebody else that leads to this machine (DNS rebinding) gets nothing, token or not', async ({
  serve
}, info) => {
  const { port, search } = new URL(await serve(sample))
  const { launchOptions } = info.project.use
  const args = [...(launchOptions?.args ?? []), '--host-resolver-rules=MAP rebound.example 127.0.0.1']
  const browser = await chromium.launch({ ...launchOptions, args })
  try {
    const page = await browser.newPage()
    const answer = await page.goto(`http://rebound.example:${port}/${search}`)
    expect(answer?.status()).toBe(403)
    await expect(page.getByText('only to its own machine')).toBeVisible()
    const socket = await page.evaluate(
      (address) =>
        new Promise<string>((resolve) => {
          const rpc = new WebSocket(address)
          rpc.onopen = () => resolve('open')
          rpc.onerror = () => resolve('refused')
        }).catch(() => 'refused'),
      `ws://rebound.example:${port}/rpc${search}`
    )
    expect(socket).toBe('refused')
  } finally {
    await browser.close()
  }
})

test('a file dropped on the page opens', async ({ page, serve }) => {
  await page.goto(await serve())
  const line = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([`${text}\n`], 'dropped run.jsonl'))
    return transfer
  }, line)
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await page.dispatchEvent('body', type, { dataTransfer: data })
  }
  await expect(page.getByText('dropped run.jsonl').first()).toBeVisible()
  await expect(page.getByRole('grid', { name: 'Timeline' }).locator('[data-line="1"]').first()).toBeVisible()
})
