import { useNewRun } from '../../stores/use-new-run.ts'

/** Whether what changes in the folder is kept. Off by default, as it takes time and room in large folders. */
export function ChangesField() {
  const keepsChanges = useNewRun(({ draft }) => draft.keepsChanges)
  const change = useNewRun((state) => state.change)
  return (
    <div className="form-field">
      <span className="form-label">Changes</span>
      <div className="form-control">
        <label className="hstack changes-choice">
          <input
            type="checkbox"
            checked={keepsChanges}
            onChange={(event) => change({ keepsChanges: event.target.checked })}
          />
          <span>
            Keep what changes in the folder, turn by turn
            <span className="t3"> Needs a git repository, which is not touched.</span>
          </span>
        </label>
      </div>
    </div>
  )
}
