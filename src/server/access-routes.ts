import type { IncomingMessage, ServerResponse } from 'node:http'
import { securityHeaders } from '#backend/page-files.ts'
import type { Access } from './access.ts'
import { refuse } from './refuse.ts'

/** The answer without a token, with advice for the user. */
const needsToken =
  'A token is required. "playhead url" prints an address of the page, "playhead url --token" the token.'
const voidCode =
  'This address was already used, or is older than an hour. Each address works once. Run "playhead url" in a terminal for a new one.'

/** Answers an unauthenticated request, 401. */
export function refuseUnauthenticated(request: IncomingMessage, response: ServerResponse, message = needsToken): void {
  refuse(request, response, 401, message, { 'www-authenticate': 'Bearer' })
}

/** Answers one request. */
type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void

/** `POST /api/token` (code to token), `POST /api/code` (a new code), `GET /proof?nonce=NONCE`. Null for other paths. */
export function accessRoute(access: Access, pathname: string): Answer | null {
  if (pathname === '/api/token') {
    return only('POST', (request, response) => {
      if (access.spendsCode(request)) send(response, { token: access.token })
      else refuseUnauthenticated(request, response, voidCode)
    })
  }
  if (pathname === '/api/code') {
    return only('POST', (request, response) => {
      if (access.hasToken(request)) send(response, { code: access.newCode() })
      else refuseUnauthenticated(request, response)
    })
  }
  if (pathname !== '/proof') return null
  return only('GET', (request, response, url) => {
    const nonce = url.searchParams.get('nonce') ?? ''
    if (/^[\w-]{16,64}$/.test(nonce)) send(response, { proof: access.proof(nonce) })
    else refuse(request, response, 400, 'Give a nonce of 16 to 64 letters and digits: /proof?nonce=NONCE')
  })
}

function only(method: string, answer: Answer): Answer {
  return (request, response, url) => {
    if (request.method === method) answer(request, response, url)
    else refuse(request, response, 405, `Use ${method}.`, { allow: method })
  }
}

function send(response: ServerResponse, answer: Record<string, string>): void {
  response.writeHead(200, { ...securityHeaders, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(answer))
}
