import { LineFolder } from '../formats/line-folder.ts'
import type { LogFormat } from '../formats/log-format.ts'
import { EventIndex } from '../index/event-index.ts'
import { FileRows } from '../index/file-rows.ts'
import { Interned } from '../index/interned.ts'
import { IssueList } from '../index/issue-list.ts'
import { RunIndex } from '../index/run-index.ts'
import { TrackList } from '../index/track-list.ts'
import { TodoHistory } from '../replay/todo-history.ts'
import type { StateClass } from './saved-state.ts'

/** All classes that the state of a reader of this format is made of: the lines it holds, its fold, and the index it fills. */
export function indexClasses(format: LogFormat): readonly StateClass[] {
  return [
    LineFolder,
    RunIndex,
    EventIndex,
    FileRows,
    Interned,
    IssueList,
    TrackList,
    TodoHistory,
    ...format.stateClasses()
  ]
}
