import { issueCodes, type IssueCode, type IssueDraft } from './issue.ts'

/** Where a rule is written. */
export interface ClauseSource {
  readonly document: string
  readonly section: string
}

/** The rule behind an issue, in sentences for people. Nothing quotes the log. */
export interface IssueClause {
  /** The demand; null if no rule is broken. */
  readonly asked: string | null
  readonly source: ClauseSource | null
  readonly found: string
  /** What happens to the line. */
  readonly effect: string
}

const contract = 'Claude stream-json parser contract v1'
const json = 'RFC 8259, The JSON Data Interchange Format'

interface Rule {
  readonly asked: string
  readonly source: ClauseSource
}

/** The rules of the strict contract, by the path of the issue. */
const contractRules: Readonly<Record<string, Rule>> = {
  $: rule('Each line must be a JSON object.', contract, 'Outer JSON paths'),
  '$.type': rule('Each record must have a type, which is a string.', contract, 'Outer type'),
  '$.session_id': rule(
    'A record of a known type must name its session in session_id, or in sessionId, as a string.',
    contract,
    'session_id'
  ),
  '$.subtype': rule('For the types system and result, subtype must be a string.', contract, 'system subtype'),
  '$.event': rule('For type stream_event, event must be an object.', contract, 'stream_event wrapper'),
  '$.event.type': rule(
    'For type stream_event, the type of the event must be a string.',
    contract,
    'stream_event wrapper'
  ),
  '$.is_error': rule('For type result, is_error must be true or false if present.', contract, 'result discriminator')
}

const resultSubtype = rule('For type result, subtype must be "success" or "error".', contract, 'result discriminator')
const resultAgrees = rule(
  'For type result, is_error must match subtype: false with success, true with error.',
  contract,
  'result discriminator'
)

/** Rules that hold for every format. */
const rules: Partial<Record<IssueCode, Rule>> = {
  JsonParse: rule('Each line must be one whole JSON value.', json, 'section 2, JSON Grammar'),
  InvalidUtf8: rule('JSON text must be UTF-8.', json, 'section 8.1, Character Encoding'),
  Normalize: resultAgrees
}

function rule(asked: string, document: string, section: string): Rule {
  return { asked, source: { document, section } }
}

/** Explains an issue. `hasEvent`: the line still has an event. */
export function issueClause(format: string | null, issue: IssueDraft, hasEvent: boolean): IssueClause {
  const broken = rules[issue.code] ?? (issue.code === 'TypedParse' ? requiredRule(format, issue) : null)
  return {
    asked: broken?.asked ?? null,
    source: broken?.source ?? null,
    found: foundIn(issue),
    effect: effectOf(issue.code, hasEvent)
  }
}

function requiredRule(format: string | null, { path, message }: IssueDraft): Rule {
  if (format === 'claude-stream-json') {
    const known = path === '$.subtype' && message.includes('"success"') ? resultSubtype : contractRules[path ?? '']
    if (known !== undefined) return known
  }
  const demand = /^expected (.+), found /.exec(message)?.[1]
  const asked = demand === undefined ? 'A required value must be present.' : `${path ?? 'The value'} must be ${demand}.`
  return rule(asked, `docs/formats/${format ?? 'README'}.md`, format ?? 'reading')
}

function foundIn({ code, message }: IssueDraft): string {
  const found = /(?:^|, )found (.+)$/.exec(message)?.[1] ?? message
  const said = found === '' ? issueCodes[code].title : found
  return said.charAt(0).toUpperCase() + said.slice(1)
}

function effectOf(code: IssueCode, hasEvent: boolean): string {
  switch (code) {
    case 'JsonParse':
      return hasEvent ? 'The line is shown as unparsed text.' : 'The row is shown as a line that is not JSON.'
    case 'InvalidUtf8':
      return 'Each such byte is shown as U+FFFD. Raw shows the actual bytes.'
    case 'LineTooLong':
      return 'The line is skipped, and the rest of the log is read.'
    case 'TooDeep':
      return 'The event omits deeper values. Raw shows all of them.'
    case 'HookFailed':
      return 'None: the log is in order.'
    default:
      if (issueCodes[code].severity === 'notice')
        return hasEvent ? 'Harmless: the rest of the line is read.' : 'Harmless: the row is shown as a record.'
      return hasEvent ? 'The event is kept as far as its meaning is clear.' : 'No event: the row is shown as a record.'
  }
}
