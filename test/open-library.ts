import { setTimeout as pause } from 'node:timers/promises'
import type { SessionCard } from '#core/library/session-card.ts'
import type { SessionQuery } from '#core/library/session-query.ts'
import type { LibraryStatus } from '#contract/library.ts'
import { ReadBytes } from '#backend/library/read-bytes.ts'
import { SessionLibrary, type SessionLibraryOptions } from '#backend/library/session-library.ts'

export const everySession: SessionQuery = { where: '', sort: 'last', descending: true, group: 'none' }

/** A library in the thread of a test, and what it says. */
export class OpenLibrary {
  readonly library: SessionLibrary
  readonly bytes = new ReadBytes()
  readonly problems: string[] = []
  readonly notices: LibraryStatus[] = []

  constructor(options: Partial<SessionLibraryOptions> & { readonly cache: string; readonly home: string }) {
    const { home, ...given } = options
    this.library = new SessionLibrary({
      ...{ state: null, roots: null, bytes: this.bytes, now: Date.now },
      system: { home, platform: 'linux', variables: {} },
      changed: (status) => this.notices.push(status),
      problem: (sentence) => this.problems.push(sentence),
      ...given
    })
    this.library.start()
  }

  /** Once a status is so. */
  async until(isSo: (status: LibraryStatus) => boolean | Promise<boolean>): Promise<LibraryStatus> {
    for (;;) {
      const status = await this.library.status()
      if (await isSo(status)) return status
      await pause(5)
    }
  }

  /** Once all is known. */
  async idle(): Promise<LibraryStatus> {
    return await this.until(({ phase }) => phase === 'idle')
  }

  async cards(query: Partial<SessionQuery> = {}): Promise<SessionCard[]> {
    const { cards } = await this.library.cards({ query: { ...everySession, ...query }, from: 0, count: 500 })
    return cards
  }
}
