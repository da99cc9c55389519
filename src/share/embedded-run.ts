import { HostError } from '#contract/methods.ts'
import { sharedPage, SharedRun } from '#contract/shared-page.ts'

/** What a page holds of a run, with each file's text. */
export interface EmbeddedRun {
  readonly run: SharedRun
  /** As in `run.files`. */
  readonly texts: readonly Blob[]
}

/**
 * Takes the run out of the page it stands in, an element at a time, so that the page stays responsive and holds it once. Throws a
 * `HostError` where the page was not saved whole.
 */
export async function takeEmbeddedRun(page: Document): Promise<EmbeddedRun> {
  const run = takeFacts(page)
  const packed: Blob[][] = run.files.map(() => [])
  for (const element of page.querySelectorAll(`script[type="${sharedPage.bytes.type}"]`)) {
    const number = Number(element.getAttribute(sharedPage.bytes.fileAttribute))
    packed[number]?.push(new Blob([bytesOf(element.textContent)]))
    element.remove()
    await new Promise((resume) => setTimeout(resume))
  }
  const texts: Blob[] = []
  for (const [number, { bytes }] of run.files.entries()) {
    const text = await unpacked(new Blob(packed[number]))
    if (text.size !== bytes) throw incomplete()
    texts.push(text)
  }
  return { run, texts }
}

function takeFacts(page: Document): SharedRun {
  const element = page.getElementById(sharedPage.facts.id)
  try {
    return SharedRun.parse(JSON.parse(element?.textContent ?? ''))
  } catch {
    throw incomplete()
  }
}

async function unpacked(bytes: Blob): Promise<Blob> {
  try {
    return await new Response(bytes.stream().pipeThrough(new DecompressionStream('gzip'))).blob()
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
  return new HostError('unavailable', 'This page is not whole: its log is missing or cut. Ask for it again, as a file.')
}
