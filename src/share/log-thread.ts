import '#contract/without-eval.ts'
import type { Result } from '#contract/methods.ts'
import { portTransport } from '#contract/port-transport.ts'
import { serveHost } from '#contract/serve.ts'
import type { SharedRun } from '#contract/shared-page.ts'
import { formatById } from '#core/formats/registry.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import { type FindAnswer, type FindJob, FindServer, type FoundPart } from '#queries/find/find-jobs.ts'
import type { StartFindThread } from '#queries/find/finder.ts'
import { ScriptScanner } from '#queries/find/script-scanner.ts'
import { FixedLog, fixedLogHandlers } from '#queries/fixed-log.ts'
import type { EmbeddedRun } from './embedded-run.ts'
import { startThread } from './start-thread.ts'
import type { Bytes } from '#queries/find/search.ts'
import type { ByteSource } from '#queries/readable-run.ts'

/** The task of the thread that owns the log of a shared page. */
interface LogTask extends EmbeddedRun {
  readonly role: 'log'
  /** The code of this thread, to start others. */
  readonly code: Blob
  /** To the page; speaks the contract. */
  readonly port: MessagePort
}

/** The first message of a thread. A search thread uses `port` for jobs and answers. */
export type LogThreadTask = LogTask | { readonly role: 'find'; readonly port: MessagePort }

addEventListener('message', ({ data }: MessageEvent<LogThreadTask>) => {
  if (data.role === 'log') ownLog(data)
  else serveFinding(data.port)
})

function ownLog({ run, texts, code, port }: LogTask): void {
  const files = run.files.map(({ name, ...file }, number) => {
    const text = texts[number] ?? new Blob()
    return { ...file, name, source: new BlobSource(text), handle: text }
  })
  const format = (run.format === null ? null : formatById(run.format)) ?? unrecognized
  const { name, formatNote, notes } = run
  const log = new FixedLog('shared', { name, format, formatNote, notes, files }, findThreads(code), {
    status: (status) => served.notify('log.progress', status),
    found: (progress) => served.notify('log.found', progress)
  })
  const served = serveHost(portTransport(port), fixedLogHandlers(log, capabilitiesOf(run), run.prices))
  void log.read()
}

function capabilitiesOf({ version, shared }: SharedRun): Result<'host.capabilities'> {
  return {
    host: 'shared',
    version,
    openDialog: false,
    drops: null,
    sample: null,
    platform: platformOf(navigator.platform),
    runs: false,
    tasks: false,
    exports: false,
    shared,
    problems: []
  }
}

/** The platform's name in Node, which the other hosts use. */
function platformOf(name: string): string {
  if (/^(Mac|iP)/.test(name)) return 'darwin'
  return name.startsWith('Win') ? 'win32' : 'linux'
}

/** Starts threads of this code. A blob URL is valid only in the thread that made it. */
function findThreads(code: Blob): StartFindThread<FindJob<Blob>, FoundPart> {
  const url = URL.createObjectURL(code)
  return ({ onAnswer, onLost }) => {
    const worker = startThread(url)
    const { port1: port, port2 } = new MessageChannel()
    port.onmessage = ({ data }: MessageEvent<FindAnswer>) => onAnswer(data)
    worker.onerror = () => onLost(false)
    worker.postMessage({ role: 'find', port: port2 } satisfies LogThreadTask, [port2])
    return {
      post: (job) => port.postMessage(job),
      async end() {
        port.close()
        worker.terminate()
      }
    }
  }
}

function serveFinding(port: MessagePort): void {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const say = (answer: FindAnswer): void =>
    port.postMessage(answer, answer.kind === 'found' ? answer.part.offsets.map(({ buffer }) => buffer) : [])
  const server = new FindServer<Blob>({
    scanner: (patterns, windowBytes) => new ScriptScanner(patterns, windowBytes),
    readText: (bytes) => utf8.decode(bytes),
    open: (text) => new BlobBytes(text),
    say
  })
  port.onmessage = ({ data }: MessageEvent<FindJob<Blob>>) => server.serve(data)
  say({ kind: 'ready' })
}

/** The bytes of a blob, in memory or on disk. */
class BlobSource implements ByteSource {
  readonly #blob: Blob

  constructor(blob: Blob) {
    this.#blob = blob
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    return new Uint8Array(await this.#blob.slice(offset, offset + length).arrayBuffer())
  }
}

declare global {
  /** Available in workers only. */
  class FileReaderSync {
    readAsArrayBuffer(blob: Blob): ArrayBuffer
  }
}

/** As `BlobSource`, but synchronous, for workers. */
class BlobBytes implements Bytes {
  readonly #blob: Blob

  constructor(blob: Blob) {
    this.#blob = blob
  }

  read(target: Uint8Array, offset: number): number {
    const bytes = new FileReaderSync().readAsArrayBuffer(this.#blob.slice(offset, offset + target.length))
    target.set(new Uint8Array(bytes))
    return bytes.byteLength
  }
}
