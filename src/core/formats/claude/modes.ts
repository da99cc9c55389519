import type { ProgramModes } from '../agent-program.ts'

export const claudeModes: ProgramModes = {
  dialogue: [
    {
      id: 'default',
      title: 'Ask',
      note: 'Reads files. Asks before anything your settings do not allow.',
      dangerous: false
    },
    {
      id: 'acceptEdits',
      title: 'Accept edits',
      note: 'Also edits files in its folder. Asks before other commands.',
      dangerous: false
    },
    { id: 'plan', title: 'Plan', note: 'Reads files, writes a plan, and asks you to accept it.', dangerous: false },
    {
      id: 'bypassPermissions',
      title: 'Skip permissions',
      note: 'Runs any command and edits any file without asking.',
      dangerous: true
    }
  ],
  plain: [
    {
      id: 'default',
      title: 'Default permissions',
      note: 'Reads files. Anything your settings do not allow is denied.',
      dangerous: false
    },
    {
      id: 'acceptEdits',
      title: 'Accept edits',
      note: 'Also edits files in its folder. Other commands must be allowed in your settings.',
      dangerous: false
    },
    { id: 'plan', title: 'Plan', note: 'Reads files and writes a plan. Changes nothing.', dangerous: false },
    {
      id: 'bypassPermissions',
      title: 'Skip permissions',
      note: 'Runs any command and edits any file without asking.',
      dangerous: true
    }
  ]
}
