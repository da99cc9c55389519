import type { SecretSpan } from './secret-span.ts'

/** Secrets that are told by how they are written, wherever they stand. */
interface SecretFormat {
  readonly kind: string
  /** What they begin with, exactly: one text, or several. */
  readonly starts: readonly string[]
  /**
   * What follows. Sticky, and never unbounded before something that may be missing: a hostile text must not make it look at the same
   * place again and again.
   */
  readonly rest: RegExp
  /** It has neither `-` nor `_` nor a point of its own, so it could stand in any base64 by chance: `+` and `/` before it count as part. */
  readonly plain?: true
}

const awsKeyId = 'AWS access key id'

/** In the order of how sure they are, for those that begin alike. */
const formats: readonly SecretFormat[] = [
  { kind: 'Anthropic API key', starts: ['sk-ant-'], rest: /[\w-]{12,}/y },
  { kind: 'OpenRouter API key', starts: ['sk-or-v1-'], rest: /[0-9a-f]{32,}/y },
  { kind: 'OpenAI API key', starts: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'], rest: /[\w-]{20,}/y },
  { kind: 'OpenAI API key', starts: ['sk-'], rest: /(?:(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{20,}|[A-Za-z]{32,})(?![\w-])/y },
  { kind: 'Stripe key', starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], rest: /[A-Za-z0-9]{10,}/y },
  { kind: 'Stripe key', starts: ['whsec_'], rest: /[A-Za-z0-9+/]{24,}={0,2}/y },
  { kind: 'Google API key', starts: ['AIza'], rest: /[\w-]{30,45}(?![\w+/=-])/y, plain: true },
  { kind: 'Google OAuth token', starts: ['ya29.'], rest: /[\w-]{16,}/y },
  { kind: 'Google OAuth token', starts: ['1//0'], rest: /[\w-]{40,}/y, plain: true },
  { kind: 'Google OAuth client secret', starts: ['GOCSPX-'], rest: /[\w-]{20,}/y },
  {
    kind: 'AWS access key id',
    starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    rest: /[A-Z0-9]{16}(?![\w+/=])/y,
    plain: true
  },
  { kind: 'GitHub token', starts: ['ghp_', 'gho_', 'ghu_', 'ghr_'], rest: /[A-Za-z0-9]{30,}/y },
  { kind: 'GitHub token', starts: ['ghs_'], rest: /[\w-]{30,}(?:\.[\w-]{8,}){0,2}/y },
  { kind: 'GitHub token', starts: ['github_pat_'], rest: /\w{20,}/y },
  {
    kind: 'GitLab token',
    starts: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glsoat-'],
    rest: /[\w-]{18,}(?:\.[\w-]{2,}){0,2}/y
  },
  {
    kind: 'Slack token',
    starts: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    rest: /[A-Za-z0-9%./+-]{10,}/y
  },
  {
    kind: 'Slack webhook',
    starts: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    rest: /[A-Za-z0-9]{6,}(?:\/[A-Za-z0-9]{6,}){1,3}/y
  },
  {
    kind: 'Discord webhook',
    starts: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    rest: /\d{10,24}\/[\w-]{30,}/y
  },
  { kind: 'npm token', starts: ['npm_'], rest: /[A-Za-z0-9]{30,}/y },
  { kind: 'crates.io token', starts: ['cio'], rest: /[A-Za-z0-9]{32}(?![\w+/=-])/y, plain: true },
  { kind: 'NuGet key', starts: ['oy2'], rest: /[a-z0-9]{43}(?![\w+/=-])/y, plain: true },
  { kind: 'PyPI token', starts: ['pypi-'], rest: /AgE[\w-]{16,}|[\w-]{80,}/y },
  { kind: 'RubyGems key', starts: ['rubygems_'], rest: /[0-9a-f]{40,}/y },
  { kind: 'Hugging Face token', starts: ['hf_', 'api_org_'], rest: /[A-Za-z0-9]{24,}/y },
  { kind: 'SendGrid key', starts: ['SG.'], rest: /[\w-]{16,64}\.[\w-]{16,}/y },
  { kind: 'Twilio key', starts: ['SK'], rest: /[0-9a-f]{32}(?![\w+/=])/y, plain: true },
  { kind: 'Twilio auth token', starts: ['AC'], rest: /[0-9a-f]{32}:[0-9a-f]{32}(?![\w+/=])/y, plain: true },
  { kind: 'Mailgun key', starts: ['key-'], rest: /[0-9a-f]{32}(?![\w-])/y },
  { kind: 'DigitalOcean token', starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'], rest: /[0-9a-f]{40,}/y },
  { kind: 'Docker Hub token', starts: ['dckr_pat_', 'dckr_oat_'], rest: /[\w-]{20,}/y },
  { kind: 'Databricks token', starts: ['dapi'], rest: /[0-9a-f]{32}(?:-\d)?(?![\w+/=])/y, plain: true },
  { kind: 'Groq key', starts: ['gsk_'], rest: /[A-Za-z0-9]{40,}/y },
  { kind: 'xAI key', starts: ['xai-'], rest: /[A-Za-z0-9]{60,}/y },
  { kind: 'Perplexity key', starts: ['pplx-'], rest: /[A-Za-z0-9]{40,}/y },
  { kind: 'Replicate token', starts: ['r8_'], rest: /[A-Za-z0-9]{36,}/y },
  { kind: 'Shopify token', starts: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], rest: /[0-9a-fA-F]{32,}/y },
  { kind: 'Square token', starts: ['sq0atp-', 'sq0csp-'], rest: /[\w-]{22,}/y },
  { kind: 'Supabase key', starts: ['sbp_'], rest: /[0-9a-f]{40,}/y },
  { kind: 'Supabase key', starts: ['sb_secret_'], rest: /[\w-]{20,}/y },
  { kind: 'Atlassian token', starts: ['ATATT3', 'ATCTT3'], rest: /[\w=-]{50,}/y },
  { kind: 'Airtable token', starts: ['pat'], rest: /[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![\w-])/y, plain: true },
  {
    kind: 'Doppler token',
    starts: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    rest: /[\w.-]{40,}/y
  },
  { kind: 'Fly.io token', starts: ['fm1_', 'fm1r_', 'fm2_', 'fo1_'], rest: /[A-Za-z0-9+/_-]{40,}={0,3}/y },
  { kind: 'Heroku key', starts: ['HRKU-'], rest: /[\w-]{36,}/y },
  { kind: 'PlanetScale key', starts: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], rest: /[\w.-]{32,}/y },
  { kind: 'Pulumi token', starts: ['pul-'], rest: /[0-9a-f]{40}(?![\w-])/y },
  { kind: 'Linear key', starts: ['lin_api_', 'lin_oauth_'], rest: /[A-Za-z0-9]{32,}/y },
  { kind: 'Notion token', starts: ['ntn_'], rest: /[A-Za-z0-9]{40,}/y },
  { kind: 'Notion token', starts: ['secret_'], rest: /[A-Za-z0-9]{43}(?![\w-])/y },
  { kind: 'Grafana token', starts: ['glsa_', 'glc_'], rest: /[\w+/-]{32,}={0,2}/y },
  { kind: 'Vault token', starts: ['hvs.', 'hvb.', 'hvr.'], rest: /[\w-]{24,}/y },
  { kind: 'Postman key', starts: ['PMAK-'], rest: /[0-9a-f]{24}-[0-9a-f]{34}/y },
  { kind: 'New Relic key', starts: ['NRAK-'], rest: /[A-Z0-9]{27}/y },
  { kind: 'Sentry token', starts: ['sntrys_', 'sntryu_'], rest: /[\w+/=-]{40,}/y },
  { kind: 'Figma token', starts: ['figd_'], rest: /[\w-]{40,}/y },
  { kind: 'age secret key', starts: ['AGE-SECRET-KEY-1'], rest: /[A-Z0-9]{40,}/y },
  { kind: 'Azure storage key', starts: ['AccountKey='], rest: /[A-Za-z0-9+/]{80,}={0,2}/y },
  // Three parts of a signed one, of which the second is an object too, and of one that is cut less; five of an encrypted one.
  {
    kind: 'JSON web token',
    starts: ['eyJ'],
    rest: /[\w-]{8,}\.(?:eyJ[\w-]{6,}(?:\.[\w-]*)?|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/y
  }
]

const byStart = new Map<string, SecretFormat[]>()
for (const format of formats) {
  for (const start of format.starts) byStart.set(start, [...(byStart.get(start) ?? []), format])
}

/** Any start. Of those that begin alike the longer first. */
const anyStart = new RegExp(
  [...byStart.keys()]
    .sort((a, b) => b.length - a.length)
    .map((start) => start.replace(/[.\\/]/g, '\\$&'))
    .join('|'),
  'g'
)

/** Secrets told by how they are written. Linear in the length of the text. */
export function formattedSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  anyStart.lastIndex = 0
  for (let found = anyStart.exec(text); found !== null; found = anyStart.exec(text)) {
    const [start] = found
    const span = secretAt(text, found.index, start)
    if (span === null) anyStart.lastIndex = found.index + 1
    else {
      spans.push(span)
      anyStart.lastIndex = span.end
      const pair = span.kind === awsKeyId ? awsSecretAfter(text, span.end) : null
      if (pair !== null) spans.push(pair)
    }
  }
  return spans
}

const awsSecret = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/

/** The secret of a pair: it has no form of its own, but stands beside its id. A hash of 40 digits is none. */
function awsSecretAfter(text: string, at: number): SecretSpan | null {
  const found = awsSecret.exec(text.slice(at, at + 120))
  if (found === null || /^[0-9a-f]+$/.test(found[0])) return null
  const start = at + found.index
  return { kind: 'AWS secret key', start, end: start + found[0].length }
}

function secretAt(text: string, at: number, start: string): SecretSpan | null {
  for (const { kind, rest, plain } of byStart.get(start) ?? []) {
    if (!beginsAt(text, at, plain === true) && !isSureAfterName(text, at, start)) continue
    rest.lastIndex = at + start.length
    if (rest.test(text)) return { kind, start: at, end: rest.lastIndex }
  }
  return null
}

/** A start that nothing else has may follow a name: `backup-ghp_…`, `old_glpat-…`. */
function isSureAfterName(text: string, at: number, start: string): boolean {
  return /[-_]/.test(text.charAt(at - 1)) && start.length >= 4 && /[-_]$/.test(start) && !ordinaryWords.has(start)
}

/** `cache-key-…` is no key of Mailgun. */
const ordinaryWords: ReadonlySet<string> = new Set(['key-', 'secret_', 'pul-', 'pypi-'])

/** What stands before a token and looks as if it were part of it: an escape, one of a URL, a colour. */
const escapeBefore = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[\d;]{0,12}m)$/

/** Whether a token may begin here: in the middle of a longer one (an encrypted text, an image) it is there by chance. */
export function beginsAt(text: string, at: number, plain = false): boolean {
  const before = text.charAt(at - 1)
  if (!(plain ? /[\w+/-]/ : /[\w-]/).test(before)) return true
  return escapeBefore.test(text.slice(Math.max(0, at - 16), at))
}
