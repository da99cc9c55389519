import * as z from 'zod'
import { longRequests } from './token-groups.ts'
import { groupedText } from '../measure-text.ts'

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
  cacheWriteHour: Price.optional().describe(
    'Tokens written to the cache for an hour. Absent: the vendor makes no difference'
  ),
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
    .describe('The prices of all tokens of a long request')
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
        models: z.array(ModelPrices).max(1000)
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

const found = new WeakMap<PriceTable, Map<string, DatedPrices | null>>()

/** Null: no price. An exact name wins over one without its date, and a longer beginning over a shorter one. */
export function pricesOf(table: PriceTable, model: string): DatedPrices | null {
  let known = found.get(table)
  if (known === undefined) found.set(table, (known = new Map()))
  const before = known.get(model)
  if (before !== undefined) return before
  const prices = find(table, model.toLowerCase())
  if (known.size < 10_000) known.set(model, prices)
  return prices
}

function find({ sources }: PriceTable, model: string): DatedPrices | null {
  const undated = model.replace(/[-@](?:20\d{6}|20\d\d-\d\d-\d\d)(?=$|\[)/, '')
  let best: { readonly prices: DatedPrices; readonly rank: number } | null = null
  for (const { date, models } of sources) {
    for (const prices of models) {
      const rank = Math.max(...prices.names.map((name) => fits(name.toLowerCase(), model, undated)))
      if (rank > 0 && rank > (best?.rank ?? 0)) best = { prices: { ...prices, date }, rank }
    }
  }
  return best?.prices ?? null
}

/** 0: it does not fit. */
function fits(name: string, model: string, undated: string): number {
  if (name === model) return 10_001
  if (name === undated) return 10_000
  return name.endsWith('*') && model.startsWith(name.slice(0, -1)) ? name.length : 0
}
