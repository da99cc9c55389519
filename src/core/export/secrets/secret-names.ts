export interface SecretName {
  readonly kind: string
  /** Chosen by a person, so it need not look random. */
  readonly chosen: boolean
}

/** Longer texts are not names. */
const maxName = 80

/** Words that may follow the secret's word in a name. */
const endings = new Set(
  'value raw plain plaintext text new old current prod production dev development staging live test base base64 b64 v1 v2 bedrock'.split(
    ' '
  )
)

/** Words before `token` in names that are not secrets: parsing, positions in a list. */
const otherTokens = new Set(
  'page next prev previous continuation sync cursor cancel cancellation cancelation start end stop eos bos pad unk mask sep cls max min total first last per input output special skip design change resume invalid unexpected'.split(
    ' '
  )
)

const keysBefore = new Set(
  'api access auth private secret encryption signing account service subscription license deploy role hmac crypt shared preshared master admin app application consumer storage write ingest'.split(
    ' '
  )
)

const maxKnown = 4096
const known = new Map<string, SecretName | null>()

/** The kind of secret in a variable, member, option or header of this name; null if none. */
export function secretName(name: string): SecretName | null {
  if (name.length > maxName) return null
  // Cached, as a log repeats few names.
  let said = known.get(name)
  if (said === undefined) {
    said = judgedName(name)
    if (known.size >= maxKnown) known.clear()
    known.set(name, said)
  }
  return said
}

function judgedName(name: string): SecretName | null {
  if (/^client-key-data$/i.test(name)) return { kind: 'private key', chosen: false }
  if (name === '_auth') return { kind: 'secret', chosen: false }
  const words = wordsOf(name)
  while (words.length > 1 && (endings.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop()
  const last = words.pop()?.replace(/\d+$/, '') ?? ''
  const before = words.at(-1) ?? ''
  if (/^(?:[a-z]{0,12}(?:password|passwd|passphrase)|passcode)$/.test(last)) return { kind: 'password', chosen: true }
  if (/^(?:psk|(?:store|key|ssh|sudo|root|db|pg|mysql|smtp|ftp|user|admin|http|proxy)pass)$/.test(last))
    return { kind: 'password', chosen: true }
  if (/^(?:pass|pwd)$/.test(last)) return words.length > 0 ? { kind: 'password', chosen: true } : null
  if (words.includes('public') || words.includes('publishable')) return null
  if (isKey(last, before)) {
    return { kind: words.includes('aws') || before === 'access' ? keyOfCloud(words) : 'API key', chosen: false }
  }
  if (/^[a-z]{0,12}secret$/.test(last)) return { kind: 'secret', chosen: false }
  if (/^(?:credential|jwt)$/.test(last)) return { kind: 'secret', chosen: false }
  if (/^(?:auth|access|refresh|id|bearer|session)?token$/.test(last) && !otherTokens.has(before)) {
    return { kind: words.includes('twilio') ? 'Twilio auth token' : 'access token', chosen: false }
  }
  return null
}

function isKey(last: string, before: string): boolean {
  return last === 'key' ? keysBefore.has(before) : /^(?:api|auth|secret|access|private)key$/.test(last)
}

/** `AWS_SECRET_ACCESS_KEY`, `SecretAccessKey`, and others. */
function keyOfCloud(words: readonly string[]): string {
  return words.includes('secret') ? 'AWS secret key' : 'API key'
}

/** The words of a name, in lower case: `clientSecret`, `AWS_SECRET_KEY`, `x-api-key`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

export interface ValueStyle {
  /** Between quotes, or a whole JSON string: not code. */
  readonly quoted: boolean
  /** As in a shell, `NAME=value`, where an unquoted word is also a value. */
  readonly shell: boolean
}

/** Words in place of a value. */
const placeholderWords = new Set(
  'password passwd pass secret token key value string str text number bool boolean any null none nil undefined true false required optional redacted hidden masked changeme example sample placeholder dummy todo empty unset default unknown yes no passwort kennwort contraseña senha wachtwoord hasło parola пароль'.split(
    ' '
  )
)

/** Placeholders: variables, templates, masks, "your key here". */
const placeholder =
  /^(?:[$%<{[(*]|\.\.\.|…|x{3,}|process\.env|os\.environ|env[.:[(]|secrets?\.|vault:|op:\/\/|https?:\/\/|file:\/\/)|^[-_*.•●x#?=]+$|\$\{|\{\{|<[a-z_ -]{1,40}>|\byour\b|[-_]?your[-_]|[-_]here$|change[-_]?me|placeholder|redacted|(?:\.\.\.|…|\*{3,}|x{6,})$|^(?:token|key)[-_]\d{0,6}$|^(?:big)?u?(?:int|float)\d/i

/** The name of a variable. */
const variable = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/

/** Whether the value of a secret's name is a secret, not a placeholder, a variable, a word, or code. */
export function isSecretValue(value: string, { chosen, kind }: SecretName, { quoted, shell }: ValueStyle): boolean {
  if (value.length < 4) return false
  if (kind === 'AWS secret key' && /^[A-Za-z0-9/+]{40}$/.test(value)) return true
  if (placeholderWords.has(value.toLowerCase()) || placeholder.test(value) || variable.test(value)) return false
  if (/\s/.test(value))
    return chosen && quoted && /\d/.test(value) && value.length <= 64 && !/[.:;(){}]\s|\s[({<]/.test(value)
  if (/^(?:\.{0,2}|~)\/|^[A-Za-z]:\\/.test(value)) return false
  if (chosen && (quoted || shell)) return shell && !quoted ? isNoCode(value) : value.length >= 4
  if (!isNoCode(value)) return false
  if (chosen) return value.length >= 6 && /\d/.test(value) && /[^\d.:,-]/.test(value)
  return value.length >= (quoted || shell ? 6 : 8) && isRandom(value)
}

/** Not a call, member, index or template of a program. */
function isNoCode(value: string): boolean {
  if (/[(){}[\]<>;|]|::/.test(value)) return false
  const isPath = /^[\w$]+(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)
  // Some tokens contain points.
  return !isPath || value.split('.').some((part) => part.length >= 16 && isRandom(part) && /\d/.test(part))
}

/** Whether a text looks random: mixed letters and digits, or mixed case, with few repetitions. */
export function isRandom(value: string): boolean {
  if (!/[A-Za-z]/.test(value)) return false
  const mixed = /\d/.test(value) || changesOfCase(value) >= 4
  return mixed && entropy(value) >= (value.length >= 16 ? 3 : 2.5)
}

/** Upper-case letters after lower-case ones; camel case has few. */
function changesOfCase(value: string): number {
  return value.match(/[a-z][A-Z]/g)?.length ?? 0
}

/** Bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Whether a text in base64 is `user:password`. */
export function isUserAndPassword(value: string): boolean {
  let bits = 0
  let text = ''
  for (const [index, char] of [...value.replace(/=+$/, '')].entries()) {
    bits = ((bits << 6) | base64.indexOf(char)) & 0xfff
    // Remaining bits: 0, 6, 4, 2.
    if (index % 4 > 0) text += String.fromCharCode((bits >> (6 - 2 * (index % 4))) & 0xff)
  }
  return /^[\x21-\x39\x3b-\x7e]{1,200}:[\x20-\x7e]{3,4000}$/.test(text)
}
