import type { Result } from '#contract/methods.ts'
import { portTransport } from '#contract/port-transport.ts'
import { serveHost } from '#contract/serve.ts'
import type { SharedRun } from '#contract/shared-page.ts'
import type { Review } from '#core/replay/review.ts'
import { formatById } from '#core/formats/registry.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import { type FindAnswer, type FindJob, FindServer } from '#queries/find/find-jobs.ts'
import type { StartFindThread } from '#queries/find/finder.ts'
import { ScriptScanner } from '#queries/find/script-scanner.ts'
import { FixedLog } from '#queries/fixed-log.ts'
import { fixedLogHandlers } from '#queries/fixed-log-host.ts'
import { BlobBytes, BlobSource } from './blob-source.ts'
import type { EmbeddedRun } from './embedded-run.ts'
import { PageReviews } from './page-reviews.ts'

/** The thread of a shared page that owns its log, or one that searches for it: its first message says which. */
export type LogThreadTask =
  /** `port`: to the page, which asks through it as it asks any host. */
  | ({
      readonly role: 'log'
      readonly port: MessagePort
      readonly review: Review
      readonly reviewPort: MessagePort
    } & EmbeddedRun)
  /** Jobs and answers go through `port`. */
  | { readonly role: 'find'; readonly port: MessagePort }

addEventListener('message', ({ data }: MessageEvent<LogThreadTask>) => {
  if (data.role === 'log') ownLog(data)
  else serveFinding(data.port)
})

function ownLog({ run, texts, port, review, reviewPort }: Extract<LogThreadTask, { role: 'log' }>): void {
  const files = run.files.map(({ name, ...file }, number) => {
    const text = texts[number] ?? new Blob()
    return { ...file, name, source: new BlobSource(text), handle: text }
  })
  const format = (run.format === null ? null : formatById(run.format)) ?? unrecognized
  const { name, formatNote, notes } = run
  const log = new FixedLog('shared', { name, format, formatNote, notes, files }, startFinding, {
    status: (status) => served.notify('log.progress', status),
    found: (progress) => served.notify('log.found', progress)
  })
  const handlers = fixedLogHandlers(log, {
    capabilities: capabilitiesOf(run),
    reviews: new PageReviews(review, reviewPort),
    notify: (notice, payload) => served.notify(notice, payload)
  })
  const served = serveHost(portTransport(port), handlers)
  void log.read()
}

function capabilitiesOf({ version, shared }: SharedRun): Result<'host.capabilities'> {
  return {
    host: 'shared',
    version,
    openDialog: false,
    dropUpload: false,
    sample: null,
    platform: navigator.platform,
    shared
  }
}

/** Another thread of this code: the address of it stays valid as long as the page. */
const startFinding: StartFindThread<Blob> = ({ hear, lost }) => {
  const worker = new Worker(location.href)
  const { port1: port, port2 } = new MessageChannel()
  port.onmessage = ({ data }: MessageEvent<FindAnswer>) => hear(data)
  worker.onerror = () => lost(false)
  worker.postMessage({ role: 'find', port: port2 } satisfies LogThreadTask, [port2])
  return {
    post: (job) => port.postMessage(job),
    end: async () => worker.terminate()
  }
}

function serveFinding(port: MessagePort): void {
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
  const say = (answer: FindAnswer): void =>
    port.postMessage(answer, answer.kind === 'found' ? [answer.part.offsets.buffer] : [])
  const server = new FindServer<Blob>({
    scanner: (patterns, windowBytes) => new ScriptScanner(patterns, windowBytes),
    readText: (bytes) => utf8.decode(bytes),
    open: (text) => new BlobBytes(text),
    say
  })
  port.onmessage = ({ data }: MessageEvent<FindJob<Blob>>) => server.serve(data)
  say({ kind: 'ready' })
}
