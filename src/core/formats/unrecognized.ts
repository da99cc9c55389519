import type { Decoded, Fold, FoldResult, LogFormat } from './log-format.ts'

const nothing: Decoded = { drafts: [], issues: [] }

/** Reads logs that no format claims: rows without events, and issues of lines that are not JSON. Not registered. */
export const unrecognized: LogFormat = {
  id: null,
  title: 'Unrecognized log',
  agentType: null,
  detectors: [],
  decode: () => nothing,
  decodeMalformed: (_text, issue) => ({ drafts: [], issues: [issue] }),
  createFold: () => new SilentFold(),
  stateClasses: () => [SilentFold]
}

class SilentFold implements Fold {
  add(): FoldResult {
    return { events: [], issues: [] }
  }

  end(): FoldResult {
    return { events: [], issues: [] }
  }
}
