import { HostError } from '#contract/host-error.ts'
import { portMessage } from '#contract/port-message.ts'
import { portTransport } from '#contract/port-transport.ts'
import type { Transport } from '#contract/transport.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import type { FileAccess } from '../stores/opening-files.ts'
import type { PlaceKeeper } from '../stores/keeping-place.ts'
import type { OpenTransport } from './connect.ts'
import { appPlace, tabPlace } from './page-place.ts'
import { sendTo } from './send-file.ts'
import { TabAccess } from './tab-access.ts'

declare global {
  interface Window {
    /** Set by Electron's preload: the path of a dropped file. */
    playheadFiles?: { pathOf(file: File): string }
  }
}

interface PageHost {
  readonly open: OpenTransport
  readonly files: FileAccess
  readonly place: PlaceKeeper
}

/** The host of this page: behind the port from Electron's preload, or the server of the page. */
export function pageHost(): PageHost {
  const files = window.playheadFiles
  if (files !== undefined) {
    return { open: openPort, files: { pathOf: (file) => files.pathOf(file) || null }, place: appPlace() }
  }
  // First, because access removes the code from the address.
  const place = tabPlace()
  const access = new TabAccess()
  return {
    place,
    open: async () => await openSocket(await access.protocols()),
    files: sendTo(() => access.headers)
  }
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
    // The preload answers with the same message and a port.
    window.postMessage({ type: portMessage }, location.origin)
  })
}
