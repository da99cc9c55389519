import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'

/** A package registry on 127.0.0.1 that has the packages of a node_modules folder, each in the versions that are there. */
export interface LocalRegistry {
  readonly url: string
  close(): Promise<void>
}

export async function serveRegistry(nodeModules: string): Promise<LocalRegistry> {
  const packages = packagesIn(nodeModules)
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1)
    if (path.startsWith('tarballs/')) pack(join(nodeModules, path.slice('tarballs/'.length)), response)
    else describePackage(path, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

  function describePackage(name: string, response: ServerResponse): void {
    const folders = packages.get(name)
    // As of a program for another platform: optional, so it is done without.
    if (folders === undefined) return void response.writeHead(404).end('{}')
    const found = folders.map((folder): [string, object] => {
      const manifest = manifestIn(join(nodeModules, folder))
      return [manifest.version, { ...manifest, dist: { tarball: `${url}tarballs/${folder}` } }]
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ name, 'dist-tags': { latest: found[0]?.[0] }, versions: Object.fromEntries(found) }))
  }
  return { url, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

function manifestIn(folder: string): { version: string } {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
}

/** The folders of each package, of several versions the one that most depend on first. */
function packagesIn(nodeModules: string): ReadonlyMap<string, readonly string[]> {
  const packages = new Map<string, string[]>()
  const look = (folder: string): void => {
    for (const entry of readdirSync(join(nodeModules, folder))) {
      if (entry.startsWith('.')) continue
      const names = entry.startsWith('@') ? readdirSync(join(nodeModules, folder, entry)) : ['']
      for (const name of names.map((part) => (part === '' ? entry : `${entry}/${part}`))) {
        const path = folder === '' ? name : `${folder}/${name}`
        if (!existsSync(join(nodeModules, path, 'package.json'))) continue
        packages.set(name, [...(packages.get(name) ?? []), path])
        if (existsSync(join(nodeModules, path, 'node_modules'))) look(`${path}/node_modules`)
      }
    }
  }
  look('')
  return packages
}

/** npm takes the first folder of a tarball for the package, whatever its name. */
function pack(folder: string, response: ServerResponse): void {
  const own = ['--exclude', `${basename(folder)}/node_modules`]
  const tar = spawn('tar', ['-cf', '-', ...own, '-C', dirname(folder), basename(folder)], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  tar.stdout.pipe(response)
  tar.on('error', () => response.destroy())
  tar.on('close', (code) => code !== 0 && response.destroy())
}
