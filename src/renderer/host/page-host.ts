import { HostError } from '#contract/methods.ts'
import { portMessage } from '#contract/port-message.ts'
import { portTransport } from '#contract/port-transport.ts'
import type { Transport } from '#contract/transport.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import type { PathOfFile } from '../stores/app-store.ts'
import type { OpenTransport } from './connect.ts'

declare global {
  interface Window {
    /** Put there by Electron's preload: the path of a dropped file. */
    playheadFiles?: { pathOf(file: File): string }
  }
}

/** The way to the host of this page: the port that Electron's preload hands over, or the server the page came from. */
export function pageTransport(): OpenTransport {
  return window.playheadFiles === undefined ? openSocket : openPort
}

/** A dropped file's path: known to Electron; a browser has to send the file to its host first. */
export const pathOfFile: PathOfFile = async (file, capabilities) => {
  const path = window.playheadFiles?.pathOf(file)
  if (path !== undefined && path !== '') return path
  if (capabilities?.dropUpload !== true) return null
  const url = new URL(`drop/${encodeURIComponent(file.name)}${location.search}`, location.href)
  const response = await fetch(url, { method: 'PUT', body: file })
  const text = await response.text()
  if (!response.ok) throw new HostError('unavailable', `${file.name} could not be sent to Playhead: ${text.trim()}`)
  const answer: unknown = JSON.parse(text)
  return isObject(answer) && typeof answer['path'] === 'string' ? answer['path'] : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function openSocket(): Promise<Transport> {
  const url = new URL(`rpc${location.search}`, location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
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
