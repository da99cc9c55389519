import { useMemo, useState } from 'react'
import type { Agent } from '#core/formats/agent.ts'
import { readOutput } from '#core/tools/read-output.ts'
import { Code } from '../../content/code.tsx'
import { LineList } from '../../content/line-list.tsx'
import { IconButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Block } from './block.tsx'
import { TextPart } from './text-part.tsx'
import { type LogText, useLogText } from './use-log-text.ts'

/** A file that a tool read, with line numbers. Text that the agent added around it is separate. */
export function ReadView({
  of,
  path,
  first,
  agent,
  title
}: {
  of: LogText
  path: string | undefined
  first: number
  /** Whose output it is; null: not known. */
  agent: Agent | null
  title: string
}) {
  const read = useLogText(of)
  const [wrap, setWrap] = useState(false)
  const {
    before,
    first: from,
    text,
    after
  } = useMemo(() => readOutput(read.text, first, agent), [read.text, first, agent])
  return (
    <>
      {before !== '' && (
        <p className="answer" dir="auto">
          {displayText(before)}
        </p>
      )}
      <Block
        title={title}
        path={path}
        fact={linesText(from, text)}
        tools={<IconButton small icon="wrap" label="Wrap lines" pressed={wrap} onClick={() => setWrap(!wrap)} />}
        copy={{ what: 'the lines', text: async () => readOutput(await read.readAll(), first, agent).text }}
      >
        {text === '' ? (
          <p className="text t3">No lines.</p>
        ) : (
          <Code label={title} text={text} path={path} lineNumbers firstLine={from} wrap={wrap} />
        )}
        <TextPart of={of} read={read} />
      </Block>
      {after !== '' && (
        <details className="all-fields t2">
          <summary>Added for the agent</summary>
          <div className="block">
            <LineList label="Text added for the agent" text={after} wrap />
          </div>
        </details>
      )}
    </>
  )
}

function linesText(first: number, text: string): string {
  if (text === '') return ''
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  if (lines <= 1) return `line ${formatCount(first)}`
  return `lines ${formatCount(first)} to ${formatCount(first + lines - 1)}`
}
