import { contextShapes, tokenShapes } from './redaction-shapes.ts'

/**
 * Secrets as people and programs write them, for the tests of redaction and for `docs/redaction.md`. Shapes are those that vendors, GitHub's
 * secret scanning, gitleaks and trufflehog publish. None is a secret: letters and digits look drawn by chance and are the same every time.
 */

const alphabets = {
  any: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  url: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  b64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  hex: '0123456789abcdef',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  base32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  digit: '0123456789',
  base32lower: 'abcdefghijklmnopqrstuvwxyz234567'
}

let state = 20_260_101

function next(length: number, alphabet: keyof typeof alphabets = 'any'): string {
  const letters = alphabets[alphabet]
  return Array.from({ length }, (_, i) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const char = letters.charAt((state >>> 16) % letters.length)
    // A sign at an end would not be seen as part of it.
    return /[-_+/]/.test(char) && (i === 0 || i === length - 1) ? 'k' : char
  }).join('')
}

const uuid = (): string =>
  [8, 4, 4, 4, 12]
    .map((length) => next(length, 'hex'))
    .join('-')
    .replace(/^(.{14})./, '$14')
const base64Of = (text: string): string => Buffer.from(text).toString('base64')
const pem = (kind: string): string =>
  `-----BEGIN ${kind}-----\n${[64, 64, 64, 40].map((length) => next(length, 'b64')).join('\n')}\n-----END ${kind}-----\n`

export interface SecretCase {
  readonly name: string
  /** Texts of a log that follow each other; mostly one. */
  readonly texts: readonly string[]
  /** What must be gone. */
  readonly secret: string
  /** Why it is not found. */
  readonly survives?: string
}

/** Where a token stands: assignment, JSON, header, URL, shell, YAML, .env, prose and others, in turn. */
const settings: readonly ((token: string) => string)[] = [
  (token) => `const client = connect("${token}")`,
  (token) => `{"endpoint": "https://api.internal", "value": "${token}"}`,
  (token) => `curl -H 'X-Custom: ${token}' https://api.internal/v1`,
  (token) => `GET https://api.internal/v1/me?c=${token}&page=2`,
  (token) => `$ tool configure --with ${token} && echo done`,
  (token) => `service:\n  endpoint: https://api.internal\n  value: ${token}\n`,
  (token) => `# .env\nSERVICE_VALUE=${token}\nDEBUG=1`,
  (token) => `Use it with care: the key is ${token}, and it ends tomorrow.`,
  (token) => `[service]\nvalue = '${token}'`,
  (token) => `error: 401 for ${token} (revoked)`
]

let setting = 0
const published = (name: string, secret: string): SecretCase => {
  const text = settings[setting++ % settings.length]?.(secret) ?? secret
  return { name, texts: [text], secret }
}
const written = (name: string, secret: string, text: (secret: string) => string): SecretCase => ({
  name,
  texts: [text(secret)],
  secret
})

const tokens: readonly SecretCase[] = [
  ['Anthropic API key', `sk-ant-api03-${next(93, 'url')}AA`],
  ['Anthropic admin key', `sk-ant-admin01-${next(93, 'url')}AA`],
  ['Anthropic OAuth token', `sk-ant-oat01-${next(93, 'url')}AA`],
  ['OpenAI key, old', `sk-${next(20)}T3BlbkFJ${next(20)}`],
  ['OpenAI project key', `sk-proj-${next(74, 'url')}T3BlbkFJ${next(74, 'url')}`],
  ['OpenAI service account key', `sk-svcacct-${next(58, 'url')}T3BlbkFJ${next(58, 'url')}`],
  ['OpenAI admin key', `sk-admin-${next(58, 'url')}T3BlbkFJ${next(58, 'url')}`],
  ['OpenRouter key', `sk-or-v1-${next(64, 'hex')}`],
  ['DeepSeek key', `sk-${next(32, 'hex')}`],
  ['Google API key', `AIza${next(35, 'url')}`],
  ['Google OAuth access token', `ya29.${next(120, 'url')}`],
  ['Google OAuth refresh token', `1//0${next(62, 'url')}`],
  ['Google OAuth client secret', `GOCSPX-${next(28, 'url')}`],
  ['AWS access key id', `AKIA${next(16, 'base32')}`],
  ['AWS temporary key id', `ASIA${next(16, 'base32')}`],
  ['GitHub personal token', `ghp_${next(36)}`],
  ['GitHub OAuth token', `gho_${next(36)}`],
  ['GitHub user-to-server token', `ghu_${next(36)}`],
  ['GitHub server token', `ghs_${next(36)}`],
  ['GitHub refresh token', `ghr_${next(36)}`],
  ['GitHub fine-grained token', `github_pat_${next(22)}_${next(59)}`],
  ['GitLab personal token', `glpat-${next(20, 'url')}`],
  ['GitLab routable token', `glpat-${next(27, 'url')}.01.${next(9, 'lower')}`],
  ['GitLab deploy token', `gldt-${next(20, 'url')}`],
  ['GitLab runner token', `glrt-${next(20, 'url')}`],
  ['GitLab runner registration token', `GR1348941${next(20, 'url')}`],
  ['GitLab CI job token', `glcbt-64_${next(20, 'url')}`],
  ['GitLab pipeline trigger', `glptt-${next(40, 'hex')}`],
  ['GitLab feed token', `glft-${next(20, 'url')}`],
  ['GitLab OAuth secret', `gloas-${next(64, 'hex')}`],
  ['Bitbucket app password', `ATBB${next(32)}`],
  ['Atlassian API token', `ATATT3xFfGF0${next(180, 'url')}`],
  ['Slack bot token', `xoxb-${next(12, 'digit')}-${next(13, 'digit')}-${next(24)}`],
  ['Slack user token', `xoxp-${next(12, 'digit')}-${next(12, 'digit')}-${next(12, 'digit')}-${next(32, 'hex')}`],
  ['Slack app token', `xapp-1-A${next(10, 'upper')}-${next(13, 'digit')}-${next(64, 'hex')}`],
  ['Slack webhook', `https://hooks.slack.com/services/T${next(8, 'upper')}/B${next(10, 'upper')}/${next(24)}`],
  ['Discord webhook', `https://discord.com/api/webhooks/${next(18, 'digit')}/${next(68, 'url')}`],
  ['Discord bot token', `MT${next(22)}.G${next(5)}.${next(38)}`],
  ['Telegram bot token', `12${next(8, 'digit')}:AA${next(33, 'url')}`],
  [
    'Microsoft Teams webhook',
    `https://acme.webhook.office.com/webhookb2/${uuid()}@${uuid()}/IncomingWebhook/${next(32, 'hex')}/${uuid()}`
  ],
  ['Stripe secret key', `sk_live_${next(24)}`],
  ['Stripe long secret key', `sk_live_51${next(97)}`],
  ['Stripe test key', `sk_test_${next(24)}`],
  ['Stripe restricted key', `rk_live_${next(24)}`],
  ['Stripe webhook secret', `whsec_${next(32)}`],
  ['Square access token', `EAAA${next(60, 'url')}`],
  ['Square OAuth secret', `sq0csp-${next(43, 'url')}`],
  ['Square personal token', `sq0atp-${next(22, 'url')}`],
  ['Shopify access token', `shpat_${next(32, 'hex')}`],
  ['Shopify shared secret', `shpss_${next(32, 'hex')}`],
  ['npm token', `npm_${next(36)}`],
  ['PyPI token', `pypi-AgEIcHlwaS5vcmc${next(70, 'url')}`],
  ['RubyGems key', `rubygems_${next(48, 'hex')}`],
  ['crates.io token', `cio${next(32)}`],
  ['NuGet key', `oy2${next(43, 'lower')}`],
  ['Clojars token', `CLOJARS_${next(60, 'hex')}`],
  ['Docker Hub token', `dckr_pat_${next(27, 'url')}`],
  ['Hugging Face token', `hf_${next(34)}`],
  ['Replicate token', `r8_${next(37)}`],
  ['Groq key', `gsk_${next(52)}`],
  ['xAI key', `xai-${next(80)}`],
  ['Perplexity key', `pplx-${next(48)}`],
  ['NVIDIA key', `nvapi-${next(64, 'url')}`],
  ['Cerebras key', `csk-${next(48, 'lower')}`],
  ['ElevenLabs key', `sk_${next(48, 'hex')}`],
  ['Cursor key', `key_${next(64, 'hex')}`],
  ['Cursor user key', `crsr_${next(64, 'hex')}`],
  ['Langfuse secret key', `sk-lf-${uuid()}`],
  ['LangSmith key', `lsv2_pt_${next(32, 'hex')}_${next(10, 'hex')}`],
  ['Tavily key', `tvly-dev-${next(32)}`],
  ['Firecrawl key', `fc-${next(32, 'hex')}`],
  ['E2B key', `e2b_${next(40, 'hex')}`],
  ['Jina key', `jina_${next(60)}`],
  ['Pinecone key', `pcsk_${next(6)}_${next(60)}`],
  ['Together key', `tgp_v1_${next(43, 'url')}`],
  ['Tailscale auth key', `tskey-auth-${next(12)}CNTRL-${next(32)}`],
  ['Tailscale API key', `tskey-api-${next(12)}CNTRL-${next(32)}`],
  ['Tailscale client secret', `tskey-client-${next(12)}CNTRL-${next(32)}`],
  ['Netlify token', `nfp_${next(36)}`],
  ['Vercel token', `vcp_${next(56)}`],
  ['Render key', `rnd_${next(32)}`],
  ['Fly.io token', `fm2_${next(160, 'b64')}`],
  ['Heroku key', `HRKU-${next(60, 'url')}`],
  ['DigitalOcean token', `dop_v1_${next(64, 'hex')}`],
  ['Cloudflare origin CA key', `v1.0-${next(24, 'hex')}-${next(146, 'hex')}`],
  ['Supabase token', `sbp_${next(40, 'hex')}`],
  ['Supabase secret key', `sb_secret_${next(31, 'url')}`],
  ['Neon key', `napi_${next(64, 'lower')}`],
  ['PlanetScale token', `pscale_tkn_${next(43, 'url')}`],
  ['PlanetScale password', `pscale_pw_${next(43, 'url')}`],
  ['Databricks token', `dapi${next(32, 'hex')}`],
  ['ClickHouse Cloud key', `4b1d${next(38)}`],
  ['FCM server key', `AAAA${next(7, 'url')}:${next(140, 'url')}`],
  ['SendGrid key', `SG.${next(22, 'url')}.${next(43, 'url')}`],
  ['Mailgun key', `key-${next(32, 'hex')}`],
  ['Mailchimp key', `${next(32, 'hex')}-us14`],
  ['Brevo key', `xkeysib-${next(64, 'hex')}-${next(16)}`],
  ['Resend key', `re_${next(8)}_${next(24)}`],
  ['Twilio key id', `SK${next(32, 'hex')}`],
  ['HubSpot token', `pat-na1-${uuid()}`],
  ['Airtable token', `pat${next(14)}.${next(64, 'hex')}`],
  ['Notion token', `ntn_${next(46)}`],
  ['Notion token, old', `secret_${next(43)}`],
  ['Linear key', `lin_api_${next(40)}`],
  ['Figma token', `figd_${next(43, 'url')}`],
  ['Contentful token', `CFPAT-${next(43, 'url')}`],
  ['Typeform token', `tfp_${next(40)}_${next(18)}`],
  ['Postman key', `PMAK-${next(24, 'hex')}-${next(34, 'hex')}`],
  ['Grafana service account token', `glsa_${next(32)}_${next(8, 'hex')}`],
  ['Grafana Cloud token', `glc_${next(80, 'b64')}`],
  ['New Relic user key', `NRAK-${next(27, 'upper')}`],
  ['New Relic ingest key', `NRII-${next(32, 'url')}`],
  ['Sentry token', `sntrys_eyJ${next(60)}_${next(43)}`],
  ['Sentry user token', `sntryu_${next(64, 'hex')}`],
  ['Dynatrace token', `dt0c01.${next(24, 'base32')}.${next(64, 'base32')}`],
  ['SonarQube token', `sqp_${next(40, 'hex')}`],
  ['Sourcegraph token', `sgp_${next(16, 'hex')}_${next(40, 'hex')}`],
  ['Buildkite token', `bkua_${next(40, 'hex')}`],
  ['CircleCI token', `CCIPAT_${next(22)}_${next(40, 'hex')}`],
  ['LaunchDarkly SDK key', `sdk-${uuid()}`],
  ['PostHog personal key', `phx_${next(47)}`],
  ['Octopus Deploy key', `API-${next(26, 'upper')}`],
  ['Harness token', `pat.${next(22)}.${next(24, 'hex')}.${next(20)}`],
  ['Prefect key', `pnu_${next(36)}`],
  ['Pulumi token', `pul-${next(40, 'hex')}`],
  ['Terraform Cloud token', `${next(14)}.atlasv1.${next(67)}`],
  ['HashiCorp Vault token', `hvs.${next(95, 'url')}`],
  ['OpenShift token', `sha256~${next(43, 'url')}`],
  ['Doppler token', `dp.pt.${next(43)}`],
  ['1Password service account token', `ops_eyJ${next(280, 'b64')}`],
  ['age secret key', `AGE-SECRET-KEY-1${next(58, 'base32')}`],
  ['Artifactory key', `AKCp${next(69)}`],
  ['Adobe client secret', `p8e-${next(32)}`],
  ['Alibaba key id', `LTAI${next(20)}`],
  ['Azure AD client secret', `${next(3)}8Q~${next(34)}`],
  ['Azure DevOps token', `${next(52)}JQQJ99${next(18)}AZDO${next(4)}`],
  ['EasyPost key', `EZAK${next(54)}`],
  ['Shippo token', `shippo_live_${next(40, 'hex')}`],
  ['Duffel token', `duffel_live_${next(43, 'url')}`],
  ['Frame.io token', `fio-u-${next(64)}`],
  ['Infracost key', `ico-${next(32)}`],
  ['ReadMe key', `rdme_${next(70, 'lower')}`],
  ['Mapbox secret token', `sk.eyJ${next(80)}.${next(22)}`],
  ['Dropbox token', `sl.u.${next(140, 'url')}`],
  ['JSON web token', `eyJ${next(33)}.eyJ${next(90)}.${next(43, 'url')}`],
  ['bcrypt hash', `$2b$12$${next(53)}`],
  ['Argon2 hash', `$argon2id$v=19$m=65536,t=3,p=4$${next(22)}$${next(43)}`]
].map(([name = '', secret = '']) => published(name, secret))

/** Found by context. */
const announced: readonly SecretCase[] = [
  written('AWS secret key', next(40, 'b64'), (s) => `[default]\naws_secret_access_key = ${s}`),
  written('AWS secret by its command', next(40, 'b64'), (s) => `aws configure set aws_secret_access_key ${s}`),
  written(
    'Azure storage connection',
    `${next(86, 'b64')}==`,
    (s) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s};EndpointSuffix=core.windows.net`
  ),
  written(
    'Azure service bus connection',
    `${next(43, 'b64')}=`,
    (s) => `Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}`
  ),
  written(
    'Azure SAS',
    `${next(43, 'any')}%3D`,
    (s) => `https://x.blob.core.windows.net/c/f?sv=2024-11-04&sp=r&sig=${s}`
  ),
  written('Azure subscription key header', next(32, 'hex'), (s) => `Ocp-Apim-Subscription-Key: ${s}`),
  written('Datadog keys', next(32, 'hex'), (s) => `export DD_API_KEY=${s}`),
  written('Cloudflare token by its name', next(40, 'url'), (s) => `CLOUDFLARE_API_TOKEN=${s}`),
  written('Codecov token', uuid(), (s) => `CODECOV_TOKEN=${s}`),
  written('Database password', 'saddlestapler', (s) => `DB_PASSWORD=${s}`),
  written('Database URL', 'hunter2secret', (s) => `postgres://admin:${s}@db.internal:5432/app`),
  written('MongoDB URL', next(16), (s) => `mongodb+srv://app:${s}@cluster0.x.mongodb.net/?retryWrites=true`),
  written('Redis URL without a user', next(20), (s) => `redis://:${s}@cache.internal:6379/0`),
  written('JDBC URL', 'Sw0rdfish', (s) => `jdbc:mysql://db/app?user=root&password=${s}`),
  written('ODBC connection', 'Sw0rdfish', (s) => `Driver={SQL Server};Server=db;Uid=sa;Pwd=${s};`),
  written('.pgpass', 'p4ssw0rdX', (s) => `db.internal:5432:app:admin:${s}`),
  written('.netrc', next(14), (s) => `machine git.internal login me password ${s}`),
  written('.npmrc', uuid(), (s) => `//registry.internal/:_authToken=${s}`),
  written(
    'Docker config',
    base64Of('robot:hunter2hunter2'),
    (s) => `{"auths": {"https://index.docker.io/v1/": {"auth": "${s}"}}}`
  ),
  written(
    'kubeconfig client key',
    base64Of(pem('RSA PRIVATE KEY')),
    (s) => `users:\n- name: admin\n  user:\n    client-key-data: ${s}\n`
  ),
  written('kubeconfig token', next(60), (s) => `users:\n- name: admin\n  user:\n    token: ${s}\n`),
  written('Kubernetes env', next(24), (s) => `env:\n  - name: API_KEY\n    value: ${s}\n`),
  written('container definition', 'Tr0ub4dor&3x', (s) => `{"environment": [{"name": "DB_PASSWORD", "value": "${s}"}]}`),
  written('kubectl literal', 'S3cretW0rd', (s) => `kubectl create secret generic x --from-literal=password=${s}`),
  written('wpa_supplicant', 'correct horse 9', (s) => `network={\n  ssid="home"\n  psk="${s}"\n}`),
  written('nmcli', 'W1fiPassword', (s) => `nmcli con modify home wifi-sec.psk "${s}"`),
  written('WireGuard', `${next(43, 'b64')}=`, (s) => `[Interface]\nPrivateKey = ${s}\nAddress = 10.0.0.2/32`),
  written('sudo from a pipe', 'hunter22', (s) => `echo ${s} | sudo -S apt-get update`),
  written('sudo from a quoted pipe', 'hunter 22', (s) => `echo '${s}' | sudo -S -k whoami`),
  written('sudo from a here string', 'hunter22', (s) => `sudo -S systemctl restart x <<< "${s}"`),
  written('sshpass', 'S3shPass', (s) => `sshpass -p '${s}' ssh root@host`),
  written('curl user', 'curlPassw0rd', (s) => `curl -u admin:${s} https://x.internal`),
  written('mysql', 'Sw0rdfish', (s) => `mysqldump -u root -p${s} app > dump.sql`),
  written('redis-cli', 'R3disPass', (s) => `redis-cli -h cache -a ${s} ping`),
  written('docker login', 'D0ckerPass', (s) => `docker login -u me -p ${s} registry.internal`),
  written('openssl', 'Op3nPhrase', (s) => `openssl rsa -in key.pem -passin pass:${s}`),
  written('keytool', 'Ch4ngeit', (s) => `keytool -list -keystore x.jks -storepass ${s}`),
  written('gpg', 'Gp9Phrase', (s) => `gpg --batch --passphrase ${s} -d x.gpg`),
  written('SQL user', 'SqlPassw0rd', (s) => `CREATE USER 'app'@'%' IDENTIFIED BY '${s}';`),
  written('SQL role', 'SqlPassw0rd', (s) => `ALTER ROLE app WITH PASSWORD '${s}';`),
  written('WordPress config', 'WpPassw0rd', (s) => `define('DB_PASSWORD', '${s}');`),
  written('option after a line continuation', next(24), (s) => `deploy \\\n  --token \\\n  ${s} \\\n  --force`),
  written('assignment after a line continuation', next(24), (s) => `export API_KEY=\\\n${s}`),
  written('option', next(24), (s) => `deploy --api-key ${s} --force`),
  written('header', next(32), (s) => `X-Api-Key: ${s}`),
  written('bearer header', next(40), (s) => `curl -H "Authorization: Bearer ${s}" https://x`),
  written('basic header', base64Of('admin:hunter2hunter'), (s) => `Authorization: Basic ${s}`),
  written('cookie', next(32), (s) => `Cookie: session=${s}; theme=dark`),
  written('URL parameter', next(24), (s) => `https://x.internal/callback?id=7&access_token=${s}`),
  written('Google Maps URL', next(39), (s) => `https://maps.internal/api/js?key=${s}&v=3`),
  written('JSON password', 'trustno1', (s) => `{"user": "me", "password": "${s}"}`),
  written('YAML password', 'Tr0ub4dor-3', (s) => `database:\n  user: app\n  password: ${s}\n`),
  written('TOML secret', next(32), (s) => `[auth]\nclient_secret = "${s}"`),
  written('XML password', 'Tr0ub4dor', (s) => `<server><id>x</id><password>${s}</password></server>`),
  written('Python default', next(24), (s) => `API_KEY = os.environ.get("API_KEY", "${s}")`),
  written('Ruby default', next(24), (s) => `ENV.fetch('API_KEY', '${s}')`),
  written('fish variable', next(24), (s) => `set -x MY_SECRET ${s}`),
  written('Dockerfile', next(24), (s) => `ENV API_TOKEN ${s}`),
  written('prose', 'tiger4711', (s) => `The password is ${s}, do not tell.`),
  written('private key', next(64, 'b64'), (s) => pem('OPENSSH PRIVATE KEY').replace(/\n.{64}\n/, `\n${s}\n`)),
  written('private key in PKCS 8', next(64, 'b64'), (s) => pem('PRIVATE KEY').replace(/\n.{64}\n/, `\n${s}\n`)),
  written('service account', next(64, 'b64'), (s) =>
    JSON.stringify({ type: 'service_account', private_key: pem('PRIVATE KEY').replace(/\n.{64}\n/, `\n${s}\n`) })
  )
]

/** A secret of which something stands in the middle: what must be gone are its parts. */
const broken = (name: string, secret: string, between: string, at = Math.floor(secret.length / 2)): SecretCase => ({
  name,
  texts: [`The key is ${secret.slice(0, at)}${between}${secret.slice(at)}\nand so on.`],
  secret
})
const [github, anthropic, gitlab, aws, jwt] = [
  `ghp_${next(36)}`,
  `sk-ant-api03-${next(93)}AA`,
  `glpat-${next(20)}`,
  `AKIA${next(16, 'base32')}`,
  `eyJ${next(33)}.eyJ${next(90)}.${next(43)}`
]
const zeroWidth = {
  'U+200B': '\u200b',
  'U+200C': '\u200c',
  'U+200D': '\u200d',
  'U+2060': '\u2060',
  'U+FEFF': '\ufeff',
  'a soft hyphen': '\u00ad'
}

const brokenOnes: readonly SecretCase[] = [
  broken('broken by a line end', github, '\n'),
  broken('broken by a line end of Windows', github, '\r\n'),
  broken('broken by a line end, with blanks', github, '\n    '),
  broken('long one broken by a line end', anthropic, '\n'),
  broken('long one broken near its end', anthropic, '\n', 90),
  broken('short one broken by a line end', gitlab, '\n'),
  broken('key id broken by a line end', aws, '\n'),
  broken('JSON web token broken by a line end', jwt, '\n', 80),
  broken('broken by a line continuation', github, '\\\n'),
  ...Object.entries(zeroWidth).map(([sign, char]) => broken(`broken by ${sign}`, github, char)),
  broken('named value broken by a zero-width space', next(32), '\u200b'),
  broken('broken by a colour', github, '\u001b[31m'),
  {
    name: 'split across two blocks',
    texts: [`Take ${github.slice(0, 17)}`, `${github.slice(17)} for it.`],
    secret: github
  },
  {
    name: 'split across two blocks after its sign',
    texts: [`Take ${gitlab.slice(0, 4)}`, `${gitlab.slice(4)} for it.`],
    secret: gitlab
  },
  {
    name: 'long one split across two blocks',
    texts: [`Take ${anthropic.slice(0, 50)}`, `${anthropic.slice(50)} for it.`],
    secret: anthropic
  },
  {
    name: 'split across three blocks',
    texts: [`Take ${github.slice(0, 12)}`, github.slice(12, 24), `${github.slice(24)} for it.`],
    secret: github
  },
  {
    name: 'assignment split across two blocks',
    texts: ['Then API_KEY=aB3dE6gH9j', 'K2mN5pQ8sT1v is set.'],
    secret: 'aB3dE6gH9jK2mN5pQ8sT1v'
  }
].map((one) =>
  one.name.startsWith('named value')
    ? { ...one, texts: one.texts.map((text) => text.replace('The key is ', 'API_KEY=')) }
    : one
)

/** Not found, because nothing in them differs from ordinary text. */
const surviving: readonly SecretCase[] = [
  {
    ...written('password without a digit in YAML', 'correcthorsebattery', (s) => `db_password: ${s}`),
    survives: 'it looks like prose: `password: required`'
  },
  {
    ...written('password in words', 'hunter2', (s) => `Log in with ${s} as the password.`),
    survives: 'the name follows it'
  },
  {
    ...written('wallet words', 'legal winner thank year wave sausage worth useful', (s) => `Seed: ${s}`),
    survives: 'ordinary words'
  },
  {
    ...written('token of 32 hex digits without a name', next(32, 'hex'), (s) => `curl https://x.internal/${s}`),
    survives: 'hashes look like this'
  },
  { ...written('UUID without a name', uuid(), (s) => `release: ${s}`), survives: 'ids look like this' },
  { ...written('PIN', '493817', (s) => `pin: ${s}`), survives: 'numbers look like this' },
  {
    ...written('secret in base64', base64Of(`ghp_${next(36)}`), (s) => `data: ${s}`),
    survives: 'encoded text is not decoded'
  }
]

/** A shape with its parts drawn. */
const drawn = (shape: string): string =>
  shape.replace(/<(\d+) (\w+)>/g, (_, length: string, alphabet: string) =>
    next(Number(length), alphabet as keyof typeof alphabets)
  )

/** Those of public lists and documents. */
const collected: readonly SecretCase[] = [
  ...tokenShapes.map(([name, shape]) => published(name, drawn(shape))),
  ...contextShapes.map(([name, shape]) => {
    const text = drawn(shape)
    return { name, texts: [text.replace(/[«»]/g, '')], secret: /«([^]*)»/.exec(text)?.[1] ?? text }
  })
]

export const secretCases: readonly SecretCase[] = [...tokens, ...announced, ...brokenOnes, ...collected, ...surviving]

/** Text that must stay as it is. */
export const ordinaryTexts: readonly (readonly [what: string, text: string])[] = [
  ['git hashes', 'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 (HEAD -> main), 4cc6c12..9fceb02'],
  ['SHA-256', 'sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae  model.bin'],
  ['UUIDs', 'session 550e8400-e29b-41d4-a716-446655440000 of project 6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
  [
    'ids of agents',
    'toolu_01ABCdefGHIjklMNOpqrSTU msg_01XYZabcDEFghiJKLmnoPQR req_011CSabcdefGHIJKLmnop call_abcDEF123ghiJKL456mnoPQR'
  ],
  ['lock file', `"integrity": "sha512-${next(86, 'b64')}==", "resolved": "https://packages.example/x/-/x-1.0.0.tgz"`],
  ['go.sum', `golang.org/x/crypto v0.21.0 h1:${next(43, 'b64')}=`],
  ['image', `data:image/png;base64,iVBORw0KGgo${next(300, 'b64')}/AKIA${next(16, 'base32')}/${next(40, 'b64')}`],
  ['signature', `"signature":"Eq${next(300, 'b64')}==","encrypted_content":"gAAAAA${next(300, 'url')}"`],
  [
    'placeholders',
    'API_KEY=YOUR_API_KEY_HERE token: <your-token> password=changeme --token $TOKEN secret: "{{ secret }}" key=xxxxxxxx sk-...'
  ],
  [
    'references',
    'export TOKEN=$GITHUB_TOKEN PASSWORD="${DB_PASSWORD}" api_key: ${{ secrets.API_KEY }} token=$(cat token.txt)'
  ],
  ['types', 'password: string, token: z.string().min(8), secret?: Uint8Array, apiKey: ApiKey | undefined, psk: Buffer'],
  [
    'code',
    'const token = await getToken(); if (token === null) return; user.password = hash(password); auth: authMiddleware'
  ],
  [
    'token counts',
    '"input_tokens":12345,"output_tokens":99,"max_tokens":4096,"cache_read_input_tokens":7,"nextPageToken":"CAUQAAbcd1234"'
  ],
  [
    'paths',
    'password_file: /run/secrets/db_password key: ~/.ssh/id_rsa token_path=./tokens/access.json client-key: /etc/kubernetes/pki/client.key'
  ],
  [
    'minified code',
    '!function(e,t){var n={key:"default",token:t.token,secretKeys:["a","b"]};e.k=function(r){return n[r]||o.token(r)}}(a,b);'
  ],
  [
    'words of keys',
    'keyboard: "qwerty123456", cacheKey: "a1b2c3d4e5f6a7b8", key="abc123def456", monkey=banana42, key_value_store_1'
  ],
  [
    'prose',
    'The token is missing. The password is required. The secret is to rest. This is the key: patience. identified by both names'
  ],
  ['sudo', 'echo done | sudo tee /etc/motd; sudo -s; sudo systemctl restart x; pseudo -S'],
  ['word lists', 'sk-learn\nscipy\nnumpy\npandas\nrequests\npytest\nSK\nDE\nAC\nnpm_config\nkey_\nfc-\n'],
  [
    'hash under a token of another line',
    'npm_config_cache\n9fceb02d0ae598e95dc970b74767f19372d61af8\nkey-\nd41d8cd98f00b204e9800998ecf8427e'
  ],
  ['languages', 'en-us1 -us12 $1$ and $5 AAAA:BBBB EAAA LTAI SG. MTA. https://example.com:8080/a@b ://x'],
  [
    'certificate',
    `certificate-authority-data: ${base64Of('-----BEGIN CERTIFICATE-----\nMIIC')}\n-----BEGIN CERTIFICATE-----\n${next(64, 'b64')}\n-----END CERTIFICATE-----`
  ],
  [
    'public keys',
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${next(43, 'b64')} me@host; pk_live_${next(24)}; -----BEGIN PUBLIC KEY-----`
  ],
  [
    'HTTP',
    'Authorization: required. Set-Cookie: theme=dark; Path=/ Cookie: none, auth: none, "auth": "required", "auth": "bearer"'
  ],
  ['emoji and joiners', 'family 👨‍👩‍👧 na\u00adive zero\u200bwidth \ufeffmark'],
  [
    'SQL',
    "SELECT password FROM users WHERE token IS NOT NULL; ALTER TABLE x ADD COLUMN secret TEXT; identified by 'id'"
  ],
  [
    'table of options',
    '| option | default |\n| --- | --- |\n| password | none |\n| token | required |\n| key | string |'
  ],
  ['table of permissions', '| name | token |\n|---|---|\n| read | yes |\n| write | no |\n| admin | optional |'],
  ['table of counts', '| model | tokens | key |\n|---|---|---|\n| opus | 123456 | a1 |\n| haiku | 9876 | b2 |'],
  ['headings', '**Password:** required\n**Token:** see below\n- **Secret**: none\n**API key:** optional'],
  [
    'quoted words after names',
    'the password "is wrong", the token `refreshToken`, a secret "santa", the key "primary"'
  ],
  [
    'Terraform',
    'variable "api_key" {\n  type = string\n}\nresource "aws_secretsmanager_secret" "database2024production" {}'
  ],
  ['curl', 'curl -u "$USER:$PASSWORD" https://x; curl -u $TOKEN: https://x; curl -o out.zip -L https://x/y?z=1:2'],
  [
    'pipes',
    'echo hello | gh pr comment; cat users.txt | chpasswd; echo "$PW" | docker login --password-stdin; echo y | apt install'
  ],
  [
    'secret commands',
    'gh secret set NAME < file; gh secret list; fly secrets set NAME=$VALUE; gh secret set X --body "$BODY"; kubectl get secret'
  ],
  ['archives', 'zip -r out.zip src; 7z x file.7z; unzip -o a.zip -d b; tar -cpzf x.tgz y'],
  [
    'vendors in prose',
    'Heroku: see the docs. Discord, Twitter and Linear: links below. sentry: off; travis: green; sonar: passed'
  ],
  [
    'ids of vendors',
    `sentry_release = "${next(40, 'hex')}"; discord_client_id: "${next(18, 'digit')}"; heroku_build_id = "${uuid()}"`
  ],
  [
    'vendor settings',
    'netlify.toml, twitch: true, facebook: "https://facebook.com/x", linear: { ease: "in-out" }, okta: oidc'
  ],
  ['certificate request', `-----BEGIN CERTIFICATE REQUEST-----\n${next(64, 'b64')}\n-----END CERTIFICATE REQUEST-----`],
  ['end of a certificate', `${next(64, 'b64')}\n${next(40, 'b64')}\n-----END CERTIFICATE-----`],
  [
    'code that searches for keys',
    "if (text.includes('-----END RSA PRIVATE KEY-----')) return /-----BEGIN [A-Z ]+PRIVATE KEY-----/.test(text)"
  ],
  ['public JWK', `{"kty":"RSA","e":"AQAB","use":"sig","kid":"2026-01","n":"${next(80, 'url')}"}`],
  ['public PuTTY key', `Public-Lines: 1\nAAAAC3NzaC1lZDI1NTE5AAAAI${next(39, 'b64')}\nComment: me@host`],
  [
    'short prefixes',
    'sk-learn fk-orders wk-1 pa-ge ak-47 as-is m0-1 ls-la sc_1 b_1 s.length t1.x v1.2.3 1000.5 y0_ pat_x app-shell'
  ],
  [
    'foreign keys',
    'CONSTRAINT fk-order-items-to-customer-accounts-2024 FOREIGN KEY (customer_id) REFERENCES customers (id)'
  ],
  [
    'style classes',
    'sk-fading-circle sk-circle-fade-dot app-header-navigation-menu-item-2 bu_tton-primary-large fw_bold'
  ],
  [
    'calls of one letter',
    's.substringAfterDelimiterX(1) s.replaceAllMatches2(/x/g) s.ThisMethodHasALongName123 t1.start()'
  ],
  [
    'snake case',
    'live_view_component_with_a_very_long_name_and_more test_that_the_parser_handles_nested_lists_2 key_press_event'
  ],
  ['camel case', 'secretKeyRefNameSelectorOptions tokenizerFastImplementationConfig passwordStrengthMeterComponent'],
  ['zeros in base64', `"data":"${'A'.repeat(400)}="`],
  [
    'image with signs',
    `data:image/gif;base64,R0lGODlh${next(120, 'b64')}/ABSK${next(120, 'b64')}APIM${next(60, 'b64')}`
  ],
  [
    'minified bundle',
    'var a="AQ.",b="fk-",c="sgamp_user_",d="AKIA",e=function(t){return t.token?t.key:t.secret||t.pass}'
  ],
  ['source map', `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2Vz${next(90, 'any')}`],
  ['integrity of pnpm', `resolution: {integrity: sha512-${next(86, 'b64')}==}`],
  ['hash of Python', `--hash=sha256:${next(64, 'hex')} --hash=sha256:${next(64, 'hex')}`],
  ['Docker digests', `FROM node@sha256:${next(64, 'hex')} AS build; image: x/y@sha256:${next(64, 'hex')}`],
  ['Nix hashes', `hash = "sha256-${next(43, 'b64')}="; rev = "${next(40, 'hex')}";`],
  [
    'ETag',
    `ETag: W/"${next(27, 'hex')}"; X-Request-Id: ${uuid()}; traceparent: 00-${next(32, 'hex')}-${next(16, 'hex')}-01`
  ],
  ['trace ids', `trace_id=${next(32, 'hex')} span_id=${next(16, 'hex')} run=01JABCDEFGHJKMNPQRSTVWXYZ0`],
  ['object ids', 'ObjectId("507f1f77bcf86cd799439011") _id: 65a1b2c3d4e5f60718293a4b node: MDQ6VXNlcjU4MzIzMQ=='],
  [
    'git diff',
    'index 83db48f..bf269f4 100644\n--- a/token.ts\n+++ b/token.ts\n@@ -1,4 +1,4 @@ class Token {\n-  key = null\n+  key = undefined'
  ],
  [
    'stack trace',
    'at Object.password (/srv/app/node_modules/x/index.js:12:34)\n    at token (node:internal/process:95:5)'
  ],
  ['test names', '✓ rejects a wrong password (12 ms)\n✗ token expires after 3600 s\nok 3 - secret is masked # pass 12'],
  ['TAP', 'pass 12\nfail 0\n# pass: 120\n# tests_pass 120\npass: true'],
  [
    'environment of CI',
    'CI=true GITHUB_SHA=9fceb02d0ae598e95dc970b74767f19372d61af8 GITHUB_TOKEN=*** NPM_TOKEN=[masked] TOKEN_COUNT=12'
  ],
  [
    'GitHub workflow',
    'env:\n  TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  PASSWORD: ${{ env.PASSWORD }}\npermissions:\n  id-token: write'
  ],
  [
    'compose file',
    'environment:\n  - POSTGRES_PASSWORD=${PG_PASSWORD:?required}\n  - SECRET_KEY_FILE=/run/secrets/key\nsecrets:\n  token:\n    external: true'
  ],
  [
    'Kubernetes reference',
    'valueFrom:\n  secretKeyRef:\n    name: db-credentials\n    key: password\nimagePullSecrets:\n- name: regcred'
  ],
  ['Helm', 'password: {{ .Values.password | quote }}\nexistingSecret: ""\ntoken: {{ include "x.token" . }}'],
  ['Ansible', 'password: "{{ vault_password }}"\nno_log: true\nbecome_pass: "{{ lookup(\'env\', \'PASS\') }}"'],
  ['Rust', "pub struct Token<'a> { key: &'a str, secret: Option<Secret> }\nlet token: Token = lexer.next_token()?;"],
  ['Go', 'type Key struct { Secret string `json:"secret"` }\nfunc (k *Key) Token() string { return k.token }'],
  [
    'Python',
    'password: str = Field(..., min_length=8)\ntoken = tokenizer.encode(text)\nkey = lambda x: x[0]\nsecret = getpass()'
  ],
  [
    'SQL of settings',
    "INSERT INTO settings (key, value) VALUES ('theme', 'dark'), ('token_limit', '4096'); SET PASSWORD = NULL"
  ],
  ['regular expressions', 'const token = /^[A-Za-z0-9_-]{20,}$/; password: /\\d{4,}/; new RegExp("key=([a-z]+)")'],
  [
    'HTML form',
    '<label for="password">Password</label><input type="password" name="password" placeholder="Your password" required>'
  ],
  ['table of HTML', '<tr><td>Password</td><td>required</td></tr><tr><td>Token</td><td>see docs</td></tr>'],
  ['translations', '"password": "Passwort", "token.expired": "Das Token ist abgelaufen", "secret.label": "Geheimnis"'],
  [
    'commands without values',
    'passwd me; chpasswd --help; sshpass -e ssh me@host; ssh-keygen -t ed25519 -N ""; openssl rand -hex 32'
  ],
  [
    'paths of keys',
    'IdentityFile ~/.ssh/id_ed25519\nssh -i key.pem me@host\nsslkey=/etc/ssl/private/server.key\n--key ./key.pem --cert ./cert.pem'
  ],
  [
    'ports and times',
    'localhost:5432:ready 10.0.0.1:6379 2026-01-02T03:04:05.678Z 12:34:56,789 1/1/2026 2/12/2026 +01:00'
  ],
  ['numbers', '4111 1111 1111 1111; IBAN DE89 3704 0044 0532 0130 00; +49 30 901820; 192.168.0.1; 493817'],
  [
    'keyboard',
    'key: Enter, key=ArrowLeft, keyCode: 13, hotkey: "ctrl+shift+k2", keys: ["a", "b"], keydown: handleKeyDown1'
  ],
  ['React keys', '<Row key={`row-${index}`} token={token} /> <Item key="item-2024-01-02" /> key={item.id}'],
  [
    'cache keys',
    `key: node-modules-\${{ hashFiles('**/package-lock.json') }}-v2; cacheKey=${next(32, 'hex')}; restore-keys: node-`
  ],
  [
    'tokens of models',
    'prompt tokens: 12,345; tokens/s: 87.3; token 42 of 100; max_output_tokens=32000; <|endoftext|>'
  ],
  [
    'tokens of design',
    '"color.token.primary": "#3b82f6", "spacing-token-2": "8px", --token-radius: 4px; token: colors.blue500'
  ],
  [
    'shell expansion',
    'pass="$(pass show mail)"; pw=${1:?}; key=$(<key.txt); token="`cat token`"; export SSHPASS="$PW"'
  ],
  [
    'words of money',
    'The passphrase is long enough. Password123 is a bad example? No: the password was changed on Monday.'
  ],
  [
    'links',
    'https://docs.example.com/api-keys#token-1 https://x.example/?page=2&sort=key https://user@host.example/x mailto:a@b.example'
  ],
  [
    'agents at work',
    'I set the API key in the environment, ran the tests (12 passed) and removed the token from the log. Next: the password field.'
  ]
]
