import type { z } from 'zod'
import { Answer, joinResult, jsonFields } from './envelope.ts'
import { HostError, messageOf } from './host-error.ts'
import {
  methods,
  notices,
  type Host,
  type MethodName,
  type Notice,
  type NoticeName,
  type Params,
  type Result
} from './methods.ts'
import { NoticeListeners } from './notice-listeners.ts'
import type { Transport, WireMessage } from './transport.ts'

interface PendingCall {
  readonly method: MethodName
  readonly resolve: (result: Record<string, unknown>) => void
  readonly reject: (error: HostError) => void
}

/** The page's end of a transport. Calls reject with a `HostError`, 'closed' when it closes. `checkResults`: for tests. */
export function connectHost(transport: Transport, options: { checkResults?: boolean } = {}): Host {
  const check = options.checkResults === true
  const pending = new Map<number, PendingCall>()
  const listeners = new NoticeListeners()
  const closeListeners: (() => void)[] = []
  let closed = false
  let nextId = 0

  transport.onMessage((message) => {
    const parsed = Answer.safeParse(message.body)
    // Closes the transport, so pending calls fail.
    if (!parsed.success) transport.close()
    else if (parsed.data.kind === 'notice') onNotice(parsed.data.name, parsed.data.payload)
    else settle(parsed.data, message.buffers)
  })
  transport.onClose(() => {
    closed = true
    for (const call of pending.values()) call.reject(closedError(call.method))
    pending.clear()
    for (const listener of closeListeners.splice(0)) listener()
  })

  function settle(answer: Exclude<z.infer<typeof Answer>, { kind: 'notice' }>, buffers: WireMessage['buffers']): void {
    const call = pending.get(answer.id)
    if (!call) return
    pending.delete(answer.id)
    if (answer.kind === 'error') return call.reject(new HostError(answer.code, answer.message, { field: answer.field }))
    const result = joinResult(answer.result, answer.buffers, buffers)
    if (!result) return call.reject(offContract(call.method, 'buffers are missing'))
    const parsed = check ? methods[call.method].result.safeParse(result) : null
    if (parsed?.error) return call.reject(offContract(call.method, messageOf(parsed.error)))
    call.resolve(result)
  }

  function onNotice(name: string, payload: object): void {
    if (!isNoticeName(name)) return // of a newer host
    const fits = !check || notices[name].safeParse(payload).success
    // Checked only with `checkResults`.
    if (fits) listeners.emit(name, payload as Notice<typeof name>)
  }

  return {
    call<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> {
      if (closed) return Promise.reject(closedError(method))
      const id = nextId++
      return new Promise((resolve, reject) => {
        pending.set(id, { method, resolve: (result) => resolve(result as Result<M>), reject })
        transport.send({
          body: { kind: 'call', id, method, params: jsonFields(Object.entries(params)) },
          buffers: []
        })
      })
    },
    on: (name, listener) => listeners.on(name, listener),
    onClose(listener) {
      if (closed) listener()
      else closeListeners.push(listener)
    }
  }
}

function isNoticeName(name: string): name is NoticeName {
  return Object.hasOwn(notices, name)
}

function closedError(method: MethodName): HostError {
  return new HostError(
    'closed',
    `${method} got no answer. The connection to Playhead is closed. Start Playhead again and reload the page.`
  )
}

function offContract(method: MethodName, why: string): HostError {
  return new HostError('internal', `The host's answer to ${method} breaks the contract: ${why}`)
}
