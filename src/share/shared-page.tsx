import '#contract/without-eval.ts'
import './shared-page.css'
import { pageRoot } from '#renderer/show-app.tsx'
import { formatPercent } from '#renderer/ui/format.ts'
import { createAppStore } from '#renderer/stores/app-store.ts'
import icon from '#renderer/icon.svg'
import { connectHost } from '#contract/client.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { Host } from '#contract/methods.ts'
import { portTransport } from '#contract/port-transport.ts'
import { sharedPage, type SharedRun } from '#contract/shared-page.ts'
import { takeEmbeddedRun } from './embedded-run.ts'
import type { LogThreadTask } from './log-thread.ts'
import { PageReviews } from './page-reviews.ts'
import { startThread } from './start-thread.ts'

const root = pageRoot()
showIcon()
void start()

async function start(): Promise<void> {
  const onPart = (part: number): void => {
    root.message(
      <p className="shared-message">
        <span role="status">Unpacking the log…</span>
        <span className="num" aria-hidden="true">
          {formatPercent(part)}
        </span>
      </p>
    )
  }
  try {
    onPart(0)
    const storage = pageStorage()
    const host = await startSharedHost(document, storage, onPart)
    const app = createAppStore(host, { storage })
    root.app(app)
    host.onClose(() => app.getState().setConnection('lost'))
    app.getState().setConnection('open')
  } catch (error) {
    root.message(
      <p className="shared-message" role="alert">
        {messageOf(error)}
      </p>
    )
  }
}

function showIcon(): void {
  const link = document.createElement('link')
  link.rel = 'icon'
  link.href = icon
  document.head.append(link)
}

/** Browsers may deny storage to a page opened from a disk. */
function pageStorage(): Pick<Storage, 'getItem' | 'setItem'> {
  try {
    return localStorage
  } catch {
    const kept = new Map<string, string>()
    return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) }
  }
}

/** The host of a shared page: a thread of the page. `onPart` and errors as in `takeEmbeddedRun`. */
async function startSharedHost(
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
