import { expect, test } from 'vitest'
import { ClaudeStreamJsonParser } from './claude/contract.ts'
import { issueCodes, type IssueCode } from './issue.ts'
import { issueClause } from './issue-clauses.ts'

/** Records that break each rule of the strict contract. */
const broken: unknown[] = [
  7,
  {},
  { type: 'user' },
  { type: 'system', session_id: 's', subtype: 7 },
  { type: 'stream_event', session_id: 's', event: 7 },
  { type: 'stream_event', session_id: 's', event: {} },
  { type: 'result', session_id: 's' },
  { type: 'result', session_id: 's', subtype: 'other' },
  { type: 'result', session_id: 's', subtype: 'success', is_error: 'no' },
  { type: 'result', session_id: 's', subtype: 'success', is_error: true }
]

test('every refusal of the strict contract has its clause', () => {
  const parser = new ClaudeStreamJsonParser()
  const clauses = broken.map((value) => {
    const parsed = parser.parseJson(value)
    if (parsed.ok) throw new Error('the contract refuses this record')
    const { code, message, path } = parsed.error
    return issueClause('claude-stream-json', { code: code as IssueCode, message, path: path ?? null }, false)
  })
  expect(clauses.map(({ source }) => source?.document)).toEqual(
    broken.map(() => 'Claude stream-json parser contract v1')
  )
  expect(clauses[3]).toEqual({
    asked: 'For the types system and result, subtype must be a string.',
    source: { document: 'Claude stream-json parser contract v1', section: 'system subtype' },
    found: 'A number',
    effect: 'No event: the row is shown as a record.'
  })
  expect(clauses[7]?.asked).toBe('For type result, subtype must be "success" or "error".')
  expect(clauses[9]?.found).toBe('True with success')
})

test('the rule of another format is what its schema asks', () => {
  const issue = { code: 'TypedParse', path: '$.item.id', message: 'expected a string, found nothing' } as const
  expect(issueClause('codex-exec-json', issue, true)).toEqual({
    asked: '$.item.id must be a string.',
    source: { document: 'docs/formats/codex-exec-json.md', section: 'codex-exec-json' },
    found: 'Nothing',
    effect: 'The event is kept as far as its meaning is clear.'
  })
})

test('every code explains the finding and the effect; a notice breaks no rule', () => {
  for (const code of Object.keys(issueCodes) as IssueCode[]) {
    const clause = issueClause('claude-transcript', { code, path: '$.type', message: 'a thing' }, false)
    expect(clause.found).toBe('A thing')
    expect(clause.effect).not.toBe('')
    if (issueCodes[code].severity === 'notice') expect(clause.asked).toBeNull()
    else if (code !== 'LineTooLong') expect(clause.asked).not.toBeNull()
  }
})
