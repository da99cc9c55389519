import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Redactor } from './redact.ts'

/** Letters and digits that look drawn by chance and are the same every time. No test holds anything that is a secret. */
function drawn(length: number, alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'): string {
  let state = 0x2545f491 + length
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return alphabet.charAt((state >>> 8) % alphabet.length)
  }).join('')
}

const hex = '0123456789abcdef'
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const pemBody = Array.from({ length: 4 }, () => drawn(64)).join('\n')

function pem(kind: string): string {
  return `-----BEGIN ${kind}-----\n${pemBody}\n${drawn(40)}==\n-----END ${kind}-----`
}

/** What is planted, the part of it that must be gone, and how it is counted. */
const planted: readonly { readonly kind: string; readonly text: string; readonly secret?: string }[] = [
  { kind: 'Anthropic API key', text: `sk-ant-api03-${drawn(93)}-${drawn(6)}AA` },
  { kind: 'Anthropic API key', text: `sk-ant-oat01-${drawn(60)}` },
  { kind: 'OpenAI API key', text: `sk-${drawn(48)}` },
  { kind: 'OpenAI API key', text: `sk-proj-${drawn(20)}_${drawn(30)}-${drawn(70)}` },
  { kind: 'OpenAI API key', text: `sk-svcacct-${drawn(90)}` },
  { kind: 'OpenRouter API key', text: `sk-or-v1-${drawn(64, hex)}` },
  { kind: 'Google API key', text: `AIza${drawn(35)}` },
  { kind: 'Google OAuth token', text: `ya29.${drawn(40)}-${drawn(60)}` },
  { kind: 'Google OAuth token', text: `1//0${drawn(60)}` },
  { kind: 'Google OAuth client secret', text: `GOCSPX-${drawn(28)}` },
  { kind: 'AWS access key id', text: `AKIA${drawn(16, upper)}` },
  { kind: 'AWS secret key', text: `aws_secret_access_key = ${drawn(19)}/${drawn(20)}`, secret: drawn(19) },
  { kind: 'AWS secret key', text: `AWS_SECRET_ACCESS_KEY=${drawn(30)}+${drawn(9)}`, secret: drawn(30) },
  { kind: 'GitHub token', text: `ghp_${drawn(36)}` },
  { kind: 'GitHub token', text: `gho_${drawn(36)}` },
  { kind: 'GitHub token', text: `ghs_${drawn(36)}` },
  { kind: 'GitHub token', text: `github_pat_${drawn(22)}_${drawn(59)}` },
  { kind: 'GitLab token', text: `glpat-${drawn(20)}` },
  { kind: 'Slack token', text: `xoxb-${drawn(12, '0123456789')}-${drawn(12, '0123456789')}-${drawn(24)}` },
  {
    kind: 'Slack webhook',
    text: `https://hooks.slack.com/services/T${drawn(8, upper)}/B${drawn(8, upper)}/${drawn(24)}`,
    secret: drawn(24)
  },
  { kind: 'Stripe key', text: `sk_live_${drawn(24)}` },
  { kind: 'Stripe key', text: `rk_test_${drawn(24)}` },
  { kind: 'npm token', text: `npm_${drawn(36)}` },
  { kind: 'PyPI token', text: `pypi-AgEIcHlwaS5vcmc${drawn(70)}` },
  { kind: 'Hugging Face token', text: `hf_${drawn(34)}` },
  { kind: 'SendGrid key', text: `SG.${drawn(22)}.${drawn(43)}` },
  { kind: 'Twilio key', text: `SK${drawn(32, hex)}` },
  { kind: 'Twilio auth token', text: `TWILIO_AUTH_TOKEN=${drawn(32, hex)}`, secret: drawn(32, hex) },
  { kind: 'Telegram bot token', text: `${drawn(10, '123456789')}:AA${drawn(33)}` },
  { kind: 'JSON web token', text: `eyJ${drawn(33)}.eyJ${drawn(80)}.${drawn(43)}` },
  { kind: 'private key', text: pem('RSA PRIVATE KEY'), secret: drawn(64) },
  { kind: 'private key', text: pem('OPENSSH PRIVATE KEY'), secret: drawn(64) },
  { kind: 'private key', text: pem('PRIVATE KEY'), secret: drawn(64) },
  { kind: 'private key', text: pem('PGP PRIVATE KEY BLOCK'), secret: drawn(64) },
  { kind: 'URL password', text: 'postgres://admin:hunter2@db.internal:5432/app', secret: 'hunter2' },
  { kind: 'URL password', text: `https://oauth2:${drawn(20)}@git.internal/x.git`, secret: drawn(20) },
  { kind: 'authorization header', text: `Authorization: Bearer ${drawn(40)}`, secret: drawn(40) },
  { kind: 'authorization header', text: 'authorization: Basic dXNlcjpodW50ZXIy', secret: 'dXNlcjpodW50ZXIy' },
  { kind: 'cookie', text: `Cookie: session=${drawn(32)}; theme=dark`, secret: drawn(32) },
  { kind: 'cookie', text: `Set-Cookie: sid=${drawn(32)}; Path=/; HttpOnly`, secret: drawn(32) },
  { kind: 'API key', text: `API_KEY=${drawn(32, hex)}`, secret: drawn(32, hex) },
  { kind: 'API key', text: `x-api-key: ${drawn(32)}`, secret: drawn(32) },
  { kind: 'password', text: 'DB_PASSWORD=correcthorse', secret: 'correcthorse' },
  { kind: 'password', text: 'password: "Tr0ub4dor&3"', secret: 'Tr0ub4dor' },
  { kind: 'password', text: 'Server=db;User Id=sa;Password=swordfish;', secret: 'swordfish' },
  { kind: 'password', text: 'MYSQL_PWD=secret123', secret: 'secret123' },
  { kind: 'access token', text: `GET /x?id=7&access_token=${drawn(24)}&b=1`, secret: drawn(24) },
  { kind: 'access token', text: `deploy --token ${drawn(24)}`, secret: drawn(24) },
  { kind: 'secret', text: `client_secret = '${drawn(32)}'`, secret: drawn(32) },
  { kind: 'password', text: `curl -u admin:${drawn(12)} https://x.internal`, secret: drawn(12) },
  { kind: 'password', text: `machine x.internal login me password ${drawn(12)}`, secret: drawn(12) },
  { kind: 'password', text: `docker login -u me -p ${drawn(12)} x`, secret: drawn(12) },
  { kind: 'password', text: `mysql -u root -p${drawn(12)} db`, secret: drawn(12) },
  { kind: 'password', text: 'the password is hunter2', secret: 'hunter2' },
  { kind: 'URL signature', text: `https://x.internal/c?sv=1&sig=${drawn(40)}%3D`, secret: drawn(40) },
  { kind: 'Twilio auth token', text: `AC${drawn(32, hex)}:${drawn(32, hex)}` },
  { kind: 'access token', text: `DISCORD_TOKEN=${drawn(24)}.${drawn(6)}.${drawn(27)}`, secret: drawn(27) },
  { kind: 'DigitalOcean token', text: `dop_v1_${drawn(64, hex)}` },
  { kind: 'Shopify token', text: `shpat_${drawn(32, hex)}` },
  { kind: 'Discord bot token', text: `M${drawn(25)}.${drawn(6)}.${drawn(38)}` },
  { kind: 'Terraform token', text: `${drawn(14)}.atlasv1.${drawn(67)}` },
  { kind: 'Azure client secret', text: `${drawn(3)}8Q~${drawn(34)}` },
  { kind: 'Mailchimp key', text: `${drawn(32, hex)}-us12` },
  { kind: 'password hash', text: `$2b$12$${drawn(53)}` },
  { kind: 'password hash', text: `root:$6$${drawn(16)}$${drawn(86)}:19000:0`, secret: drawn(86) },
  { kind: 'password hash', text: `admin:$apr1$${drawn(8)}$${drawn(22)}`, secret: drawn(22) },
  { kind: 'crates.io token', text: `cio${drawn(32)}` },
  { kind: 'NuGet key', text: `oy2${drawn(43).toLowerCase()}` },
  { kind: 'Airtable token', text: `pat${drawn(14)}.${drawn(64, hex)}` },
  { kind: 'Doppler token', text: `dp.pt.${drawn(43)}` },
  { kind: 'Fly.io token', text: `fm2_${drawn(100)}` },
  { kind: 'Heroku key', text: `HRKU-${drawn(60)}` },
  { kind: 'Notion token', text: `secret_${drawn(43)}` },
  { kind: 'PlanetScale key', text: `pscale_tkn_${drawn(43)}` },
  { kind: 'Pulumi token', text: `pul-${drawn(40, hex)}` },
  { kind: 'JSON web token', text: `eyJ${drawn(33)}.eyJ${drawn(80)}` },
  { kind: 'API key', text: `GET /v1/map?id=7&key=${drawn(32)} HTTP/1.1`, secret: drawn(32) },
  { kind: 'access token', text: `const token: string = "${drawn(24)}"`, secret: drawn(24) },
  { kind: 'API key', text: `os.getenv("API_KEY", "${drawn(24)}")`, secret: drawn(24) },
  { kind: 'API key', text: `process.env.API_KEY || "${drawn(24)}"`, secret: drawn(24) },
  { kind: 'secret', text: `set -x MY_SECRET ${drawn(24)}`, secret: drawn(24) },
  { kind: 'API key', text: `setx API_KEY ${drawn(24)}`, secret: drawn(24) },
  { kind: 'password', text: `PASSWORD="a\\"${drawn(20)}"`, secret: drawn(20) },
  { kind: 'GitHub token', text: `backup-ghp_${drawn(36)}`, secret: drawn(36) },
  { kind: 'GitHub token', text: `\u001b[01;31m\u001b[Kghp_\u001b[m\u001b[K${drawn(36)}`, secret: drawn(36) },
  {
    kind: 'password',
    text: `\u001b[34mDB_PASSWORD\u001b[0m=\u001b[32mhunter2hunter\u001b[0m`,
    secret: 'hunter2hunter'
  },
  { kind: 'Azure storage key', text: `AccountName=x;AccountKey=${drawn(86)}==;`, secret: drawn(86) }
]

/** Ways in which a log holds a text. */
const places: readonly { readonly where: string; readonly lineOf: (text: string) => string }[] = [
  {
    where: 'a prompt',
    lineOf: (text) => JSON.stringify({ type: 'user', message: { role: 'user', content: `use ${text} please` } })
  },
  {
    where: 'the input of a tool',
    lineOf: (text) =>
      JSON.stringify({ type: 'tool_use', id: 'toolu_01A', input: { command: `echo '${text}' >> .env` } })
  },
  {
    where: 'arguments that are JSON in a string',
    lineOf: (text) =>
      JSON.stringify({ type: 'function_call', arguments: JSON.stringify({ cmd: ['sh', '-c', `printf ${text} | x`] }) })
  },
  {
    where: 'the output of a tool',
    lineOf: (text) => JSON.stringify({ tool_use_id: 'toolu_01A', content: `line 1\n  ${text}\nline 3\n` })
  },
  { where: 'what a program printed, which is no JSON', lineOf: (text) => `2026-11-22 error: refused (${text})` },
  { where: 'a line that is cut', lineOf: (text) => JSON.stringify({ a: 1, text: `it was ${text} and` }).slice(0, -3) },
  { where: 'what has escapes everywhere', lineOf: (text) => `{"text":"${allEscaped(`a ${text} b`)}"}` },
  { where: 'a coloured terminal', lineOf: (text) => JSON.stringify({ output: `\u001b[32m${text}\u001b[0m ok` }) }
]

function allEscaped(text: string): string {
  return text.replace(/[^]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

describe('what is planted is found', () => {
  for (const { where, lineOf } of places) {
    test(`in ${where}`, () => {
      for (const { kind, text, secret = text } of planted) {
        const line = lineOf(text)
        const redactor = new Redactor()
        const redacted = redactor.line(line)
        expect(redacted, text).toContain(`[redacted: ${kind}]`)
        expect(decodedTwice(redacted), text).not.toContain(secret)
        expect([...redactor.counts], text).toEqual([[kind, 1]])
      }
    })
  }

  test('in a text', () => {
    for (const { kind, text, secret = text } of planted) {
      const redactor = new Redactor()
      const redacted = redactor.text(`before\n${text}\nafter`)
      expect(redacted, text).toContain(`[redacted: ${kind}]`)
      expect(redacted, text).not.toContain(secret)
      expect(redacted.startsWith('before\n') && redacted.endsWith('after'), redacted).toBe(true)
    }
  })
})

function decodedTwice(text: string): string {
  return [text, asJson(text), asJson(asJson(text))].join('\n')
}

function asJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/g, (_, code?: string, char?: string) =>
    code === undefined ? (char === 'n' ? '\n' : (char ?? '')) : String.fromCharCode(parseInt(code, 16))
  )
}

describe('by the names of members', () => {
  const redactedOf = (value: unknown): unknown => JSON.parse(new Redactor().line(JSON.stringify(value)))

  test('values of names that say so', () => {
    expect(redactedOf({ password: 'hunter2', user: 'me' })).toEqual({ password: '[redacted: password]', user: 'me' })
    expect(redactedOf({ env: { STRIPE_SECRET_KEY_TEST: drawn(20) } })).toEqual({
      env: { STRIPE_SECRET_KEY_TEST: '[redacted: API key]' }
    })
    expect(redactedOf({ headers: { Cookie: `a=${drawn(20)}; b=2` } })).toEqual({
      headers: { Cookie: 'a=[redacted: cookie]' }
    })
    expect(redactedOf({ headers: { authorization: `Bearer ${drawn(20)}` } })).toEqual({
      headers: { authorization: 'Bearer [redacted: authorization header]' }
    })
    expect(redactedOf({ args: ['login', '--token', drawn(20), '-v'] })).toEqual({
      args: ['login', '--token', '[redacted: access token]', '-v']
    })
  })

  test('an AWS secret that stands beside its id, and not a hash that does', () => {
    const id = `AKIA${drawn(16, upper)}`
    expect(new Redactor().text(`${id},${drawn(19)}/${drawn(20)},x`)).toBe(
      '[redacted: AWS access key id],[redacted: AWS secret key],x'
    )
    expect(new Redactor().text(`${id} ${drawn(40, hex)}`)).toBe(`[redacted: AWS access key id] ${drawn(40, hex)}`)
  })

  test('the kind is that of the value, where it says its own', () => {
    expect(redactedOf({ api_key: `ghp_${drawn(36)}` })).toEqual({ api_key: '[redacted: GitHub token]' })
    expect(new Redactor().text(`GITHUB_TOKEN=ghp_${drawn(36)}`)).toBe('GITHUB_TOKEN=[redacted: GitHub token]')
  })

  test('names that are secrets stay apart', () => {
    const names = { [`ghp_${drawn(36)}`]: 1, [`gho_${drawn(36)}`]: 2 }
    expect(redactedOf(names)).toEqual({ '[redacted: GitHub token]': 1, '[redacted: GitHub token 2]': 2 })
  })

  test('a private key line by line, as diffs in logs have it, is one', () => {
    const redactor = new Redactor()
    const lines = pem('PRIVATE KEY').split('\n')
    const value: unknown = JSON.parse(
      redactor.line(JSON.stringify({ lines: ['+a', ...lines.map((line) => `+${line}`), '+b'] }))
    )
    expect(JSON.stringify(value)).not.toContain(drawn(64))
    expect(value).toMatchObject({ lines: { 0: '+a', [lines.length + 1]: '+b', length: lines.length + 2 } })
    expect([...redactor.counts]).toEqual([['private key', 1]])
  })
})

describe('what is no secret stays', () => {
  const harmless = [
    'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 and 4cc6c12',
    'sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    'session 550e8400-e29b-41d4-a716-446655440000 toolu_01ABCdefGHIjklMNOpqrSTU msg_01XYZabcDEFghiJKLmnoPQR req_011CSabcdefGHIJKLmnop call_abcDEF123ghiJKL456mnoPQR',
    `"encrypted_content":"gAAAAA${drawn(400)}","signature":"Eq${drawn(300)}-sk-${drawn(48)}_sk-${drawn(48)}-${drawn(20)}=="`,
    `data:image/png;base64,iVBORw0KGgo${drawn(300)}/AKIA${drawn(16, upper)}/${drawn(40)}+AIza${drawn(35)}/`,
    'const password = process.env.DB_PASSWORD; const token = config.auth.token',
    'password: string, token: z.string().min(8), secret?: Uint8Array, apiKey: ApiKey',
    'export OPENAI_API_KEY=your-api-key-here # or <your key>, $OPENAI_API_KEY, ${KEY}, sk-...',
    'password=$DB_PASSWORD api_key="{{ api_key }}" --token <token> --password=*** secret: [REDACTED]',
    '"input_tokens":12345,"output_tokens":99,"max_tokens":4096,"token_count":7,"nextPageToken":"CAUQAAbcd1234"',
    '"apiKeySource":"ANTHROPIC_API_KEY","passwordField":"#password","secretName":"prod/db/main1","tokenizer":"o200k_base"',
    'the Authorization: Bearer <token> header, a Cookie: name=value pair, Bearer authentication is required',
    'http://localhost:3000/@fs/a, git@github.com:me/repo.git, ssh://git@host/x, https://user:${PASS}@host, mailto:a@b.c',
    "if (text.includes('-----BEGIN PRIVATE KEY-----') && text.includes('-----END PRIVATE KEY-----'))",
    'task-runner-loading-indicator-2 sk-loading-spinner-container-large-animated risk-assessment',
    'PWD=/home/me/project OLDPWD=/tmp',
    'mysql -prod is a host, login -page, the token is invalid, password is required, a key is pressed, ?sig=short',
    'The password must have 8 characters. Enter your password: and the token expired.',
    'cache-key-d41d8cd98f00b204e9800998ecf8427e ?key=index-of-a-long-page-name&key=550e8400-e29b-41d4-a716-446655440000',
    `integrity sha512-$2/${drawn(80)}== $1$ and $5 $6$a$b v1.atlasv1.x set -e TOKEN env("API_KEY") key || "default"`,
    '\u001b[31mtoken\u001b[0m: \u001b[32mstring\u001b[0m, password\u001b[0m',
    'keyboard: "qwerty123456", cacheKey: "a1b2c3d4e5f6a7b8", key="abc123def456", monkey=banana42'
  ]
  test.each(harmless)('%#', (text) => {
    const redactor = new Redactor()
    expect(redactor.text(text)).toBe(text)
    const line = JSON.stringify({ text })
    expect(redactor.line(line)).toBe(line)
    expect(redactor.total).toBe(0)
  })

  test('what is redacted is not redacted again', () => {
    for (const { text } of planted) {
      const once = new Redactor().line(JSON.stringify({ text, password: 'hunter2' }))
      const again = new Redactor()
      expect(again.line(once)).toBe(once)
      expect(again.total).toBe(0)
    }
  })
})

describe('lines', () => {
  /** Strings, some of them or their names with something planted in them. */
  const someText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc
      .tuple(fc.string({ maxLength: 5 }), fc.constantFrom(...planted), fc.string({ maxLength: 5 }))
      .map(([before, { text }, after]) => [before, text, after].join(' ')),
    fc.constantFrom('password', '--token', 'Cookie', 'authorization', 'secret_key'),
    fc.json({ maxDepth: 2 })
  )
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      someText,
      fc.constantFrom(null, true, 0, -1.5e300),
      fc.array(tie('node'), { maxLength: 4 }),
      fc.dictionary(someText, tie('node'), { maxKeys: 4 })
    )
  })).node

  test('JSON stays JSON of the same shape, and all but strings is as it was', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (json, indent) => {
        const line = JSON.stringify(json, undefined, indent)
        const redacted = new Redactor().line(line)
        expect(shapeOf(JSON.parse(redacted))).toEqual(shapeOf(JSON.parse(line)))
        expect(redacted.replace(/"(?:[^"\\]|\\.)*"/g, '""')).toBe(line.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
      })
    )
  })

  test('what is kept of a string is kept as it was written', () => {
    const line = `{"a":"\\u00e9\\/ ghp_${drawn(36)} \\u00e9\\/","b" : "\\u00e9"}`
    expect(new Redactor().line(line)).toBe('{"a":"\\u00e9\\/ [redacted: GitHub token] \\u00e9\\/","b" : "\\u00e9"}')
    const split = `{"a":"wJalr \\u0067hp_${drawn(36)}\\n"}`
    expect(new Redactor().line(split)).toBe('{"a":"wJalr [redacted: GitHub token]\\n"}')
  })

  test('any bytes: the same where nothing was found, and where something was, all others', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(new Redactor().bytes(bytes)).toBe(bytes)
      })
    )
    const broken = Uint8Array.of(0x22, 0xff, 0xc3, 0x20)
    const secret = new TextEncoder().encode(`ghp_${drawn(36)}`)
    const redacted = new Redactor().bytes(Uint8Array.from([...broken, ...secret, 0x20, 0x80, 0x22]))
    expect(redacted).toEqual(
      Uint8Array.from([...broken, ...new TextEncoder().encode('[redacted: GitHub token]'), 0x20, 0x80, 0x22])
    )
    const valid = new TextEncoder().encode(`{"é":"世界 ghp_${drawn(36)} 🌍"}`)
    expect(new TextDecoder().decode(new Redactor().bytes(valid))).toBe('{"é":"世界 [redacted: GitHub token] 🌍"}')
  })

  test('what is no JSON, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('"', '\\', 'u', ':', '{', 'a', '\n', '-') }),
        (a, b) => {
          const redactor = new Redactor()
          expect(redactor.line(a + b)).toBe(a + b)
          expect(redactor.line(`${b} ghp_${drawn(36)} ${a}`)).toContain('[redacted: GitHub token]')
        }
      )
    )
  })
})

// What takes a time that grows with the square of its length would take hours here.
describe('hostile texts take no longer than others', () => {
  const units = [
    ...[
      'sk-',
      'eyJ',
      ' eyJaaaaaaaa',
      'eyJaaaaaaaa.',
      '://',
      '://a:b',
      ':AA',
      'Bearer ',
      'authorization:"',
      'Cookie: a=',
      'Set-Cookie: a=bbb;'
    ],
    ...[
      'curl -u a',
      'token',
      'token=',
      'token = "',
      'password: "a',
      'secret:=',
      '--token ',
      'key:',
      'SG.',
      '\u001b[m',
      '\u001b',
      '$6$',
      'M.',
      '$6$a$',
      '?key=',
      'password="\\\\"',
      ' SG.aaaaaaaaaaaaaaaaaaaa',
      'ghs_a.'
    ],
    ...[
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\naaaaaaaaaaaaaaaaaaaa\n',
      '-----END ',
      'PRIVATE KEY-----',
      '<password>',
      '-----END RSA PRIVATE KEY-----'
    ],
    ...[
      '"kty"',
      '{"kty":"RSA","d":"aaaaaaaaaaaaaaaaaaaaaa",',
      '| token |\n|---|\n',
      '| chpasswd',
      'echo abc',
      'secret set --body a '
    ],
    ...[
      'heroku ',
      'heroku=',
      'Private-Lines: 9\naaaa\n',
      '.dockercfg: ey',
      'AAAA',
      'fk-',
      's.',
      '+ASt',
      'sk-a-',
      '**password:** '
    ],
    ...['\\', '\\n', '\\u0041', '"', '{"', '[', '"password":"', '"--token","a",', 'a', '1', '+', '/', ' ', '\n']
  ]
  test.each(units)('%j', (unit) => {
    const text = unit.repeat(Math.ceil(300_000 / unit.length))
    const redactor = new Redactor()
    redactor.text(text)
    redactor.line(text)
    redactor.line(JSON.stringify({ text }))
    redactor.line(JSON.stringify([JSON.stringify([text])]))
  })
})

/** A value without what its strings and names say. */
function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return 'text'
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).map(shapeOf)
  return value
}

describe('secrets that a person keeps', () => {
  const [one, two] = [`ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`, `ghp_${'zB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`]
  const keepsOne = () => new Redactor(({ text }) => text === one)

  test('stay, and are not counted', () => {
    const redactor = keepsOne()
    expect(redactor.text(`${one} ${two}`)).toBe(`${one} [redacted: GitHub token]`)
    expect(redactor.line(JSON.stringify({ a: one, b: two }))).toBe(
      JSON.stringify({ a: one, b: '[redacted: GitHub token]' })
    )
    expect(redactor.total).toBe(2)
  })

  test('stay where they stand in pieces, and in texts that follow each other', () => {
    const redactor = keepsOne()
    const pieces = [`a ${one.slice(0, 9)}`, `${one.slice(9)} b`]
    expect(redactor.pieces(pieces)).toEqual(pieces)
    expect(redactor.across(pieces)).toEqual(pieces)
    const gone = [`a ${two.slice(0, 9)}`, `${two.slice(9)} b`]
    expect(redactor.across(gone)).toEqual(['a [redacted: GitHub token]', ' b'])
    expect(redactor.total).toBe(1)
  })

  test('are told whole, with the line they stand on', () => {
    const told: unknown[] = []
    const redactor = new Redactor((secret) => {
      told.push(secret)
      return false
    })
    redactor.place = { file: null, line: 10 }
    redactor.line(`{\n"a": "${one}",\n\n"b": "${two}"}`)
    const places = [
      { file: 'x', line: 3 },
      { file: 'x', line: 4 }
    ]
    redactor.across([`a ${one.slice(0, 9)}`, one.slice(9)], places)
    expect(told).toEqual([
      { kind: 'GitHub token', text: one, place: { file: null, line: 11 } },
      { kind: 'GitHub token', text: two, place: { file: null, line: 13 } },
      { kind: 'GitHub token', text: one, place: { file: 'x', line: 3 } }
    ])
  })
})
