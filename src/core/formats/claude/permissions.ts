import { askedText, type Decision, decisionText } from '../../dialogue/permission-text.ts'
import { toolSummary } from '../../index/tool-summary.ts'
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { AskStep, DecodedBuilder } from './decoded.ts'

/** docs/formats/claude-stream-json.md#asks-and-decisions. Other requests give no event. */
export function readControlRequest(out: DecodedBuilder, record: JsonObject): void {
  const asked = objectAt(record, 'request') ?? {}
  const request = stringAt(record, 'request_id')
  if (asked['subtype'] !== 'can_use_tool' || request === undefined) return
  const tool = stringAt(asked, 'tool_name') ?? ''
  const about = toolSummary(objectAt(asked, 'input') ?? {}).text
  const of = kinds[tool] ?? 'tool'
  // A question says by itself that it is one.
  const body = out.draft(askedText(of === 'question' && about !== '' ? '' : tool, about))
  out.steps.push({ kind: 'ask', body, request, callId: stringAt(asked, 'tool_use_id'), of })
}

const kinds: Readonly<Record<string, AskStep['of']>> = Object.assign(
  Object.create(null) as object,
  {
    AskUserQuestion: 'question',
    ExitPlanMode: 'plan'
  } as const
)

/** An answer to an ask, printed by `--replay-user-messages`. The program's own answers have the same form. */
export function readControlResponse(out: DecodedBuilder, record: JsonObject): void {
  const response = objectAt(record, 'response') ?? {}
  const request = stringAt(response, 'request_id')
  const decision = decisionOf(response)
  if (request === undefined || decision === null) return
  out.steps.push({ kind: 'answer', body: out.draft(decisionText(decision)), request, decision })
}

export function readControlCancel(out: DecodedBuilder, record: JsonObject): void {
  const request = stringAt(record, 'request_id')
  if (request !== undefined) out.steps.push({ kind: 'withdrawn', request })
}

/** What the results of a line say of the asks about their calls. */
export function readDecisions(out: DecodedBuilder, record: JsonObject): void {
  for (const meta of arrayAt(record, 'tool_result_meta') ?? []) {
    const callId = isJsonObject(meta) ? stringAt(meta, 'id') : undefined
    const decided = isJsonObject(meta) ? objectAt(meta, 'permission_decision') : undefined
    if (callId === undefined || decided === undefined) continue
    const decision: Decision =
      decided['decision'] === 'reject'
        ? { kind: 'refused', message: '' }
        : // A grant may be for the session or in settings.
          { kind: 'allowed', scope: decided['source'] === 'user_temporary' ? 'once' : 'unsaid' }
    out.steps.push({ kind: 'decided', callId, decision })
  }
}

function decisionOf(response: JsonObject): Decision | null {
  if (response['subtype'] === 'error') return { kind: 'refused', message: stringAt(response, 'error') ?? '' }
  const answer = objectAt(response, 'response') ?? {}
  switch (answer['behavior']) {
    case 'deny':
      return { kind: 'refused', message: stringAt(answer, 'message') ?? '' }
    case 'allow': {
      const answers = objectAt(objectAt(answer, 'updatedInput') ?? {}, 'answers')
      if (answers !== undefined) return { kind: 'answered', text: answerWords(answers) }
      return { kind: 'allowed', scope: scopeOf(arrayAt(answer, 'updatedPermissions') ?? []) }
    }
    default:
      return null
  }
}

/** `localSettings`, `userSettings` and `projectSettings` outlive the session. */
function scopeOf(updates: NonNullable<ReturnType<typeof arrayAt>>): 'once' | 'run' | 'always' {
  const kept = updates.filter(isJsonObject)
  if (kept.length === 0) return 'once'
  return kept.every(({ destination }) => destination === undefined || destination === 'session') ? 'run' : 'always'
}

/** An answer is a text, or the list of the choices. */
function answerWords(answers: JsonObject): string {
  return Object.values(answers)
    .flatMap((answer) => (Array.isArray(answer) ? (answer as readonly unknown[]) : [answer]))
    .filter((answer) => typeof answer === 'string')
    .join(', ')
}
