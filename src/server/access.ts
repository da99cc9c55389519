import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Who may talk to the loopback server. Any web page can make a browser send requests to 127.0.0.1, and any user of the
 * machine can connect to it; logs hold secrets. So every request needs the token, and must not come from another site.
 */
export interface Access {
  /** The secret part of the URL that is printed. */
  readonly token: string
  /** What lets the browser load assets and connect after it opened that URL. */
  setCookie(port: number): string
  /** Null if the request is let in, else what to tell the person (status 403). */
  refusal(request: IncomingMessage, port: number): string | null
  hasTokenInUrl(request: IncomingMessage): boolean
}

export function createAccess(): Access {
  const token = randomBytes(32).toString('base64url')

  const hasTokenInUrl = (request: IncomingMessage): boolean => {
    const given = urlOf(request)?.searchParams.get('token')
    return given !== null && given !== undefined && sameSecret(given, token)
  }
  return {
    token,
    setCookie: (port) => `${cookieName(port)}=${token}; Path=/; HttpOnly; SameSite=Strict`,
    hasTokenInUrl,
    refusal(request, port) {
      if (!isLoopbackHost(request.headers.host)) return 'This server answers only to its own machine.'
      if (!isSameOrigin(request)) return 'This server does not answer to other web sites.'
      if (hasTokenInUrl(request) || cookies(request, cookieName(port)).some((given) => sameSecret(given, token)))
        return null
      return 'This address lacks its token. Open the address that Playhead printed when it started.'
    }
  }
}

/** The request's URL, null if it is not one (`GET //`, absolute forms of others). */
export function urlOf(request: IncomingMessage): URL | null {
  const target = request.url ?? ''
  return target.startsWith('/') && URL.canParse(`http://127.0.0.1${target}`)
    ? new URL(`http://127.0.0.1${target}`)
    : null
}

/** Against DNS rebinding: a foreign name that points here is refused. Any port, since `ssh -L` may use another. */
function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host)
}

/**
 * Against other sites, and other servers on this machine, which share our cookies. A page that links to the printed URL
 * is let through: that is a navigation, and the linking page sees nothing of it.
 */
function isSameOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers
  if (origin !== undefined) return origin.toLowerCase() === `http://${host}`.toLowerCase()
  const site = request.headers['sec-fetch-site'] ?? 'none'
  if (site === 'none' || site === 'same-origin') return true
  return request.headers['sec-fetch-mode'] === 'navigate' && request.headers['sec-fetch-dest'] === 'document'
}

/** Cookies are shared by all ports of a host, so the port is part of the name. */
function cookieName(port: number): string {
  return `playhead-${port}`
}

function cookies(request: IncomingMessage, name: string): string[] {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1))
}

/** Compared as hashes: equal lengths, and time that says nothing about the secret. */
function sameSecret(given: string, secret: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(secret))
}
