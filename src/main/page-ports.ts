import { ipcMain, MessageChannelMain, type IpcMainEvent, type MessagePortMain } from 'electron'
import type { Handlers } from '#contract/methods.ts'
import { portMessage } from '#contract/port-message.ts'
import { portTransport, type PortLike } from '#contract/port-transport.ts'
import { serveHost, type ServedHost } from '#contract/serve.ts'
import { isPageUrl } from './page.ts'

/** The pages that have a port, told of everything together. */
export interface PagePorts {
  readonly notify: ServedHost['notify']
}

/** Gives a port to every page that asks and is ours: the main frame of a window, showing `playhead://app`. */
export function servePagePorts(handlers: () => Handlers, onFault: (method: string, fault: unknown) => void): PagePorts {
  const pages = new Set<ServedHost>()
  ipcMain.on(portMessage, (event) => {
    if (!isFromPage(event)) return
    const { port1, port2 } = new MessageChannelMain()
    const transport = portTransport(asPort(port1))
    const page = serveHost(transport, handlers(), onFault)
    pages.add(page)
    transport.onClose(() => pages.delete(page))
    event.senderFrame?.postMessage(portMessage, null, [port2])
  })
  return {
    notify(name, payload) {
      for (const page of pages) page.notify(name, payload)
    }
  }
}

function isFromPage({ senderFrame }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isPageUrl(senderFrame.url)
}

/** Electron's main process copies buffers between processes; its ports refuse them as transferables. */
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
