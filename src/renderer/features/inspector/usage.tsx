import { tokenUsage } from '#core/index/token-usage.ts'
import { isJsonObject, type JsonObject } from '#core/json.ts'
import { formatCount, formatLarge } from '../../ui/format.ts'
import { Sourced } from '../../ui/provenance.tsx'
import { Block } from './block.tsx'
import type { Cuts } from './cuts.ts'
import { TreeBlock } from './tree-block.tsx'

/** Token counts in common words, and the rest as a tree. `understated`: the output count is too small. */
export function Usage({ usage, understated, cuts }: { usage: JsonObject; understated: boolean; cuts: Cuts }) {
  const { counts, rest } = tokenUsage(usage)
  return (
    <>
      {counts.length > 0 && (
        <Block title="Tokens">
          <table className="usage">
            <tbody>
              {counts.map(({ name, count, part }) => (
                <tr key={name} className={part ? 'part' : undefined}>
                  <th scope="row">{name}</th>
                  <td className="num">
                    <Sourced {...sourceOf(understated && name === 'Output')}>
                      {Number.isInteger(count) ? formatCount(count) : String(count)}
                    </Sourced>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Block>
      )}
      {Object.keys(rest).length > 0 && <TreeBlock title="More usage figures" value={rest} path="$.usage" cuts={cuts} />}
    </>
  )
}

function sourceOf(isLess: boolean) {
  return isLess
    ? ({ source: 'understated', why: 'The log states too little output for this request.' } as const)
    : ({ source: 'stated' } as const)
}

const shortNames: Readonly<Record<string, string>> = {
  Input: 'in',
  'Read from cache': 'read from cache',
  'Written to cache': 'written to cache',
  'from cache': 'from cache',
  Output: 'out',
  Thinking: 'thinking'
}

/** "12 in · 15.2 k read from cache · 142 out"; undefined if nothing is known. */
export function countWords(usage: unknown): string | undefined {
  if (!isJsonObject(usage)) return undefined
  const words = tokenUsage(usage).counts.flatMap(({ name, count }) => {
    const short = shortNames[name]
    return short === undefined || count === 0 ? [] : [`${formatLarge(count)} ${short}`]
  })
  return words.length === 0 ? undefined : words.join(' · ')
}
