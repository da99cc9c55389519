import { HostError } from '#contract/host-error.ts'
import type { SendFiles } from '../stores/sending.ts'

/** Uploads a file to the page's server, because browsers do not state its path. `headers`: of each request. */
export function sendTo(headers: () => Record<string, string>): SendFiles {
  return {
    async send({ file, path }, group, { signal, onBytes }) {
      const { status, text } = await put(urlOf(group, path), file, { headers: headers(), signal, onBytes })
      if (status === 0)
        throw new HostError('closed', `${file.name} could not be sent to Playhead: the connection is lost.`)
      if (status !== 200)
        throw new HostError('unavailable', `${file.name} could not be sent to Playhead: ${text.trim()}`)
      return pathIn(text)
    },
    discard(group) {
      // If this fails, the files are deleted when the server stops.
      void fetch(urlOf(group), { method: 'DELETE', headers: headers() }).catch(() => {})
    }
  }
}

function urlOf(group: string, path = ''): URL {
  const parts = path === '' ? [] : path.split('/')
  return new URL(['drop', group, ...parts.map(encodeURIComponent)].join('/'), location.href)
}

interface Putting {
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
  readonly onBytes: (bytes: number) => void
}

/** `fetch` has no upload progress. Status 0: no answer. */
function put(url: URL, body: File, { headers, signal, onBytes }: Putting): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    request.upload.addEventListener('progress', ({ loaded }) => onBytes(loaded))
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort)
      if (signal.aborted) reject(signal.reason)
      else resolve({ status: request.status, text: request.responseText })
    })
    request.open('PUT', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
}

function pathIn(text: string): string {
  const answer: unknown = JSON.parse(text)
  if (typeof answer === 'object' && answer !== null && 'path' in answer && typeof answer.path === 'string')
    return answer.path
  throw new HostError('internal', 'The answer to an uploaded file has no path.')
}
