import '#contract/without-eval.ts'
import './shared-page.css'
import { pageRoot } from '#renderer/show-app.tsx'
import { formatPercent } from '#renderer/ui/format.ts'
import { createAppStore } from '#renderer/stores/app-store.ts'
import icon from '#renderer/icon.svg'
import { startSharedHost } from './shared-host.ts'

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
        {error instanceof Error ? error.message : String(error)}
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
