import './refused-screen.css'
import { Icon } from '../../ui/icons.tsx'

/** Shown instead of the app if the host refuses this page: why, and what to do. */
export function RefusedScreen({ why }: { why: string }) {
  return (
    <main className="refused-screen vstack">
      <h1 className="start-head hstack">
        <Icon name="lost" tone="s-violation" /> This tab has no access to Playhead
      </h1>
      <p role="alert">{why}</p>
      <p>
        To continue, run this command on the machine where Playhead runs. Then open the printed address in this tab:
      </p>
      <pre>
        <code>playhead url</code>
      </pre>
      <p className="t2">
        In a checkout, run <code>node bin/playhead.js url</code>. Through an SSH tunnel, replace the port in the address
        with the port of the tunnel. If Playhead is not running, start it with <code>playhead</code>.
      </p>
    </main>
  )
}
