import { common, createLowlight } from 'lowlight'

/** What a piece of code is, as far as colours tell. */
export type CodeTone = 'keyword' | 'string' | 'number' | 'key' | 'comment' | 'deleted'

/** Characters up to `end` that have one tone; null: the colour of text. */
export interface CodeRun {
  readonly end: number
  readonly tone: CodeTone | null
}

const tones: Readonly<Record<string, CodeTone>> = {
  addition: 'string',
  attr: 'key',
  attribute: 'key',
  built_in: 'key',
  bullet: 'number',
  char: 'string',
  comment: 'comment',
  deletion: 'deleted',
  doctag: 'keyword',
  keyword: 'keyword',
  link: 'string',
  literal: 'keyword',
  meta: 'comment',
  name: 'keyword',
  number: 'number',
  property: 'key',
  quote: 'comment',
  regexp: 'string',
  section: 'key',
  'selector-attr': 'key',
  'selector-class': 'key',
  'selector-id': 'key',
  'selector-pseudo': 'key',
  'selector-tag': 'keyword',
  string: 'string',
  symbol: 'number',
  'template-variable': 'key',
  title: 'key',
  type: 'number',
  variable: 'key'
}

let made: ReturnType<typeof createLowlight> | undefined

/** Made when there is code to colour: knowing forty languages costs some milliseconds. */
function lowlight(): ReturnType<typeof createLowlight> {
  return (made ??= createLowlight(common))
}

/** Whether code in what somebody calls `language` can be coloured. */
export function knowsLanguage(language: string): boolean {
  return lowlight().registered(language)
}

/** A node of what the highlighter gives, as far as it is used. */
interface Node {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly Node[]
}

/**
 * The runs of `code`, whose ends count from its start. Its language must be known. Takes time in proportion to its length for ordinary
 * code, so callers keep that short.
 */
export function codeRuns(code: string, language: string): CodeRun[] {
  const runs: CodeRun[] = []
  let end = 0
  const visit = (node: Node, tone: CodeTone | null) => {
    if (node.type === 'text') {
      end += node.value?.length ?? 0
      runs.push({ end, tone })
      return
    }
    const own = toneOf(node.properties?.className) ?? tone
    node.children?.forEach((child) => visit(child, own))
  }
  visit(lowlight().highlight(language, code), null)
  // A grammar that lost something must not make the code look shorter than it is.
  return end === code.length ? runs : [{ end: code.length, tone: null }]
}

function toneOf(className: unknown): CodeTone | null {
  const name: unknown = Array.isArray(className) ? className[0] : undefined
  return typeof name === 'string' ? (tones[name.replace(/^hljs-/, '')] ?? null) : null
}
