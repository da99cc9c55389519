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

  test('notices alone are fine', async () => {
    const path = file('notice.jsonl', jsonl(init, { type: 'brand_new', session_id: 's1' }))
    expect(await playhead('check', path)).toMatchObject({ code: 0, out: expect.stringContaining('UnknownType') })
  })
})
