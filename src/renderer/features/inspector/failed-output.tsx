import { useEffect, useMemo, useRef, useState } from 'react'
import { errorLine, lastLine, type TextLine } from '#core/index/error-line.ts'
import { TerminalText } from '../../content/terminal-text.tsx'
import { IconButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Block } from './block.tsx'
import { sizeText } from './size-text.ts'
import { TextPart } from './text-part.tsx'
import { type LogText, useLogText } from './use-log-text.ts'

/** Shorter outputs are shown whole. */
const fewLines = 6
/** An output up to this length in characters is loaded whole, because the error may be at its end. */
const readWhole = 2_000_000

/** The output of a failed call, opened at the first error or at its end. `shown`: maps the text to what is shown. */
export function FailedOutput({ title, of, shown }: { title: string; of: LogText; shown: (text: string) => string }) {
  const read = useLogText(of)
  const asksFor = useRef<LogText | null>(null)
  useEffect(() => {
    if (asksFor.current === of) return
    asksFor.current = of
    if (of.text.length < of.length && of.length <= readWhole) read.read(of.length)
  })
  const text = useMemo(() => shown(read.text), [shown, read.text])
  const places = useMemo(() => placesOf(text), [text])
  const [wrap, setWrap] = useState(() => !/\n./.test(of.text))
  const [asked, setAsked] = useState<{ readonly line: TextLine; readonly times: number } | null>(null)
  const opened = places[0]
  const line = asked?.line ?? opened?.line
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (asked === null) return
    // The inspector may clip the box. The line is rendered after the box has scrolled to it.
    const frame = requestAnimationFrame(() =>
      box.current?.querySelector('.shown')?.scrollIntoView({ block: 'nearest' })
    )
    return () => cancelAnimationFrame(frame)
  }, [asked])
  const go = (place: TextLine) => setAsked({ line: place, times: (asked?.times ?? 0) + 1 })
  return (
    <Block
      title={title}
      tone="bad"
      fact={of.text.length < of.length ? `${formatCount(of.length)} characters` : sizeText(text)}
      tools={<IconButton small icon="wrap" label="Wrap lines" pressed={wrap} onClick={() => setWrap(!wrap)} />}
      copy={{ what: title.toLowerCase(), text: async () => shown(await read.readAll()) }}
    >
      {text === '' ? (
        <p className="text t3">No text.</p>
      ) : (
        <>
          {places.length > 0 && (
            <dl className="failure-places">
              {places.map(({ name, line: place }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    <button
                      type="button"
                      className="mono cut"
                      title={displayText(place.text)}
                      onClick={() => go(place)}
                    >
                      {displayText(place.text)}
                    </button>
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <div ref={box}>
            <TerminalText
              label={title}
              text={text}
              wrap={wrap}
              shown={line === undefined ? null : { at: line.at, times: asked?.times ?? 0 }}
            />
          </div>
        </>
      )}
      <TextPart of={of} read={read} />
    </Block>
  )
}

interface NamedPlace {
  readonly name: string
  readonly line: TextLine
}

/** Places of the failure; the output opens at the first. None in an output of a few lines. */
function placesOf(text: string): readonly NamedPlace[] {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0 && lines < fewLines; at = text.indexOf('\n', at + 1)) lines++
  if (lines < fewLines) return []
  const [error, last] = [errorLine(text), lastLine(text)]
  return [
    ...(error === null ? [] : [{ name: 'First error', line: error }]),
    ...(last === null || last.at === error?.at ? [] : [{ name: 'Last line', line: last }])
  ]
}
