import { ipcMain, MessageChannelMain, protocol } from 'electron'
import type { IpcMainEvent, MessagePortMain, Session } from 'electron'
import { scheme } from '#backend/desktop/deep-link.ts'
import { isPageUrl } from '#backend/desktop/page-address.ts'
import { PageFiles, securityHeaders } from '#backend/page-files.ts'
import { portMessage } from '#contract/port-message.ts'
import { portTransport, type PortLike } from '#contract/port-transport.ts'
import type { Transport } from '#contract/transport.ts'

/** Makes `playhead://app` a secure origin. Call it before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }
  ])
}

/** Serves the files of the built page only. */
export function servePage(session: Session, root: string): void {
  const files = new PageFiles(root)
  session.protocol.handle(scheme, async (request) => {
    const url = new URL(request.url)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const file = isRead && url.host === 'app' ? await files.read(url.pathname) : null
    if (!file) return new Response('Not found.\n', { status: 404, headers: securityHeaders })
    return new Response(file.bytes, { headers: { ...securityHeaders, 'content-type': file.mimeType } })
  })
}

/** Sends a port to each main frame of `playhead://app` that asks for one; `serve` gets the other end. */
export function connectPages(serve: (transport: Transport) => void): void {
  ipcMain.on(portMessage, (event) => {
    if (!isFromPage(event)) return
    const { port1, port2 } = new MessageChannelMain()
    serve(portTransport(asPort(port1)))
    event.senderFrame?.postMessage(portMessage, null, [port2])
  })
}

function isFromPage({ senderFrame }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isPageUrl(senderFrame.url)
}

/** Columns are copied once on the way to the page: Electron's ports transfer only ports. */
function asPort(port: MessagePortMain): PortLike {
  return {
    postMessage: (message) => port.postMessage(message),
    addEventListener(type, listener) {
      if (type === 'message') port.on('message', (event) => listener({ data: event.data as unknown }))
      else port.on('close', () => listener({}))
    },
    start: () => port.start(),
    close: () => port.close()
  }
}
