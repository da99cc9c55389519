import * as z from 'zod'
import { HostError } from '#contract/host-error.ts'
import { isNewerVersion, isVersion } from './versions.ts'

const maxBytes = 64 * 1024
const answerMs = 10_000

const HttpsUrl = z.string().max(2000).refine(isHttps, 'expected an https address')

/** The file at a distributor's address. Other keys are ignored. */
const LatestRelease = z.object({ version: z.string().max(200).refine(isVersion, 'expected a version'), url: HttpsUrl })
type LatestRelease = z.infer<typeof LatestRelease>

/** The part of `fetch` that is used. Electron's `fetch` uses the system's proxy. */
export type FetchText = (
  url: string,
  options: { redirect: 'error'; credentials: 'omit'; cache: 'no-store'; signal: AbortSignal }
) => Promise<Response>

/** `PLAYHEAD_UPDATE_URL`, else "updates" of package.json, which is not set here. Null: no update checks. */
export function updateAddress(manifest: unknown, variables: NodeJS.ProcessEnv): string | null {
  const field = typeof manifest === 'object' && manifest !== null && 'updates' in manifest ? manifest.updates : null
  const address = HttpsUrl.safeParse(variables['PLAYHEAD_UPDATE_URL'] ?? field)
  return address.success ? address.data : null
}

/**
 * The latest version if it is later than `own`, else null. Call it only when a person asks for it. Limits: 64 KiB, ten
 * seconds, no redirects. Every failure is a `HostError` 'unavailable'.
 */
export async function checkForUpdate(address: string, own: string, fetch: FetchText): Promise<LatestRelease | null> {
  const signal = AbortSignal.timeout(answerMs)
  const text = await load(address, fetch, signal).catch((error: unknown) => {
    if (error instanceof HostError) throw error
    throw failed(signal.aborted ? 'it did not answer in ten seconds' : 'it could not be reached')
  })
  const release = parseRelease(text)
  return isNewerVersion(release.version, own) ? release : null
}

async function load(address: string, fetch: FetchText, signal: AbortSignal): Promise<string> {
  const options = { redirect: 'error', credentials: 'omit', cache: 'no-store', signal } as const
  const answer = await fetch(address, options)
  if (!answer.ok) {
    await answer.body?.cancel()
    throw failed(`it answered with status ${answer.status}`)
  }
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // Leaving the loop cancels the download.
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw failed('its answer is too long')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseRelease(text: string): LatestRelease {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw failed('its answer is not JSON')
  }
  const release = LatestRelease.safeParse(value)
  if (!release.success) throw failed('its answer does not name a version and an https address')
  return release.data
}

function failed(why: string): HostError {
  return new HostError('unavailable', `Playhead could not check for updates: ${why}. Try again later.`)
}

function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:'
}
