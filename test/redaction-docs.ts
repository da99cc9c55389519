import { contexts } from '#core/export/secrets/secret-contexts.ts'
import { formats } from '#core/export/secrets/secret-formats.ts'
import { shapes } from '#core/export/secrets/secret-shapes.ts'
import { ordinaryTexts, secretCases } from './redaction-cases.ts'
import { contextShapes, sources, tokenShapes } from './redaction-shapes.ts'

const code = (text: string): string => {
  const ticks = text.includes('`') ? '``' : '`'
  return `${ticks}${text.replaceAll('|', '\\|')}${ticks}`
}
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const link = (url: string): string => `[source](${url})`
const byKind = <T extends { readonly kind: string }>(rules: readonly T[]): T[] =>
  [...rules].sort((a, b) => (a.kind.toLowerCase() < b.kind.toLowerCase() ? -1 : 1))

const collected = [...tokenShapes, ...contextShapes]

/** What no rule is for. */
const notLookedFor: readonly string[] = [
  'Numbers of cards, accounts, passports, insurance and phones; codes that are used once; PINs.',
  'Names, addresses of mail, hosts and networks, paths, text of a company.',
  'Ids of keys, clients, applications, tenants, accounts and projects, but for those of the tables above, such as `AKIA`.',
  'Keys that are public: `pk_live_`, `FLWPUBK`, `phc_`, public keys, certificates, DSNs without a password.',
  'Tokens of hexadecimal digits, UUIDs or letters without a prefix, a name or a vendor before them: hashes and ids look like this.',
  'Passwords that are words in prose or unquoted in YAML; those whose name stands after them, or in another line or column of CSV.',
  'Words of wallets, recovery codes, answers to questions, patterns of locks.',
  'Ids of sessions outside of cookies; links that grant access to whoever has them, but for signed ones.',
  'The middle of a private key, without its first and last line.',
  'What is encoded or packed (base64, URL, hexadecimal, archives), encrypted, in images, reversed, or written letter by letter.'
]

/** The text of `docs/redaction.md`, from the rules and their test cases. */
export function redactionDocs(): string {
  const gone = secretCases.filter(({ survives }) => survives === undefined)
  const left = secretCases.filter(({ survives }) => survives !== undefined)
  return [
    '# Redaction',
    '',
    '<!-- Made by `npm run redaction` from the rules in src/core/export/secrets and the lists in test/redaction-cases.ts. -->',
    '',
    'Secrets that `playhead export` removes from reports and pages, and from JSONL with `--redact`. It finds only the kinds below, so check',
    'what you share. How it works: [decision](decisions/own-redaction.md). What a page contains: [sharing](sharing.md).',
    '',
    'Secrets are also found with line ends, shell line continuations, terminal colours or invisible characters inside them, in the parts of a',
    'streamed text, and across text blocks. `--redact --raw` also redacts raw lines: they stay JSON of the same structure, and parts of a secret',
    'in other lines are removed too.',
    '',
    '## By prefix',
    '',
    'The last column is a regular expression for the rest.',
    '',
    row('name', 'starts with', 'source', 'then'),
    row('---', '---', '---', '---'),
    ...byKind(formats).map(({ kind, starts, rest, source }) =>
      row(kind, starts.map(code).join(' '), link(source), code(rest.source))
    ),
    '',
    '## By shape',
    '',
    row('name', 'shape', 'source'),
    row('---', '---', '---'),
    ...byKind(shapes).map(({ kind, shape, source }) => row(kind, code(shape), link(source))),
    row('private key', code('-----BEGIN … PRIVATE KEY-----'), link('https://www.rfc-editor.org/rfc/rfc7468')),
    '',
    '## By context',
    '',
    'Placeholders, variables, words and code are not redacted.',
    '',
    row('name', 'shape', 'source'),
    row('---', '---', '---'),
    ...contexts.map(({ name, shape, source }) => row(name, code(shape), link(source))),
    '',
    '## Collected shapes',
    '',
    `${collected.length} shapes and contexts that public lists of rules and documents describe; all are found. \`<20 hex>\`: so many characters.`,
    '`«…»`: what is removed.',
    '',
    row('name', 'shape', 'source'),
    row('---', '---', '---'),
    ...collected.map(([name, shape, source]) =>
      row(name, code(shape.replaceAll('\n', '⏎')), `[${source}](${sources[source] ?? ''})`)
    ),
    '',
    '## Not looked for',
    '',
    'These are no secrets by which somebody gets in, or cannot be told from other text. Look for them yourself:',
    '',
    ...notLookedFor.map((what) => `- ${what}`),
    '',
    '## Recall',
    '',
    `A test adds ${secretCases.length} secrets to logs of five formats and exports each as Markdown, HTML and JSONL. These ${gone.length} are removed from all:`,
    '',
    `${gone.map(({ name }) => name).join(' · ')}.`,
    '',
    'These are not found:',
    '',
    row('secret', 'why'),
    row('---', '---'),
    ...left.map(({ name, survives = '' }) => row(name, survives)),
    '',
    '## Ordinary text',
    '',
    'A test checks that these stay unchanged:',
    '',
    row('text', 'example'),
    row('---', '---'),
    ...ordinaryTexts.map(([what, text]) =>
      row(what, code(JSON.stringify(text.length > 90 ? `${text.slice(0, 90)}…` : text).slice(1, -1)))
    ),
    ''
  ].join('\n')
}
