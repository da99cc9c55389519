import { memo, useMemo } from 'react'
import type { OpenAsk } from '#contract/live-runs.ts'
import { agentOf, agentTypeOf } from '#core/formats/agents.ts'
import { isJsonObject, type JsonObject } from '#core/json.ts'
import { toolUse } from '#core/tools/tool-use.ts'
import { LineList } from '../../content/line-list.tsx'
import { Block } from '../inspector/block.tsx'
import { CallInput } from '../inspector/call-view.tsx'
import type { Cuts } from '../inspector/cuts.ts'
import { Fact, Facts } from '../inspector/facts.tsx'
import { callPurpose } from '../inspector/input-parts.ts'
import { InputParts } from '../inspector/input-view.tsx'
import { TreeBlock } from '../inspector/tree-block.tsx'
import { asSent, coveredKeys } from './covered-keys.ts'

/** All of it is there. */
const whole: Cuts = { row: -1, lengths: new Map(), showAll: null }

/**
 * What a call would do, as the inspector shows it, and every part of its input that this leaves out. Drawn once: while many requests wait,
 * their run goes on.
 */
export const AskInput = memo(function AskInput({ ask, agent }: { ask: OpenAsk; agent: string }) {
  const { input } = ask
  if (ask.cut) {
    return (
      <Block title="Beginning of the input">
        <LineList label="Beginning of the input" text={typeof input === 'string' ? input : ''} wrap />
      </Block>
    )
  }
  if (!isJsonObject(input) || ask.kind === 'unknown') {
    return <TreeBlock title="Request" value={input} path="$" cuts={whole} />
  }
  return <ToolInput name={ask.tool ?? ''} input={input} agent={agent} />
})

function ToolInput({ name, input, agent }: { name: string; input: JsonObject; agent: string }) {
  const use = useMemo(() => {
    const type = agentTypeOf(agent)
    return asSent(toolUse(name, input, type === null ? null : agentOf(type)), input)
  }, [name, input, agent])
  const purpose = callPurpose(input)
  return (
    <>
      <CallInput cuts={whole} use={use} result={null} />
      <InputParts input={input} consumedKeys={coveredKeys(use, input)} cuts={whole} />
      {purpose !== null && (
        <Facts>
          <Fact name="description" value={purpose} />
        </Facts>
      )}
    </>
  )
}
