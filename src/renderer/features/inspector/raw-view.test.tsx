import { expect, test } from 'vitest'
import type { RowIssue } from '#contract/methods.ts'
import { openRows } from '../../../../test/page/inspected-rows.tsx'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const text = '{"type":"system","subtype":7,"usage":{"a":1,"b":2},"big":12345678901234567890,"big":1}'
const issue: RowIssue = {
  code: 'TypedParse',
  severity: 'violation',
  path: '$.subtype',
  message: 'expected a string, found a number'
}

/** The inspector's Raw tab over one line. */
async function openRaw(raw: Uint8Array<ArrayBuffer>, issues: RowIssue[] = []) {
  const opened = await openRows([{ body: null, record: { type: 'system', subtype: 7 }, raw, issues }])
  await opened.inspector.getByRole('tab', { name: 'Raw', exact: true }).click()
  // The last chosen layout is stored.
  await opened.inspector.getByRole('button', { name: 'Pretty' }).click()
  return opened
}

test('each member has its own line, exactly as written, with its issues below', async () => {
  const { inspector, container } = await openRaw(bytesOf(text), [issue])
  const lines = () => [...container.querySelectorAll('.raw-line')].map((line) => line.textContent)
  await expect
    .poll(lines)
    .toEqual([
      '{',
      '"type": "system",',
      '"subtype": 7,',
      'TypedParse$.subtypeexpected a string, found a number',
      '"usage": {',
      '"a": 1,',
      '"b": 2',
      '},',
      '"big": 12345678901234567890,',
      '"big": 1',
      '}'
    ])
  await expect.element(inspector).toHaveTextContent('valid UTF-8 · LF')
  await expect.element(inspector).toHaveTextContent('offset 1,024 · 86 bytes')
})

test('objects collapse and expand, and show their size', async () => {
  const { inspector, container } = await openRaw(bytesOf(text))
  const lines = () => [...container.querySelectorAll('.raw-line')].map((line) => line.textContent)
  await inspector.getByRole('button', { name: 'Close' }).nth(1).click()
  await expect.poll(lines).toContain('"usage": { 2 members },')
  await inspector.getByRole('button', { name: 'Open' }).click()
  await expect.poll(lines).toContain('"a": 1,')
})

test('invalid bytes are shown as text and as hex', async () => {
  const raw = Uint8Array.from([...bytesOf('{"x":"'), 0xff, 0x00, 0x22, 0x7d])
  const { inspector, container } = await openRaw(raw, [
    { code: 'InvalidUtf8', severity: 'violation', path: null, message: 'the line has bytes that are not UTF-8' }
  ])
  await expect.element(inspector).toHaveTextContent('not UTF-8 at byte 6 · LF')
  await inspector.getByRole('button', { name: 'As written' }).click()
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['\\xff', '␀'])
  await inspector.getByRole('button', { name: 'Bytes' }).click()
  await expect.element(inspector.getByRole('group', { name: 'Bytes' })).toHaveTextContent('000400')
  await expect.element(inspector.getByRole('group', { name: 'Bytes' })).toHaveTextContent('7b 22 78 22 3a 22 ff 00')
  expect(container.querySelector('mark')?.textContent).toBe('ff')
})

test('a long line is loaded in pieces, and whole on demand', async () => {
  const { inspector } = await openRaw(bytesOf(JSON.stringify({ a: 'x'.repeat(100_000), last: 1 })))
  await expect.element(inspector).not.toHaveTextContent('"last"')
  await inspector.getByRole('button', { name: /^Show all 100/ }).click()
  await expect.element(inspector).toHaveTextContent('"last": 1')
  await inspector.getByRole('button', { name: /more of this text/ }).click()
  await expect.element(inspector.getByRole('group', { name: 'Line, pretty' })).toHaveTextContent('xxx')
})

test('an issue states what was expected and found, and links to its place', async () => {
  const { log, inspector } = await openRaw(bytesOf(text), [issue])
  await inspector.getByRole('tab', { name: 'Log issues', exact: true }).click()
  const card = inspector.getByRole('listitem')
  await expect.element(card).toHaveTextContent('For the types system and result, subtype must be a string.')
  await expect.element(card).toHaveTextContent('FoundA number: 7')
  await expect.element(card).toHaveTextContent('No event: the row is shown as a record.')
  await expect.element(card).toHaveTextContent('Claude stream-json parser contract v1: “system subtype”')
  await card.getByRole('button', { name: 'Show in Raw' }).click()
  expect(log().inspectorTab).toBe('raw')
  await expect.element(inspector.getByText('"subtype"')).toBeVisible()
})

test('a late issue is loaded and shown', async () => {
  const far = bytesOf(JSON.stringify({ type: 'system', text: 'x'.repeat(200_000), subtype: 7 }))
  const { inspector } = await openRaw(far, [issue])
  await inspector.getByRole('button', { name: 'Bytes' }).click()
  await inspector.getByRole('tab', { name: 'Log issues', exact: true }).click()
  await inspector.getByRole('button', { name: 'Show in Raw' }).click()
  await expect.element(inspector.getByText('"subtype"')).toBeVisible()
  await expect.element(inspector.getByRole('group', { name: 'Line, pretty' })).toHaveTextContent('TypedParse$.subtype')
})

test('a line without issues says so', async () => {
  const { inspector } = await openRaw(bytesOf('{}'))
  await inspector.getByRole('tab', { name: 'Log issues', exact: true }).click()
  await expect.element(inspector).toHaveTextContent('No issues on this line.')
})
