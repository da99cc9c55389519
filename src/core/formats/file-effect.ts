/**
 * What a call did to a file, or what its result shows of one. Lines are a text split at line feeds, so a final line feed
 * is a last empty line. `path`: as the record or the command states it.
 */
export type FileEffect = { readonly path: string } & FileChange

export type FileChange =
  /** Lines of the file were shown. */
  | {
      readonly what: 'shown'
      /** The number of the first line, from 1. */
      readonly from: number
      readonly lines: readonly string[]
      /** Lines of the whole file; null: not known. */
      readonly total: number | null
      /** White space at both ends of the text may be missing, and a shell may have printed lines before it. */
      readonly trimmed?: true
    }
  /** The agent found the file as it was last shown. */
  | { readonly what: 'confirmed' }
  /** A text was replaced: its only occurrence, or all. */
  | {
      readonly what: 'replaced'
      readonly before: string
      readonly after: string
      readonly all: boolean
      /** Replacing whole lines by nothing removes their line end, too. */
      readonly takesLineEnd?: boolean
    }
  /** The whole content was written. */
  | {
      readonly what: 'written'
      readonly text: string
      /** The file did not exist before; absent: not stated. */
      readonly created?: boolean
    }
  /** A text was added at the end. */
  | { readonly what: 'appended'; readonly text: string }
  /** Hunks of a diff. `numbered`: their line numbers and contexts are those of the file. */
  | { readonly what: 'patched'; readonly hunks: string; readonly numbered: boolean }
  /** The content changed to something unknown. */
  | { readonly what: 'changed' }
  | { readonly what: 'deleted' }
  /** It has its content from the file `from`, which no longer exists. */
  | { readonly what: 'moved'; readonly from: string }
  /** Named, but without a text: an image, a document. */
  | { readonly what: 'named' }

/** All kinds of effects, stored as an index, so only append. */
export const fileChanges = [
  'shown',
  'confirmed',
  'replaced',
  'written',
  'appended',
  'patched',
  'changed',
  'deleted',
  'moved',
  'named'
] as const satisfies readonly FileChange['what'][]

/** The lines of a text; CRLF is read as LF. */
export function fileLines(text: string): string[] {
  return (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text).split('\n')
}
