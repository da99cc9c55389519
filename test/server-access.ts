import { bearer, codeOfFragment, rpcProtocols } from '#contract/access.ts'

/** What lets a program in at a loopback server. */
export interface LetIn {
  readonly origin: string
  readonly token: string
  /** Of each request. */
  readonly headers: { readonly authorization: string }
  /** Of the WebSocket, and its address. */
  readonly protocols: string[]
  readonly rpc: string
}

/** As the page does it: gives the code of an address, which works once, for the token. */
export async function letIn(address: string): Promise<LetIn> {
  const { origin, host, hash } = new URL(address)
  const headers = { authorization: bearer(codeOfFragment(hash) ?? '') }
  const response = await fetch(`${origin}/api/token`, { method: 'POST', headers })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const { token } = (await response.json()) as { token: string }
  return withToken(host, token)
}

export function withToken(host: string, token: string): LetIn {
  return {
    origin: `http://${host}`,
    token,
    headers: { authorization: bearer(token) },
    protocols: rpcProtocols(token),
    rpc: `ws://${host}/rpc`
  }
}
