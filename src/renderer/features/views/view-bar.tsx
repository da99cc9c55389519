import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** Where the view that is shown puts its controls: the end of the line of the main area's tabs. */
export const ViewBarContext = createContext<HTMLElement | null>(null)

/** The controls of a view of the main area. Without a main area around it, as in a test, they stand where they are written. */
export function ViewBar({ children }: { children: ReactNode }) {
  const bar = useContext(ViewBarContext)
  return bar === null ? <div className="view-bar">{children}</div> : createPortal(children, bar)
}
