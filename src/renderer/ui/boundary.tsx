import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** Name of the part: "timeline". */
  readonly part: string
  /** A change of it retries a failed part. */
  readonly of?: string | undefined
  readonly children: ReactNode
}

interface BoundaryState {
  readonly fault: unknown
  readonly of: string | undefined
}

const none = Symbol('no fault')

/** Contains errors of a part of the page: shows the error and a retry button instead. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { fault: none, of: this.props.of }

  static getDerivedStateFromError(fault: unknown): Partial<BoundaryState> {
    return { fault }
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return of === state.of ? null : { fault: none, of }
  }

  override render(): ReactNode {
    const { fault } = this.state
    if (fault === none) return this.props.children
    return (
      <div className="boundary vstack" role="alert">
        <p>
          The {this.props.part} failed inside Playhead. Your log is unchanged, and the rest of the page still works.
          Please report this:
        </p>
        <pre className="boundary-fault">{String(fault).slice(0, 500)}</pre>
        <button type="button" className="btn edged" onClick={() => this.setState({ fault: none })}>
          Try again
        </button>
      </div>
    )
  }
}
