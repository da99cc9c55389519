import { HostError } from '#contract/host-error.ts'
import { portMessage } from '#contract/port-message.ts'
import { portTransport } from '#contract/port-transport.ts'
import type { Transport } from '#contract/transport.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import type { PathOfFile } from '../stores/app-store.ts'
import type { PlaceKeeper } from '../stores/keeping-place.ts'
import type { OpenTransport } from './connect.ts'
import { appPlace, tabPlace } from './page-place.ts'
import { TabAccess } from './tab-access.ts'

declare global {
  interface Window {
    /** Put there by Electron's preload: the path of a dropped file. */
    playheadFiles?: { pathOf(file: File): string }
  }
}

interface PageHost {
  readonly open: OpenTransport
  readonly pathOfFile: PathOfFile
  readonly place: PlaceKeeper
}

/** The host of this page: that of the port that Electron's preload hands over, or the server the page came from. */
export function pageHost(): PageHost {
  const files = window.playheadFiles
  if (files !== undefined) {
    return { open: openPort, pathOfFile: async (file) => files.pathOf(file) || null, place: appPlace() }
  }
  // First: access takes the code out of the address.
  const place = tabPlace()
  const access = new TabAccess()
  return {
    place,
    open: async () => await openSocket(await access.protocols()),
    pathOfFile: async (file, capabilities) =>
      capabilities?.dropUpload === true ? await upload(file, access.headers) : null
  }
}

/** A browser does not say where a file is: it is sent to the host, which answers with a path of its own. */
async function upload(file: File, headers: Record<string, string>): Promise<string | null> {
  const url = new URL(`drop/${encodeURIComponent(file.name)}`, location.href)
  const response = await fetch(url, { method: 'PUT', body: file, headers })
  const text = await response.text()
  if (!response.ok) throw new HostError('unavailable', `${file.name} could not be sent to Playhead: ${text.trim()}`)
  const answer: unknown = JSON.parse(text)
  return isObject(answer) && typeof answer['path'] === 'string' ? answer['path'] : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function openSocket(protocols: string[]): Promise<Transport> {
  const url = new URL('rpc', location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url, protocols)
  const transport = webSocketTransport(socket)
  return new Promise((resolve, reject) => {
    socket.addEventListener('open', () => resolve(transport))
    socket.addEventListener('close', () => reject(new HostError('closed', 'The host does not answer.')))
  })
}

function openPort(): Promise<Transport> {
  return new Promise((resolve) => {
    function listen(event: MessageEvent<unknown>): void {
      const [port] = event.ports
      if (event.source !== window || port === undefined) return
      if (!isObject(event.data) || event.data['type'] !== portMessage) return
      window.removeEventListener('message', listen)
      resolve(portTransport(port))
    }
    window.addEventListener('message', listen)
    // The preload hears it, and sends a message like it with a port.
    window.postMessage({ type: portMessage }, location.origin)
  })
}
