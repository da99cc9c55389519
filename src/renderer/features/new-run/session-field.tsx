import { useNewRun } from '../../stores/use-new-run.ts'
import { displayText } from '../../ui/display-text.ts'
import { Icon } from '../../ui/icons.tsx'

/** The session that the run goes on with; nothing for a new session. */
export function SessionField() {
  const resumes = useNewRun(({ draft }) => draft.resumes)
  const { session, leaveSession, requestFocus } = useNewRun('session', 'leaveSession', 'requestFocus')
  if (resumes === null) return null
  return (
    <div className="form-field" role="group" aria-label="Session">
      <span className="form-label" aria-hidden="true">
        Session
      </span>
      <div className="form-control">
        <p className="resumed hstack">
          <Icon name="go-on" size={14} />
          <span className="medium cut">{displayText(session?.title ?? 'Untitled')}</span>
          <code className="t3 cut">{resumes.session}</code>
        </p>
        <div className="form-said" aria-live="polite">
          {session?.warnings.map((warning) => (
            <p key={warning} className="agent-problem">
              <Icon name="violation" size={12} tone="s-violation" label="Warning" />
              <span>{displayText(warning)}</span>
            </p>
          ))}
          <p className="t3">
            {session !== null && `${session.note} `}
            <button
              type="button"
              className="link"
              onClick={() => {
                leaveSession()
                requestFocus()
              }}
            >
              Start a new session instead
            </button>
          </p>
        </div>
      </div>
    </div>
  )
}
