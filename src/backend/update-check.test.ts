import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HostError } from '#contract/host-error.ts'
import { checkForUpdate, type FetchText, updateAddress } from './update-check.ts'

const address = 'https://updates.example/playhead.json'
const url = 'https://updates.example/playhead/'
afterEach(() => void vi.restoreAllMocks())

const saying =
  (text: string): FetchText =>
  async () =>
    new Response(text)

async function failureOf(fetch: FetchText): Promise<string> {
  const error: unknown = await checkForUpdate(address, '1.0.0', fetch).then(
    () => null,
    (fault: unknown) => fault
  )
  expect(error).toBeInstanceOf(HostError)
  const { code, message } = error as HostError
  expect(code).toBe('unavailable')
  return message
}

describe('the address', () => {
  test('is not set in this repository', () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(manifest).not.toHaveProperty('updates')
    expect(updateAddress(manifest, {})).toBeNull()
  })

  test('comes from package.json or the environment', () => {
    expect(updateAddress({ updates: address }, {})).toBe(address)
    expect(updateAddress({ updates: address }, { PLAYHEAD_UPDATE_URL: url })).toBe(url)
    expect(updateAddress({}, { PLAYHEAD_UPDATE_URL: url })).toBe(url)
    expect(updateAddress({ updates: address }, { PLAYHEAD_UPDATE_URL: '' })).toBeNull()
  })

  test.each([null, 7, '', 'updates', 'http://updates.example/', 'file:///etc/passwd', 'javascript:1', {}, [address]])(
    '%j is not a link',
    (updates) => {
      expect(updateAddress({ updates }, {})).toBeNull()
    }
  )

  test.each([null, undefined, 'text', 7])('%j is no package.json', (other) => {
    expect(updateAddress(other, {})).toBeNull()
  })
})

describe('asking', () => {
  test('returns later versions only', async () => {
    const latest = saying(JSON.stringify({ version: '1.1.0', url, notes: 'more' }))
    expect(await checkForUpdate(address, '1.0.9', latest)).toEqual({ version: '1.1.0', url })
    expect(await checkForUpdate(address, '1.1.0', latest)).toBeNull()
    expect(await checkForUpdate(address, '1.2.0-rc.1', latest)).toBeNull()
  })

  test('sends nothing about the person and follows no redirects', async () => {
    const fetch = vi.fn<FetchText>(saying(JSON.stringify({ version: '1.0.0', url })))
    await checkForUpdate(address, '1.0.0', fetch)
    expect(fetch.mock.calls).toEqual([
      [address, { redirect: 'error', credentials: 'omit', cache: 'no-store', signal: expect.any(AbortSignal) }]
    ])
  })

  test.each([
    ['no JSON', '<!doctype html>'],
    ['no release', '[]'],
    ['no version', JSON.stringify({ url })],
    ['a version that is none', JSON.stringify({ version: 'latest', url })],
    ['no address', JSON.stringify({ version: '2.0.0' })],
    ['an address that is not https', JSON.stringify({ version: '2.0.0', url: 'http://updates.example/' })],
    ['an address that runs', JSON.stringify({ version: '2.0.0', url: 'javascript:alert(1)' })],
    ['nothing', '']
  ])('%s is said to be of no use', async (_what, text) => {
    expect(await failureOf(saying(text))).toContain('its answer')
  })

  test('fails for error statuses and unreachable addresses', async () => {
    expect(await failureOf(async () => new Response('gone', { status: 404 }))).toContain('status 404')
    expect(await failureOf(async () => Promise.reject(new TypeError('fetch failed')))).toContain('not be reached')
  })

  test('stops an endless answer after 64 KiB', async () => {
    let given = 0
    let cancelled = false
    const endless = new ReadableStream({
      pull(controller) {
        given++
        controller.enqueue(new Uint8Array(16 * 1024).fill(32))
      },
      cancel: () => void (cancelled = true)
    })
    expect(await failureOf(async () => new Response(endless))).toContain('too long')
    expect(given).toBeLessThan(10)
    expect(cancelled).toBe(true)
  })

  test('stops waiting after ten seconds', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      expect(ms).toBe(10_000)
      return AbortSignal.abort()
    })
    const never: FetchText = (_url, { signal }) =>
      new Promise((_resolve, reject) => {
        if (signal.aborted) reject(signal.reason as Error)
        else signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    expect(await failureOf(never)).toContain('ten seconds')
  })

  test('any answer gives a release, null, or a failure with a reason', async () => {
    const answers = fc.oneof(
      fc.json(),
      fc.string(),
      fc.record({ version: fc.string(), url: fc.webUrl() }).map((r) => JSON.stringify(r))
    )
    await fc.assert(
      fc.asyncProperty(answers, async (text) => {
        const found = await checkForUpdate(address, '1.0.0', saying(text)).catch((error: unknown) => error)
        if (found instanceof HostError) expect(found.code).toBe('unavailable')
        else if (found !== null) expect(found).toMatchObject({ url: expect.stringMatching(/^https:/i) })
      })
    )
  })
})
