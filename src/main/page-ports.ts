import { ipcMain, MessageChannelMain, type IpcMainEvent, type MessagePortMain } from 'electron'
import { isPageUrl } from '#backend/desktop/page-address.ts'
import { portMessage } from '#contract/port-message.ts'
import { portTransport, type PortLike } from '#contract/port-transport.ts'
import type { Transport } from '#contract/transport.ts'

/** Gives a port to every page that asks and is ours: the main frame of a window, showing `playhead://app`. `serve` gets our end of it. */
export function givePagePorts(serve: (transport: Transport) => void): void {
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

/**
 * Columns come here from a log's thread without a copy; from here to the page they are copied once, since Electron's ports take only
 * ports as transferables, and the thread's own ports do not reach another process.
 */
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
