import { bearer, codeOfFragment, proofText, rpcProtocols } from '#contract/access.ts'
import { HostError } from '#contract/host-error.ts'
import { RefusedError } from './connect.ts'

const tokenKey = 'playhead.token'

const noToken = 'This address has no access code.'
const spentCode = 'This address was already used, or is older than an hour. Each address works once.'
const otherToken = 'The Playhead server of this tab has stopped, or was restarted with another token.'

/** The access of this tab to its server. The tab keeps the token when it is reloaded or duplicated. */
export class TabAccess {
  /** From the address; not sent to the server yet. */
  #code: string | null
  #token = keptToken()
  #refusal: string

  constructor() {
    this.#code = codeOfFragment(location.hash)
    this.#refusal = this.#token === null ? noToken : otherToken
    // The browser's history already has the address. The code becomes invalid on use, and disappears from the address
    // bar.
    if (this.#code !== null) history.replaceState(history.state, '', location.pathname + location.search)
    // Opening another address of the page in the same tab only changes the fragment, so the page is not loaded again.
    addEventListener('hashchange', () => {
      if (codeOfFragment(location.hash) !== null) location.reload()
    })
  }

  /** The protocols of the socket. Rejects with `RefusedError`, or with 'closed' if the server does not answer. */
  async protocols(): Promise<string[]> {
    if (this.#code !== null) await this.#exchange(this.#code)
    if (this.#token === null) throw new RefusedError(this.#refusal)
    // Another server may have the port now. It must prove that it knows the token before it receives it.
    const nonce = hex(crypto.getRandomValues(new Uint8Array(32)))
    const proof = await fieldOf(await ask(`proof?nonce=${nonce}`), 'proof')
    if (proof === null || proof !== (await proofOf(this.#token, nonce))) throw new RefusedError(this.#refusal)
    this.#refusal = otherToken
    return rpcProtocols(this.#token)
  }

  /** For a request that needs the token. */
  get headers(): Record<string, string> {
    return this.#token === null ? {} : { authorization: bearer(this.#token) }
  }

  async #exchange(code: string): Promise<void> {
    const response = await ask('api/token', { method: 'POST', headers: { authorization: bearer(code) } })
    const token = await fieldOf(response, 'token')
    this.#code = null
    // A tab keeps its token if its own address is opened in it again.
    if (token === null) return void (this.#refusal = spentCode)
    this.#token = token
    keepToken(token)
  }
}

/** Without storage the token lasts until the page is left. */
function keptToken(): string | null {
  try {
    return sessionStorage.getItem(tokenKey)
  } catch {
    return null
  }
}

function keepToken(token: string): void {
  try {
    sessionStorage.setItem(tokenKey, token)
  } catch {
    // As above.
  }
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(new URL(path, location.href), { ...init, cache: 'no-store' })
  } catch {
    throw new HostError('closed', 'The host does not answer.')
  }
}

/** A string field of a JSON answer; null if there is none. */
async function fieldOf(response: Response, name: string): Promise<string | null> {
  const answer: unknown = response.ok ? await response.json().catch(() => null) : null
  if (typeof answer !== 'object' || answer === null) return null
  const value: unknown = Object.entries(answer).find(([key]) => key === name)?.[1]
  return typeof value === 'string' ? value : null
}

async function proofOf(token: string, nonce: string): Promise<string> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(token), algorithm, false, ['sign'])
  const proof = await crypto.subtle.sign('HMAC', key, encoder.encode(proofText(nonce)))
  // As base64url.
  const base64 = btoa(String.fromCharCode(...new Uint8Array(proof)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
