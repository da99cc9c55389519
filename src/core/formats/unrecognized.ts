import type { Decoded, Fold, FoldResult, LogFormat } from './log-format.ts'

const nothing: Decoded = { drafts: [], issues: [] }

/**
 * The format of logs that no format claims: every line is a row without an event; lines that are not JSON are reported.
 * Not registered.
 */
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
