import type { JsonObject } from '../../json.ts'
import { isFiniteNumber, stringAt } from '../../json.ts'
import { EventSequence } from '../event-sequence.ts'
import type { LogFormat } from '../log-format.ts'
import { malformedDrafts } from '../malformed.ts'
import { WrittenList } from '../written-list.ts'
import { type AtifDecoded, decode, sources } from './decode.ts'
import { atifFacts } from './facts.ts'
import { AtifFold, Track } from './fold.ts'
import { atifValues } from './values.ts'

/** Trajectories of the Agent Trajectory Interchange Format, which Harbor and others write of any agent: docs/formats/atif.md. */
export const atif: LogFormat<AtifDecoded> = {
  id: 'atif',
  title: 'ATIF trajectory',
  agentType: null,
  detectors: [
    { strength: 'conclusive', holds: (record) => /^ATIF-v/.test(stringAt(record, 'schema_version') ?? '') },
    { strength: 'typical', holds: isStep }
  ],
  textDetectors: [{ strength: 'conclusive', holds: (text) => /"schema_version"\s*:\s*"ATIF-v/.test(text) }],
  nested: ['steps'],
  decode,
  values: atifValues,
  decodeMalformed: (text, issue, cut) => ({ drafts: malformedDrafts(text, issue, cut), issues: [issue], part: null }),
  createFold: (context) => new AtifFold(context),
  stateClasses: () => [AtifFold, Track, EventSequence, WrittenList],
  session: { facts: () => null, lacks: ['project'], ends: 'unsaid' },
  facts: atifFacts
}

function isStep({ step_id: id, source }: JsonObject): boolean {
  return isFiniteNumber(id) && sources.some((known) => known === source)
}
