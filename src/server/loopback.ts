import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { PageFiles, securityHeaders } from '#backend/page-files.ts'
import { addressWithCode, rpcProtocol } from '#contract/access.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { Handlers } from '#contract/methods.ts'
import { serveHost, type ServedHost } from '#contract/serve.ts'
import { writeFailure } from '#backend/write-failure.ts'
import { accessRoute, refuseUnauthenticated } from './access-routes.ts'
import { createAccess, newSecret, urlOf } from './access.ts'
import { DropFolder, DropRefused } from './drop-folder.ts'
import { OpenRequests } from './open-requests.ts'
import { PacedPages } from './paced-transport.ts'
import { refuse } from './refuse.ts'
import { runRoute, type RunRoutesOptions } from './run-routes.ts'
import { UnauthenticatedSockets } from './unauthenticated-sockets.ts'

export interface LoopbackOptions {
  /** 0: any free port. */
  readonly port: number
  /** Folder of the built page. */
  readonly root: string
  readonly handlers: Handlers
  /** Absent: a new one. */
  readonly token?: string
  /** Absent: this host has no live runs. */
  readonly runs?: RunRoutesOptions['runs']
  readonly onFault: (method: string, fault: unknown) => void
  /** The folder for dropped files, removed at close. Absent: a new one. */
  readonly drops?: DropFolder
  /** Timeout for a request's headers. */
  readonly headersMs?: number
  /** A connection is closed that takes nothing of what waits for it for this long. */
  readonly unreadMs?: number
}

export interface Loopback {
  /** Grants access to all files of the user, and to starting programs. */
  readonly token: string
  readonly port: number
  /** A new address of the page. It works once, within an hour. */
  address(): string
  readonly notify: ServedHost['notify']
  close(): Promise<void>
}

const onlyDrops = 'Only dropped files can be uploaded.'
const maxCallBytes = 16 * 1024 * 1024
const maxUnauthenticated = 256
/** Of all connections, with a token or without. */
const maxConnections = 1024

/** Serves the page, `/rpc`, `/api/` and `/drop/GROUP/PATH` on 127.0.0.1. Throws 'unavailable' if the port is taken. */
export async function startLoopback(options: LoopbackOptions): Promise<Loopback> {
  const access = createAccess(options.token ?? newSecret())
  const { drops = new DropFolder() } = options
  const pages = new Set<ServedHost>()
  const files = new PageFiles(options.root)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxCallBytes,
    perMessageDeflate: false,
    handleProtocols: () => rpcProtocol
  })
  const unauthenticated = new UnauthenticatedSockets(maxUnauthenticated)
  const requests = new OpenRequests()
  const { unreadMs = 60_000 } = options
  const paced = new PacedPages(unreadMs)
  const headersTimeout = options.headersMs ?? 10_000
  // An upload through a slow tunnel may exceed Node's limit of five minutes.
  const timeouts = { requestTimeout: 0, headersTimeout, connectionsCheckingInterval: headersTimeout / 4 }
  const server = createServer(timeouts, (request, response) => {
    if (!requests.admit(request, response)) return
    const refusal = access.refusal(request)
    const answered = refusal === null ? route(request, response) : refuse(request, response, 403, refusal)
    void Promise.resolve(answered).catch((fault: unknown) => {
      options.onFault(request.method ?? '', fault)
      refuse(request, response, 500, 'The request failed inside Playhead. See its terminal for details.')
    })
  })
  server.maxConnections = maxConnections
  // Of silence in both directions: longer than the comments of an event stream, which keep it open.
  server.setTimeout(unreadMs)
  server.on('connection', (socket) => unauthenticated.add(socket))
  const port = await listen(server, options.port)

  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy())
    const status = upgradeRefusal(request)
    if (status !== null) {
      // `end` alone would keep the descriptor while the client keeps its side open.
      stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => stream.destroy())
      return
    }
    unauthenticated.remove(request.socket)
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const transport = paced.transport(socket, request.socket)
      const page = serveHost(transport, options.handlers, options.onFault)
      pages.add(page)
      transport.onClose(() => pages.delete(page))
    })
  })

  function upgradeRefusal(request: IncomingMessage): string | null {
    if (access.refusal(request) !== null) return '403 Forbidden'
    if (urlOf(request)?.pathname !== '/rpc') return '404 Not Found'
    return access.offersToken(request) ? null : '401 Unauthorized'
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = urlOf(request)
    const pathname = url?.pathname ?? ''
    const isKnown = access.hasToken(request)
    if (isKnown) unauthenticated.remove(request.socket)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const entry = accessRoute(access, pathname)
    if (hasBody(request) && (isRead || request.method === 'DELETE' || entry !== null))
      return refuse(request, response, 413, onlyDrops)
    if (url !== null && entry !== null) return entry(request, response, url)
    if (!isKnown && (!isRead || isPrivate(pathname))) return refuseUnauthenticated(request, response)
    const answer = runRoute(options, pathname)
    if (url !== null && answer !== null) return await answer(request, response, url)
    if (pathname.startsWith('/drop/') && (request.method === 'PUT' || request.method === 'DELETE'))
      return await drop(request, response, pathname)
    if (!isRead) return refuse(request, response, 405, 'Use GET.')
    const file = await files.read(pathname)
    if (!file) return refuse(request, response, 404, 'Not found. The page is at /.')
    response.writeHead(200, {
      ...securityHeaders,
      'content-type': file.mimeType,
      'content-length': file.bytes.byteLength
    })
    response.end(request.method === 'HEAD' ? undefined : file.bytes)
  }

  /** `PUT /drop/GROUP/PATH` stores a file and returns its path; `DELETE /drop/GROUP` removes the group. */
  async function drop(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    // Browsers send an origin with both methods.
    if (request.headers.origin === undefined)
      return refuse(request, response, 403, 'Only the Playhead page can upload files.')
    const [group = '', ...parts] = pathname.slice('/drop/'.length).split('/').map(decodeName)
    try {
      const isWhole = request.method === 'DELETE' && parts.length === 0
      const answer = isWhole ? await drops.remove(group) : await receive(request, group, parts)
      response.writeHead(200, { ...securityHeaders, 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify(answer ?? {}))
    } catch (error) {
      if (error instanceof DropRefused) return refuse(request, response, error.status, error.message)
      const why = writeFailure('It', error).message
      refuse(request, response, 507, `The file could not be stored. ${why} Open it by its path.`)
    }
  }

  async function receive(
    request: IncomingMessage,
    group: string,
    parts: readonly string[]
  ): Promise<{ readonly path: string }> {
    if (request.method !== 'PUT') throw new DropRefused(400, 'Only a whole group can be removed.')
    const refusal = drops.refusal(Number(request.headers['content-length'] ?? 0))
    if (refusal !== null) throw refusal
    // Not destroyed on an error: the page must receive the answer.
    return { path: await drops.receive(group, parts, request.iterator({ destroyOnReturn: false })) }
  }

  return {
    token: access.token,
    port,
    address: () => addressWithCode(`http://127.0.0.1:${port}`, access.newCode()),
    notify(name, payload) {
      for (const page of pages) page.notify(name, payload)
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await drops.close()
    }
  }
}

/** Whether the path is none of the page's files. */
function isPrivate(pathname: string): boolean {
  return /^\/(?:api|drop|rpc)(?:\/|$)/.test(pathname)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new HostError('unavailable', listenFault(error, port)))
    )
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function listenFault(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'EADDRINUSE') return `Port ${port} is in use. Choose another one, or 0 for any free port.`
  if (error.code === 'EACCES')
    return `Port ${port} requires administrator rights. Choose one above 1023, or 0 for any free port.`
  return `Cannot listen on 127.0.0.1:${port} (${error.code ?? messageOf(error)}).`
}
