/** Authentication at the loopback server: constants of both sides. See docs/decisions/access-token.md. */

/** A code works once: `POST /api/token` exchanges it for the token. Browsers do not send URL fragments. */
const codeFragment = '#code='

/** A URL of the page that authenticates one tab. */
export function addressWithCode(origin: string, code: string): string {
  return `${origin}/${codeFragment}${code}`
}

/** The code in `location.hash`; null: none. */
export function codeOfFragment(hash: string): string | null {
  return hash.startsWith(codeFragment) ? hash.slice(codeFragment.length) : null
}

/** The value of the header `Authorization`. */
export function bearer(secret: string): string {
  return `Bearer ${secret}`
}

/** The protocol that the server selects on `/rpc`; never the other one offered, which contains the token. */
export const rpcProtocol = 'playhead'

const tokenProtocol = 'playhead.token.'

/** Browsers cannot set headers of a WebSocket, but can offer protocols. */
export function rpcProtocols(token: string): string[] {
  return [rpcProtocol, tokenProtocol + token]
}

/** The token in the offered protocols (`Sec-WebSocket-Protocol`); null: none. */
export function tokenOfProtocols(header: string | undefined): string | null {
  const offered = (header ?? '').split(',').map((protocol) => protocol.trim())
  const [held, ...more] = offered.filter((protocol) => protocol.startsWith(tokenProtocol))
  return held === undefined || more.length > 0 || !offered.includes(rpcProtocol)
    ? null
    : held.slice(tokenProtocol.length)
}

/**
 * The text of a proof. Another server may have taken the port, so a page calls `GET /proof?nonce=NONCE` before it sends
 * its token. The answer is the HMAC-SHA-256 of this text, keyed with the token, in base64url.
 */
export function proofText(nonce: string): string {
  return `playhead proof ${nonce}`
}
