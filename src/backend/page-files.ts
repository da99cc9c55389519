import { readFile, realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

/** In both hosts the page may run, load and connect to only what Playhead serves. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  // No text can become HTML, a script or the address of one, because no policy allows it.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join('; ')

/** Headers of every response, also of failures. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store'
}

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2'
}

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly mimeType: string
}

/** The files of the built page, each in memory once: any client may ask for them. */
export class PageFiles {
  readonly #root: string
  readonly #read = new Map<string, { readonly fingerprint: string; readonly bytes: Promise<Uint8Array<ArrayBuffer>> }>()

  constructor(root: string) {
    this.#root = root
  }

  /** Null: no file of the page. `..`, encoded separators and symbolic links never lead out of `root`. */
  async read(urlPath: string): Promise<PageFile | null> {
    const segments = decodeSegments(urlPath === '/' ? '/index.html' : urlPath)
    if (!segments) return null
    const mimeType = mimeTypes[extname(segments.at(-1) ?? '')]
    if (mimeType === undefined) return null
    try {
      const home = await realpath(this.#root)
      const path = await realpath(join(home, ...segments))
      if (!path.startsWith(home + sep)) return null
      return { bytes: await this.#bytesOf(path), mimeType }
    } catch {
      return null
    }
  }

  async #bytesOf(path: string): Promise<Uint8Array<ArrayBuffer>> {
    // The page may be built anew meanwhile.
    const { size, mtimeMs } = await stat(path)
    const fingerprint = `${size} ${mtimeMs}`
    const known = this.#read.get(path)
    if (known?.fingerprint === fingerprint) return await known.bytes
    const bytes = readFile(path).then((read) => new Uint8Array(read))
    this.#read.set(path, { fingerprint, bytes })
    bytes.catch(() => this.#read.delete(path))
    return await bytes
  }
}

/** Decoded path segments; null if one could lead out of the folder. */
function decodeSegments(urlPath: string): string[] | null {
  let path: string
  try {
    path = decodeURIComponent(urlPath)
  } catch {
    return null
  }
  if (!path.startsWith('/') || /[\\\0:]/.test(path)) return null
  const segments = path.slice(1).split('/')
  return segments.some((segment) => segment === '' || segment.startsWith('.')) ? null : segments
}
