import { contexts } from '#core/export/secrets/secret-contexts.ts'
import { formats } from '#core/export/secrets/secret-formats.ts'
import { shapes } from '#core/export/secrets/secret-shapes.ts'
import { ordinaryTexts, secretCases } from './redaction-cases.ts'

const code = (text: string): string => {
  const ticks = text.includes('`') ? '``' : '`'
  return `${ticks}${text.replaceAll('|', '\\|')}${ticks}`
}
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const link = (url: string): string => `[source](${url})`
const byKind = <T extends { readonly kind: string }>(rules: readonly T[]): T[] =>
  [...rules].sort((a, b) => (a.kind.toLowerCase() < b.kind.toLowerCase() ? -1 : 1))

/** What `docs/redaction.md` says: made of the rules, and of the texts that the tests hold them to. */
export function redactionDocs(): string {
  const gone = secretCases.filter(({ survives }) => survives === undefined)
  const left = secretCases.filter(({ survives }) => survives !== undefined)
  return [
    '# Redaction',
    '',
    '<!-- Made by `npm run redaction` from the rules in src/core/export/secrets and the lists in test/redaction-cases.ts. -->',
    '',
    'What `playhead export` takes out of reports and pages, and of JSONL with `--redact`. It finds what it knows; look through what you share.',
    'How it works: [decision](decisions/own-redaction.md). What a page holds: [sharing](sharing.md).',
    '',
    'A secret is also found where a line end, a line continuation of a shell, colours of a terminal or characters without a shape stand in it;',
    'where it is spread over pieces of a streamed text; and where it begins in one text block and ends in a later one.',
    '`--redact --raw` redacts the raw lines as well: they stay JSON of the same shape, and a part of a secret that goes on in another line is gone.',
    '',
    '## Told by how they are written',
    '',
    'The last column is a regular expression for what follows the start.',
    '',
    row('name', 'starts with', 'source', 'then'),
    row('---', '---', '---', '---'),
    ...byKind(formats).map(({ kind, starts, rest, source }) =>
      row(kind, starts.map(code).join(' '), link(source), code(rest.source))
    ),
    '',
    '## Told by their whole shape',
    '',
    row('name', 'shape', 'source'),
    row('---', '---', '---'),
    ...byKind(shapes).map(({ kind, shape, source }) => row(kind, code(shape), link(source))),
    row('private key', code('-----BEGIN … PRIVATE KEY-----'), link('https://www.rfc-editor.org/rfc/rfc7468')),
    '',
    '## Told by what stands before them',
    '',
    'Placeholders, variables, words and code are no values.',
    '',
    row('name', 'shape', 'source'),
    row('---', '---', '---'),
    ...contexts.map(({ name, shape, source }) => row(name, code(shape), link(source))),
    '',
    '## Recall',
    '',
    `A test plants ${secretCases.length} secrets in logs of five formats and exports each as Markdown, HTML and JSONL. These ${gone.length} are gone from all:`,
    '',
    `${gone.map(({ name }) => name).join(' · ')}.`,
    '',
    'These are known to survive:',
    '',
    row('secret', 'why'),
    row('---', '---'),
    ...left.map(({ name, survives = '' }) => row(name, survives)),
    '',
    '## Ordinary text',
    '',
    'A test holds that these stay as they are:',
    '',
    row('what', 'for example'),
    row('---', '---'),
    ...ordinaryTexts.map(([what, text]) =>
      row(what, code(JSON.stringify(text.length > 90 ? `${text.slice(0, 90)}…` : text).slice(1, -1)))
    ),
    ''
  ].join('\n')
}
