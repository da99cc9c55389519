import { HostError } from '#contract/host-error.ts'
import { sharedPage, SharedRun } from '#contract/shared-page.ts'
import { parsedJson } from '#core/parsed-json.ts'

/** The share of base64 decoding in the progress; the rest is unpacking. */
const decodingPart = 0.3

/** A run in a page, with the text of each file. */
export interface EmbeddedRun {
  readonly run: SharedRun
  /** As in `run.files`. */
  readonly texts: readonly Blob[]
}

/** Moves the run out of the page by element. `onPart`: progress, 0 to 1. Throws a `HostError` if it is incomplete. */
export async function takeEmbeddedRun(page: Document, onPart: (part: number) => void): Promise<EmbeddedRun> {
  const run = takeFacts(page)
  const packed: Blob[][] = run.files.map(() => [])
  const elements = page.querySelectorAll(`script[type="${sharedPage.bytes.type}"]`)
  for (const [i, element] of elements.entries()) {
    onPart((decodingPart * i) / elements.length)
    const number = Number(element.getAttribute(sharedPage.bytes.fileAttribute))
    packed[number]?.push(new Blob([bytesOf(element.textContent)]))
    element.remove()
    await new Promise((resume) => setTimeout(resume))
  }
  const texts: Blob[] = []
  const all = run.files.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const onBytes = (bytes: number): void => {
    done += bytes
    onPart(decodingPart + (1 - decodingPart) * (done / Math.max(all, done)))
  }
  for (const [number, { bytes }] of run.files.entries()) {
    const text = await unpacked(new Blob(packed[number]), onBytes)
    if (text.size !== bytes) throw incomplete()
    texts.push(text)
  }
  return { run, texts }
}

function takeFacts(page: Document): SharedRun {
  const facts = parsedJson(SharedRun, page.getElementById(sharedPage.facts.id)?.textContent)
  if (facts === null) throw incomplete()
  return facts
}

async function unpacked(bytes: Blob, onBytes: (bytes: number) => void): Promise<Blob> {
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      onBytes(chunk.length)
      controller.enqueue(chunk)
    }
  })
  try {
    const text = bytes.stream().pipeThrough(new DecompressionStream('gzip')).pipeThrough(counting)
    return await new Response(text).blob()
  } catch {
    throw incomplete()
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const characters = atob(base64)
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}

function incomplete(): HostError {
  return new HostError('unavailable', 'This page is incomplete. Its log is missing or cut. Ask for the file again.')
}
