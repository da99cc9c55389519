import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { codeOfFragment, rpcProtocols, tokenOfProtocols } from '#contract/access.ts'
import { createAccess, newSecret } from './access.ts'

const withBearer = (secret: string): IncomingMessage =>
  ({ headers: { authorization: `Bearer ${secret}` } }) as IncomingMessage

test('a code is valid once, within an hour', () => {
  let now = 1_000_000
  const access = createAccess(newSecret(), () => now)
  const [first, second] = [access.newCode(), access.newCode()]
  expect(access.spendsCode(withBearer(first))).toBe(true)
  expect(access.spendsCode(withBearer(first))).toBe(false)
  now += 3_600_000
  expect(access.spendsCode(withBearer(second))).toBe(false)
  now -= 1
  // It was shown too late, and is void since.
  expect(access.spendsCode(withBearer(second))).toBe(false)
})

test('64 unused codes are valid', () => {
  const access = createAccess(newSecret())
  const codes = Array.from({ length: 100 }, () => access.newCode())
  expect(codes.filter((code) => access.spendsCode(withBearer(code)))).toEqual(codes.slice(36))
})

test.each(['', 'Bearer', 'Bearer ', 'Bearer a b', `Bearer ${'a'.repeat(129)}`, 'Basic abc', 'bearer: x', 'Bearer é'])(
  'the header %j holds nothing',
  (authorization) => {
    const access = createAccess('token')
    const request = { headers: { authorization } } as IncomingMessage
    expect([access.hasToken(request), access.spendsCode(request)]).toEqual([false, false])
  }
)

test('page and server use the same texts', () => {
  const token = newSecret()
  expect(tokenOfProtocols(rpcProtocols(token).join(', '))).toBe(token)
  for (const offered of [undefined, '', 'playhead', `playhead.token.${token}`, `x, playhead.token.${token}`])
    expect(tokenOfProtocols(offered)).toBeNull()
  expect(codeOfFragment('#code=abc')).toBe('abc')
  for (const hash of ['', '#', '#other', 'code=abc']) expect(codeOfFragment(hash)).toBeNull()
})
