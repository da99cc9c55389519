import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'

/** A package registry on 127.0.0.1 that has the packages of a node_modules folder, each in the one version that is there. */
export interface LocalRegistry {
  readonly url: string
  close(): Promise<void>
}

export async function serveRegistry(nodeModules: string): Promise<LocalRegistry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    if (path.startsWith('tarballs/')) pack(join(nodeModules, path.slice('tarballs/'.length)), response)
    else describePackage(path, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  function describePackage(name: string, response: ServerResponse): void {
    try {
      const manifest = JSON.parse(readFileSync(join(nodeModules, name, 'package.json'), 'utf8')) as { version: string }
      const { version } = manifest
      const versions = { [version]: { ...manifest, dist: { tarball: `${url}tarballs/${name}` } } }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
    } catch {
      response.writeHead(404).end('{}')
    }
  }
  return { url, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** npm takes the first folder of a tarball for the package, whatever its name. */
function pack(folder: string, response: ServerResponse): void {
  const tar = spawn('tar', ['-cf', '-', '-C', dirname(folder), basename(folder)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  tar.stdout.pipe(response)
  tar.on('error', () => response.destroy())
  tar.on('close', (code) => code !== 0 && response.destroy())
}
