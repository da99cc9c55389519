import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from '#backend/page-files.ts'

/** Answers with an error for the user, or ends the connection if an answer has begun. */
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
  // The rest of the request is not read.
  response.end(message + '\n', () => request.destroy())
}
