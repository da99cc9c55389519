import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** The element for the controls of the shown view: the end of the tab bar. */
export const ViewBarContext = createContext<HTMLElement | null>(null)

/** Controls of a view, in the tab bar. Without a main panel, as in a test, they are rendered in place. */
export function ViewBar({ children }: { children: ReactNode }) {
  const bar = useContext(ViewBarContext)
  return bar === null ? <div className="view-bar hstack">{children}</div> : createPortal(children, bar)
}
