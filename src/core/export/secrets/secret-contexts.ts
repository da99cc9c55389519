import { isSecretValue, isUserAndPassword, type SecretName, secretName } from './secret-names.ts'
import type { SecretSpan } from './secret-span.ts'
import type { Sign } from './sign-scanner.ts'
import { wrappedValueEnd } from './wrapped-tokens.ts'

/** Finds the secret after the announcing text from `at` to `end`. */
type Finder = (text: string, at: number, end: number) => SecretSpan | null

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
  /\\{0,4}["'`]?\]?\s{0,4}(?:[:=]|=>|,)\s{0,4}\\{0,4}["'`]?(?:(?:bearer|basic|token|digest|apikey|bot|negotiate)\s{1,4})?([^\s\p{Cc}"'`\\,;(){}<>]{6,8192})/iuy

function authorization(text: string, _at: number, end: number): SecretSpan | null {
  header.lastIndex = end
  const [whole, value] = header.exec(text) ?? []
  if (whole === undefined || value === undefined) return null
  const scheme = /^[:=>,\s\\"'`\]]*(?:bearer|basic|token|digest|apikey|bot|negotiate)\s/i.test(whole)
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

/** Passwords in command lines, by command. */
const commandPasswords = {
  curl: /[^\n]{0,200}?\s(?:-u|--user)[ =]?\s{0,2}\\{0,4}["']?[^\s:"'`\\$]{1,100}:([^\s"'`\\]{1,200})/y,
  sshpass: /\s{1,4}-p\s{0,2}\\{0,4}["']?([^\s"'`\\$]{3,200})/y,
  // `docker login -u me -p …`
  login: /[^\n]{0,200}?\s-p[ =]\s{0,2}\\{0,4}["']?([^\s"'`\\$-][^\s"'`\\$]{2,200})/y,
  redis: /[^\n]{0,200}?\s(?:-a|--pass)[ =]\s{0,2}\\{0,4}["']?([^\s"'`\\$-][^\s"'`\\$]{2,200})/y,
  mysql: /[^\n]{0,200}?\s-p(?=[^\s\d]{0,100}\d)([^\s"'`\\$-][^\s"'`\\$]{2,200})/y
}

function commandPassword(pattern: RegExp): Finder {
  return (text, _at, end) => {
    pattern.lastIndex = end
    const [whole, password] = pattern.exec(text) ?? []
    if (whole === undefined || password === undefined || /^[$<{[%*]/.test(password)) return null
    return { kind: 'password', start: end + whole.length - password.length, end: end + whole.length }
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
  /(\\{0,6}["'`])?\]?(?:[?!]?:\s?(?:string|str|String|&(?:'static )?str)(?=\s{0,8}=))?((?:\\\r?\n|\s){0,8})(:=|\?=|:-|=>|==?=?|\|\||\?\?|:|,?\s{0,40}\\{0,6}["']?value\\{0,6}["']?\s{0,4}[:=]|,|>|is:?(?=\s)|(?=\s|\\\r?\n))((?:\\\r?\n|\s){0,8})(\\{0,6}["'`])?/y

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
  // Only a space: of an option, of a shell that sets a variable, or in a file `.netrc`.
  if (
    sign === '' &&
    !(space + spaceAfter !== '' && (isOption || settingBefore.test(before) || isSqlPassword(name, quote, before)))
  )
    return null
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
  const style = { quoted: quote !== undefined || sign === '>', shell: shell || (isOption && /\d/.test(value)) }
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

const sudoOption =
  /\s(?:-[A-Za-z]{1,8}\s{1,2}){0,3}(?:-[A-Za-z]{0,6}S\b|--stdin\b)(?:[^\n|;&<]{0,60}<<<\s{0,4}\\{0,4}["']?([^\s"'`\\$]{3,200}))?/y
const echoed =
  /\b(?:echo|printf)\s{1,4}(?:-[neE]{1,3}\s{1,4})?(\\{0,4}["'])?([^\n"'`|]{3,200}?)(?:\\n)?\1?\s{0,4}\|\s{0,4}$/

/** `echo PASSWORD | sudo -S …`, `sudo -S … <<< PASSWORD` */
function sudoPassword(text: string, at: number, end: number): SecretSpan | null {
  sudoOption.lastIndex = end
  const [whole, given] = sudoOption.exec(text) ?? []
  if (whole === undefined) return null
  if (given !== undefined)
    return { kind: 'password', start: end + whole.length - given.length, end: end + whole.length }
  const before = text.slice(Math.max(0, at - 240), at)
  const found = echoed.exec(before)
  const [said = '', , password = ''] = found ?? []
  if (found === null || /^[$<{[%*]/.test(password)) return null
  const start = at - before.length + found.index + said.indexOf(password, 4)
  return { kind: 'password', start, end: start + password.length }
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
  {
    name: 'password of curl',
    shape: 'curl -u user:PASSWORD',
    source: 'https://curl.se/docs/manpage.html',
    signs: ['curl.'],
    find: commandPassword(commandPasswords.curl)
  },
  {
    name: 'password of sshpass',
    shape: 'sshpass -p PASSWORD',
    source: 'https://manpages.debian.org/sshpass',
    signs: ['sshpass.'],
    find: commandPassword(commandPasswords.sshpass)
  },
  {
    name: 'password of a login',
    shape: 'docker login -p PASSWORD',
    source: 'https://docs.docker.com/reference/cli/docker/login/',
    signs: ['login.'],
    find: commandPassword(commandPasswords.login)
  },
  {
    name: 'password of MySQL',
    shape: 'mysql -pPASSWORD',
    source: 'https://dev.mysql.com/doc/refman/8.4/en/password-security-user.html',
    signs: ['mysql.', 'mysqldump.', 'mariadb.'],
    find: commandPassword(commandPasswords.mysql)
  },
  {
    name: 'password of Redis',
    shape: 'redis-cli -a PASSWORD',
    source: 'https://redis.io/docs/latest/develop/tools/cli/',
    signs: ['redis-cli.'],
    find: commandPassword(commandPasswords.redis)
  },
  {
    name: 'password of a pipe',
    shape: 'echo PASSWORD | sudo -S',
    source: 'https://www.sudo.ws/docs/man/sudo.man/',
    signs: ['sudo.'],
    find: sudoPassword
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
      '_pass.',
      'storepass.',
      'keypass.',
      '_pwd.',
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
