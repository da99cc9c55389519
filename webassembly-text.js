import { readFile } from 'node:fs/promises'
import loadWabt from 'wabt'

/**
 * For Vite: what is imported from a `.wat` is its module, compiled. Plain JavaScript, as the benchmark loads it in Node.
 *
 * @type {import('vite').Plugin}
 */
export const webAssemblyText = {
  name: 'webassembly-text',
  async load(id) {
    if (!id.endsWith('.wat')) return null
    const { parseWat } = await loadWabt()
    const module = parseWat(id, await readFile(id, 'utf8'), { simd: true })
    const code = Buffer.from(module.toBinary({}).buffer).toString('base64')
    module.destroy()
    return `export default new WebAssembly.Module(Buffer.from('${code}', 'base64'))`
  }
}
