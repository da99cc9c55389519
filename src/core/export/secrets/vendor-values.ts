import { isRandom } from './secret-names.ts'
import type { SecretSpan } from './secret-span.ts'

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Names of vendors whose secrets have no sign of their own, and the shapes of these: `heroku = UUID`. */
const vendors: readonly (readonly [names: string, shape: string])[] = [
  ['adafruit fastly nytimes', '[a-z0-9_=-]{32}'],
  ['airtable', '[A-Za-z0-9]{17}'],
  ['algolia asana bitbucket bittrex codecov droneci flickr privateai private_ai shodan mistral', '[a-z0-9]{32}'],
  ['alibaba aliyun', '[A-Za-z0-9]{30}'],
  ['atlassian confluence jira', '[A-Za-z0-9]{24}'],
  ['cloudflare', '[A-Za-z0-9_-]{40}|[0-9a-f]{37}'],
  ['cohere datadog gitter zendesk meraki sendbird deepgram', '[A-Za-z0-9]{40}'],
  ['coinbase', '[A-Za-z0-9_-]{64}'],
  ['confluent', '[A-Za-z0-9]{64}|[A-Za-z0-9]{16}'],
  ['contentful', '[A-Za-z0-9_=-]{43}'],
  ['discord', '[0-9a-f]{64}|[A-Za-z0-9_=-]{32}'],
  ['dropbox', '[a-z0-9]{11}AAAAAAAAAA[A-Za-z0-9_=-]{43}|[a-z0-9]{15}'],
  ['etsy kucoin', `[a-z0-9]{24}|${uuid}`],
  ['facebook linear', '[0-9a-f]{32}'],
  ['finicity finnhub', '[0-9a-f]{32}|[a-z0-9]{20}'],
  ['freshbooks softlayer cloudant sumologic', '[A-Za-z0-9]{64}'],
  ['heroku hubspot snyk squarespace', uuid],
  ['intercom', '[A-Za-z0-9_=-]{60}'],
  ['jfrog artifactory', '[A-Za-z0-9]{73}|[A-Za-z0-9]{64}'],
  ['kraken', '[A-Za-z0-9/=_+-]{80,90}'],
  ['launchdarkly sonar', '[A-Za-z0-9_=-]{40}'],
  ['linkedin linked_in', '[A-Za-z0-9]{16}'],
  ['mailgun', '[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}'],
  ['mattermost', '[a-z0-9]{26}'],
  ['messagebird message_bird', `[A-Za-z0-9]{25}|${uuid}`],
  ['netlify', '[A-Za-z0-9_=-]{40,46}'],
  ['newrelic new_relic sentry', '[A-Za-z0-9]{64}'],
  ['okta', '00[A-Za-z0-9_=-]{40}'],
  ['plaid', '[a-z0-9]{30}|[a-z0-9]{24}'],
  ['rapidapi', '[A-Za-z0-9_-]{50}'],
  ['contribsys__com', '[0-9a-f]{8}:[0-9a-f]{8}'],
  ['travis', '[A-Za-z0-9]{22}'],
  ['trello', '[0-9a-f]{64}|[0-9a-f]{32}'],
  ['twitch', '[a-z0-9]{30}'],
  ['twitter', String.raw`\d{15,25}-[A-Za-z0-9]{20,40}|[A-Za-z0-9]{50}|[A-Za-z0-9]{45}|[A-Za-z0-9]{25}`]
]

/** From the vendor's name to the value: the rest of the name, an operator and quotes. */
const before = String.raw`([ \w.-]{0,24})\\{0,4}["'\x60]?\]?\s{0,3}(?:[:=]|:=|=>|\?=|\|\|)\s{0,3}\\{0,4}["'\x60]?`
const shapes = new Map(
  vendors.flatMap(([names, shape]) => {
    const pattern = new RegExp(String.raw`${before}(${shape})(?![\w=+/-])`, 'y')
    return names.split(' ').map((name) => [name, pattern] as const)
  })
)

/** What is not secret: the ids, versions and hashes of a vendor. */
const other =
  /\b_?(?:ids?|version|release|commit|sha\d*|rev(?:ision)?|hash|digest|build|urls?|user|org|project|session)\b/i

export const vendorNames: readonly string[] = [...shapes.keys()]

/** The value that the name of a vendor announces, from `at` to `end`. */
export function vendorValue(text: string, at: number, end: number): SecretSpan | null {
  const pattern = shapes.get(text.slice(at, end).toLowerCase())
  if (pattern === undefined) return null
  pattern.lastIndex = end
  const [, rest = '', value] = pattern.exec(text) ?? []
  if (value === undefined || other.test(rest.replace(/_/g, ' ')) || !isRandom(value)) return null
  return { kind: 'API key', start: pattern.lastIndex - value.length, end: pattern.lastIndex }
}
