import { Call, resultMessage } from './envelope.ts'
import { HostError } from './host-error.ts'
import {
  type Handlers,
  type MethodName,
  methods,
  type Notice,
  type NoticeName,
  type Params,
  type Result
} from './methods.ts'
import type { Transport } from './transport.ts'

/** The host's end of one connection. */
export interface ServedHost {
  /** Sends a notice. Does nothing on a closed connection. */
  notify<N extends NoticeName>(name: N, payload: Notice<N>): void
}

/** Answers the calls of a page. Params are always parsed. Errors except `HostError`, which may quote a log, go to `onFault`. */
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

/** The library search of one page: its next search or the end of its connection ends it. */
class OwnSearch {
  readonly #handlers: Handlers
  #find: number | null = null
  /** Counts requests: an outdated search is ended as soon as its number is known. */
  #asked = 0

  constructor(handlers: Handlers) {
    this.#handlers = handlers
  }

  async begin(params: Params<'library.find'>): Promise<Result<'library.find'>> {
    const asked = ++this.#asked
    await this.#endLast()
    const begun = await this.#handlers['library.find'](params)
    if (asked === this.#asked) this.#find = begun.find
    else await this.#handlers['library.endFind'](begun)
    return begun
  }

  async end(): Promise<void> {
    this.#asked++
    await this.#endLast()
  }

  async #endLast(): Promise<void> {
    const find = this.#find
    this.#find = null
    if (find !== null) await this.#handlers['library.endFind']({ find })
  }
}
