import { Column } from '../../column.ts'
import { RowLinks } from '../../row-links.ts'

/** A line's role in the tree: a prompt, a line of the answer with this message id (hashed), or none. */
export type Branch = { readonly kind: 'prompt' } | { readonly kind: 'answer'; readonly messageHash: number } | null

const none = 0
const prompt = 1
const abandoned = 0x80000000
const chunkBits = 12

/**
 * The tree of `parentUuid`, and the branches that the user left:
 * docs/formats/claude-transcript.md#an-abandoned-branch-is-marked. Lines are rows of `KnownLines`; parents come first.
 * A line costs 7 bytes, as most lines are children of the one before.
 */
export class Branches {
  /** By parent: its latest child. */
  private readonly lastChild = new RowLinks('uint8', chunkBits)
  /** The previous child of the same parent. */
  private readonly formerSibling = new RowLinks('uint8', chunkBits)
  /** By parent: the prompt or answer that continues it. */
  private readonly continuation = new RowLinks('uint8', chunkBits)
  /** `none`, `prompt`, or bits of the message's hash; with the bit `abandoned`. */
  private readonly codes = new Column('uint32', chunkBits)

  /** Adds `row` below `parent` (-1 for a root). Returns the rows that this abandons, itself included. */
  add(row: number, parent: number, branch: Branch): readonly number[] {
    while (this.codes.length <= row) this.push()
    const code = codeOf(branch)
    this.codes.set(row, code)
    if (parent === -1) return []
    const rival = code === none ? -1 : this.continuation.after(parent)
    const rivalCode = rival === -1 ? none : this.codes.at(rival) & ~abandoned
    // Sibling lines of one message stay together.
    const together = rival !== -1 && code !== prompt && code === rivalCode
    this.addChild(row, together ? rival : parent)
    if (code !== none && !together) this.continuation.set(parent, row)
    if (rival !== -1 && !together && (code === prompt) === (rivalCode === prompt)) return this.abandon(rival)
    // A prompt below an abandoned line continues it.
    return this.isAbandoned(parent) && code !== prompt ? this.abandon(row) : []
  }

  private push(): void {
    this.lastChild.push()
    this.formerSibling.push()
    this.continuation.push()
    this.codes.push(none)
  }

  private addChild(row: number, parent: number): void {
    const sibling = this.lastChild.after(parent)
    if (sibling !== -1) this.formerSibling.set(row, sibling)
    this.lastChild.set(parent, row)
  }

  private isAbandoned(row: number): boolean {
    return this.codes.at(row) >= abandoned
  }

  /** Whole subtrees are abandoned, so no row is visited twice. */
  private abandon(top: number): readonly number[] {
    const rows: number[] = []
    const open = [top]
    for (let row = open.pop(); row !== undefined; row = open.pop()) {
      if (this.isAbandoned(row)) continue
      this.codes.set(row, this.codes.at(row) + abandoned)
      rows.push(row)
      for (let child = this.lastChild.after(row); child !== -1; child = this.formerSibling.before(child)) {
        open.push(child)
      }
    }
    return rows.sort((a, b) => a - b)
  }
}

function codeOf(branch: Branch): number {
  if (branch === null) return none
  // Never 0 or 1, which have their own meaning, and never the bit `abandoned`.
  return branch.kind === 'prompt' ? prompt : ((branch.messageHash & 0x3fffffff) | 0x40000000) >>> 0
}
