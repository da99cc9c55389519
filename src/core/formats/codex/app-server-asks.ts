import { askedText, type Decision, decisionText } from '../../dialogue/permission-text.ts'
import { toolSummary } from '../../index/tool-summary.ts'
import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from '../../json.ts'
import type { IssueDraft } from '../issue.ts'
import { type AskStep, type Meaning, requestId, step } from './app-server-decoded.ts'

/** Requests of the server to a person: docs/formats/codex-app-server.md#asks-and-decisions. */
export const askMethods: ReadonlySet<string> = new Set([
  'item/commandExecution/requestApproval',
  'item/fileChange/requestApproval',
  'item/permissions/requestApproval',
  'item/tool/requestUserInput',
  'mcpServer/elicitation/request'
])

/** What a request asks, beside its ids. */
export interface Asked {
  /** Empty: `about` says it. */
  readonly tool: string
  readonly about: string
  readonly input: JsonObject
}

export function askedBy(method: string, params: JsonObject): Asked {
  const { command, cwd, permissions, questions } = params
  switch (method) {
    case 'item/fileChange/requestApproval':
      return { tool: 'file_change', about: '', input: given({ grantRoot: params['grantRoot'] }) }
    case 'item/permissions/requestApproval':
      return { tool: 'permissions', about: permissionWords(permissions), input: given({ permissions, cwd }) }
    case 'item/tool/requestUserInput':
      return { tool: '', about: toolSummary(given({ questions })).text, input: given({ questions }) }
    case 'mcpServer/elicitation/request': {
      const server = stringAt(params, 'serverName') ?? ''
      const { message, mode, requestedSchema, url } = params
      return {
        tool: server,
        about: stringAt(params, 'message') ?? '',
        input: given({ message, mode, requestedSchema, url })
      }
    }
    default: {
      const network = objectAt(params, 'networkApprovalContext')
      const input = given({ command, cwd, networkApprovalContext: network })
      const host = network === undefined ? undefined : stringAt(network, 'host')
      const about = host === undefined ? toolSummary(given({ command })).text : `network access to ${host}`
      return { tool: '', about, input }
    }
  }
}

/** `network`, `fileSystem`: what the permissions are about. */
function permissionWords(permissions: JsonObject[string]): string {
  if (!isJsonObject(permissions)) return ''
  return Object.keys(given(permissions)).slice(0, 10).join(', ')
}

export function readAsk(
  record: JsonObject,
  method: string,
  params: JsonObject,
  issues: readonly IssueDraft[]
): Meaning {
  const { tool, about } = askedBy(method, params)
  const isOfItem = method === 'item/commandExecution/requestApproval' || method === 'item/fileChange/requestApproval'
  const ask: AskStep = {
    kind: 'ask',
    request: requestId(record['id']),
    itemId: stringAt(params, 'itemId'),
    isOfItem,
    tool: about === '' ? tool : undefined
  }
  return step(ask, [askedText(tool === '' && about === '' ? 'command_execution' : tool, about)], issues)
}

/** What was sent in answer to a request; null for another line. */
export function readAnswer(sent: JsonObject): Meaning | null {
  const request = requestId(sent['id'])
  if (request === '' || 'method' in sent) return null
  const error = objectAt(sent, 'error')
  if (error === undefined && !('result' in sent)) return null
  const decision: Decision =
    error === undefined
      ? decisionOf(objectAt(sent, 'result') ?? {})
      : { kind: 'refused', message: stringAt(error, 'message') ?? '' }
  return step({ kind: 'answer', request }, [decisionText(decision)], [])
}

function decisionOf(result: JsonObject): Decision {
  const { decision } = result
  if (typeof decision === 'string') return decisions[decision] ?? { kind: 'answered', text: '' }
  // With a rule that is kept: for a command, or for a host of the network.
  if (isJsonObject(decision)) {
    const rule = objectAt(objectAt(decision, 'applyNetworkPolicyAmendment') ?? {}, 'network_policy_amendment')
    return rule?.['action'] === 'deny' ? { kind: 'refused', message: '' } : { kind: 'allowed', scope: 'always' }
  }
  const answers = objectAt(result, 'answers')
  if (answers !== undefined) return { kind: 'answered', text: answerWords(answers) }
  const permissions = objectAt(result, 'permissions')
  if (permissions !== undefined) {
    if (Object.keys(given(permissions)).length === 0) return { kind: 'refused', message: '' }
    return { kind: 'allowed', scope: result['scope'] === 'session' ? 'run' : 'once' }
  }
  switch (result['action']) {
    case 'accept': {
      const persist = objectAt(result, '_meta')?.['persist']
      return { kind: 'allowed', scope: persist === 'session' ? 'run' : persist === 'always' ? 'always' : 'once' }
    }
    case 'decline':
    case 'cancel':
      return { kind: 'refused', message: '' }
    default:
      return { kind: 'answered', text: '' }
  }
}

const decisions: Readonly<Record<string, Decision>> = Object.assign(
  Object.create(null) as object,
  {
    accept: { kind: 'allowed', scope: 'once' },
    acceptForSession: { kind: 'allowed', scope: 'run' },
    decline: { kind: 'refused', message: '' },
    // Ends the turn as well.
    cancel: { kind: 'refused', message: '' }
  } as const
)

/** The answers to all questions. */
function answerWords(answers: JsonObject): string {
  return Object.values(answers)
    .flatMap((answer) => (isJsonObject(answer) ? (arrayAt(answer, 'answers') ?? []) : []))
    .filter((answer) => typeof answer === 'string')
    .join(', ')
}

/** The members that have a value. */
function given(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))
}
