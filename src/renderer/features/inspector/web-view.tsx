import { useMemo } from 'react'
import { webLinks } from '#core/tools/web-links.ts'
import { Markdown } from '../../content/markdown.tsx'
import { formatPlural } from '../../ui/format.ts'
import { Block } from './block.tsx'
import { ProseBlock } from './text-block.tsx'
import type { LogText } from './use-log-text.ts'

/** A web page or web search result: the listed pages, then the text. */
export function WebView({ of }: { of: LogText }) {
  const { links, text } = useMemo(() => webLinks(of.text), [of.text])
  if (links.length === 0) return <ProseBlock title="Answer" of={of} />
  const list = links.map(({ title, url }) => `- [${title.replaceAll(/[[\]\\]/g, '\\$&')}](<${url}>)`).join('\n')
  return (
    <>
      <Block
        title={formatPlural(links.length, 'page')}
        copy={{ what: 'the addresses', text: () => links.map(({ url }) => url).join('\n') }}
      >
        <div className="prose">
          <Markdown text={list} />
        </div>
      </Block>
      <ProseBlock title="Answer" of={text === of.text ? of : { ...of, path: null, text, length: text.length }} />
    </>
  )
}
