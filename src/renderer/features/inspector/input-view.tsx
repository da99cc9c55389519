import { Fragment } from 'react'
import type { JsonObject } from '#core/json.ts'
import { type Cuts, textAt } from './cuts.ts'
import { Fact, Facts } from './facts.tsx'
import { type InputPart, inputParts } from './input-parts.ts'
import { CodeBlock, ProseBlock } from './text-block.tsx'
import { TreeBlock } from './tree-block.tsx'

/** A tool's inputs without `consumedKeys`: adjacent short ones as one list, long ones as blocks. */
export function InputParts({
  input,
  consumedKeys,
  cuts
}: {
  input: JsonObject
  consumedKeys: readonly string[]
  cuts: Cuts
}) {
  const parts = inputParts(input, consumedKeys)
  if (Object.keys(input).length === 0) return <p className="t3">No input.</p>
  return grouped(parts).map((group, position) => {
    const [first] = group
    if (first === undefined) return null
    if (first.kind !== 'fact') return <InputBlock key={position} part={first} cuts={cuts} />
    return (
      <Facts key={position}>
        {group.map((part) => (
          <Fragment key={part.path}>
            {part.kind === 'fact' && <Fact name={part.title} value={part.text} mono />}
          </Fragment>
        ))}
      </Facts>
    )
  })
}

/** Groups adjacent facts; every other part is a group of its own. */
function grouped(parts: readonly InputPart[]): InputPart[][] {
  const groups: InputPart[][] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.kind === 'fact' && last?.[0]?.kind === 'fact') last.push(part)
    else groups.push([part])
  }
  return groups
}

function InputBlock({ part, cuts }: { part: Exclude<InputPart, { kind: 'fact' }>; cuts: Cuts }) {
  if (part.kind === 'tree') return <TreeBlock title={part.title} value={part.value} path={part.path} cuts={cuts} />
  const of = textAt(cuts, part.path, part.text)
  return part.kind === 'prose' ? <ProseBlock title={part.title} of={of} /> : <CodeBlock title={part.title} of={of} />
}
