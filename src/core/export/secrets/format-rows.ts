import type { SecretFormat } from './secret-format.ts'

/** Kind, source, prefixes separated by blanks, the rest; `plain`: as of `SecretFormat`. */
type Row = readonly [kind: string, source: string, starts: string, rest: RegExp, plain?: 'plain']

const gitleaks = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'
const trufflehog = 'https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors'
const kingfisher = 'https://mongodb.github.io/kingfisher/rules/builtin-rules/'
const github = 'https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns'

const uuid = String.raw`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])`
/** Random text has a digit early; names of this length do not. */
const withDigit = (rest: string): RegExp => new RegExp(String.raw`(?=[A-Za-z_-]{0,40}\d)${rest}`, 'y')

const rows: readonly Row[] = [
  // Agents and what they use.
  ['Google API key', 'https://ai.google.dev/gemini-api/docs/api-key', 'AQ.', /[\w-]{40,}/y],
  [
    'Amazon Bedrock key',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
    'ABSK',
    /[A-Za-z0-9+/]{100,}={0,2}/y,
    'plain'
  ],
  [
    'Amazon Bedrock key',
    'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys.html',
    'bedrock-api-key-',
    /[\w+/%-]{20,}={0,2}/y
  ],
  ['Amp token', 'https://ampcode.com/manual', 'sgamp_user_', /[A-Z0-9]{20,}_[0-9a-f]{40,}|auth-bypass_[\w-]{6,}/y],
  [
    'Factory key',
    'https://docs.factory.ai/cli/droid-exec/overview',
    'fk-',
    /(?=[A-Za-z_-]{0,60}\d)(?:(?=[a-z0-9_-]{0,60}[A-Z])[\w-]{16,}|[0-9a-z]{24,})/y
  ],
  ['Warp key', 'https://docs.warp.dev/reference/cli/api-keys', 'wk-', /(?:\d\.)?[0-9a-f]{32,}/y],
  [
    'Devin key',
    'https://docs.devin.ai/api-reference/authentication',
    'apk_ cog_',
    withDigit(String.raw`(?:user_|org_)?[\w+/=-]{24,}`)
  ],
  [
    'Windsurf key',
    'https://docs.windsurf.com/plugins/accounts/api-reference/api-introduction',
    'sk-ws-',
    /[\w-]{24,}/y
  ],
  ['OpenAI session', github, 'sess-', /[A-Za-z0-9]{40}/y],
  ['OpenAI client secret', 'https://platform.openai.com/docs/guides/realtime', 'ek_', /[0-9a-f]{32,}/y],
  [
    'Codex refresh token',
    'https://developers.openai.com/codex/auth',
    'rt_',
    withDigit(String.raw`[\w-]{40,}(?:\.[\w-]{20,})?`)
  ],
  [
    'API key',
    'https://docs.litellm.ai/docs/proxy/virtual_keys',
    'sk-',
    /[a-z0-9]{1,12}-(?:[a-z0-9]{1,4}-)?(?=[A-Za-z_]{0,60}\d)[A-Za-z0-9_]{20,}/y
  ],
  ['API key', kingfisher, 'sk_', withDigit(String.raw`[A-Za-z0-9]{24,}(?![\w-])`)],
  ['Fireworks key', trufflehog, 'fw_', withDigit(String.raw`[A-Za-z0-9]{22,}(?![\w-])`)],
  ['Anyscale key', trufflehog, 'esecret_', /[A-Za-z0-9]{20,}/y],
  ['Voyage key', kingfisher, 'pa-', withDigit(String.raw`[\w-]{43}(?![\w-])`)],
  ['LlamaCloud key', kingfisher, 'llx-', /[\w-]{40,}/y],
  ['Brave Search key', kingfisher, 'BSA', withDigit(String.raw`[\w-]{27,28}(?![\w-])`), 'plain'],
  ['Context7 key', 'https://github.com/upstash/context7', 'ctx7sk-', /[0-9a-f-]{30,}/y],
  ['Mem0 key', kingfisher, 'm0-', withDigit(String.raw`[A-Za-z0-9]{40}(?![\w-])`)],
  ['Browserbase key', kingfisher, 'bb_live_ bb_test_', /[\w-]{20,}/y],
  ['Browser Use key', kingfisher, 'bu_', withDigit(String.raw`[\w-]{43}(?![\w-])`)],
  ['Daytona key', kingfisher, 'dtn_', /[0-9a-f]{64}/y],
  ['Modal token', kingfisher, 'ak- as-', withDigit(String.raw`[A-Za-z0-9]{22}(?![\w-])`)],
  ['Composio key', kingfisher, 'ak_', withDigit(String.raw`[A-Za-z0-9]{20}(?![\w-])`)],
  ['Cartesia key', kingfisher, 'sk_car_', /[A-Za-z0-9_]{20,}/y],
  ['Weights & Biases key', kingfisher, 'wandb_v1_', /[A-Za-z0-9_]{40,}/y],
  ['Runway key', kingfisher, 'key_', /[0-9a-f]{128}(?![\w-])/y],
  ['Dify key', kingfisher, 'app- dataset-', /(?=[A-Za-z]{0,23}\d)(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\w-])/y],
  ['FastGPT key', kingfisher, 'fastgpt-', /[A-Za-z0-9]{30,}/y],
  ['Coze token', kingfisher, 'pat_', withDigit(String.raw`[A-Za-z0-9]{40,}(?![\w-])`)],
  ['n8n key', kingfisher, 'n8n_api_', /[0-9a-f]{40,}/y],
  // Others, by vendor.
  ['AWS access key id', gitleaks, 'A3T', /[A-Z0-9][A-Z2-7]{16}(?![\w+/=])/y, 'plain'],
  ['Adafruit key', github, 'aio_', /[A-Za-z0-9]{28}(?![\w-])/y],
  ['Aiven password', github, 'AVNS_', /[\w-]{15,}/y],
  ['Apify token', github, 'apify_api_ apify_proxy_', /[A-Za-z0-9]{30,}/y],
  ['Asaas token', github, '$aact_', /[\w+/=:-]{40,}/y],
  ['Asana token', github, '1/1 2/1', /\d{14,16}(?:\/\d{15,17})?:[0-9a-f]{32}(?![\w-])/y],
  [
    'Authress key',
    gitleaks,
    'sc_ ext_ scauth_ authress_',
    /[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,120}/y
  ],
  ['Axiom token', github, 'xaat- xapt-', new RegExp(uuid, 'y')],
  ['Baidu key', github, 'ALTAK', /[A-Za-z0-9]{21}(?![\w-])/y, 'plain'],
  ['Beamer token', gitleaks, 'b_', withDigit(String.raw`[\w=-]{44}(?![\w=-])`)],
  ['Bitcoin private key', kingfisher, 'xprv', /[A-Za-z0-9]{100,}/y, 'plain'],
  ['Braintree token', trufflehog, 'access_token$production$ access_token$sandbox$', /[0-9a-z]{16}\$[0-9a-f]{32}/y],
  ['Canva secret', github, 'cnv', withDigit(String.raw`[a-z0-9]{2}[\w=-]{30,}`), 'plain'],
  ['Cfx.re key', github, 'cfxk_', /[A-Za-z0-9]{20}_[A-Za-z0-9]{4,}/y],
  ['Checkout.com key', github, 'sk_sbox_', /[a-z0-9]{20,}/y],
  [
    'Cloudflare token',
    'https://developers.cloudflare.com/fundamentals/api/get-started/token-formats/',
    'cfut_ cfat_ cfk_',
    /[A-Za-z0-9]{40,}/y
  ],
  ['CockroachDB key', github, 'CCDB1_', /[A-Za-z0-9]{22}_[A-Za-z0-9]{40}/y],
  ['Confluent secret', github, 'cflt', /[A-Za-z0-9+/]{60}(?![\w+/=-])/y, 'plain'],
  ['Defined Networking token', gitleaks, 'dnkey-', /[\w=-]{26}-[\w=-]{52}/y],
  ['Deno token', trufflehog, 'ddp_ ddo_ ddw_', /[A-Za-z0-9]{36}/y],
  ['DevCycle key', github, 'dvc_server_', /[\w-]{20,}/y],
  ['Elastic key', github, 'essu_', /[\w+/-]{30,}={0,2}/y],
  ['Facebook token', trufflehog, 'EAA', /[A-Za-z0-9]{100,}(?![\w+/=-])/y, 'plain'],
  ['Flutterwave key', gitleaks, 'FLWSECK_TEST', /[a-h0-9]{12}(?![\w-])/y],
  [
    'GitHub token',
    'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/',
    'v1.',
    /[0-9a-f]{40}(?![\w-])/y
  ],
  [
    'GitLab token',
    'https://docs.gitlab.com/security/tokens/',
    'glffct- glrtr- glwt-',
    /[\w-]{18,}(?:\.[\w-]{2,}){0,2}/y
  ],
  ['GitLab session', gitleaks, '_gitlab_session=', /[0-9a-z]{32}/y],
  ['GoCardless token', gitleaks, 'live_ sandbox_', withDigit(String.raw`[\w=-]{40}(?![\w=-])`)],
  ['Grafana token', gitleaks, 'eyJrIjoi', /[\w+/-]{60,}={0,3}/y],
  ['IBM key', github, 'ApiKey-', new RegExp(uuid, 'y')],
  ['Instagram token', trufflehog, 'IGQ IGAA', /[\w-]{100,}/y, 'plain'],
  ['Intercom token', github, 'dG9rO', /[A-Za-z0-9+/]{50,}={0,2}/y, 'plain'],
  ['Intra42 secret', gitleaks, 's-s4t2ud- s-s4t2af-', /[0-9a-f]{64}/y],
  ['Ionic token', gitleaks, 'ion_', /[A-Za-z0-9]{42}(?![\w-])/y],
  ['JetBrains token', trufflehog, 'perm: perm-', /[\w+/=-]{4,}\.[\w+/=-]{2,}\.[A-Za-z0-9]{20,}/y],
  ['JSON web token', gitleaks, 'ZXlKaGJHY2lPaU ZXlKMGVYQWlPaUp ZXlKcmFXUWlP', /[\w+/-]{40,}={0,2}/y, 'plain'],
  ['Klaviyo key', trufflehog, 'pk_', /(?:[A-Za-z0-9]{6}_)?[0-9a-f]{34}(?![\w-])/y],
  ['Lichess token', github, 'lip_', withDigit(String.raw`[A-Za-z0-9]{20,}(?![\w-])`)],
  ['Linear key', github, 'lin_wh_', /[A-Za-z0-9]{30,}/y],
  ['LocalStack key', github, 'ls-', /[A-Za-z0-9]{8}(?:-[A-Za-z0-9]{4}){3}-[A-Za-z0-9]{12}(?![\w-])/y],
  ['LogicMonitor token', github, 'lmb_ lma_', withDigit(String.raw`[\w+/=-]{20,}`)],
  ['Mailgun key', gitleaks, 'pubkey-', /[0-9a-f]{32}(?![\w-])/y],
  ['Mercado Pago token', github, 'APP_USR- TEST-', /\d{10,}-\d{6}-[0-9a-f]{32}-\d{4,}/y],
  ['Mergify key', github, 'mka_', /[\w-]{40,}/y],
  ['Midtrans key', github, 'Mid-server- SB-Mid-server-', /[\w-]{20,}/y],
  ['MongoDB Atlas secret', trufflehog, 'mdb_sa_sk_', /[\w-]{40}/y],
  ['Neon password', kingfisher, 'npg_', withDigit(String.raw`[A-Za-z0-9]{12,}(?![\w-])`)],
  ['New Relic key', gitleaks, 'NRJS- NRIQ- NRRA-', /[\w-]{19,}/y],
  ['Nylas key', kingfisher, 'nyk_v0_', /[A-Za-z0-9]{40,}/y],
  [
    'Onfido token',
    github,
    'api_live. api_live_us. api_live_ca. api_sandbox. api_sandbox_us. api_sandbox_ca.',
    /[\w-]{11}\.[\w-]{32}/y
  ],
  ['OneSignal key', github, 'os_v2_app_ os_v2_org_', /[a-z2-7]{90,}/y],
  ['Open VSX token', kingfisher, 'ovsxat_ ovsxp_', new RegExp(uuid, 'y')],
  ['Paddle key', github, 'pdl_live_apikey_ pdl_sdbx_apikey_', /[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}/y],
  ['Persona key', github, 'persona_production_ persona_sandbox_', /[\w-]{30,}/y],
  ['Pinterest token', github, 'pina_ pinc_ pinr_', /[A-Za-z0-9]{32,}/y],
  ['Plaid token', gitleaks, 'access-sandbox- access-development- access-production-', new RegExp(uuid, 'y')],
  ['Polar token', github, 'polar_oat_ polar_pat_ polar_rt_', /[\w-]{30,}/y],
  ['PostHog key', github, 'phs_', /[\w-]{40,}/y],
  ['Prefect key', github, 'pnb_', /[A-Za-z0-9]{36}(?![\w-])/y],
  ['Private Packagist token', trufflehog, 'packagist_uut_ packagist_out_ packagist_ort_', /[0-9a-f]{60,}/y],
  ['Raycast token', github, 'rca_', /[0-9a-f]{64}/y],
  ['Razorpay key', trufflehog, 'rzp_live_ rzp_test_', /[A-Za-z0-9]{14}(?![\w-])/y],
  ['Rootly key', github, 'rootly_', /[0-9a-f]{64}/y],
  ['RunPod key', kingfisher, 'rpa_', /[A-Za-z0-9]{40,}/y],
  ['Samsara token', github, 'samsara_api_', /[A-Za-z0-9]{28,}/y],
  ['Scalingo token', gitleaks, 'tk-us- tk-eu-', /[\w-]{48}/y],
  ['Segment token', github, 'sgp_', /[A-Za-z0-9]{64}(?![\w-])/y],
  ['SettleMint token', gitleaks, 'sm_aat_ sm_pat_ sm_sat_', /[A-Za-z0-9]{16}(?![\w-])/y],
  ['Shopify token', github, 'shpua_ shprt_ shptka_ prtapi_', /[0-9a-fA-F]{32}/y],
  ['Sindri key', github, 'sindri_', withDigit(String.raw`[\w-]{30,}`)],
  ['Slack token', gitleaks, 'xwfp-', /[A-Za-z0-9-]{10,}/y],
  ['Snyk token', kingfisher, 'snyk_uat. snyk_sat.', /[\w-]{8}\.[\w-]{20,}(?:\.[\w-]{20,})?/y],
  ['Sourcegraph token', trufflehog, 'sgd_ slk_ sgs_', /[0-9a-fA-F]{64}/y],
  ['Sourcegraph token', trufflehog, 'sgp_ws', /[0-9a-fA-F]{32}_[0-9a-fA-F]{40}/y],
  ['StackHawk key', trufflehog, 'hawk.', /[\w-]{20}\.[\w-]{20}(?![\w-])/y],
  ['Statsig key', trufflehog, 'secret- console-', withDigit(String.raw`[A-Za-z0-9]{43}(?![\w-])`)],
  ['Stripe key', gitleaks, 'sk_prod_ rk_prod_', /[A-Za-z0-9]{10,}/y],
  ['Stytch secret', trufflehog, 'secret-live- secret-test-', /[\w-]{36}={0,2}/y],
  ['Tencent key id', github, 'AKID', /[A-Za-z0-9]{32}(?![\w+/=-])/y, 'plain'],
  ['Thunderstore token', github, 'tss_', withDigit(String.raw`[A-Za-z0-9]{30,}(?![\w-])`)],
  [
    'Twitch token',
    'https://dev.twitch.tv/docs/chat/authenticating/',
    'oauth:',
    withDigit(String.raw`[a-z0-9]{30}(?![\w-])`)
  ],
  [
    'Twitter token',
    gitleaks,
    'AAAAAAAAAAAAAAAAAAAAA',
    /A(?=[A-Za-z0-9]{0,100}%[0-9A-F]{2})[A-Za-z0-9%]{70,110}(?![\w+/=-])/y,
    'plain'
  ],
  ['Ubidots token', trufflehog, 'BBFF- BBUS-', /[A-Za-z0-9]{30,}/y],
  ['Unkey key', github, 'unkey_', withDigit(String.raw`[A-Za-z0-9]{16,}(?![\w-])`)],
  ['Vault token', gitleaks, 's.', /(?=[A-Za-z]{0,23}\d)(?=[a-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\w.(-])/y],
  ['VolcEngine key', github, 'AKLT', /[\w-]{40,}={0,2}/y, 'plain'],
  ['WakaTime key', trufflehog, 'waka_', new RegExp(uuid, 'y')],
  ['Yandex token', gitleaks, 't1.', /[\w-]{20,}={0,2}\.[\w-]{60,}={0,2}/y],
  ['Yandex token', github, 'y0_ y1_ y2_ y3_', /[\w-]{50,}/y],
  ['Yandex key', github, 'dict.1.1. trnsl.1.1. pdct.1.1.', /\d{8}T\d{6}Z\.[0-9a-f]{16}\.[0-9a-f]{40}/y],
  ['Zoho token', trufflehog, '1000.', /[0-9a-f]{32}\.[0-9a-f]{32}(?![\w-])/y],
  ['Zuplo key', github, 'zpka_', /[A-Za-z0-9]{32}_[0-9a-f]{8}/y]
]

/** Further formats with a prefix, of public lists of rules and of the documents of agents. */
export const formatRows: readonly SecretFormat[] = rows.map(([kind, source, starts, rest, plain]) => ({
  kind,
  source,
  starts: starts.split(' '),
  rest,
  ...(plain === undefined ? {} : { plain: true })
}))
