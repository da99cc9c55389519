import { memberPath } from '../json-path.ts'
import { type IssueDraft, mostIssues } from './issue.ts'

/** Limit of names that are kept at once. A longer record is looked at no further: 100 MB of names would exceed the heap. */
const mostNames = 1_000_000

interface Open {
  /** The names so far; null: an array. */
  readonly names: Map<string, boolean> | null
  /** The name or number of what stands there now. */
  at: string | number
}

/**
 * The names that stand twice in an object of a record: `JSON.parse` keeps the last of them, and readers differ. `text` is JSON, or the
 * members of an object (`document-splitter.ts`). One issue for each name of an object. One linear pass, which costs as much as `JSON.parse`
 * does, so only `check` asks for it.
 */
export function repeatedNames(text: string): readonly IssueDraft[] {
  const found: IssueDraft[] = []
  const open: Open[] = /^\s*"/.test(text) ? [{ names: new Map(), at: '' }] : []
  let wantsName = open.length > 0
  let names = 0
  for (let i = 0; i < text.length && found.length < mostIssues && names < mostNames; i++) {
    const top = open.at(-1)
    switch (text.charCodeAt(i)) {
      case quote: {
        const end = endOfString(text, i)
        if (wantsName && top?.names) {
          top.at = nameIn(text.slice(i, end + 1))
          const isRepeated = top.names.has(top.at)
          if (isRepeated && top.names.get(top.at) === false) found.push(issueAt(open))
          top.names.set(top.at, isRepeated)
          names++
          wantsName = false
        }
        i = end
        break
      }
      case openBrace:
        open.push({ names: new Map(), at: '' })
        wantsName = true
        break
      case openBracket:
        open.push({ names: null, at: 0 })
        wantsName = false
        break
      case closeBrace:
      case closeBracket:
        names -= open.pop()?.names?.size ?? 0
        wantsName = false
        break
      case comma:
        wantsName = top !== undefined && top.names !== null
        if (top !== undefined && typeof top.at === 'number') top.at++
    }
  }
  return found
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** The quote that ends the string at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Names are the same however they are escaped. */
function nameIn(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
}

function issueAt(open: readonly Open[]): IssueDraft {
  const path = open
    .slice(-mostSteps)
    .reduce((parent, { at }) => memberPath(parent, at), open.length > mostSteps ? '$…' : '$')
  return { code: 'RepeatedName', path, message: 'the name is repeated in its object; only the last value counts' }
}

/** Limit of the steps of a path. */
const mostSteps = 100
