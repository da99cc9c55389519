import { formatRows } from './format-rows.ts'
import type { SecretFormat } from './secret-format.ts'
import { isRandom } from './secret-names.ts'
import type { SecretSpan } from './secret-span.ts'
import type { Sign } from './sign-scanner.ts'
import { unwrapped, wrappedEnd } from './wrapped-tokens.ts'

const awsKeyId = 'AWS access key id'

const github = 'https://docs.github.com/en/code-security/reference/secret-security/supported-secret-scanning-patterns'
const gitleaks = 'https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml'
const trufflehog = 'https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors'

/** Formats with a common prefix: the surest first. */
export const formats: readonly SecretFormat[] = [
  { kind: 'Anthropic API key', source: gitleaks, starts: ['sk-ant-'], rest: /[\w-]{12,}/y },
  {
    kind: 'OpenRouter API key',
    source: 'https://openrouter.ai/docs/api-reference/authentication',
    starts: ['sk-or-v1-'],
    full: 64,
    rest: /[0-9a-f]{32,}/y
  },
  {
    kind: 'OpenAI API key',
    source: gitleaks,
    starts: ['sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-None-'],
    rest: /[\w-]{20,}/y
  },
  {
    kind: 'OpenAI API key',
    source: gitleaks,
    starts: ['sk-'],
    rest: /(?:(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{20,}|[A-Za-z]{32,})(?![\w-])/y
  },
  {
    kind: 'Stripe key',
    source: 'https://docs.stripe.com/keys',
    starts: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
    rest: /[A-Za-z0-9]{10,}/y
  },
  { kind: 'Stripe key', source: 'https://docs.stripe.com/keys', starts: ['whsec_'], rest: /[A-Za-z0-9+/]{24,}={0,2}/y },
  {
    kind: 'Google API key',
    source: 'https://cloud.google.com/docs/authentication/api-keys',
    starts: ['AIza'],
    full: 35,
    rest: /[\w-]{30,45}(?![\w+/=-])/y,
    plain: true
  },
  {
    kind: 'Google OAuth token',
    source: 'https://developers.google.com/identity/protocols/oauth2',
    starts: ['ya29.'],
    rest: /[\w-]{16,}/y
  },
  {
    kind: 'Google OAuth token',
    source: 'https://developers.google.com/identity/protocols/oauth2',
    starts: ['1//0'],
    rest: /[\w-]{40,}/y,
    plain: true
  },
  {
    kind: 'Google OAuth client secret',
    source: 'https://developers.google.com/identity/protocols/oauth2',
    starts: ['GOCSPX-'],
    full: 28,
    rest: /[\w-]{20,}/y
  },
  {
    kind: 'AWS access key id',
    source: 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html',
    starts: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    rest: /[A-Z0-9]{16}(?![\w+/=])/y,
    plain: true
  },
  {
    kind: 'GitHub token',
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github',
    starts: ['ghp_', 'gho_', 'ghu_', 'ghr_'],
    full: 36,
    rest: /[A-Za-z0-9]{30,}/y
  },
  {
    kind: 'GitHub token',
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github',
    starts: ['ghs_'],
    rest: /[\w-]{30,}(?:\.[\w-]{8,}){0,2}/y
  },
  {
    kind: 'GitHub token',
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github',
    starts: ['github_pat_'],
    full: 82,
    rest: /\w{20,}/y
  },
  {
    kind: 'GitLab token',
    source: 'https://docs.gitlab.com/security/tokens/',
    starts: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glsoat-'],
    rest: /[\w-]{18,}(?:\.[\w-]{2,}){0,2}/y
  },
  {
    kind: 'Slack token',
    source: 'https://api.slack.com/authentication/token-types',
    starts: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    rest: /[A-Za-z0-9%./+-]{10,}/y
  },
  {
    kind: 'Slack webhook',
    source: 'https://api.slack.com/messaging/webhooks',
    starts: ['hooks.slack.com/services/', 'hooks.slack.com/workflows/', 'hooks.slack.com/triggers/'],
    rest: /[A-Za-z0-9]{6,}(?:\/[A-Za-z0-9]{6,}){1,3}/y
  },
  {
    kind: 'Discord webhook',
    source: 'https://discord.com/developers/docs/resources/webhook',
    starts: ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    rest: /\d{10,24}\/[\w-]{30,}/y
  },
  {
    kind: 'npm token',
    source: 'https://docs.npmjs.com/about-access-tokens',
    starts: ['npm_'],
    full: 36,
    rest: /[A-Za-z0-9]{30,}/y
  },
  { kind: 'crates.io token', source: trufflehog, starts: ['cio'], rest: /[A-Za-z0-9]{32}(?![\w+/=-])/y, plain: true },
  { kind: 'NuGet key', source: github, starts: ['oy2'], rest: /[a-z0-9]{43}(?![\w+/=-])/y, plain: true },
  {
    kind: 'PyPI token',
    source: 'https://pypi.org/help/#apitoken',
    starts: ['pypi-'],
    rest: /AgE[\w-]{16,}|[\w-]{80,}/y
  },
  { kind: 'RubyGems key', source: gitleaks, starts: ['rubygems_'], full: 48, rest: /[0-9a-f]{40,}/y },
  { kind: 'Hugging Face token', source: gitleaks, starts: ['hf_', 'api_org_'], full: 34, rest: /[A-Za-z0-9]{24,}/y },
  { kind: 'SendGrid key', source: gitleaks, starts: ['SG.'], rest: /[\w-]{16,64}\.[\w-]{16,}/y },
  {
    kind: 'Twilio key',
    source: 'https://www.twilio.com/docs/glossary/what-is-a-sid',
    starts: ['SK'],
    rest: /[0-9a-f]{32}(?![\w+/=])/y,
    plain: true
  },
  {
    kind: 'Twilio auth token',
    source: 'https://www.twilio.com/docs/glossary/what-is-a-sid',
    starts: ['AC'],
    rest: /[0-9a-f]{32}:[0-9a-f]{32}(?![\w+/=])/y,
    plain: true
  },
  { kind: 'Mailgun key', source: gitleaks, starts: ['key-'], rest: /[0-9a-f]{32}(?![\w-])/y },
  {
    kind: 'DigitalOcean token',
    source: gitleaks,
    starts: ['dop_v1_', 'doo_v1_', 'dor_v1_'],
    full: 64,
    rest: /[0-9a-f]{40,}/y
  },
  { kind: 'Docker Hub token', source: github, starts: ['dckr_pat_', 'dckr_oat_'], rest: /[\w-]{20,}/y },
  {
    kind: 'Databricks token',
    source: gitleaks,
    starts: ['dapi'],
    rest: /[0-9a-f]{32}(?:-\d)?(?![\w+/=])/y,
    plain: true
  },
  { kind: 'Groq key', source: github, starts: ['gsk_'], full: 52, rest: /[A-Za-z0-9]{40,}/y },
  { kind: 'xAI key', source: github, starts: ['xai-'], full: 80, rest: /[A-Za-z0-9]{60,}/y },
  { kind: 'Perplexity key', source: gitleaks, starts: ['pplx-'], full: 48, rest: /[A-Za-z0-9]{40,}/y },
  { kind: 'Replicate token', source: trufflehog, starts: ['r8_'], full: 37, rest: /[A-Za-z0-9]{36,}/y },
  {
    kind: 'Shopify token',
    source: gitleaks,
    starts: ['shpat_', 'shpca_', 'shppa_', 'shpss_'],
    full: 32,
    rest: /[0-9a-fA-F]{32,}/y
  },
  { kind: 'Square token', source: gitleaks, starts: ['sq0atp-', 'sq0csp-'], rest: /[\w-]{22,}/y },
  {
    kind: 'Supabase key',
    source: 'https://supabase.com/docs/guides/api/api-keys',
    starts: ['sbp_'],
    full: 40,
    rest: /[0-9a-f]{40,}/y
  },
  {
    kind: 'Supabase key',
    source: 'https://supabase.com/docs/guides/api/api-keys',
    starts: ['sb_secret_'],
    rest: /[\w-]{20,}/y
  },
  { kind: 'Atlassian token', source: gitleaks, starts: ['ATATT3', 'ATCTT3'], rest: /[\w=-]{50,}/y },
  {
    kind: 'Airtable token',
    source: gitleaks,
    starts: ['pat'],
    rest: /[A-Za-z0-9]{14}\.[0-9a-f]{64}(?![\w-])/y,
    plain: true
  },
  {
    kind: 'Doppler token',
    source: gitleaks,
    starts: ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    rest: /[\w.-]{40,}/y
  },
  {
    kind: 'Fly.io token',
    source: gitleaks,
    starts: ['fm1_', 'fm1r_', 'fm2_', 'fo1_'],
    rest: /[A-Za-z0-9+/_-]{40,}={0,3}/y
  },
  { kind: 'Heroku key', source: gitleaks, starts: ['HRKU-'], rest: /[\w-]{36,}/y },
  {
    kind: 'PlanetScale key',
    source: gitleaks,
    starts: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'],
    rest: /[\w.-]{32,}/y
  },
  { kind: 'Pulumi token', source: gitleaks, starts: ['pul-'], rest: /[0-9a-f]{40}(?![\w-])/y },
  { kind: 'Linear key', source: gitleaks, starts: ['lin_api_', 'lin_oauth_'], full: 40, rest: /[A-Za-z0-9]{32,}/y },
  { kind: 'Notion token', source: gitleaks, starts: ['ntn_'], rest: /[A-Za-z0-9]{40,}/y },
  { kind: 'Notion token', source: gitleaks, starts: ['secret_'], rest: /[A-Za-z0-9]{43}(?![\w-])/y },
  { kind: 'Grafana token', source: gitleaks, starts: ['glsa_', 'glc_'], rest: /[\w+/-]{32,}={0,2}/y },
  {
    kind: 'Vault token',
    source: 'https://developer.hashicorp.com/vault/docs/concepts/tokens',
    starts: ['hvs.', 'hvb.', 'hvr.'],
    rest: /[\w-]{24,}/y
  },
  { kind: 'Postman key', source: gitleaks, starts: ['PMAK-'], rest: /[0-9a-f]{24}-[0-9a-f]{34}/y },
  { kind: 'New Relic key', source: gitleaks, starts: ['NRAK-'], full: 27, rest: /[A-Z0-9]{27}/y },
  { kind: 'Sentry token', source: gitleaks, starts: ['sntrys_', 'sntryu_'], rest: /[\w+/=-]{40,}/y },
  { kind: 'Figma token', source: trufflehog, starts: ['figd_'], full: 43, rest: /[\w-]{40,}/y },
  {
    kind: 'age secret key',
    source: 'https://github.com/C2SP/C2SP/blob/main/age.md',
    starts: ['AGE-SECRET-KEY-1'],
    rest: /[A-Z0-9]{40,}/y
  },
  {
    kind: 'Azure storage key',
    source: 'https://learn.microsoft.com/azure/storage/common/storage-account-keys-manage',
    starts: ['AccountKey='],
    rest: /[A-Za-z0-9+/]{80,}={0,2}/y
  },
  {
    kind: 'Tailscale key',
    source: 'https://tailscale.com/kb/1277/key-prefixes',
    starts: ['tskey-'],
    rest: /[A-Za-z0-9]{2,12}-[\w-]{14,}|[A-Za-z0-9]{12,}/y
  },
  { kind: 'ElevenLabs key', source: trufflehog, starts: ['sk_'], rest: /[0-9a-f]{48}(?![\w-])/y, full: 48 },
  {
    kind: 'Netlify token',
    source: trufflehog,
    starts: ['nfp_', 'nfc_', 'nfo_', 'nfb_', 'nfu_'],
    rest: /[A-Za-z0-9]{30,}/y,
    full: 40
  },
  {
    kind: 'Bitbucket token',
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/access-tokens/',
    starts: ['ATBB'],
    rest: /[A-Za-z0-9]{28,36}(?![\w+/=-])/y,
    full: 32,
    plain: true
  },
  {
    kind: 'GitLab token',
    source: 'https://docs.gitlab.com/security/tokens/',
    starts: ['GR1348941'],
    rest: /[\w-]{20,}/y,
    full: 20
  },
  { kind: 'Square token', source: gitleaks, starts: ['EAAA'], rest: /[\w-]{60}(?![\w+/=-])/y, full: 60, plain: true },
  {
    kind: 'FCM server key',
    source: trufflehog,
    starts: ['AAAA'],
    rest: /[\w-]{7}:[\w-]{140}(?![\w+/=-])/y,
    full: 148,
    plain: true
  },
  { kind: 'Cursor key', source: trufflehog, starts: ['key_', 'crsr_'], rest: /[0-9a-f]{64}(?![\w-])/y, full: 64 },
  {
    kind: 'Facebook token',
    source: gitleaks,
    starts: ['EAAM', 'EAAC', 'EAAG'],
    rest: /[A-Za-z0-9]{90,}(?![\w+/=-])/y,
    plain: true
  },
  { kind: '1Password token', source: gitleaks, starts: ['ops_eyJ'], rest: /[\w+/-]{200,}={0,3}/y },
  {
    kind: '1Password secret key',
    source: gitleaks,
    starts: ['A3-'],
    rest: /[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![\w-])/y
  },
  { kind: 'Adobe client secret', source: gitleaks, starts: ['p8e-'], rest: /[\w-]{32}(?![\w-])/y, full: 32 },
  {
    kind: 'Alibaba access key id',
    source: gitleaks,
    starts: ['LTAI'],
    rest: /[A-Za-z0-9]{16,24}(?![\w+/=-])/y,
    full: 20,
    plain: true
  },
  {
    kind: 'Artifactory key',
    source: gitleaks,
    starts: ['AKCp'],
    rest: /[A-Za-z0-9]{60,72}(?![\w+/=-])/y,
    full: 69,
    plain: true
  },
  {
    kind: 'Artifactory key',
    source: gitleaks,
    starts: ['cmVmd'],
    rest: /[A-Za-z0-9]{59}(?![\w+/=-])/y,
    full: 59,
    plain: true
  },
  {
    kind: 'Atlassian token',
    source: github,
    starts: ['ATSTT3x', 'ATOAT3x', 'ATTA'],
    rest: /[\w=-]{60,}/y,
    plain: true
  },
  { kind: 'Buildkite token', source: github, starts: ['bkua_'], rest: /[0-9a-z]{40,}/y, full: 40 },
  { kind: 'Cerebras key', source: github, starts: ['csk-'], rest: /[a-z0-9]{40,}(?![\w-])/y },
  { kind: 'CircleCI token', source: github, starts: ['CCIPAT_', 'CCIPRJ_'], rest: /[A-Za-z0-9]{20,24}_[0-9a-f]{40}/y },
  {
    kind: 'ClickHouse key',
    source: gitleaks,
    starts: ['4b1d'],
    rest: /(?=[0-9a-f]{0,38}[A-Zg-z])[A-Za-z0-9]{38}(?![\w+/=-])/y,
    full: 38,
    plain: true
  },
  { kind: 'Clojars token', source: gitleaks, starts: ['CLOJARS_'], rest: /[0-9a-f]{60}/y, full: 60 },
  { kind: 'Cloudflare key', source: gitleaks, starts: ['v1.0-'], rest: /[0-9a-f]{24}-[0-9a-f]{146}/y, full: 171 },
  { kind: 'Contentful token', source: trufflehog, starts: ['CFPAT-'], rest: /[\w-]{40,}/y, full: 43 },
  { kind: 'Dropbox token', source: gitleaks, starts: ['sl.'], rest: /(?:u\.)?[\w-]{120,}/y },
  { kind: 'Duffel token', source: gitleaks, starts: ['duffel_live_', 'duffel_test_'], rest: /[\w-]{43}/y, full: 43 },
  {
    kind: 'Dynatrace token',
    source: gitleaks,
    starts: ['dt0c01.', 'dt0s01.', 'dt0s16.'],
    rest: /[A-Z0-9]{8,24}\.[A-Z0-9]{64}/y
  },
  { kind: 'E2B key', source: trufflehog, starts: ['e2b_'], rest: /[0-9a-f]{40}/y, full: 40 },
  {
    kind: 'EasyPost key',
    source: gitleaks,
    starts: ['EZAK', 'EZTK'],
    rest: /[A-Za-z0-9]{54}(?![\w+/=-])/y,
    full: 54,
    plain: true
  },
  { kind: 'Firecrawl key', source: trufflehog, starts: ['fc-'], rest: /[0-9a-f]{32}(?![\w-])/y, full: 32 },
  { kind: 'Flutterwave key', source: gitleaks, starts: ['FLWSECK-', 'FLWSECK_TEST-'], rest: /[\w-]{12,}/y },
  { kind: 'Frame.io token', source: gitleaks, starts: ['fio-u-'], rest: /[\w=-]{64}/y, full: 64 },
  {
    kind: 'Harness token',
    source: gitleaks,
    starts: ['pat.', 'sat.'],
    rest: /[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}(?![\w-])/y
  },
  {
    kind: 'HubSpot token',
    source: trufflehog,
    starts: ['pat-na1-', 'pat-na2-', 'pat-eu1-'],
    rest: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y,
    full: 36
  },
  { kind: 'Infracost key', source: gitleaks, starts: ['ico-'], rest: /[A-Za-z0-9]{32}(?![\w-])/y, full: 32 },
  { kind: 'Jina key', source: trufflehog, starts: ['jina_'], rest: /[\w-]{50,}/y },
  {
    kind: 'Langfuse key',
    source: trufflehog,
    starts: ['sk-lf-'],
    rest: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y,
    full: 36
  },
  {
    kind: 'LangSmith key',
    source: github,
    starts: ['lsv2_pt_', 'lsv2_sk_'],
    rest: /[0-9a-f]{32}_[0-9a-f]{10}/y,
    full: 43
  },
  {
    kind: 'LaunchDarkly key',
    source: github,
    starts: ['sdk-', 'api-'],
    rest: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w-])/y,
    full: 36
  },
  { kind: 'Lob key', source: gitleaks, starts: ['live_', 'test_'], rest: /[0-9a-f]{35}(?![\w-])/y, full: 35 },
  { kind: 'Mapbox token', source: gitleaks, starts: ['sk.eyJ'], rest: /[\w-]{20,}\.[\w-]{16,}/y },
  { kind: 'Neon key', source: trufflehog, starts: ['napi_'], rest: /[a-z0-9]{60,}/y, full: 64 },
  { kind: 'New Relic key', source: gitleaks, starts: ['NRII-', 'NRAA-', 'NRAL-'], rest: /[\w-]{27,}/y },
  { kind: 'NVIDIA key', source: github, starts: ['nvapi-'], rest: /[\w-]{60,}/y, full: 64 },
  { kind: 'Octopus key', source: gitleaks, starts: ['API-'], rest: /[A-Z0-9]{26}(?![\w-])/y, full: 26 },
  { kind: 'OpenShift token', source: gitleaks, starts: ['sha256~'], rest: /[\w-]{43}(?![\w-])/y, full: 43 },
  { kind: 'Pinecone key', source: github, starts: ['pcsk_'], rest: /[A-Za-z0-9_]{50,}/y },
  { kind: 'PostHog key', source: github, starts: ['phx_'], rest: /[\w-]{40,}/y },
  { kind: 'Prefect key', source: gitleaks, starts: ['pnu_'], rest: /[A-Za-z0-9]{36}(?![\w-])/y, full: 36 },
  { kind: 'ReadMe key', source: gitleaks, starts: ['rdme_'], rest: /[a-z0-9]{70}/y, full: 70 },
  { kind: 'Render key', source: trufflehog, starts: ['rnd_'], rest: /[A-Za-z0-9]{28,}(?![\w-])/y, full: 32 },
  {
    kind: 'Resend key',
    source: trufflehog,
    starts: ['re_'],
    rest: /[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}(?![\w-])/y,
    full: 33
  },
  {
    kind: 'Brevo key',
    source: gitleaks,
    starts: ['xkeysib-', 'xsmtpsib-'],
    rest: /[0-9a-f]{64}-[A-Za-z0-9]{16}/y,
    full: 81
  },
  {
    kind: 'Shippo token',
    source: gitleaks,
    starts: ['shippo_live_', 'shippo_test_'],
    rest: /[0-9a-fA-F]{40}/y,
    full: 40
  },
  {
    kind: 'SonarQube token',
    source: gitleaks,
    starts: ['sqp_', 'squ_', 'sqa_'],
    rest: /[0-9a-f]{40}(?![\w-])/y,
    full: 40
  },
  {
    kind: 'Sourcegraph token',
    source: gitleaks,
    starts: ['sgp_'],
    rest: /(?:[0-9a-fA-F]{16}_|local_)?[0-9a-fA-F]{40}/y,
    full: 57
  },
  { kind: 'Tavily key', source: trufflehog, starts: ['tvly-'], rest: /(?:dev-|prod-)?[A-Za-z0-9]{20,}/y },
  { kind: 'Together key', source: trufflehog, starts: ['tgp_v1_'], rest: /[\w-]{40,}/y, full: 43 },
  { kind: 'Typeform token', source: gitleaks, starts: ['tfp_'], rest: /[\w.=-]{40,}/y },
  {
    kind: 'Vercel token',
    source: github,
    starts: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    rest: /[A-Za-z0-9]{24,}(?![\w-])/y
  },
  { kind: 'Yandex key', source: gitleaks, starts: ['AQVN', 'YCAJ'], rest: /[\w-]{32,}(?![\w+/=-])/y, plain: true },
  {
    kind: 'Microsoft Teams webhook',
    source: gitleaks,
    starts: ['webhook.office.com/webhookb2/'],
    rest: /[0-9a-f-]{36}@[0-9a-f-]{36}\/IncomingWebhook\/[0-9a-f]{32}\/[0-9a-f-]{36}/y
  },
  {
    kind: 'Zapier webhook',
    source: gitleaks,
    starts: ['hooks.zapier.com/hooks/catch/'],
    rest: /\d{4,12}\/[A-Za-z0-9]{5,20}/y
  },
  // A private key in base64, as in a kubeconfig: `-----BEGIN RSA PRIVATE KEY` and others.
  {
    kind: 'private key',
    source: 'https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/',
    starts: [
      ...['LS0tLS1CRUdJTiBSU0Eg', 'LS0tLS1CRUdJTiBFQyBQUk', 'LS0tLS1CRUdJTiBQUklW', 'LS0tLS1CRUdJTiBPUEVO'],
      ...['LS0tLS1CRUdJTiBFTkNS', 'LS0tLS1CRUdJTiBEU0Eg']
    ],
    rest: /[A-Za-z0-9+/]{60,}={0,2}/y
  },
  // Three parts of a signed token, the second also an object, possibly cut; five parts of an encrypted one.
  {
    kind: 'JSON web token',
    source: 'https://www.rfc-editor.org/rfc/rfc7519',
    starts: ['eyJ'],
    rest: /[\w-]{8,}\.(?:eyJ[\w-]{6,}(?:\.[\w-]*)?|[\w-]*\.[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/y
  },
  ...formatRows
]

export const formatSigns: readonly Sign<SecretFormat>[] = formats.flatMap((format) =>
  format.starts.map((text) => ({ text, of: format }))
)

/** The secret of a format at a place, and the AWS secret beside an id. */
export function formattedSecrets(
  text: string,
  at: number,
  { text: start, of: format }: Sign<SecretFormat>
): SecretSpan[] {
  const span = secretAt(text, at, start, format)
  if (span === null) return []
  const pair = span.kind === awsKeyId ? awsSecretAfter(text, span.end) : null
  return pair === null ? [span] : [span, pair]
}

const awsSecret = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/

/** The secret of an AWS pair: it has no known form, but is beside its id. Not a hash of 40 digits. */
function awsSecretAfter(text: string, at: number): SecretSpan | null {
  const found = awsSecret.exec(text.slice(at, at + 120))
  if (found === null || /^[0-9a-f]+$/.test(found[0])) return null
  const start = at + found.index
  return { kind: 'AWS secret key', start, end: start + found[0].length }
}

function secretAt(
  text: string,
  at: number,
  start: string,
  { kind, rest, plain, full }: SecretFormat
): SecretSpan | null {
  if (!beginsAt(text, at, plain === true) && !isSureAfterName(text, at, start)) return null
  rest.lastIndex = at + start.length
  if (rest.test(text)) {
    const end = wrappedEnd(text, at + start.length, rest.lastIndex, full)
    const span = { kind, start: at, end }
    return full === undefined ? span : { ...span, lacks: Math.max(0, at + start.length + full - end) }
  }
  const whole = unwrapped(text, at, start.length)
  if (whole === null) return null
  rest.lastIndex = start.length
  if (!rest.test(whole.text) || !isRandom(whole.text.slice(start.length, rest.lastIndex))) return null
  return { kind, start: at, end: whole.placeOf(rest.lastIndex - 1) + 1 }
}

/** An unambiguous prefix may follow a name: `backup-ghp_…`, `old_glpat-…`. */
function isSureAfterName(text: string, at: number, start: string): boolean {
  return /[-_]/.test(text.charAt(at - 1)) && start.length >= 4 && /[-_]$/.test(start) && !ordinaryWords.has(start)
}

/** `cache-key-…` is not a key of Mailgun. */
const ordinaryWords: ReadonlySet<string> = new Set([
  ...['key-', 'key_', 'secret_', 'pul-', 'pypi-', 'live_', 'test_', 'sdk-', 'api-', 'API-'],
  ...['ico-', 'sk_', 'fc-', 'csk-', 'pat-'],
  ...[
    'pat_',
    'app-',
    'dataset-',
    'secret-',
    'console-',
    'sandbox_',
    'ext_',
    'TEST-',
    'pubkey-',
    'sess-',
    'ion_',
    'rca_'
  ]
])

/** Escapes before a token that look like part of it: of a string, a URL, a colour. */
const escapeBefore = /(?:\\[nrtbf]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\[[\d;]{0,12}m)$/

/** Whether a token may begin here; inside a longer one (an encrypted text, an image) it is there by chance. */
export function beginsAt(text: string, at: number, plain = false): boolean {
  const before = text.charAt(at - 1)
  if (!(plain ? /[\w+/-]/ : /[\w-]/).test(before)) return true
  return escapeBefore.test(text.slice(Math.max(0, at - 16), at))
}
