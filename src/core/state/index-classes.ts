import { ByteOffsets } from '../byte-offsets.ts'
import { StatedTimes } from '../events/stated-times.ts'
import { findingClasses, RunFindings } from '../findings/run-findings.ts'
import { FoldedLines } from '../formats/folded-lines.ts'
import type { LogFormat } from '../formats/log-format.ts'
import { GrowingList } from '../growing-list.ts'
import { HashNumbers } from '../hash-numbers.ts'
import { CallRows } from '../index/call-rows.ts'
import { EventIndex } from '../index/event-index.ts'
import { EventRows } from '../index/event-rows.ts'
import { FileRows } from '../index/file-rows.ts'
import { Interned } from '../index/interned.ts'
import { IssueList } from '../index/issue-list.ts'
import { KeptDrafts } from '../index/kept-drafts.ts'
import { LaterCalls } from '../index/later-calls.ts'
import { RowTimes } from '../index/row-times.ts'
import { RunIndex } from '../index/run-index.ts'
import { TrackList } from '../index/track-list.ts'
import { NumberLists } from '../number-lists.ts'
import { GoneLanes } from '../replay/gone-lanes.ts'
import { ItemLists } from '../replay/item-lists.ts'
import { ItemTexts } from '../replay/item-texts.ts'
import { TodoHistory } from '../replay/todo-history.ts'
import { TodoLanes } from '../replay/todo-lanes.ts'
import { RequestList } from '../requests/request-list.ts'
import { RunCost } from '../requests/run-cost.ts'
import { RowLinks } from '../row-links.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import { TextTuples } from '../text-tuples.ts'
import type { StateClass } from './saved-state.ts'

/** All classes in the state of a reader: held lines, fold and index. */
export function indexClasses(format: LogFormat): readonly StateClass[] {
  return [
    FoldedLines,
    RunIndex,
    RequestList,
    RunCost,
    RunFindings,
    ...findingClasses,
    EventIndex,
    StatedTimes,
    LaterCalls,
    FileRows,
    Interned,
    IssueList,
    TrackList,
    TodoHistory,
    TodoLanes,
    GoneLanes,
    ItemLists,
    ItemTexts,
    NumberLists,
    CallRows,
    EventRows,
    KeptDrafts,
    RowTimes,
    ByteOffsets,
    GrowingList,
    HashNumbers,
    RowLinks,
    SparseNumbers,
    TextTuples,
    ...format.stateClasses()
  ]
}
