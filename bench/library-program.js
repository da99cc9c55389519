import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'vite'
import { root } from '../bin/prepare.js'
import { webAssemblyText } from '../webassembly-text.js'
import { folder } from './logs.js'

const native = {
  name: 'bench-native-packages',
  enforce: 'pre',
  resolveId: (id) => (id === 'libsql' ? { id: import.meta.resolve(id), external: true } : null)
}

/** The search of the library, built as it is shipped, and what starts its threads. */
export async function librarySearch() {
  const out = join(folder, 'library-search')
  mkdirSync(out, { recursive: true })
  const entry = async (file, name) => {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [native, webAssemblyText],
      ssr: { noExternal: true, target: 'node' },
      build: {
        ssr: join(root, file),
        outDir: join(out, name),
        rollupOptions: { output: { entryFileNames: `${name}.mjs` } }
      }
    })
    return pathToFileURL(join(out, name, `${name}.mjs`))
  }
  const worker = await entry('src/backend/indexer/indexer.worker.ts', 'worker')
  const { LibrarySearch } = await import(await entry('src/backend/library/library-search.ts', 'search'))
  return { LibrarySearch, createWorker: (options) => new Worker(worker, options) }
}
