import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { webAssemblyText } from './webassembly-text.js'
import { zodWithoutLocales } from './zod-without-locales.ts'

/** What is in a bundle goes with its licence. */
const license = { fileName: 'licenses.md' }

export default defineConfig({
  main: {
    plugins: [webAssemblyText, zodWithoutLocales],
    build: {
      // The command line and its loopback server run on plain Node 20; the default target would be Electron's Node.
      target: 'node20.19',
      license,
      // Bundled, so that an installed package starts without its dependency tree.
      externalizeDeps: { exclude: ['fzstd', 'hyparquet', 'hyparquet-writer', 're2js', 'ws', 'zod'] },
      // Without comments and spaces: each process and each thread scans what it loads before it starts. Names stay, for stacks.
      rolldownOptions: { output: { minify: { mangle: false, compress: false } } },
      lib: { entry: { index: 'src/main/index.ts', cli: 'src/cli/index.ts', hook: 'src/cli/hook-program.ts' } }
    }
  },
  preload: { build: { lib: { entry: { index: 'src/preload/index.ts' }, formats: ['cjs'] } } },
  renderer: {
    plugins: [react(), zodWithoutLocales],
    build: { target: 'chrome140', minify: true, license },
    // `playhead serve --port 4800`, and the address it prints with the port of this server.
    server: {
      proxy: {
        '/rpc': { target: 'ws://127.0.0.1:4800', ws: true },
        '^/(api|drop|proof)\\b': { target: 'http://127.0.0.1:4800' }
      }
    }
  }
})
