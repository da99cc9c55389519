import { type CSSProperties, type ReactNode, useState } from 'react'

/** The address that a link of a log may open; null: none. Only http and https, and only whole ones. */
export function safeAddress(href: string): string | null {
  if (!URL.canParse(href)) return null
  const url = new URL(href)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
}

/** A link of a log. It is followed on a click only; before that, to look at it or come to it with the keyboard shows where it leads. */
export function SafeLink({
  address,
  title,
  children
}: {
  /** As `safeAddress` gives it. */
  address: string
  title: string | null
  children: ReactNode
}) {
  const [place, setPlace] = useState<DOMRect | null>(null)
  return (
    <>
      <a
        className="md-link"
        href={address}
        target="_blank"
        rel="noreferrer noopener"
        title={title ?? undefined}
        data-address={address}
        onPointerEnter={({ currentTarget }) => setPlace(currentTarget.getBoundingClientRect())}
        onPointerLeave={() => setPlace(null)}
        onFocus={({ currentTarget }) => setPlace(currentTarget.getBoundingClientRect())}
        onBlur={() => setPlace(null)}
      >
        {children}
      </a>
      {place !== null && (
        // In the top layer, so that no box that scrolls cuts it.
        <span
          ref={(tip) => tip?.showPopover()}
          popover="manual"
          role="tooltip"
          className="md-tip"
          style={beside(place)}
        >
          {address}
        </span>
      )}
    </>
  )
}

/** Under a link, or over it near the end of the page, and toward the page's middle: there is room for a long address. */
function beside({ left, right, top, bottom }: DOMRect): CSSProperties {
  const { innerWidth: width, innerHeight: height } = window
  return {
    ...(left < width / 2 ? { left } : { right: Math.max(0, width - right) }),
    ...(bottom < height * 0.8 ? { top: bottom } : { bottom: height - top })
  }
}
