import { type ReactNode, useMemo, useState } from 'react'
import { Code } from '../../content/code.tsx'
import { LineList } from '../../content/line-list.tsx'
import { Markdown } from '../../content/markdown.tsx'
import { TerminalText } from '../../content/terminal-text.tsx'
import { IconButton } from '../../ui/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { Block } from './block.tsx'
import { sizeText } from './size-text.ts'
import { TextPart } from './text-part.tsx'
import { type LogText, useLogText } from './use-log-text.ts'
import { useRemembered } from './use-remembered.ts'

interface BlockOf {
  readonly title: string
  readonly of: LogText
  readonly tone?: 'bad' | undefined
  readonly fact?: ReactNode
}

/** The output of a command, or other text, by lines. `shown`: maps it to what is shown; the original is copied. */
export function OutputBlock({
  title,
  of,
  tone,
  fact,
  plain = false,
  shown = same
}: BlockOf & { plain?: boolean; shown?: (text: string) => string }) {
  const read = useLogText(of)
  const [wrap, setWrap] = useState(() => isOneLine(of.text))
  const text = useMemo(() => shown(read.text), [shown, read.text])
  const Text = plain ? LineList : TerminalText
  return (
    <Block
      title={title}
      tone={tone}
      fact={fact ?? (of.text.length < of.length ? `${formatCount(of.length)} characters` : sizeText(text))}
      tools={<IconButton small icon="wrap" label="Wrap lines" pressed={wrap} onClick={() => setWrap(!wrap)} />}
      copy={{ what: title.toLowerCase(), text: async () => shown(await read.readAll()) }}
    >
      {text === '' ? <p className="text t3">No text.</p> : <Text label={title} text={text} wrap={wrap} />}
      <TextPart of={of} read={read} />
    </Block>
  )
}

/** A single line is wrapped. Several lines may form columns. */
function isOneLine(text: string): boolean {
  return text.length < 4000 && !/\n./.test(text)
}

function same(text: string): string {
  return text
}

/** Code, or a part of a file. `prompt`: shown before it, not part of it. */
export function CodeBlock({
  title,
  of,
  tone,
  fact,
  language,
  path,
  firstLine,
  prompt,
  wrapped = false
}: BlockOf & {
  language?: string | undefined
  path?: string | undefined
  /** Number of the first line, if lines are numbered. */
  firstLine?: number | undefined
  prompt?: string
  /** Whether long lines are wrapped at first. */
  wrapped?: boolean
}) {
  const read = useLogText(of)
  // Most commands are one line of any length.
  const [wrap, setWrap] = useState(wrapped)
  return (
    <Block
      title={title}
      path={path}
      tone={tone}
      fact={fact}
      tools={<IconButton small icon="wrap" label="Wrap lines" pressed={wrap} onClick={() => setWrap(!wrap)} />}
      copy={{ what: title.toLowerCase(), text: read.readAll }}
    >
      {read.text === '' ? (
        <p className="text t3">Empty.</p>
      ) : (
        <div className="block-body" data-prompt={prompt}>
          <Code
            label={title}
            text={read.text}
            language={language}
            path={path}
            lineNumbers={firstLine !== undefined}
            firstLine={firstLine ?? 1}
            wrap={wrap}
          />
        </div>
      )}
      <TextPart of={of} read={read} />
    </Block>
  )
}

const faces = ['shown', 'written'] as const

/** Prose, as markdown or as written. */
export function ProseBlock({ title, of, tone, fact, quiet = false }: BlockOf & { quiet?: boolean }) {
  const read = useLogText(of)
  const [face, setFace] = useRemembered('playhead.prose', faces)
  return (
    <Block
      title={title}
      tone={tone}
      fact={fact}
      tools={
        <IconButton
          small
          icon="written"
          label="As written"
          pressed={face === 'written'}
          onClick={() => setFace(face === 'written' ? 'shown' : 'written')}
        />
      }
      copy={{ what: title.toLowerCase(), text: read.readAll }}
    >
      {read.text.trim() === '' ? (
        <p className="text t3">Empty.</p>
      ) : face === 'shown' ? (
        <div className={quiet ? 'prose quiet' : 'prose'}>
          <Markdown text={read.text} />
        </div>
      ) : (
        <LineList label={title} text={read.text} wrap />
      )}
      <TextPart of={of} read={read} />
    </Block>
  )
}
