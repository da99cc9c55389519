import * as z from 'zod'
import { groupedText } from '../measure-text.ts'
import { namesPlatform, platformNames, withoutDate } from './platform-names.ts'
import { longRequests } from './token-groups.ts'

/** US dollars for a million tokens, with at most six decimals, so that sums are exact. */
const Price = z
  .number()
  .min(0)
  .max(100_000)
  .refine((usd) => Number.isInteger(picodollars(usd)), 'has more than six decimals')

const longSizes = longRequests.map(groupedText).join(', ')

const Rates = z.strictObject({
  input: Price.describe('Tokens sent that are not cached'),
  cacheRead: Price.optional().describe('Tokens read from the cache. Absent: not known'),
  cacheWrite: Price.optional().describe('Tokens written to the cache, for minutes. Absent: not known'),
  cacheWriteHour: Price.nullable()
    .optional()
    .describe('Tokens written to the cache for an hour. Absent: the vendor makes no difference; null: not known'),
  output: Price.describe('All output of the model, reasoning included')
})
export type Rates = z.infer<typeof Rates>

const ModelPrices = Rates.extend({
  names: z
    .array(z.string().min(1).max(300))
    .min(1)
    .max(50)
    .describe(
      'Names of the model in logs. A date at the end of a name in a log is ignored; "*" at the end fits any end'
    ),
  long: Rates.extend({
    over: z.literal([...longRequests]).describe(`The request sent more than this number of tokens: ${longSizes}`)
  })
    .optional()
    .describe('The prices of all tokens of a long request'),
  fast: Rates.optional().describe('The prices of requests in fast mode, which the log must state. Absent: not known')
})
export type ModelPrices = z.infer<typeof ModelPrices>

/** A price file: `resources/prices.json`, or a person's own. */
export const PriceTable = z.strictObject({
  $schema: z.string().optional(),
  sources: z
    .array(
      z.strictObject({
        address: z.string().min(1).max(1000).describe('Where the prices were published'),
        date: z.iso.date().describe('When they were read there'),
        models: z.array(ModelPrices).max(1000),
        unpriced: z
          .array(z.string().min(1).max(300))
          .max(1000)
          .optional()
          .describe('Names without a price, though a shorter name has one: the published price is doubtful')
      })
    )
    .min(1)
    .max(100)
})
export type PriceTable = z.infer<typeof PriceTable>

/** The prices of a model, and when they were read. */
export interface DatedPrices extends ModelPrices {
  readonly date: string
}

/** The JSON Schema of price files, for editors. */
export function pricesJsonSchema(): unknown {
  return { ...z.toJSONSchema(PriceTable, { io: 'input' }), title: 'Playhead prices' }
}

/** Price of one token in 10⁻¹² dollars. */
export function picodollars(usdPerMillion: number): number {
  const exact = usdPerMillion * 1e6
  const near = Math.round(exact)
  // 0.075 × 10⁶ is not an integer in binary.
  return Math.abs(exact - near) < 1e-4 ? near : exact
}

/** The prices that a name of a log leads to. */
export interface FoundPrices {
  readonly prices: DatedPrices
  /** They are those of the vendor. The log names the model as a platform does, which may bill another price. */
  readonly ofVendor: boolean
}

const found = new WeakMap<PriceTable, Map<string, FoundPrices | null>>()

/**
 * Null: no price. An exact name wins over one without its date, a longer beginning over a shorter one, and all of them
 * over what a rule makes of the name of a platform (`platformNames`), which must be a whole name of the table.
 */
export function pricesOf(table: PriceTable, model: string): FoundPrices | null {
  let known = found.get(table)
  if (known === undefined) found.set(table, (known = new Map()))
  const before = known.get(model)
  if (before !== undefined) return before
  const prices = find(table, model.toLowerCase())
  if (known.size < 10_000) known.set(model, prices)
  return prices
}

function find(table: PriceTable, model: string): FoundPrices | null {
  for (const name of [model, ...platformNames(model)]) {
    const undated = withoutDate(name)
    if (table.sources.some(({ unpriced = [] }) => unpriced.some((none) => none.toLowerCase() === undated))) return null
    const prices = best(table, name, undated, name === model)
    // A name with its platform may be in the table itself: "eu.anthropic.claude-opus-4-6".
    if (prices !== null) return { prices, ofVendor: namesPlatform(model) && !namesPlatform(name) }
  }
  return null
}

function best({ sources }: PriceTable, model: string, undated: string, mayBegin: boolean): DatedPrices | null {
  let best: { readonly prices: DatedPrices; readonly rank: number } | null = null
  for (const { date, models } of sources) {
    for (const prices of models) {
      const rank = Math.max(...prices.names.map((name) => fits(name.toLowerCase(), model, undated, mayBegin)))
      if (rank > 0 && rank > (best?.rank ?? 0)) best = { prices: { ...prices, date }, rank }
    }
  }
  return best?.prices ?? null
}

/** 0: it does not fit. */
function fits(name: string, model: string, undated: string, mayBegin: boolean): number {
  if (name === model) return 10_001
  if (name === undated) return 10_000
  return mayBegin && name.endsWith('*') && model.startsWith(name.slice(0, -1)) ? name.length : 0
}
