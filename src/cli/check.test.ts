import { describe, expect, test } from 'vitest'
import { file, good, init, json, jsonl, playhead } from '../../test/command-line.ts'

describe('check', () => {
  test('a good log: nothing to say, exit code 0', async () => {
    const path = file('good.jsonl', good)
    expect(await playhead('check', path)).toEqual({
      code: 0,
      out: '',
      err: 'playhead: 6 lines, 6 records, 6 events: 0 malformed, 0 violations, 0 notices\n'
    })
    expect(await json('check', path)).toEqual({
      file: path,
      format: 'claude-stream-json',
      bytes: Buffer.byteLength(good),
      lines: 6,
      records: 6,
      events: 6,
      issues: []
    })
  })

  test('a line for each issue, exit code 1', async () => {
    const path = file('bad.jsonl', jsonl(init) + 'oops\n\n' + jsonl({ ...init, session_id: 7 }))
    const { code, out, err } = await playhead('check', path)
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^.*bad\.jsonl:2: JsonParse - column 1: /),
      expect.stringMatching(/^.*bad\.jsonl:4: TypedParse \$\.session_id /),
      ''
    ])
    expect(err).toContain('4 lines, 2 records,')
  })

  test('an interrupt by a person breaks the contract, and is no issue anywhere else', async () => {
    const result = { type: 'result', session_id: 's1', num_turns: 1 }
    const path = file(
      'interrupted.jsonl',
      jsonl(
        init,
        { ...result, subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_tools' },
        { ...result, subtype: 'error_during_execution', is_error: true, errors: ['Request was aborted.'] },
        { ...result, subtype: 'success', is_error: true, terminal_reason: 'aborted_streaming' }
      )
    )
    const { code, out } = await playhead('check', path)
    expect(code).toBe(1)
    expect(out.match(/:\d+: \w+ \S+/g)).toEqual([
      ':2: TypedParse $.subtype',
      ':3: TypedParse $.subtype',
      ':4: Normalize $.is_error'
    ])
    expect(await json('stats', path)).toMatchObject({ issues: { malformed: 0, violation: 0, notice: 0 } })
    expect(await playhead('query', path, 'has:issue')).toMatchObject({ code: 1, out: '' })
    expect((await playhead('export', path, '--to', 'md')).out).not.toContain('violation')
  })

  test('an end that failed is one in the rows too', async () => {
    const failed = { type: 'result', session_id: 's1', subtype: 'error_max_turns', is_error: true }
    const path = file('failed.jsonl', jsonl(init, failed, { ...failed, subtype: 7, terminal_reason: 'aborted_tools' }))
    expect(await json('stats', path)).toMatchObject({ issues: { violation: 2 } })
    expect((await playhead('query', path, 'has:issue')).code).toBe(0)
  })

  test('notices alone are fine', async () => {
    const path = file('notice.jsonl', jsonl(init, { type: 'brand_new', session_id: 's1' }))
    expect(await playhead('check', path)).toMatchObject({ code: 0, out: expect.stringContaining('UnknownType') })
  })

  test('with --strict, notices count too', async () => {
    const odd = file('odd.jsonl', jsonl(init, { ...init, type: 'assistant', message: { usage: { input_tokens: -5 } } }))
    const checked = await playhead('check', odd)
    expect(checked).toMatchObject({
      code: 0,
      out: expect.stringMatching(/:2: OddValue \$\.message\.usage\.input_tokens /)
    })
    expect(await playhead('check', odd, '--strict')).toEqual({ ...checked, code: 1 })
    expect(await playhead('check', odd, '--strict', '--json')).toMatchObject({ code: 1 })
    const fine = file('fine.jsonl', good)
    expect(await playhead('check', fine, '--strict')).toMatchObject({ code: 0, out: '' })
  })

  test('a repeated name is a notice, in a line and in a document', async () => {
    const twice = `{"type":"user","session_id":"s1","message":{"role":"user","content":"a","content":"b"}}\n`
    const lines = file('twice.jsonl', jsonl(init) + twice)
    const { code, out } = await playhead('check', lines)
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/:2: RepeatedName \$\.message\.content the name is repeated/)
    ])
    expect(await playhead('check', lines, '--strict')).toMatchObject({ code: 1, out })
    expect(await playhead('check', lines, '--where', 'kind:prompt')).toMatchObject({ code: 0, out })
    expect(await playhead('check', lines, '--where', 'kind:session')).toMatchObject({ code: 0, out: '' })
    const document = `[\n${[jsonl(init).trim(), twice.trim()].join(',\n')}\n]\n`
    const printed = await json('check', file('twice.json', document))
    expect(printed).toMatchObject({ issues: [{ line: 3, code: 'RepeatedName', severity: 'notice' }] })
  })

  test('a malformed line is one issue', async () => {
    const path = file('malformed.jsonl', `${jsonl(init)}{"type":"user","message":\n`)
    const { code, out, err } = await playhead('check', path)
    expect([code, out.trim().split('\n')]).toEqual([1, [expect.stringContaining(':2: JsonParse - column')]])
    expect(err).toContain('1 malformed, 0 violations, 0 notices')
  })
})
