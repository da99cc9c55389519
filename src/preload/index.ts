import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { portMessage } from '#contract/port-message.ts'

// The page gets a port to the host and the paths of files dropped on it. A new method never changes this file.
contextBridge.exposeInMainWorld('playheadFiles', { pathOf: (file: File): string => webUtils.getPathForFile(file) })

ipcRenderer.on(portMessage, (event) => {
  window.postMessage({ type: portMessage }, window.location.origin, [...event.ports])
})

// Not before the page's own script listens.
window.addEventListener('load', () => ipcRenderer.send(portMessage), { once: true })
