import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { portMessage } from '#contract/port-message.ts'

// The page gets a port to the host and the paths of dropped files. A new method never changes this file.
contextBridge.exposeInMainWorld('playheadFiles', { pathOf: (file: File): string => webUtils.getPathForFile(file) })

window.addEventListener('message', ({ source, data, ports }: MessageEvent<unknown>) => {
  if (source !== window || ports.length > 0 || typeof data !== 'object' || data === null) return
  if ('type' in data && data.type === portMessage) ipcRenderer.send(portMessage)
})

ipcRenderer.on(portMessage, (event) => {
  window.postMessage({ type: portMessage }, window.location.origin, [...event.ports])
})
