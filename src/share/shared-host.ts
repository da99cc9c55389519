import { connectHost } from '#contract/client.ts'
import { HostError } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import { portTransport } from '#contract/port-transport.ts'
import { sharedPage, type SharedRun } from '#contract/shared-page.ts'
import { takeEmbeddedRun } from './embedded-run.ts'
import type { LogThreadTask } from './log-thread.ts'
import { PageReviews } from './page-reviews.ts'
import { startThread } from './start-thread.ts'

/** The host of a shared page: a thread of the page. `onPart` and errors as in `takeEmbeddedRun`. */
export async function startSharedHost(
  page: Document,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  onPart: (part: number) => void
): Promise<Host> {
  const script = page.getElementById(sharedPage.thread.id)?.textContent
  if (typeof script !== 'string') throw new HostError('unavailable', 'This page is incomplete. Ask for the file again.')
  const embedded = await takeEmbeddedRun(page, onPart)
  const code = new Blob([script], { type: 'text/javascript' })
  const thread = startThread(URL.createObjectURL(code))
  const talk = new MessageChannel()
  const transport = portTransport(talk.port1)
  thread.addEventListener('error', () => transport.close())
  thread.postMessage({ role: 'log', code, ...embedded, port: talk.port2 } satisfies LogThreadTask, [talk.port2])
  return new PageReviews(storage, reviewKey(embedded.run), embedded.run.bookmarks).answerFor(connectHost(transport))
}

/** Pages opened from a disk may share one storage. */
function reviewKey({ name, files, shared }: SharedRun): string {
  return `playhead.review ${name} ${files[0]?.bytes} ${shared.exportedAt}`
}
