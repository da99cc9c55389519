import { Call, resultMessage } from './envelope.ts'
import { HostError } from './host-error.ts'
import { methods, type Handlers, type MethodName, type Notice, type NoticeName } from './methods.ts'
import { OwnSearch } from './own-search.ts'
import type { Transport } from './transport.ts'

/** The host's end of one connection. */
export interface ServedHost {
  /** Sends a notice. Does nothing on a closed connection. */
  notify<N extends NoticeName>(name: N, payload: Notice<N>): void
}

/**
 * Answers the calls of one page. Params are always parsed; an unknown method is 'unknown-method'; a handler that throws
 * anything but a `HostError` is 'internal' and goes to `onFault` (its message may quote a log, so it does not cross). A search of the library
 * ends with the connection it was begun on.
 */
export function serveHost(
  transport: Transport,
  handlers: Handlers,
  onFault: (method: string, fault: unknown) => void = () => {}
): ServedHost {
  function fail(id: number, { code, message, field }: HostError): void {
    transport.send({ body: { kind: 'error', id, code, message, ...(field !== undefined && { field }) }, buffers: [] })
  }

  const search = new OwnSearch(handlers)
  const own: Partial<Handlers> = { 'library.find': (params) => search.begin(params) }
  transport.onClose(() => void search.end().catch((fault: unknown) => onFault('library.endFind', fault)))

  transport.onMessage((message) => {
    const call = Call.safeParse(message.body)
    if (call.success) {
      const { id, method, params } = call.data
      answer(handlers, own, method, params)
        .then((result) => transport.send(resultMessage(id, result)))
        .catch((fault: unknown) => {
          if (!(fault instanceof HostError)) onFault(method, fault)
          fail(id, fault instanceof HostError ? fault : internal(method))
        })
      return
    }
    const id = message.body['id']
    // An invalid call with an id gets an error; any other invalid message closes the transport.
    if (typeof id === 'number') fail(id, new HostError('bad-params', 'The call does not match the contract.'))
    else transport.close()
  })

  return {
    notify(name, payload) {
      transport.send({ body: { kind: 'notice', name, payload }, buffers: [] })
    }
  }
}

async function answer(handlers: Handlers, own: Partial<Handlers>, method: string, params: unknown): Promise<object> {
  if (!isMethodName(method)) {
    throw new HostError('unknown-method', `This host has no method ${JSON.stringify(method.slice(0, 100))}.`)
  }
  return await handle(handlers, own, method, params)
}

function handle<M extends MethodName>(
  handlers: Handlers,
  own: Partial<Handlers>,
  method: M,
  params: unknown
): Promise<object> {
  const parsed = methods[method].params.safeParse(params)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.length ? ` at ${issue.path.join('.')}` : ''
    throw new HostError(
      'bad-params',
      `${method} was called with invalid parameters${where}: ${issue?.message ?? 'unknown'}.`
    )
  }
  const handler: (params: never) => Promise<object> = own[method] ?? handlers[method]
  return handler(parsed.data as never)
}

function isMethodName(method: string): method is MethodName {
  return Object.hasOwn(methods, method)
}

function internal(method: string): HostError {
  return new HostError(
    'internal',
    `${method} failed inside Playhead. See its terminal for details. Please report this.`
  )
}
