import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from '#backend/page-files.ts'

/** Answers a request with what is wrong with it, for people; ends the connection where an answer had begun. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {}
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const type = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }
  response.writeHead(status, { ...securityHeaders, ...type, ...headers })
  // What the request still wants to send is not read.
  response.end(message + '\n', () => request.destroy())
}
