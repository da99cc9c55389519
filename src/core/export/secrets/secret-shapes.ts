import type { SecretSpan } from './secret-span.ts'

/** Secrets that are told by their whole shape: the sign by which they are known stands in their middle. */
const shapes: readonly { readonly kind: string; readonly shape: string }[] = [
  { kind: 'Discord bot token', shape: String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}` },
  { kind: 'Terraform token', shape: String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}` },
  { kind: 'Azure client secret', shape: String.raw`[\w.~-]{3}[78]Q~[\w.~-]{31,34}` },
  { kind: 'Mailchimp key', shape: String.raw`[0-9a-f]{32}-us\d{1,2}` },
  // What `crypt` and `htpasswd` write: whoever has it can try passwords.
  { kind: 'password hash', shape: String.raw`\$2[abxy]\$\d\d\$[A-Za-z0-9./]{53}` },
  { kind: 'password hash', shape: String.raw`\$(?:1|5|6|y|apr1)\$(?:[\w./=,]{1,40}\$){1,2}[A-Za-z0-9./]{22,86}` }
]

/** Each at the begin of a word, bounded, and to the end of one. What stands before may be an escape. */
const anyShape = new RegExp(
  String.raw`(?<=^|[^\w.~/+-]|\\[nrtbf])(?:${shapes.map(({ shape }) => `(${shape})`).join('|')})(?![\w~/+-])`,
  'g'
)

/** Secrets told by their shape. Linear in the length of the text. */
export function shapedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  for (const found of text.matchAll(anyShape)) {
    const kind = shapes[found.slice(1).findIndex((group) => group !== undefined)]?.kind
    if (kind !== undefined) spans.push({ kind, start: found.index, end: found.index + found[0].length })
  }
  return spans
}
