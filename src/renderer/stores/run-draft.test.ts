import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentIds, RunRequest } from '#contract/live-runs.ts'
import { type DraftField, draftOf, emptyDraft, requestOf, type RunDraft } from './run-draft.ts'

const draft: RunDraft = { ...emptyDraft, prompt: 'Do it', cwd: '/home/me' }
const problemOf = (part: Partial<RunDraft>, field: DraftField) => {
  const asked = requestOf({ ...draft, ...part })
  return 'problems' in asked ? asked.problems[field] : undefined
}

describe('the form of a new run', () => {
  it('builds a request from the input, without empty fields', () => {
    expect(requestOf(draft)).toEqual({
      request: {
        ...{ agent: 'claude', prompt: 'Do it', cwd: '/home/me', model: null, mode: null },
        ...{ extraArguments: [], timeLimitMs: null, resumes: null }
      }
    })
    const more = { agent: 'codex' as const, model: ' gpt ', mode: 'plan', extra: '-a "b c"', minutes: '1,5' }
    const resumes = { session: 's-1', run: null }
    expect(requestOf({ ...draft, ...more, resumes, cwd: ' C:\\me ' })).toEqual({
      request: {
        ...{ agent: 'codex', prompt: 'Do it', cwd: 'C:\\me', model: 'gpt', mode: 'plan' },
        ...{ extraArguments: ['-a', 'b c'], timeLimitMs: 90_000, resumes }
      }
    })
  })

  it('keeps the prompt as typed', () => {
    const asked = requestOf({ ...draft, prompt: '  two\n\nlines \n' })
    expect('request' in asked && asked.request.prompt).toBe('  two\n\nlines \n')
  })

  it.each<[Partial<RunDraft>, DraftField, string]>([
    [{ prompt: ' \n ' }, 'prompt', 'Describe the task'],
    [{ prompt: 'x'.repeat(1_000_001) }, 'prompt', 'The limit is 1,000,000 characters. Move the long part to a file'],
    [{ prompt: 'half a \ud83d sheep' }, 'prompt', 'incomplete character'],
    [{ cwd: '' }, 'cwd', 'Enter the folder'],
    [{ cwd: '~/demo' }, 'cwd', '~ is not supported'],
    [{ cwd: 'demo' }, 'cwd', 'absolute path'],
    [{ cwd: `/${'x'.repeat(5000)}` }, 'cwd', 'too long'],
    [{ model: 'm'.repeat(201) }, 'model', 'too long'],
    [{ extra: '"open' }, 'extra', 'Unclosed quote'],
    [{ extra: 'a '.repeat(101) }, 'extra', 'At most 100'],
    [{ minutes: 'soon' }, 'minutes', 'Enter minutes'],
    [{ minutes: '0' }, 'minutes', 'Enter minutes'],
    [{ minutes: '-1' }, 'minutes', 'Enter minutes'],
    [{ minutes: '99999' }, 'minutes', 'at most 10080']
  ])('says what has to be changed: %j', (part, field, words) => {
    expect(problemOf(part, field)).toContain(words)
  })

  it('is filled in from any run', () => {
    const text = (max: number) => fc.string({ minLength: 1, maxLength: max })
    const some = text(40).filter((words) => words.trim() !== '')
    const name = some.map((words) => words.trim())
    const minutes = (min: number, max: number) => fc.option(fc.integer({ min, max }).map((count) => count * 60_000))
    const requests = fc.record({
      agent: fc.constantFrom(...agentIds),
      prompt: some,
      cwd: name.map((path) => `/${path}`),
      model: fc.option(name),
      mode: fc.option(name),
      extraArguments: fc.array(fc.string({ maxLength: 20 }), { maxLength: 5 }),
      timeLimitMs: fc.option(fc.integer({ min: 1, max: 10_000 }).map((seconds) => seconds * 60)),
      limits: fc.option(
        fc.record({
          askMs: minutes(1, 1440),
          usd: fc.option(fc.integer({ min: 1, max: 1e6 }).map((mills) => mills / 1000)),
          tokens: fc.option(fc.integer({ min: 1, max: 1e9 })),
          idleMs: minutes(1, 10_080),
          toolMs: minutes(1, 10_080)
        })
      ),
      resumes: fc.option(fc.record({ session: fc.stringMatching(/^[A-Za-z0-9][\w.-]{0,40}$/), run: fc.option(name) }))
    })
    fc.assert(
      fc.property(requests, ({ limits, ...asked }) => {
        const request = {
          ...{ ...asked, timeLimitMs: asked.timeLimitMs === null ? null : asked.timeLimitMs * 1000 },
          ...(limits === null ? {} : { interactive: true, mayBecomeDangerous: false, limits })
        }
        expect(requestOf(draftOf(RunRequest.parse(request)))).toEqual({ request })
      })
    )
  })
})
