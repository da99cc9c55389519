import { sharedPage } from '#contract/shared-page.ts'

/** Required by the page's content security policy for script URLs; missing in TypeScript's DOM types. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** Null: the browser has no trusted types and requires none. */
const policy =
  (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(sharedPage.threadPolicy, {
    createScriptURL(url) {
      // Only the page's own code has a blob URL.
      if (url.startsWith('blob:')) return url
      throw new TypeError('a thread of this page runs code of this page')
    }
  }) ?? null

/** Starts a thread on the code at `url`, a blob URL. */
export function startThread(url: string): Worker {
  return new Worker(policy?.createScriptURL(url) ?? url)
}
