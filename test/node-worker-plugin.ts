import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { webAssemblyText } from '../webassembly-text.js'

/** Stays beside the bundle, which lies where no package is found by its name. */
const native: Plugin = {
  name: 'test-native-packages',
  enforce: 'pre',
  resolveId: (id) => (id === 'libsql' ? { id: import.meta.resolve(id), external: true } : null)
}

/** Bundles a file with all it imports into a folder, so that Node runs it as a thread or as a program. Gives the path. */
export async function bundleForNode(file: string, folder: string): Promise<string> {
  const name = file.replace(/[^a-z0-9]+/gi, '_')
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [native, webAssemblyText],
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: file,
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rollupOptions: {
        output: {
          entryFileNames: `${name}.mjs`,
          // Named so that Node need not parse them to see what they are, and as short as the app's: each thread reads them anew.
          chunkFileNames: 'assets/[name]-[hash].mjs',
          minify: { mangle: false, compress: false }
        }
      }
    }
  })
  return join(folder, `${name}.mjs`)
}

/** The `?nodeWorker` import that electron-vite offers, for vitest: bundles the worker once and gives a factory. */
export function nodeWorker(): Plugin {
  let folder: string | null = null
  // Made when the first worker is: vitest makes a plugin for each project, and most load none.
  function outDir(): string {
    if (folder !== null) return folder
    const made = mkdtempSync(join(tmpdir(), 'playhead-worker-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    return (folder = made)
  }
  return {
    name: 'test-node-worker',
    enforce: 'pre',
    async load(id) {
      const [file, query] = id.split('?')
      if (!file || query !== 'nodeWorker') return null
      const bundle = await bundleForNode(file, outDir())
      const url = pathToFileURL(bundle).href
      return `import { Worker } from 'node:worker_threads'; export default (o) => new Worker(new URL(${JSON.stringify(url)}), o)`
    }
  }
}
