import { createHmac, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import * as z from 'zod'
import { addressWithCode, bearer, proofText } from '#contract/access.ts'
import { HostError } from '#contract/host-error.ts'
import type { LivingServer } from './server-files.ts'

const patienceMs = 5000
const maxBytes = 4096

/** A new address of the page of a running server. Throws 'unavailable' if it does not answer, or lacks the token. */
export async function freshAddress({ port, token }: Pick<LivingServer, 'port' | 'token'>): Promise<string> {
  // Another program may have the port now, and must not get the token.
  const nonce = randomBytes(32).toString('base64url')
  const { proof } = await ask(port, 'GET', `/proof?nonce=${nonce}`, z.object({ proof: z.string() }))
  if (proof !== createHmac('sha256', token).update(proofText(nonce)).digest('base64url'))
    throw new HostError('unavailable', `The program on port ${port} is not the server that was started there.`)
  const { code } = await ask(port, 'POST', '/api/code', z.object({ code: z.string() }), bearer(token))
  return addressWithCode(`http://127.0.0.1:${port}`, code)
}

async function ask<T>(
  port: number,
  method: string,
  path: string,
  answer: z.ZodType<T>,
  authorization?: string
): Promise<T> {
  const unanswered = (): HostError => new HostError('unavailable', `The server on port ${port} does not answer.`)
  const headers = authorization === undefined ? {} : { authorization }
  // No agent: a proxy must not be used.
  const options = {
    host: '127.0.0.1',
    port,
    method,
    path,
    headers,
    agent: false,
    signal: AbortSignal.timeout(patienceMs)
  }
  try {
    return await new Promise((resolve, reject) => {
      const asked = request(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
          if (text.length > maxBytes) asked.destroy(unanswered())
        })
        response.on('error', reject)
        response.on('end', () => {
          try {
            resolve(answer.parse(JSON.parse(text)))
          } catch (error) {
            reject(error)
          }
        })
      })
      asked.on('error', reject).end()
    })
  } catch {
    throw unanswered()
  }
}
