/** A loader hook: who imports `electron` gets the stand-in. */
export async function resolve(specifier, context, next) {
  if (specifier !== 'electron') return await next(specifier, context)
  return { url: new URL('electron.js', import.meta.url).href, shortCircuit: true }
}
