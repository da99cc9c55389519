import { Writable } from 'node:stream'
import { HostError, messageOf } from '#contract/host-error.ts'

/** A request without an answer for this long has failed. */
const maxWaitMs = 30_000

/** Whether a host is this machine. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}

/**
 * The address of an OTLP receiver. A path of `/` stands for `/v1/traces`, where the protocol has it. Throws a `HostError` for
 * another machine unless `allowsRemote`: logs hold what was said and done.
 */
export function otlpAddress(text: string, allowsRemote: boolean): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new HostError('bad-params', `--endpoint ${text}: give an address such as http://localhost:4318`)
  if (!isLoopback(url) && !allowsRemote)
    throw new HostError(
      'bad-params',
      `--endpoint ${text} is another machine. Add --allow-remote to send the session there.`
    )
  if (url.pathname === '/') url.pathname = '/v1/traces'
  return url
}

/** Sends each line, which is a request of OTLP in JSON, and waits for its answer before the next. */
export function otlpStream(address: URL): Writable {
  let rest = ''
  const decoder = new TextDecoder()
  return new Writable({
    write(bytes: Buffer, _encoding, done) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      sendAll(address, lines).then(() => done(), done)
    },
    final(done) {
      sendAll(address, rest === '' ? [] : [rest]).then(() => done(), done)
    }
  })
}

async function sendAll(address: URL, lines: readonly string[]): Promise<void> {
  for (const body of lines) await send(address, body)
}

async function send(address: URL, body: string): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    // A redirect may name another machine.
    redirect: 'error',
    signal: AbortSignal.timeout(maxWaitMs)
  }).catch((error: unknown) => {
    throw new HostError('unavailable', `${address.href} does not answer: ${reasonOf(error)}`)
  })
  if (response.ok) {
    await response.body?.cancel()
    return
  }
  const said = (await response.text().catch(() => '')).slice(0, 200)
  throw new HostError('unavailable', `${address.href} answered ${response.status} ${said}`.trim())
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const isLate = cause instanceof Error && cause.name === 'TimeoutError'
  return isLate ? `no answer in ${maxWaitMs / 1000} seconds` : messageOf(cause)
}
