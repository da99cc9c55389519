import { connectHost } from '#contract/client.ts'
import { HostError, type Host } from '#contract/methods.ts'
import { portTransport } from '#contract/port-transport.ts'
import { sharedPage, type SharedRun } from '#contract/shared-page.ts'
import { takeEmbeddedRun } from './embedded-run.ts'
import type { LogThreadTask } from './log-thread.ts'
import { keepReviews, keptReview } from './page-reviews.ts'

/** The host of a page that holds its log: a thread of the page. `onPart` as in `takeEmbeddedRun`, which also says what it throws. */
export async function startSharedHost(
  page: Document,
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  onPart: (part: number) => void
): Promise<Host> {
  const script = page.getElementById(sharedPage.thread.id)?.textContent
  if (typeof script !== 'string')
    throw new HostError('unavailable', 'This page is not whole. Ask for it again, as a file.')
  const embedded = await takeEmbeddedRun(page, onPart)
  const code = new Blob([script], { type: 'text/javascript' })
  const thread = new Worker(URL.createObjectURL(code))
  const talk = new MessageChannel()
  const reviews = new MessageChannel()
  const key = reviewKey(embedded.run)
  keepReviews(reviews.port1, storage, key)
  const transport = portTransport(talk.port1)
  thread.addEventListener('error', () => transport.close())
  const ports = { port: talk.port2, reviewPort: reviews.port2 }
  const task: LogThreadTask = { role: 'log', code, ...embedded, ...ports, review: keptReview(storage, key) }
  thread.postMessage(task, Object.values(ports))
  return connectHost(transport)
}

/** Pages that were opened from a disk may share what is kept. */
function reviewKey({ name, files, shared }: SharedRun): string {
  return `playhead.review ${name} ${files[0]?.bytes} ${shared.exportedAt}`
}
