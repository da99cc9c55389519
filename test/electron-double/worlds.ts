/**
 * What runs in a page of the stand-in beside the page itself. Both functions are sent to the browser as text, so they use nothing from
 * outside of them. The worlds talk by events on `window`, which a page could forge: Electron's bridge it could not.
 */

/** The name of the world in which the preload runs. */
export const worldName = 'electron-double'
/** What the isolated world tells the test with, and is told by. */
export const bindingName = 'electronDoubleSays'

/** What the isolated world says. */
export type FromWorld =
  | { readonly kind: 'ipc'; readonly channel: string; readonly args: unknown[]; readonly url: string }
  | { readonly kind: 'port'; readonly id: number; readonly data: Packed }
  | { readonly kind: 'closed'; readonly id: number }

/** What it is told. */
export type ToWorld =
  | { readonly kind: 'message'; readonly channel: string; readonly message: unknown; readonly ports: number[] }
  | { readonly kind: 'port'; readonly id: number; readonly data: Packed }
  | { readonly kind: 'close'; readonly id: number }
  /** Where files lie that are given to the page: it knows only their names. */
  | { readonly kind: 'paths'; readonly paths: Readonly<Record<string, string>> }

/** A value whose `ArrayBuffer`s stand as base64 beside its JSON, which has `[key]: index` in their places. */
export interface Packed {
  readonly json: string
  readonly bytes: readonly string[]
}
export const bufferKey = '\u0000buffer'

interface WorldScope {
  electronDoubleSays(text: string): void
  electronDoubleHears(message: ToWorld): void
}
type Listener = (event: { ports: MessagePort[] }, message: unknown) => void
type Exposed = Record<string, (...args: unknown[]) => unknown>

/** The isolated world: a sandboxed preload's `require('electron')`, and nothing else of Electron or Node. */
export function isolatedWorld(key: string, runPreload: (require: (name: string) => object) => void): void {
  const scope = globalThis as unknown as WorldScope
  const ports = new Map<number, MessagePort>()
  const listeners = new Map<string, Listener[]>()
  const exposed = new Map<string, Exposed>()
  let paths: Readonly<Record<string, string>> = {}
  const say = (message: FromWorld): void => scope.electronDoubleSays(JSON.stringify(message))

  function pack(value: unknown): Packed {
    const bytes: string[] = []
    const json = JSON.stringify(value, (_, each: unknown) => {
      if (!(each instanceof ArrayBuffer)) return each
      let text = ''
      for (const byte of new Uint8Array(each)) text += String.fromCharCode(byte)
      return { [key]: bytes.push(btoa(text)) - 1 }
    })
    return { json, bytes }
  }

  function unpack({ json, bytes }: Packed): unknown {
    return JSON.parse(json, (_, each: Record<string, number> | null) => {
      const index = typeof each === 'object' ? each?.[key] : undefined
      return index === undefined ? each : Uint8Array.from(atob(bytes[index] ?? ''), (sign) => sign.charCodeAt(0)).buffer
    })
  }

  scope.electronDoubleHears = (message) => {
    if (message.kind === 'port') ports.get(message.id)?.postMessage(unpack(message.data))
    else if (message.kind === 'close') ports.get(message.id)?.close()
    else if (message.kind === 'paths') paths = message.paths
    else {
      const given = message.ports.map((id) => {
        const { port1, port2 } = new MessageChannel()
        ports.set(id, port1)
        port1.addEventListener('message', ({ data }) => say({ kind: 'port', id, data: pack(data) }))
        port1.addEventListener('close', () => say({ kind: 'closed', id }))
        port1.start()
        return port2
      })
      for (const listener of listeners.get(message.channel) ?? []) listener({ ports: given }, message.message)
    }
  }

  const expose = (name: string, api: Exposed): void => {
    exposed.set(name, api)
    window.dispatchEvent(new CustomEvent('electron-double-expose', { detail: { name, keys: Object.keys(api) } }))
  }
  window.addEventListener('electron-double-hello', () => exposed.forEach((api, name) => expose(name, api)))
  window.addEventListener('electron-double-call', (event) => {
    const { name, key: called, args } = (event as CustomEvent<{ name: string; key: string; args: unknown[] }>).detail
    const detail = exposed.get(name)?.[called]?.(...args)
    window.dispatchEvent(new CustomEvent('electron-double-answer', { detail }))
  })

  const electron = {
    contextBridge: { exposeInMainWorld: expose },
    ipcRenderer: {
      on: (channel: string, listener: Listener) =>
        void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
      send: (channel: string, ...args: unknown[]) => say({ kind: 'ipc', channel, args, url: location.href })
    },
    webUtils: { getPathForFile: ({ name }: File) => paths[name] ?? '' }
  }
  if (window !== window.top) return
  runPreload((name) => {
    if (name === 'electron') return electron
    throw new Error(`module not found: ${name}`)
  })
}

/** The page's own world: what the preload exposes there. */
export function mainWorld(): void {
  window.addEventListener('electron-double-expose', (event) => {
    const { name, keys } = (event as CustomEvent<{ name: string; keys: string[] }>).detail
    const call = (key: string, args: unknown[]): unknown => {
      let answer: unknown
      const listen = (answered: Event): void => void (answer = (answered as CustomEvent).detail)
      window.addEventListener('electron-double-answer', listen, { once: true })
      window.dispatchEvent(new CustomEvent('electron-double-call', { detail: { name, key, args } }))
      return answer
    }
    const api = Object.fromEntries(keys.map((key) => [key, (...args: unknown[]) => call(key, args)]))
    if (!(name in window)) Object.defineProperty(window, name, { value: Object.freeze(api) })
  })
  window.dispatchEvent(new Event('electron-double-hello'))
}
