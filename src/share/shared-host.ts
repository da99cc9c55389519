import { connectHost } from '#contract/client.ts'
import { HostError, type Host } from '#contract/methods.ts'
import { portTransport } from '#contract/port-transport.ts'
import { sharedPage } from '#contract/shared-page.ts'
import { takeEmbeddedRun } from './embedded-run.ts'
import type { LogThreadTask } from './log-thread.ts'

/** The host of a page that holds its log: a thread of the page. Throws a `HostError` where the page is not whole. */
export async function startSharedHost(page: Document): Promise<Host> {
  const code = page.getElementById(sharedPage.thread.id)?.textContent
  if (typeof code !== 'string')
    throw new HostError('unavailable', 'This page is not whole. Ask for it again, as a file.')
  const embedded = await takeEmbeddedRun(page)
  // The address stays: the thread starts others of its kind.
  const thread = new Worker(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })))
  const { port1, port2 } = new MessageChannel()
  const transport = portTransport(port1)
  thread.addEventListener('error', () => transport.close())
  thread.postMessage({ role: 'log', port: port2, ...embedded } satisfies LogThreadTask, [port2])
  return connectHost(transport)
}
