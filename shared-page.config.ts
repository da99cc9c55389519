import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { zodWithoutLocales } from './zod-without-locales.ts'

const entries: Readonly<Record<string, string>> = {
  page: 'src/share/shared-page.tsx',
  thread: 'src/share/log-thread.ts'
}

/**
 * The parts of the page that `playhead export --to html` writes, for Vite with the mode `page` or `thread`: one script each, and one
 * stylesheet with all that it names inside.
 */
export default defineConfig(({ mode }) => ({
  plugins: [react(), zodWithoutLocales],
  publicDir: false,
  build: {
    outDir: 'out/shared',
    emptyOutDir: false,
    // Whoever gets the page opens it with the browser they have; older ones know no `light-dark()`.
    target: ['chrome123', 'firefox120', 'safari17.5'],
    minify: true,
    cssCodeSplit: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: false,
    rollupOptions: {
      input: { [mode]: entries[mode] ?? mode },
      output: { format: 'iife', entryFileNames: '[name].js', assetFileNames: `${mode}[extname]` }
    }
  }
}))
