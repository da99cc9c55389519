import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { proofText, tokenOfProtocols } from '#contract/access.ts'

/**
 * Access to the loopback server. Any web page and any user of the machine can connect, so all requests except those for the
 * page's files need the token, in a header that other pages cannot send, and none may come from another site.
 */
export interface Access {
  readonly token: string
  /** Null: the origin is allowed; else a message for the user (status 403). */
  refusal(request: IncomingMessage): string | null
  /** `Authorization: Bearer TOKEN` */
  hasToken(request: IncomingMessage): boolean
  /** Whether the token is among the protocols that a WebSocket offers. */
  offersToken(request: IncomingMessage): boolean
  /** Exchanged once for the token, within an hour. More than 64 unused codes invalidate the oldest. */
  newCode(): string
  /** Whether the request has a valid code, `Authorization: Bearer CODE`, which is then used up. */
  spendsCode(request: IncomingMessage): boolean
  /** A proof for `nonce` that needs the token. */
  proof(nonce: string): string
}

const codeLifetimeMs = 3_600_000
const maxCodes = 64

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function createAccess(token: string, now: () => number = Date.now): Access {
  /** Expiry in ms since the epoch by hash, oldest first. */
  const codes = new Map<string, number>()
  return {
    token,
    refusal(request) {
      if (!isLoopbackHost(request.headersDistinct['host']))
        return 'This server accepts requests from this machine only.'
      if (!isSameOrigin(request)) return 'This server rejects requests from other websites.'
      return null
    },
    hasToken: (request) => isSecret(bearerOf(request), token),
    offersToken: (request) => isSecret(tokenOfProtocols(request.headers['sec-websocket-protocol']), token),
    newCode() {
      const code = newSecret()
      codes.set(hash(code).toString('hex'), now() + codeLifetimeMs)
      for (const [key] of [...codes].slice(0, -maxCodes)) codes.delete(key)
      return code
    },
    spendsCode(request) {
      const code = bearerOf(request)
      if (code === null) return false
      const key = hash(code).toString('hex')
      const goodUntil = codes.get(key) ?? 0
      return codes.delete(key) && now() < goodUntil
    },
    proof: (nonce) => createHmac('sha256', token).update(proofText(nonce)).digest('base64url')
  }
}

/** Null: no valid URL (`GET //`, absolute forms of others). */
export function urlOf(request: IncomingMessage): URL | null {
  const target = request.url ?? ''
  return target.startsWith('/') && URL.canParse(`http://127.0.0.1${target}`)
    ? new URL(`http://127.0.0.1${target}`)
    : null
}

/** Against DNS rebinding: refuses foreign names that resolve to this machine. Any port, as `ssh -L` may use another. */
function isLoopbackHost([host, ...more]: readonly string[] = []): boolean {
  return host !== undefined && more.length === 0 && /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host)
}

/** Refuses other sites and other servers of this machine. Links may navigate, as their page cannot read the answer. */
function isSameOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers
  if (origin !== undefined) return origin.toLowerCase() === `http://${host}`.toLowerCase()
  const site = request.headers['sec-fetch-site'] ?? 'none'
  if (site === 'none' || site === 'same-origin') return true
  return request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document'
}

function bearerOf({ headers }: IncomingMessage): string | null {
  return /^Bearer ([\w-]{1,128})$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

/** Compares hashes: equal lengths, and constant time. */
function isSecret(given: string | null, secret: string): boolean {
  return given !== null && timingSafeEqual(hash(given), hash(secret))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
