import { useMemo } from 'react'
import type { Agent } from '#core/formats/agent.ts'
import { agentOf } from '#core/formats/agents.ts'
import { toolOutput } from '#core/index/tool-output.ts'
import { readOutput } from '#core/tools/read-output.ts'
import type { ToolUse } from '#core/tools/tool-use.ts'
import { useLog } from '../../stores/log-store.ts'
import { displayText } from '../../ui/display-text.ts'
import { JsonTree } from '../../ui/json-tree.tsx'
import { Block } from './block.tsx'
import type { CallPart } from './call-parts.ts'
import { textAt } from './cuts.ts'
import { FoundView } from './found-view.tsx'
import { sizeText } from './size-text.ts'
import { FailedOutput } from './failed-output.tsx'
import { OutputBlock, ProseBlock } from './text-block.tsx'
import { ReadView } from './read-view.tsx'
import type { LogText } from './use-log-text.ts'
import { WebView } from './web-view.tsx'

/** A short single sentence needs no block. */
const shortAnswer = 300
/** Longer data is shown as text, because a tree of it is slow. */
const longestData = 1_000_000

/** The result of a tool in the log, by the use of its call; null if the call is unknown. */
export function ResultView({ result, use }: { result: CallPart<'tool.completed'>; use: ToolUse | null }) {
  const { event, cuts, facts } = result
  const failed = useFailed(result)
  const path = event.error === undefined ? '$.output' : '$.error'
  const text = event.error ?? event.output ?? ''
  const of = useMemo(() => textAt(cuts, path, text), [cuts, path, text])
  const agent = useMemo(() => agentOf(event.agentType), [event.agentType])
  return <AnswerView of={of} failed={failed} images={facts.images} use={use} agent={agent} />
}

/** Whether the call failed. The index has read the whole result, which may be cut here. */
export function useFailed({ row }: Pick<CallPart<'tool.completed'>, 'row'>): boolean {
  return useLog(({ columns }) => columns.kindAt(row) === 'tool-error')
}

/** A tool result, from the log or reported. `images`: how many images it has, which are shown separately. */
export function AnswerView({
  of,
  failed,
  images,
  use,
  agent = null
}: {
  of: LogText
  failed: boolean
  images: number
  use: ToolUse | null
  agent?: Agent | null
}) {
  const { text } = of
  if (text === '') return <p className="t3">No output.</p>
  // The text only names the images, which are shown.
  if (images > 0 && /^(?:\[[^\]\n]{1,60}\]\s*)+$/.test(text.slice(0, 2000))) return null
  if (failed) return <FailedOutput title="Error output" of={of} shown={bodyOf} />
  switch (use?.answer) {
    case 'sentence':
      return <Answer of={of} path={use.what === 'edits' ? use.files[0]?.path : undefined} />
    case 'file':
      return (
        <ReadView
          of={of}
          path={use.what === 'read' ? use.path : undefined}
          first={use.what === 'read' ? use.first : 1}
          agent={agent}
          title="Read"
        />
      )
    case 'found':
      return <FoundView of={of} />
    case 'names':
      return <OutputBlock title="Output" plain of={of} />
    case 'prose':
      return use.what === 'agent' ? <ProseBlock title="Report" of={of} /> : <WebView of={of} />
    case 'terminal':
      return <OutputBlock title="Output" of={of} shown={bodyOf} />
    default:
      return <DataView of={of} />
  }
}

/** The result without what agents write around it. That is in the facts and in "All fields". */
function bodyOf(text: string): string {
  return toolOutput(text).body
}

/** The result of a file change: a sentence, and perhaps lines of the new file. */
function Answer({ of, path }: { of: LogText; path: string | undefined }) {
  const { text } = of
  if (text.length <= shortAnswer && !text.trimEnd().includes('\n'))
    return (
      <p className="answer" dir="auto">
        {displayText(text)}
      </p>
    )
  const isNumbered = readOutput(text, 1).text !== text
  return isNumbered ? (
    <ReadView of={of} path={path} first={1} agent={null} title="Now" />
  ) : (
    <OutputBlock title="Output" plain of={of} />
  )
}

/** JSON as a tree; other text by lines. */
function DataView({ of }: { of: LogText }) {
  const value = useMemo(() => dataIn(of), [of])
  if (value === null) return <OutputBlock title="Output" of={of} shown={bodyOf} />
  return (
    <Block title="Output" fact={sizeText(of.text)} copy={{ what: 'output', text: () => of.text }}>
      <JsonTree label="Output" value={value} />
    </Block>
  )
}

function dataIn({ text, length }: LogText): object | null {
  if (text.length < length || text.length > longestData || !/^\s*[{[]/.test(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
