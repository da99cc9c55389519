/** Cloud platforms that a name may begin with, as programs write them: "bedrock/us.anthropic.…". */
const platforms =
  /^(?:(?:amazon-)?bedrock|vertex(?:_ai)?|google-vertex(?:-anthropic)?|openrouter|azure(?:_ai)?|(?:github[-_])?copilot)\//

/** Amazon Bedrock: the region, the vendor and a dot. "us.anthropic.claude-sonnet-4-6", "openai.gpt-5.4". */
const bedrock = /^(?:(?:us|eu|jp|apac|au|global|ca|us-gov)\.)?(?:anthropic|openai)\./

/** The revision of Bedrock: "-v1:0", "-v1", ":0". */
const revision = /(?:-v\d+)?(?::\d+)?(?=$|\[)/

/** A profile of an account names no model: arn:aws:bedrock:<region>:<account>:application-inference-profile/<id>. */
const accountProfile = /application-inference-profile\//

/** Where a vendor's name stands before that of a model: "anthropic/claude-opus-4.6". */
const vendor = /^[a-z0-9][a-z0-9_.-]*\//

/** What "@" adds to the names of Vertex AI, and vendors to a model of a date. */
const dated = /(?:@default|[-@](?:20\d{6}|20\d\d-\d\d-\d\d))(?=$|\[)/

/** The name without a date at its end: "gpt-5-2025-08-07", "claude-opus-4-5@20251101", "claude-opus-4-6@default". */
export function withoutDate(model: string): string {
  return model.replace(dated, '')
}

/** The name for people, without the platform, the vendor and the date. */
export function bareModel(model: string): string {
  const name = model.replace(/^.*\//, '')
  return withoutDate(bedrock.test(name) ? name.replace(revision, '').replace(bedrock, '') : name)
}

/** Whether the name says that a platform served the model. */
export function namesPlatform(model: string): boolean {
  return model.includes('/') || bedrock.test(model)
}

/**
 * The shorter names of a model that a cloud platform names, the longest first. `model`: in lower case. None: no rule
 * applies. ":free" and other suffixes of OpenRouter stay, as they change the price or the route; ":beta" does not.
 */
export function platformNames(model: string): string[] {
  if (accountProfile.test(model)) return []
  const names: string[] = []
  let name = model.replace(/^arn:aws[a-z-]*:bedrock:[^/]*\//, '').replace(platforms, '')
  const add = (next: string): void => {
    if (next !== model && next !== name) names.push(next)
    name = next
  }
  if (name !== model) names.push(name)
  if (bedrock.test(name)) {
    add(withoutDate(name.replace(revision, '')))
    add(name.replace(bedrock, ''))
    return names
  }
  add(withoutDate(name.replace(/:beta$/, '')))
  add(name.replace(vendor, ''))
  // "claude-opus-4.6" is claude-opus-4-6 elsewhere. Other vendors have the dot in their own names.
  if (name.startsWith('claude-')) add(name.replaceAll(/(?<=\d)\.(?=\d)/g, '-'))
  return names
}
