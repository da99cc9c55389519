import { describe, expect, test } from 'vitest'
import { isUnique, RequestIds } from './request-ids.ts'

const unique = 'msg_01XFDUDYJgAACzvnptvVoYEL'

/** The numbers that lines of one track get; `null`: a result stands between. */
function numbers(...lines: ([id: string, requestId: string | undefined, sent: number, stopped?: boolean] | null)[]) {
  const ids = new RequestIds()
  return lines.flatMap((line) => {
    if (line === null) return (ids.close(''), [])
    const [id, requestId, sent, stopped = true] = line
    return [ids.numberOf('', { id, requestId, sent, stopped })]
  })
}

describe('one request', () => {
  test('has several lines, also where a tool answers between them', () => {
    expect(numbers([unique, undefined, 7], [unique, undefined, 7], null, [unique, undefined, 7])).toEqual([0, 0, 0])
    expect(numbers(['m', 'r', 7], null, ['m', 'r', 7])).toEqual([0, 0])
  })

  test('may lack the id of the request on one of its lines', () => {
    expect(numbers(['m', 'r', 7], null, ['n', 's', 9], null, ['m', undefined, 7])).toEqual([0, 1, 0])
    expect(numbers(['m', undefined, 7], null, ['n', 's', 9], null, ['m', 'r', 7])).toEqual([0, 1, 0])
  })

  test('may state no tokens at its start', () => {
    expect(numbers(['m', undefined, 0, false], ['m', undefined, 7])).toEqual([0, 0])
  })
})

describe('another request', () => {
  test('of a relay has the same id: a result is between, or it sent other tokens', () => {
    expect(numbers(['ocgo', undefined, 7], null, ['ocgo', undefined, 7], ['ocgo', undefined, 7])).toEqual([0, 1, 1])
    expect(numbers(['ocgo', undefined, 7], ['ocgo', undefined, 8])).toEqual([0, 1])
    expect(numbers([unique, undefined, 7], null, [unique, undefined, 8])).toEqual([0, 1])
  })

  test('has another request id', () => {
    expect(numbers([unique, 'r', 7], [unique, 's', 7], [unique, 'r', 7])).toEqual([0, 1, 0])
  })

  test('is each line without an id', () => {
    const ids = new RequestIds()
    const line = { id: undefined, requestId: undefined, sent: 7, stopped: true }
    expect([ids.numberOf('', line), ids.numberOf('', line)]).toEqual([0, 1])
  })

  test('begins where the log says so', () => {
    const ids = new RequestIds()
    const line = { id: 'ocgo', requestId: undefined, sent: 7, stopped: true }
    ids.announce('', 'ocgo')
    const first = [ids.numberOf('', line), (ids.close(''), ids.numberOf('', line))]
    ids.announce('', 'ocgo')
    expect([...first, ids.numberOf('', line)]).toEqual([0, 0, 1])
  })
})

test.each([
  [unique, true],
  ['chatcmpl-0b2c1f3a9d8e4f5a8b7c6d5e4f3a2b1c', true],
  ['6f9619ff-8b86-4011-b42d-00cf4fc964ff', true],
  ['ocgo', false],
  ['msg_00000000000000000000000001', false],
  ['msg_01000031fake', false],
  ['REDACTED', false]
])('%s looks as if it was given once: %s', (id, is) => {
  expect(isUnique(id)).toBe(is)
})
