/**
 * How a page or a program shows that it may talk to the loopback server: the words that both sides have to know. What they are for is in
 * docs/decisions/access-token.md.
 */

/** A code works once: `POST /api/token` gives the token for it. It stands in the fragment of an address, which no browser sends. */
const codeFragment = '#code='

/** An address of the page that lets one tab in. */
export function addressWithCode(origin: string, code: string): string {
  return `${origin}/${codeFragment}${code}`
}

/** The code in `location.hash`; null: there is none. */
export function codeOfFragment(hash: string): string | null {
  return hash.startsWith(codeFragment) ? hash.slice(codeFragment.length) : null
}

/** The value of the header `Authorization`. */
export function bearer(secret: string): string {
  return `Bearer ${secret}`
}

/** What the server speaks on `/rpc`. It never names the other protocol it was offered, which holds the token. */
export const rpcProtocol = 'playhead'

const tokenProtocol = 'playhead.token.'

/** A browser can send no header with a WebSocket, but it can offer protocols. */
export function rpcProtocols(token: string): string[] {
  return [rpcProtocol, tokenProtocol + token]
}

/** The token among the protocols that a socket offers (`Sec-WebSocket-Protocol`); null: there is none. */
export function tokenOfProtocols(header: string | undefined): string | null {
  const offered = (header ?? '').split(',').map((protocol) => protocol.trim())
  const [held, ...more] = offered.filter((protocol) => protocol.startsWith(tokenProtocol))
  return held === undefined || more.length > 0 || !offered.includes(rpcProtocol)
    ? null
    : held.slice(tokenProtocol.length)
}

/**
 * Another server may have taken the port meanwhile. So a page asks `GET /proof?nonce=NONCE` before it shows its token: the answer, the
 * HMAC-SHA-256 of this text with the token as its key, in base64url, can only come from a server that has the same token.
 */
export function proofText(nonce: string): string {
  return `playhead proof ${nonce}`
}
