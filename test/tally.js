/** What a run of all tests counts: each of its parts, and all of them together. */
export class Tally {
  #total = { passed: 0, failed: 0, skipped: 0 }
  #lines = []

  /** `figures`: `{ passed, failed, skipped }`, 0 where they are absent. `note`: what a reader of the line has to know. */
  count(name, { passed = 0, failed = 0, skipped = 0 }, note = '') {
    this.#total.passed += passed
    this.#total.failed += failed
    this.#total.skipped += skipped
    const figures = figuresText({ passed, failed, skipped })
    this.#lines.push(`  ${failed > 0 ? '✗' : '✓'} ${name.padEnd(25)} ${figures}${note && ` (${note})`}`)
  }

  /** Whether anything failed. */
  get hasFailed() {
    return this.#total.failed > 0
  }

  /** A line for each part, then `details`. The last line is "N passed, N failed", with ", N skipped" where something was. */
  text(details = []) {
    return [...this.#lines, ...details, figuresText(this.#total)].join('\n')
  }
}

function figuresText({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
