import { Column } from '../../column.ts'
import { RowLinks } from '../../row-links.ts'

/** What a line says about the tree it hangs in: a prompt, a line of the answer with this message id (hashed), or nothing. */
export type Branch = { readonly kind: 'prompt' } | { readonly kind: 'answer'; readonly messageHash: number } | null

const none = 0
const prompt = 1
const abandoned = 0x80000000
const chunkBits = 12

/**
 * The tree that `parentUuid` makes, and what the user left by going back in it: docs/formats/claude-transcript.md#an-abandoned-branch-is-marked.
 * Lines are named by their rows in `KnownLines`, and hang from earlier ones. A line costs 7 bytes: in most cases the next one hangs from it.
 */
export class Branches {
  /** The child added last. */
  private readonly lastChild = new RowLinks('uint8', chunkBits)
  /** The child of the same parent that was added before. */
  private readonly formerSibling = new RowLinks('uint8', chunkBits)
  /** The prompt or answer that goes on from here. */
  private readonly goesOn = new RowLinks('uint8', chunkBits)
  /** `none`, `prompt`, or what is left of the message's hash; with the bit `abandoned`. */
  private readonly signs = new Column('uint32', chunkBits)

  /** Adds the line `row` below `parent` (-1 where it is a root) and gives the rows that are abandoned by it, itself included. */
  add(row: number, parent: number, branch: Branch): readonly number[] {
    while (this.signs.length <= row) this.push()
    const sign = signOf(branch)
    this.signs.set(row, sign)
    if (parent === -1) return []
    const rival = sign === none ? -1 : this.goesOn.after(parent)
    const rivalSign = rival === -1 ? none : this.signs.at(rival) & ~abandoned
    // Lines of one message may hang from one parent: they stay together.
    const together = rival !== -1 && sign !== prompt && sign === rivalSign
    this.hang(row, together ? rival : parent)
    if (sign !== none && !together) this.goesOn.set(parent, row)
    if (rival !== -1 && !together && (sign === prompt) === (rivalSign === prompt)) return this.abandon(rival)
    // A prompt below what was abandoned takes it up again.
    return this.isAbandoned(parent) && sign !== prompt ? this.abandon(row) : []
  }

  private push(): void {
    this.lastChild.push()
    this.formerSibling.push()
    this.goesOn.push()
    this.signs.push(none)
  }

  private hang(row: number, parent: number): void {
    const sibling = this.lastChild.after(parent)
    if (sibling !== -1) this.formerSibling.set(row, sibling)
    this.lastChild.set(parent, row)
  }

  private isAbandoned(row: number): boolean {
    return this.signs.at(row) >= abandoned
  }

  /** What is abandoned is abandoned as a whole, so nothing is walked twice. */
  private abandon(top: number): readonly number[] {
    const rows: number[] = []
    const open = [top]
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      if (this.isAbandoned(row)) continue
      this.signs.set(row, this.signs.at(row) + abandoned)
      rows.push(row)
      for (let child = this.lastChild.after(row); child !== -1; child = this.formerSibling.before(child)) {
        open.push(child)
      }
    }
    return rows.sort((a, b) => a - b)
  }
}

function signOf(branch: Branch): number {
  if (branch === null) return none
  // Never 0 or 1, which have their own meaning, and never the bit `abandoned`.
  return branch.kind === 'prompt' ? prompt : ((branch.messageHash & 0x3fffffff) | 0x40000000) >>> 0
}
