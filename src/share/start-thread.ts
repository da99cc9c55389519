import { sharedPage } from '#contract/shared-page.ts'

/** What the page's content security policy wants where a script is named by an address. TypeScript's DOM does not have it. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** Null: a browser that has no such thing, and asks for none. */
const policy =
  (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(sharedPage.threadPolicy, {
    createScriptURL(url) {
      // Only what the page itself holds has such an address.
      if (url.startsWith('blob:')) return url
      throw new TypeError('a thread of this page runs code of this page')
    }
  }) ?? null

/** Starts a thread on the code at `url`, which is that of a blob. */
export function startThread(url: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? url)
}
