import { isSecretValue, isUserAndPassword, type SecretName, secretName } from './secret-names.ts'
import type { SecretSpan } from './secret-span.ts'
import type { Sign } from './sign-scanner.ts'
import { vendorNames, vendorValue } from './vendor-values.ts'
import { wrappedValueEnd } from './wrapped-tokens.ts'

/** Finds the secret that the text from `at` to `end` announces; several in a table or a key of parts. */
type Finder = (text: string, at: number, end: number) => SecretSpan | readonly SecretSpan[] | null

/** A text that announces a secret. */
export interface SecretContext {
  readonly name: string
  /** For documentation: the form of the secret. */
  readonly shape: string
  readonly source: string
  /** Announcing texts, in any case; a final `.`: at the end of a word. Finders read a bounded part after it. */
  readonly signs: readonly string[]
  readonly find: Finder
}

/** The part of a URL between scheme and host. */
const userInfo = /([^\s/?#"'`<>\\@:]{0,200})(?::([^\s/?#"'`<>\\]{1,300}))?@(?=[\w[])/y

function urlPassword(text: string, _at: number, end: number): SecretSpan | null {
  userInfo.lastIndex = end
  const [, user = '', password] = userInfo.exec(text) ?? []
  if (password !== undefined) {
    const start = end + user.length + 1
    // Not a variable or a mask; any other text here is a password, even a weak one.
    if (/^(?:[$<{[%*(]|\.\.\.|x{3,}|redacted)/i.test(password) || /^(?:pass(?:word|wd)?|pwd)$/i.test(password))
      return null
    return { kind: 'URL password', start, end: start + password.length }
  }
  const isToken = isSecretValue(user, { kind: 'URL password', chosen: false }, { quoted: true, shell: false })
  return user.length >= 20 && isToken ? { kind: 'URL password', start: end, end: end + user.length } : null
}

const telegramRest = /[\w-]{30,}/y

function telegramToken(text: string, at: number, end: number): SecretSpan | null {
  if (!text.startsWith(':AA', at)) return null
  const [digits = ''] = /\d{6,12}$/.exec(text.slice(Math.max(0, at - 13), at)) ?? []
  if (digits === '') return null
  telegramRest.lastIndex = end
  if (!telegramRest.test(text)) return null
  return { kind: 'Telegram bot token', start: at - digits.length, end: telegramRest.lastIndex }
}

/** Between a name and its value: quotes, possibly escaped, and one of `=`, `:`, `=>`, `,`. */
const header =
  /\\{0,4}["'`]?\]?\s{0,4}(?:[:=]|=>|,)\s{0,4}\\{0,4}["'`]?(?:(?:bearer|basic|(?:api-?)?token|digest|apikey|bot|negotiate|ssws|splunk|key|genie-?key)\s{1,4})?([^\s\p{Cc}"'`\\,;(){}<>]{6,8192})/iuy

function authorization(text: string, _at: number, end: number): SecretSpan | null {
  header.lastIndex = end
  const [whole, value] = header.exec(text) ?? []
  if (whole === undefined || value === undefined) return null
  const scheme =
    /^[:=>,\s\\"'`\]]*(?:bearer|basic|(?:api-?)?token|digest|apikey|bot|negotiate|ssws|splunk|key|genie-?key)\s/i.test(
      whole
    )
  const isSecret = scheme
    ? !/^(?:[$<{[%*]|\.\.\.|x{3,}|your|redacted|token|auth|credential)/i.test(value)
    : isSecretValue(value, { kind: '', chosen: false }, { quoted: true, shell: false })
  if (!isSecret) return null
  return { kind: 'authorization header', start: end + whole.length - value.length, end: end + whole.length }
}

const bearerValue = /\s{1,4}([A-Za-z0-9._~+/-]{16,8192}={0,2})/y

function bearer(text: string, _at: number, end: number): SecretSpan | null {
  bearerValue.lastIndex = end
  const [whole, value] = bearerValue.exec(text) ?? []
  if (whole === undefined || value === undefined) return null
  const isSecret = isSecretValue(value, { kind: '', chosen: false }, { quoted: true, shell: false })
  return isSecret
    ? { kind: 'authorization header', start: end + whole.length - value.length, end: end + whole.length }
    : null
}

/** The start of the value of a header `Cookie` or `Set-Cookie`. */
const cookies =
  /\\{0,4}["'`]?\]?\s{0,4}[:=,]\s{0,4}\\{0,4}["'`]?([\w!#$%&*+.^|~-]{1,80}=[^\s;"'`\\,<>(){}]{3,200}(?:;\s?[^\r\n"'`\\<>(){}]{0,200})?)/y
/** The rest of a cookie's value, to the end of its line or string. */
const cookieRest = /[^\r\n"'`\\<>(){}]*/y

function cookie(text: string, at: number, end: number): SecretSpan | null {
  cookies.lastIndex = end
  const [whole, pairs] = cookies.exec(text) ?? []
  if (whole === undefined || pairs === undefined) return null
  const start = end + whole.length - pairs.length
  const isSet = /set-$/i.test(text.slice(Math.max(0, at - 4), at))
  const values = cookieValues(pairs, isSet)
  if (values === null) return null
  cookieRest.lastIndex = start + values.end
  if (values.end === pairs.length && !isSet) cookieRest.test(text)
  return { kind: 'cookie', start: start + values.start, end: cookieRest.lastIndex }
}

/**
 * The place of the values in a cookie header; null if there is no secret. Only the first pair of `Set-Cookie` is one;
 * the rest are attributes.
 */
export function cookieValues(pairs: string, isSet: boolean): { start: number; end: number } | null {
  const start = pairs.indexOf('=') + 1
  if (start === 0) return null
  const first = pairs.indexOf(';')
  const end = isSet && first >= 0 ? first : pairs.length
  const values = pairs.slice(start, end)
  return /^(?:[$<{[%*]|\.\.\.|value\b|x{3,}|redacted)/i.test(values) || !/\d|\w{6,}/.test(values)
    ? null
    : { start, end }
}

/** To the end of a command, with continued lines. */
const arguments_ = String.raw`(?:[^\n\\]|\\\r?\n|\\.){0,200}?\s`
const quoteBefore = String.raw`\\{0,4}["']?`
const word = String.raw`([^\s"'\x60\\$-][^\s"'\x60\\$]{2,200})`

/** Options of commands that are followed by a password, and what must stand before or after it. */
const commandPasswords: readonly (readonly [
  name: string,
  commands: string,
  option: string,
  source: string,
  value?: string
])[] = [
  [
    'curl -u user:PASSWORD',
    'curl. http. https. xh.',
    '(?:-[a-zA-Z]{0,6}u|--user|--proxy-user|-U|-a|--auth)[ =]?',
    'https://curl.se/docs/manpage.html',
    String.raw`\s{0,2}${quoteBefore}[^\s:"'\x60\\$]{1,100}:([^\s"'\x60\\]{1,200})`
  ],
  [
    'curl -u KEY:',
    'curl. http. https. xh.',
    '(?:-[a-zA-Z]{0,6}u|--user|-a|--auth)[ =]?',
    'https://curl.se/docs/manpage.html',
    String.raw`\s{0,2}${quoteBefore}(?=[^\s:"'\x60\\$]{0,40}\d)([^\s:"'\x60\\$]{12,200})(?=:(?:[\s"'\x60\\]|$))`
  ],
  [
    'sshpass -p PASSWORD',
    'sshpass.',
    '-p',
    'https://manpages.debian.org/sshpass',
    String.raw`\s{0,2}${quoteBefore}([^\s"'\x60\\$]{3,200})`
  ],
  [
    'docker login -p PASSWORD',
    'login.',
    '(?:-p|--password)[ =]',
    'https://docs.docker.com/reference/cli/docker/login/'
  ],
  ['redis-cli -a PASSWORD', 'redis-cli.', '(?:-a|--pass)[ =]', 'https://redis.io/docs/latest/develop/tools/cli/'],
  [
    'mysql -pPASSWORD',
    'mysql. mysqldump. mysqladmin. mariadb. mariadb-dump.',
    String.raw`-p(?=[^\s\d]{0,100}\d)`,
    'https://dev.mysql.com/doc/refman/8.4/en/password-security-user.html',
    word
  ],
  [
    'gh secret set NAME --body SECRET',
    'secret?set.',
    '(?:-b|--body)[ =]?',
    'https://cli.github.com/manual/gh_secret_set'
  ],
  [
    'az keyvault secret set --value SECRET',
    'secret?set.',
    '--value[ =]',
    'https://learn.microsoft.com/cli/azure/keyvault/secret'
  ],
  [
    'aws secretsmanager --secret-string SECRET',
    'secretsmanager.',
    '--secret-string[ =]',
    'https://docs.aws.amazon.com/cli/latest/reference/secretsmanager/create-secret.html'
  ],
  [
    'aws ssm put-parameter --value SECRET',
    'securestring.',
    '--value[ =]',
    'https://docs.aws.amazon.com/cli/latest/reference/ssm/put-parameter.html'
  ],
  [
    'fly secrets set NAME=SECRET',
    'secrets?set.',
    String.raw`[A-Z][A-Z0-9_]{1,60}=`,
    'https://fly.io/docs/apps/secrets/'
  ],
  [
    'htpasswd -b FILE USER PASSWORD',
    'htpasswd.',
    String.raw`-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s{1,4}\S{1,200}\s{1,4}\S{1,80}\s`,
    'https://httpd.apache.org/docs/2.4/programs/htpasswd.html'
  ],
  [
    'ldapsearch -w PASSWORD',
    'ldapsearch. ldapadd. ldapmodify. ldapwhoami.',
    '-w',
    'https://www.openldap.org/software/man.cgi?query=ldapsearch'
  ],
  [
    'sqlcmd -P PASSWORD',
    'sqlcmd. mosquitto_pub. mosquitto_sub. cypher-shell.',
    '(?:-P|-p)',
    'https://learn.microsoft.com/sql/tools/sqlcmd/sqlcmd-utility'
  ],
  [
    'mongosh -p PASSWORD',
    'mongo. mongosh. mongodump. mongorestore.',
    '(?:-p|--password)[ =]',
    'https://www.mongodb.com/docs/mongodb-shell/reference/options/'
  ],
  ['zip -P PASSWORD', 'zip. unzip.', '-P', 'https://linux.die.net/man/1/zip'],
  ['7z -pPASSWORD', '7z. 7za. rar. unrar.', '-h?p', 'https://7-zip.org/faq.html', word],
  ['openssl enc -k PASSWORD', 'openssl?enc.', '(?:-k|-K)[ =]', 'https://docs.openssl.org/master/man1/openssl-enc/'],
  [
    'security add-generic-password -w PASSWORD',
    'generic-password. internet-password.',
    '-w',
    'https://ss64.com/mac/security.html'
  ],
  [
    'smbclient -U user%PASSWORD',
    'smbclient. rpcclient. mount.',
    String.raw`(?:-U|-o)[ =]?\s{0,2}\S{1,80}?(?:%|pass(?:word)?=)`,
    'https://www.samba.org/samba/docs/current/man-html/smbclient.1.html'
  ],
  [
    'net use /user:NAME PASSWORD',
    'net?use.',
    String.raw`/user:\S{1,80}\s{1,4}`,
    'https://learn.microsoft.com/windows-server/administration/windows-commands/net-use'
  ],
  [
    'cmdkey /pass:PASSWORD',
    'cmdkey. xfreerdp. mstsc.',
    '/p(?:ass)?:',
    'https://learn.microsoft.com/windows-server/administration/windows-commands/cmdkey'
  ]
]

function commandPassword(option: string, value = String.raw`\s{0,2}${quoteBefore}${word}`): Finder {
  const pattern = new RegExp(`${arguments_}${option}${value}`, 'y')
  return (text, _at, end) => {
    pattern.lastIndex = end
    const [, password] = pattern.exec(text) ?? []
    if (password === undefined || /^[$<{[%*(]|^(?:password|x{3,}|your)/i.test(password)) return null
    // What follows the password is only looked at.
    return { kind: 'password', start: pattern.lastIndex - password.length, end: pattern.lastIndex }
  }
}

const signature = /[A-Za-z0-9%+/=_-]{20,512}/y

/** A signature in a URL grants what the URL requests. */
function signedUrl(text: string, _at: number, end: number): SecretSpan | null {
  signature.lastIndex = end
  return signature.test(text) ? { kind: 'URL signature', start: end, end: signature.lastIndex } : null
}

const keyOfUrl = /[\w.-]{20,200}(?=$|[\s&#"'`\\<>)\]}*,;|])/y

/** A parameter `key` is often a plain name: only a random value is a secret. */
function urlKey(text: string, _at: number, end: number): SecretSpan | null {
  keyOfUrl.lastIndex = end
  const [value] = keyOfUrl.exec(text) ?? []
  if (value === undefined || /^[0-9a-f-]+$/i.test(value)) return null
  const isSecret = isSecretValue(value, { kind: '', chosen: false }, { quoted: true, shell: false })
  return isSecret ? { kind: 'API key', start: end, end: end + value.length } : null
}

/** The rest of a name after the announcing word. */
const nameRest = /[\w.-]{0,40}/y

/**
 * From a name to its value, all bounded: the quote that ends the name, an operator, the quote that begins the value.
 * Operators of programs, shells, JSON, YAML and headers; `,` between two strings of a list; `>` of an element.
 */
const operator =
  /(\\{0,6}["'`])?\]?[*_]{0,3}(?:[?!]?:\s?(?:string|str|String|&(?:'static )?str)(?=\s{0,8}=))?((?:\\\r?\n|\s){0,8})(:=|\?=|:-|=>|==?=?|\|\||\?\?|:|,?\s{0,40}\\{0,6}["']?value\\{0,6}["']?\s{0,4}[:=]|,|<\/t[dh]>\s{0,20}<t[dh][^>\n]{0,80}>|>|\|(?!\|)|is:?(?=\s)|(?=\s|\\\r?\n))[*_]{0,3}((?:\\\r?\n|\s){0,8})[*_]{0,3}(\\{0,6}["'`])?/y

/** Sets a variable to the next word: `setx NAME value`, `set -x NAME value`, `ENV NAME value`. */
const settingBefore =
  /(?:\bset(?:x|\s{1,4}-[a-zA-Z]{1,3}|env)|\bENV|\bconfig(?:ure)?\s{1,4}set|-sec(?:urity)?\.)\s{0,4}\S{0,60}$|\blogin\s{1,4}\S{1,40}\s{1,4}$/
/** Before a name: reads a variable with a default: `getenv("NAME", "value")`. */
const readBefore =
  /(?:getenv|env(?:iron)?\.(?:get|fetch)|\benv|\bdefine|\bset(?:env|Item|Header|RequestHeader|Property)?|\bappend)\(\\{0,4}["'`][\w-]{0,60}$/i

const bareValue = /[^\s\p{Cc}"'`\\,;&<>]{1,200}/uy
const bareRest = /[^\s\p{Cc}"'`\\,;&<>]*/uy

function namedValue(text: string, at: number, end: number): SecretSpan | null {
  nameRest.lastIndex = end
  const rest = nameRest.exec(text)?.[0] ?? ''
  operator.lastIndex = end + rest.length
  const found = operator.exec(text)
  if (found === null) return null
  const before = text.slice(Math.max(0, at - 60), at)
  const head = headOf(before)
  const written = withoutEscape(head, before.slice(0, before.length - head.length)) + text.slice(at, end) + rest
  const name = secretName(written.replace(/^[-.]+|[-.]+$/g, ''))
  if (name === null) return null
  const [whole, quoteBefore, space = '', sign = '', spaceAfter = '', quote] = found
  const isOption = /^--?[A-Za-z]/.test(written)
  // `password "…"`, token `…`: prose, so the value must look like one.
  const isQuoted = sign === '' && /^ ?$/.test(space) && spaceAfter.length <= 1 && quote !== undefined
  // Only a space: of an option, of a shell that sets a variable, or in a file `.netrc`.
  if (
    sign === '' &&
    !(space + spaceAfter !== '' && (isOption || settingBefore.test(before) || isSqlPassword(name, quote, before))) &&
    !(isQuoted && quoteBefore === undefined)
  )
    return null
  // A cell of a table and the next one.
  if (sign === '|' && !/\|[ \t]{0,20}[*_`]{0,3}$/.test(before.slice(0, before.length - head.length))) return null
  if (sign === ',') {
    if (quoteBefore === undefined || quote === undefined) return null
    if (!written.startsWith('-') && !readBefore.test(before)) return null
  }
  // A default for an unset variable.
  if ((sign === '||' || sign === '??') && quote === undefined) return null
  // `<password>…</password>`
  if (sign === '>' && text.charAt(at - head.length - 1) !== '<') return null
  const start = end + rest.length + whole.length
  const value = quote === undefined ? bareText(text, start) : quotedText(text, start, quote)
  if (value === null) return quote === undefined ? null : brokenValue(text, start, quote, name)
  // `TOKEN=…` of a shell, `;password=…` of a connection string, `&token=…` of a URL.
  const isAssigned =
    isOption ||
    /^[A-Z][A-Z\d_]*$/.test(written) ||
    /[;&?]\s?$/.test(before.slice(0, before.length - head.length).slice(-2))
  const shell = sign === '=' && space === '' && spaceAfter === '' && isAssigned
  const isProse = isQuoted && !isOption && !settingBefore.test(before) && !isSqlPassword(name, quote, before)
  if (isProse && !name.chosen && !(value.length >= 16 && /\d/.test(value) && !/^[0-9a-f-]+$/i.test(value))) return null
  const style = {
    quoted: (quote !== undefined && !isProse) || sign === '>',
    shell: shell || (isOption && /\d/.test(value))
  }
  if (!isSecretValue(value.slice(0, judged), name, style)) return null
  if (quote !== undefined) return { kind: name.kind, start, end: start + value.length }
  const bare = bareEnd(text, start, value)
  return { kind: name.kind, start, end: name.chosen ? bare : wrappedValueEnd(text, start, bare) }
}

/** `ALTER ROLE x WITH PASSWORD 'y'` */
function isSqlPassword(name: SecretName, quote: string | undefined, before: string): boolean {
  return name.chosen && quote !== undefined && /\b(?:with|encrypted|set|using)\s{1,4}$/i.test(before)
}

/** A string broken into lines. */
function brokenValue(text: string, start: number, quote: string, name: SecretName): SecretSpan | null {
  const stretch = text.slice(start, start + judged)
  const end = stretch.indexOf(quote)
  const whole = stretch.slice(0, Math.max(0, end)).replace(/\\?\r?\n[ \t]{0,16}/g, '')
  if (end < 0 || whole.length < 12 || !isSecretValue(whole, { ...name, chosen: false }, { quoted: true, shell: false }))
    return null
  return /\s/.test(whole) ? null : { kind: name.kind, start, end: start + end }
}

/** The part of a name before the announcing word. "api key" may be two words. */
function headOf(before: string): string {
  let from = before.length
  while (from > 0 && /[\w.-]/.test(before.charAt(from - 1))) from--
  return from < before.length ? before.slice(from) : (/\b(?:api|access|secret|private) $/i.exec(before)?.[0] ?? '')
}

/** The start of a colour, raw and as in shells and JSON. */
const colourStarts = [`${String.fromCharCode(0x1b)}[`, '\\u001b[', '\\x1b[', '\\033[', '\\e[']

/** A name without the rest of an escape before it: `\nTOKEN=…` in nested JSON, a terminal colour. */
function withoutEscape(head: string, before: string): string {
  if (before.endsWith('\\')) return head.slice(1)
  const isColour = colourStarts.some((start) => before.endsWith(start))
  return isColour ? head.replace(/^\d{0,3}m/, '') : head
}

/** Characters of a value that are checked; a secret is removed whole. */
const judged = 200

function bareText(text: string, start: number): string | null {
  bareValue.lastIndex = start
  const [value] = bareValue.exec(text) ?? []
  // Not part of it: the end of a sentence or list.
  return value === undefined ? null : value.replace(/[.:?)\]}]+$/, '')
}

function bareEnd(text: string, start: number, value: string): number {
  bareRest.lastIndex = start + value.length
  if (value.length >= judged) bareRest.test(text)
  return bareRest.lastIndex
}

/** Longer strings are not secrets. */
const maxQuoted = 4096

/** Up to the closing quote, on the same line. */
function quotedText(text: string, start: number, quote: string): string | null {
  const stretch = text.slice(start, start + maxQuoted)
  let end = stretch.indexOf(quote)
  // An inner quote has one more escape than the opening one.
  while (end > 0 && stretch.charAt(end - 1) === '\\') end = stretch.indexOf(quote, end + 1)
  const value = stretch.slice(0, end < 0 ? 0 : end)
  return value === '' || value.includes('\n') ? null : value
}

/** The part of `.docker/config.json` that holds `user:password` in base64. */
const dockerAuth = /\\{0,4}["']\s{0,4}:\s{0,4}\\{0,4}["']([A-Za-z0-9+/]{8,4000}={0,2})(?=\\{0,4}["'])/y

function basicAuth(text: string, at: number, end: number): SecretSpan | null {
  if (!/["']/.test(text.charAt(at - 1))) return null
  dockerAuth.lastIndex = end
  const [whole, value] = dockerAuth.exec(text) ?? []
  if (whole === undefined || value === undefined || !isUserAndPassword(value)) return null
  return { kind: 'password', start: end + whole.length - value.length, end: end + whole.length }
}

const given = String.raw`(?:[^\n|;&<]{0,80}<<<\s{0,4}\\{0,4}["']?([^\s"'\x60\\$][^\n"'\x60\\$]{2,200}))?`
const sudoOption = new RegExp(String.raw`\s(?:-[A-Za-z]{1,8}\s{1,2}){0,3}(?:-[A-Za-z]{0,6}S\b|--stdin\b)${given}`, 'y')
const anyOption = new RegExp(given, 'y')
const echoed =
  /\b(?:echo|printf)\s{1,4}(?:-[neE]{1,3}\s{1,4}|\\{0,4}["']%s(?:\\{1,4}n)?\\{0,4}["']\s{1,4})?(\\{0,4}["'])?([^\n"'`|]{3,200}?)(?:\\{1,4}n)?\1?\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?[^|\n]{0,80}$/

/** `echo PASSWORD | sudo -S …`, `sudo -S … <<< PASSWORD` */
function sudoPassword(text: string, at: number, end: number): SecretSpan | null {
  return pipedPassword(text, at, end, sudoOption)
}

/** `echo USER:PASSWORD | chpasswd`, `echo TOKEN | gh auth login --with-token` */
function stdinPassword(text: string, at: number, end: number): SecretSpan | null {
  return pipedPassword(text, at, end, anyOption)
}

function pipedPassword(text: string, at: number, end: number, option: RegExp): SecretSpan | null {
  option.lastIndex = end
  const found = option.exec(text)
  if (found === null) return null
  const [whole, here] = found
  let [password, start] = [here ?? '', end + whole.length - (here ?? '').length]
  if (here === undefined) {
    const before = text.slice(Math.max(0, at - 320), at)
    const piped = echoed.exec(before)
    if (piped === null) return null
    password = piped[2] ?? ''
    start = at - before.length + piped.index + piped[0].indexOf(password, 4)
  }
  if (/^[$<{[%*]|^(?:password|y(?:es)?|done|token|secret)$/i.test(password)) return null
  // `chpasswd` reads a name before it.
  const name = /^[a-z_][\w-]{0,31}:(?=.)/.exec(password)?.[0].length ?? 0
  return { kind: 'password', start: start + name, end: start + password.length }
}

const quotedValue = /\s{0,4}\\{0,4}["']([^\s"'`\\;&<>$]{4,200})(?=\\{0,4}["'])/y
const plainValue = /\s{0,4}\\{0,4}["']?([^\s"'`\\;&<>$]{4,200})/y

/** The value after the announcing words: `;Pwd=…`, `IDENTIFIED BY '…'`, `-passin pass:…` */
function valueBehind(text: string, at: number, end: number): SecretSpan | null {
  // SQL words also occur in prose, so their value needs quotes.
  const behind = /\s/.test(text.charAt(end - 1)) && text.charAt(at) !== '-' ? quotedValue : plainValue
  behind.lastIndex = end
  const [whole, value] = behind.exec(text) ?? []
  if (whole === undefined || value === undefined || /^[{[%*(]|^(?:password|x{3,})$/i.test(value)) return null
  return { kind: 'password', start: end + whole.length - value.length, end: end + whole.length }
}

/** A line end, possibly escaped, with the prefix of a listing or a quote. */
const lineEnd = String.raw`(?:\s|\\{1,4}[nrt]|[>"',+|])`
const puttyLines = new RegExp(
  String.raw`\s{0,4}\d{1,3}${lineEnd}{1,8}((?:[A-Za-z0-9+/]{1,64}={0,2}${lineEnd}{1,8}){1,80})`,
  'y'
)
const puttyMac = /\s{0,4}([0-9a-f]{40,64})/y

function puttyKey(text: string, at: number, end: number): SecretSpan | null {
  const pattern = /mac:$/i.test(text.slice(at, end)) ? puttyMac : puttyLines
  pattern.lastIndex = end
  const [whole, found] = pattern.exec(text) ?? []
  if (whole === undefined || found === undefined) return null
  const value = found.replace(new RegExp(String.raw`(?:${lineEnd}|Private-?)+$`), '')
  const start = end + whole.length - found.length
  return { kind: 'private key', start, end: start + value.length }
}

/** Members of a JSON web key that are secret. */
const keyMember = /\\{0,6}["'](?:d|p|q|dp|dq|qi|k)\\{0,6}["']\s{0,4}:\s{0,4}\\{0,6}["']([\w-]{16,2000})(?=\\{0,6}["'])/g
const maxWebKey = 4000

function webKey(text: string, at: number): SecretSpan[] {
  const first = Math.max(0, at - maxWebKey)
  const before = text.slice(first, at).lastIndexOf('{')
  if (before < 0) return []
  const open = first + before
  const after = text.slice(at, at + maxWebKey)
  const close = after.indexOf('}')
  const stretch = text.slice(open, at + (close < 0 ? after.length : close))
  return [...stretch.matchAll(keyMember)].map(({ 0: whole, 1: value = '', index }) => {
    const end = open + index + whole.length
    return { kind: 'private key', start: end - value.length, end }
  })
}

const maxRows = 40
const maxRow = 600

/** The values of the columns whose heads are names of secrets. `at`: the row of dashes below the heads. */
function columns(text: string, at: number): SecretSpan[] {
  const first = Math.max(0, at - maxRow)
  const before = text.slice(first, at)
  const start = first + before.lastIndexOf('\n') + 1
  const rule = /^[ \t]*$/.test(text.slice(start, at)) ? rowAt(text, start) : null
  if (rule === null || rule.cells.some(({ value }) => !/^:?-+:?$/.test(value))) return []
  const head = rowAt(text, first + before.lastIndexOf('\n', start - first - 2) + 1)
  const names = head?.cells.map(({ value }) => secretName(value.replace(/[*_`]/g, ''))) ?? []
  const spans: SecretSpan[] = []
  if (names.every((name) => name === null)) return spans
  let row = rowAt(text, rule.next)
  for (let rows = 0; row !== null && rows < maxRows; rows++) {
    for (const [i, cell] of row.cells.entries()) {
      const name = names[i] ?? null
      const value = cell.value.replace(/^[`*"']+|[`*"']+$/g, '')
      if (name === null || !isSecretValue(value, name, { quoted: false, shell: false })) continue
      const from = cell.start + text.slice(cell.start, cell.end).indexOf(value)
      spans.push({ kind: name.kind, start: from, end: from + value.length })
    }
    row = rowAt(text, row.next)
  }
  return spans
}

interface Row {
  readonly start: number
  readonly cells: readonly { readonly start: number; readonly end: number; readonly value: string }[]
  /** The start of the next row. */
  readonly next: number
}

/** The row of a table of Markdown at the start of a line; null: there is none. */
function rowAt(text: string, start: number): Row | null {
  const line = /^[ \t]{0,8}\|.*$/m.exec(text.slice(start, start + maxRow).split('\n', 1)[0] ?? '')?.[0]
  if (line === undefined) return null
  const cells: { start: number; end: number; value: string }[] = []
  let from = line.indexOf('|') + 1
  for (let to = line.indexOf('|', from); to >= 0; to = line.indexOf('|', from)) {
    cells.push({ start: start + from, end: start + to, value: line.slice(from, to).trim() })
    from = to + 1
  }
  if (from < line.trimEnd().length) {
    cells.push({ start: start + from, end: start + line.length, value: line.slice(from).trim() })
  }
  return { start, cells, next: start + line.length + 1 }
}

const dockerValue = /\\{0,4}["']?\s{0,4}:\s{0,8}(?:[|>]-?\s{1,12})?\\{0,4}["']?(e[yw][A-Za-z0-9+/]{20,8000}={0,2})/y

function dockerConfig(text: string, _at: number, end: number): SecretSpan | null {
  dockerValue.lastIndex = end
  const [, value] = dockerValue.exec(text) ?? []
  if (value === undefined) return null
  return { kind: 'password', start: dockerValue.lastIndex - value.length, end: dockerValue.lastIndex }
}

const rfc = (number: number): string => `https://www.rfc-editor.org/rfc/rfc${number}`

export const contexts: readonly SecretContext[] = [
  {
    name: 'URL password',
    shape: 'scheme://user:PASSWORD@host, scheme://TOKEN@host',
    source: rfc(3986),
    signs: ['://'],
    find: urlPassword
  },
  {
    name: 'Telegram bot token',
    shape: 'digits:AA…',
    source: 'https://core.telegram.org/bots/api#authorizing-your-bot',
    signs: [':aa'],
    find: telegramToken
  },
  {
    name: 'authorization header',
    shape: 'Authorization: SCHEME VALUE',
    source: rfc(9110),
    signs: ['authorization'],
    find: authorization
  },
  { name: 'bearer token', shape: 'Bearer VALUE', source: rfc(6750), signs: ['bearer.'], find: bearer },
  {
    name: 'cookie',
    shape: 'Cookie: name=VALUE; Set-Cookie: name=VALUE',
    source: rfc(6265),
    signs: ['cookie.'],
    find: cookie
  },
  ...commandPasswords.map(([shape, commands, option, source, value]) => ({
    name: `password of ${shape.split(' ')[0] ?? ''}`,
    shape,
    source,
    signs: commands.split(' ').map((command) => command.replace('?', ' ')),
    find: commandPassword(option, value)
  })),
  {
    name: 'password of a pipe',
    shape: 'echo PASSWORD | sudo -S',
    source: 'https://www.sudo.ws/docs/man/sudo.man/',
    signs: ['sudo.'],
    find: sudoPassword
  },
  {
    name: 'password of a pipe',
    shape: 'echo USER:PASSWORD | chpasswd, docker login --password-stdin <<< PASSWORD',
    source: 'https://manpages.debian.org/chpasswd',
    signs: [
      'chpasswd.',
      'passwd --stdin.',
      '--password-stdin.',
      '--with-token.',
      'secret set.',
      'secret put.',
      'secrets create.',
      'env add.'
    ],
    find: stdinPassword
  },
  {
    name: 'PuTTY key',
    shape: 'Private-Lines: COUNT, lines of base64, Private-MAC: HEX',
    source: 'https://the.earth.li/~sgtatham/putty/latest/htmldoc/AppendixC.html',
    signs: ['private-lines:', 'private-mac:'],
    find: puttyKey
  },
  {
    name: 'JSON web key',
    shape: '{"kty": …, "d": "VALUE"}',
    source: rfc(7517),
    signs: ['kty.'],
    find: webKey
  },
  {
    name: 'column of passwords',
    shape: '| password |, |---|, | VALUE |',
    source: 'https://github.github.com/gfm/#tables-extension-',
    signs: ['|-', '| -', '|:-', '| :-'],
    find: columns
  },
  {
    name: 'Docker login',
    shape: '.dockerconfigjson: BASE64',
    source: 'https://kubernetes.io/docs/concepts/configuration/secret/',
    signs: ['.dockerconfigjson.', '.dockercfg.'],
    find: dockerConfig
  },
  {
    name: 'value of a vendor',
    shape: 'heroku = VALUE',
    source: 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml',
    signs: vendorNames,
    find: vendorValue
  },
  {
    name: 'password of a connection',
    shape: ';Pwd=PASSWORD',
    source:
      'https://learn.microsoft.com/sql/relational-databases/native-client/applications/using-connection-string-keywords-with-sql-server-native-client',
    signs: [';pwd='],
    find: valueBehind
  },
  {
    name: 'password of SQL',
    shape: "IDENTIFIED BY 'PASSWORD'",
    source: 'https://dev.mysql.com/doc/refman/8.4/en/create-user.html',
    signs: ['identified by '],
    find: valueBehind
  },
  {
    name: 'password of OpenSSL',
    shape: '-passin pass:PASSWORD',
    source: 'https://docs.openssl.org/master/man1/openssl-passphrase-options/',
    signs: ['-passin pass:', '-passout pass:', '-pass pass:'],
    find: valueBehind
  },
  {
    name: 'Docker login',
    shape: '"auth": "BASE64 of user:password"',
    source: 'https://docs.docker.com/reference/cli/docker/login/',
    signs: ['auth.'],
    find: basicAuth
  },
  {
    name: 'URL key',
    shape: '?key=VALUE',
    source: 'https://cloud.google.com/docs/authentication/api-keys-use',
    signs: ['?key=', '&key='],
    find: urlKey
  },
  {
    name: 'URL signature',
    shape: '?sig=VALUE, ?X-Amz-Signature=VALUE',
    source: 'https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html',
    signs: ['?sig=', '&sig=', '?x-amz-signature=', '&x-amz-signature=', '&x-goog-signature='],
    find: signedUrl
  },
  {
    name: 'value that a name announces',
    shape:
      'NAME=VALUE, "name": "VALUE", name: VALUE, --name VALUE, <name>VALUE, name is VALUE; names of passwords, keys, tokens and secrets',
    source: 'https://cwe.mitre.org/data/definitions/798.html',
    signs: [
      'passw',
      'passphrase',
      'passcode',
      'pass.',
      'pwd.',
      'secret',
      'token',
      'credential',
      '_auth.',
      'key',
      'jwt.',
      'psk.'
    ],
    find: namedValue
  }
]

export const contextSigns: readonly Sign<SecretContext>[] = contexts.flatMap((context) =>
  context.signs.map((sign) => {
    const endsWord = sign.endsWith('.')
    return { text: endsWord ? sign.slice(0, -1) : sign, anyCase: true, endsWord, of: context }
  })
)
