import { useEffect, useId } from 'react'
import type { Agent } from '#contract/live-runs.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'
import { useNewRun } from '../../stores/use-new-run.ts'
import { CopyButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { AgentCommand } from './agent-command.tsx'
import { FieldError } from './form-field.tsx'

/** The choice of agent, with the program of the chosen one, or its problem and what to do. */
export function AgentField() {
  const { agents, looking, agentsError } = useLiveRuns('agents', 'looking', 'agentsError')
  const lookForAgents = useLiveRuns((runs) => runs.lookForAgents)
  const chosen = useNewRun(({ draft }) => draft.agent)
  // A session belongs to its agent.
  const isFixed = useNewRun(({ draft }) => draft.resumes !== null)
  const id = useId()
  // Search again whenever the form opens, because a person may have installed a missing program.
  useEffect(() => void lookForAgents(), [lookForAgents])
  const agent = agents?.find((known) => known.agent === chosen)
  return (
    <div className="form-field">
      <span id={id} className="form-label">
        Agent
      </span>
      <div className="form-control">
        <div className="agent-cards" role="radiogroup" aria-labelledby={id} aria-busy={looking}>
          {agents === null
            ? [0, 1, 2].map((place) => <span key={place} className="agent-card choice-card vstack" data-absent />)
            : agents
                .filter((known) => !isFixed || known === agent)
                .map((known) => <AgentCard key={known.agent} agent={known} chosen={known === agent} name={id} />)}
        </div>
        <div className="form-said" aria-live="polite">
          {agentsError !== null && (
            <>
              <FieldError text={`Agents could not be detected: ${agentsError}`} />
              <button type="button" className="link" onClick={() => void lookForAgents()}>
                Detect again
              </button>
            </>
          )}
          {agents === null && agentsError === null && <p className="t3">Detecting agents…</p>}
          {agent !== undefined && agent.problem !== null && <Problem agent={agent} />}
        </div>
        {agent !== undefined && (
          <AgentCommand key={agent.agent} agent={agent}>
            {agent.problem !== null && <Install agent={agent} looking={looking} />}
          </AgentCommand>
        )}
      </div>
    </div>
  )
}

function AgentCard({ agent, chosen, name }: { agent: Agent; chosen: boolean; name: string }) {
  const chooseAgent = useNewRun((state) => state.chooseAgent)
  const said = agent.problem !== null ? 'not found' : (agent.version ?? 'unknown version')
  return (
    <label
      className="agent-card choice-card vstack"
      data-absent={agent.problem !== null || undefined}
      title={agent.command ?? undefined}
    >
      <input type="radio" className="unseen" name={name} checked={chosen} onChange={() => chooseAgent(agent.agent)} />
      <span className="medium cut">{agent.title}</span>
      <span className="caption cut agent-version">
        {agent.problem !== null && <Icon name="violation" size={12} />}
        {said}
      </span>
    </label>
  )
}

function Problem({ agent }: { agent: Agent }) {
  return (
    <p className="agent-problem">
      <Icon name="violation" size={12} tone="s-violation" />
      <span>{agent.problem}</span>
    </p>
  )
}

/** What to do about a missing agent. */
function Install({ agent, looking }: { agent: Agent; looking: boolean }) {
  const lookForAgents = useLiveRuns((state) => state.lookForAgents)
  return (
    <>
      <code className="cut" title={agent.install}>
        {agent.install}
      </code>
      <CopyButton what="installation command" text={() => agent.install} />
      <button type="button" className="link" disabled={looking} onClick={() => void lookForAgents()}>
        {looking ? 'Detecting…' : 'Detect again'}
      </button>
    </>
  )
}
