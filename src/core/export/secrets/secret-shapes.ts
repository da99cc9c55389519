import type { SecretSpan } from './secret-span.ts'
import type { Sign } from './sign-scanner.ts'

/** Secrets known by their whole shape; the sign may be inside. */
export interface SecretShape {
  readonly kind: string
  readonly source: string
  /** Each secret contains one of them. */
  readonly signs: readonly string[]
  /** Maximum characters before the sign. */
  readonly before: number
  readonly shape: string
}

const gitleaks = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'
const crypt = 'https://manpages.debian.org/bookworm/libcrypt-dev/crypt.5.en.html'
const base64Url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Longer than any of them. */
const maxLength = 200

export const shapes: readonly SecretShape[] = [
  {
    kind: 'Discord bot token',
    source: 'https://discord.com/developers/docs/reference#authentication',
    signs: [...'MNO'].flatMap((first) => Array.from(base64Url, (second) => first + second)),
    before: 0,
    shape: String.raw`[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}`
  },
  {
    kind: 'Terraform token',
    source: gitleaks,
    signs: ['.atlasv1.'],
    before: 14,
    shape: String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}`
  },
  {
    kind: 'Azure client secret',
    source: gitleaks,
    signs: ['7Q~', '8Q~'],
    before: 3,
    shape: String.raw`[\w.~-]{3}[78]Q~[\w.~-]{31,34}`
  },
  {
    kind: 'Azure DevOps token',
    source:
      'https://learn.microsoft.com/azure/devops/organizations/accounts/use-personal-access-tokens-to-authenticate',
    signs: ['JQQJ99'],
    before: 60,
    shape: String.raw`[A-Za-z0-9]{40,60}JQQJ99[A-Za-z0-9]{18,40}`
  },
  {
    kind: 'Mailchimp key',
    source: gitleaks,
    signs: Array.from('123456789', (digit) => `-us${digit}`),
    before: 32,
    shape: String.raw`[0-9a-f]{32}-us\d{1,2}`
  },
  {
    kind: 'Azure key',
    source: 'https://learn.microsoft.com/purview/sit-defn-azure-storage-account-key',
    signs: ['APIM', 'ACDb', '+ABa', '+AMC', '+ASt', '+AEh', 'AIoT', '+ACR', 'AzSe', 'AzFu', 'AzCa'],
    before: 76,
    shape: String.raw`[A-Za-z0-9+/]{33,76}(?:APIM|ACDb|\+(?:ABa|AMC|ASt|AEh|ACR)|AIoT|AzSe|AzFu|AzCa)[A-Za-z0-9+/]{5,6}={0,2}`
  },
  {
    kind: 'MaxMind key',
    source: gitleaks,
    signs: ['_mmk'],
    before: 36,
    shape: String.raw`[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk`
  },
  {
    kind: 'New Relic key',
    source: 'https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/',
    signs: ['NRAL'],
    before: 36,
    shape: String.raw`[0-9A-Za-z]{36}NRAL`
  },
  // Hashes of `crypt` and `htpasswd` allow trying passwords.
  {
    kind: 'password hash',
    source: crypt,
    signs: ['$2a$', '$2b$', '$2x$', '$2y$'],
    before: 0,
    shape: String.raw`\$2[abxy]\$\d\d\$[A-Za-z0-9./]{53}`
  },
  {
    kind: 'password hash',
    source: crypt,
    signs: ['$1$', '$5$', '$6$', '$y$', '$apr1$'],
    before: 0,
    shape: String.raw`\$(?:1|5|6|y|apr1)\$(?:[\w./=,]{1,40}\$){1,2}[A-Za-z0-9./]{22,86}`
  },
  {
    kind: 'password hash',
    source: 'https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md',
    signs: ['$argon2', '$scrypt$', '$pbkdf2'],
    before: 0,
    shape: String.raw`\$(?:argon2(?:id?|d)|scrypt|pbkdf2(?:-sha\d{1,3})?)\$(?:[\w./=,+-]{1,80}\$){1,4}[A-Za-z0-9./+]{22,128}`
  },
  // `host:port:database:user:password` of `.pgpass`.
  {
    kind: 'password',
    source: 'https://www.postgresql.org/docs/current/libpq-pgpass.html',
    signs: [':5432:'],
    before: 60,
    shape: String.raw`[\w.*-]{1,60}:5432:[\w*-]{1,40}:[\w*-]{1,40}:[^\s:]{4,100}`
  }
]

const wholeShapes = new Map(
  shapes.map((shape) => [
    shape,
    // A whole word, bounded; an escape may precede it.
    new RegExp(String.raw`(?<=^|[^\w.~/+-]|\\[nrtbf])${shape.shape}(?![\w~/+-])`, 'g')
  ])
)

export const shapeSigns: readonly Sign<SecretShape>[] = shapes.flatMap((shape) =>
  shape.signs.map((text) => ({ text, of: shape }))
)

/** The secret with its sign at a place. */
export function shapedSecret(
  text: string,
  at: number,
  { text: sign, of: shape }: Sign<SecretShape>
): SecretSpan | null {
  // Two more characters, for the lookbehind.
  const from = Math.max(0, at - shape.before - 2)
  if (shape.before === 0 && /[\w.~/+-]/.test(text.charAt(at - 1)) && !/\\[nrtbf]$/.test(text.slice(from, at)))
    return null
  const stretch = text.slice(from, at + maxLength)
  for (const found of stretch.matchAll(wholeShapes.get(shape) ?? /(?!)/g)) {
    const start = from + found.index
    if (start > at) break
    const end = start + found[0].length
    if (end >= at + sign.length) return { kind: shape.kind, start, end }
  }
  return null
}
