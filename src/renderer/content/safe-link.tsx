import { type CSSProperties, type ReactNode, useState } from 'react'

/** The address that a link may open; null for none. Only absolute http and https addresses. */
export function safeAddress(href: string): string | null {
  if (!URL.canParse(href)) return null
  const url = new URL(href)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
}

/** A link of a log. It opens only on a click; hover and focus show its target. */
export function SafeLink({
  address,
  children
}: {
  /** A result of `safeAddress`. */
  address: string
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
        data-address={address}
        onPointerEnter={({ currentTarget }) => setPlace(currentTarget.getBoundingClientRect())}
        onPointerLeave={() => setPlace(null)}
        onFocus={({ currentTarget }) => setPlace(currentTarget.getBoundingClientRect())}
        onBlur={() => setPlace(null)}
      >
        {children}
      </a>
      {place !== null && (
        // In the top layer, so that no scrolling box clips it.
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

/** Below a link, or above it near the end of the page; toward the middle of the page, to fit a long address. */
function beside({ left, right, top, bottom }: DOMRect): CSSProperties {
  const { innerWidth: width, innerHeight: height } = window
  return {
    ...(left < width / 2 ? { left } : { right: Math.max(0, width - right) }),
    ...(bottom < height * 0.8 ? { top: bottom } : { bottom: height - top })
  }
}
