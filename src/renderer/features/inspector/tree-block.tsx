import { formatCount } from '../../ui/format.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { Block } from './block.tsx'
import type { Cuts } from './cuts.ts'

/** A JSON value as a titled tree. `path`: its JSON path in the event. */
export function TreeBlock({ title, value, path, cuts }: { title: string; value: unknown; path: string; cuts: Cuts }) {
  const cut = [...cuts.lengths].filter(([at]) => at.startsWith(path))
  return (
    <Block title={title} copy={{ what: title.toLowerCase(), text: () => JSON.stringify(value, null, 2) ?? '' }}>
      <JsonTree
        label={title}
        value={value}
        cut={new Map(cut.map(([at, length]) => [`$${at.slice(path.length)}`, length]))}
      />
      {cut.length > 0 && (
        <p className="more">
          {cuts.showAll === null ? (
            <span className="t3">Some values are cut. The Raw tab has every byte.</span>
          ) : (
            <button type="button" className="btn edged" onClick={cuts.showAll}>
              Show all, {formatCount(Math.max(...cut.map(([, length]) => length)))} characters or more
            </button>
          )}
        </p>
      )}
    </Block>
  )
}
