/** For Vite. Where a bundle's chunks share zod, all of it is kept: 600 kB of messages in sixty languages, none of which is ever shown. */
export const zodWithoutLocales = {
  name: 'zod-without-locales',
  load: (id: string) => (/[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/.test(id) ? 'export {}' : null)
}
